"""The lowest versions that are declared are those that `make test-oldest` installs."""

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
CLUSTERS = {"pyspark", "protobuf", "dask"}  # make test-scale runs them, in their newest versions
ROW = re.compile(r"^\| ([\w-]+) \| ([\d.]+) \| ([\d.]+) \|$", re.MULTILINE)


def declared() -> dict[str, Version]:
    """The lower bound of each package that roclab or an extra needs."""
    extras = PROJECT["optional-dependencies"].values()
    found: dict[str, Version] = {}
    for text in [*PROJECT["dependencies"], *(one for extra in extras for one in extra)]:
        requirement = Requirement(text.partition("#")[0])
        if requirement.name == "roclab" or requirement.marker:  # data for one platform alone
            continue
        (bound,) = requirement.specifier
        assert bound.operator == ">=", text
        assert found.setdefault(requirement.name, Version(bound.version)) == Version(bound.version)
    return found


def test_the_lower_bounds_are_the_versions_that_are_tested() -> None:
    text = (ROOT / "constraints" / "oldest.txt").read_text("utf-8")
    direct = text.partition("# What those use")[0].splitlines()
    pinned = (line.partition("==") for line in direct if "==" in line)
    lowest = {name: bound for name, bound in declared().items() if name not in CLUSTERS}
    assert {name: Version(version) for name, _, version in pinned} == lowest


def test_the_page_on_installation_has_the_lower_bounds() -> None:
    page = (ROOT / "docs" / "installation.md").read_text("utf-8")
    rows = ROW.findall(page.partition("## Versions of packages")[2].partition("\n## ")[0])
    assert {name: Version(lowest) for name, lowest, _ in rows} == declared()
    assert all(Version(lowest) <= Version(newest) for _, lowest, newest in rows)
