"""Give pictures and links of README.md whole addresses: PyPI shows it without the files beside it.

``python .github/readme_addresses.py OWNER/NAME COMMIT``, by the workflows before they build.
"""

import re
import sys
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"
RELATIVE = re.compile(r"(!?)(\[[^\]]*\]\()(?!https?:|#|mailto:)([^)\s]+)\)")


def whole(text: str, repository: str, commit: str) -> str:
    """The text with addresses of files at a commit of a repository on GitHub."""

    def address(found: re.Match[str]) -> str:
        picture, label, path = found.groups()
        host = "raw.githubusercontent.com" if picture else "github.com"
        where = commit if picture else f"blob/{commit}"
        return f"{picture}{label}https://{host}/{repository}/{where}/{path})"

    return RELATIVE.sub(address, text)


if __name__ == "__main__":
    README.write_text(whole(README.read_text("utf-8"), *sys.argv[1:]), "utf-8")
