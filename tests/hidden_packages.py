"""An environment as `pip install 'roclab[all]'` makes it: packages of tests are not found.

No other module of the tests is imported here: commands of pages import this one at their start.
"""

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
GROUPS = ("test", "scale", "bench")
OF_THE_RUNNER = {"pytest", "pytest-xdist", "hypothesis"}


@cache  # reading the metadata of all installed packages takes longer than most pages
def foreign_packages() -> tuple[str, ...]:
    """Packages to import that only tests and clusters need."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    foreign = {_name(one) for group in GROUPS for one in groups[group]} - OF_THE_RUNNER
    foreign -= set(_needed_by("roclab[all]"))
    owners = metadata.packages_distributions().items()
    return tuple(sorted(top for top, names in owners if {*map(_name, names)} <= foreign))


def _needed_by(requirement: str) -> Iterator[str]:
    """The names of a package and of all packages that it needs."""
    name, extras = _name(requirement), re.findall(r"\[(.*?)\]", requirement)
    yield name
    for one in metadata.requires(name) or ():
        needed, _, condition = one.partition(";")
        extra = re.search(r"extra == .(\w+)", condition)
        if extra is None or extra[1] in ",".join(extras).split(","):
            try:
                yield from _needed_by(needed)
            except metadata.PackageNotFoundError:  # not on this system
                yield _name(needed)


def _name(requirement: str) -> str:
    return re.match(r"[\w.-]+", requirement.strip())[0].lower().replace("_", "-")


class Hiding:
    """Finds modules as others do, without those of some packages."""

    def __init__(self, finders: Iterable[object], packages: Iterable[str]) -> None:
        self.finders, self.packages = list(finders), frozenset(packages)

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in self.packages:
            return None
        found = (one.find_spec(name, path, target) for one in self.finders)
        return next((spec for spec in found if spec is not None), None)


def hide(packages: Iterable[str]) -> None:
    """Hide packages from now on, in this process."""
    sys.meta_path[:] = [Hiding(sys.meta_path, packages)]


@contextmanager
def hidden(folder: Path) -> Iterator[dict[str, str]]:
    """Hide foreign packages, here and in commands with the variables that are given."""
    packages = foreign_packages()
    (folder / "sitecustomize.py").write_text(
        f"import sys\nsys.path.insert(0, {str(ROOT / 'tests')!r})\nimport hidden_packages\n"
        f"hidden_packages.hide({packages!r})\nsys.path.pop(0)\n",
        "utf-8",
    )
    loaded = {name: one for name, one in sys.modules.items() if name.split(".")[0] in packages}
    finders = list(sys.meta_path)
    for name in loaded:
        del sys.modules[name]
    hide(packages)
    try:
        yield {"PYTHONPATH": str(folder)}
    finally:
        sys.meta_path[:] = finders
        sys.modules.update(loaded)
