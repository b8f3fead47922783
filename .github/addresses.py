"""Addresses for PyPI: whole ones in README.md, which it shows alone, and links to the repository.

``python .github/addresses.py OWNER/NAME COMMIT``, by the workflows before they build.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
RELATIVE = re.compile(r"(!?)(\[[^\]]*\]\()(?!https?:|#|mailto:)([^)\s]+)\)")


def whole(text: str, repository: str, commit: str) -> str:
    """The text with addresses of files at a commit of a repository on GitHub."""

    def address(found: re.Match[str]) -> str:
        picture, label, path = found.groups()
        host = "raw.githubusercontent.com" if picture else "github.com"
        where = commit if picture else f"blob/{commit}"
        return f"{picture}{label}https://{host}/{repository}/{where}/{path})"

    return RELATIVE.sub(address, text)


def linked(project: str, repository: str) -> str:
    """The text of pyproject.toml with links to a repository on GitHub."""
    home = f"https://github.com/{repository}"
    links = {"Repository": home, "Issues": f"{home}/issues"}
    links["Changelog"] = f"{home}/blob/main/CHANGELOG.md"
    lines = "".join(f'{name} = "{link}"\n' for name, link in links.items())
    if "[project.urls]" in project:  # it was here before
        return project
    before, mark, after = project.partition("[project.optional-dependencies]")
    return f"{before}[project.urls]\n{lines}\n{mark}{after}"


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(f"usage: {sys.argv[0]} OWNER/NAME COMMIT")
    repository, commit = sys.argv[1:]
    readme, project = ROOT / "README.md", ROOT / "pyproject.toml"
    readme.write_text(whole(readme.read_text("utf-8"), repository, commit), "utf-8")
    project.write_text(linked(project.read_text("utf-8"), repository), "utf-8")
