"""The lowest versions that are declared are those that `make test-oldest` installs."""

import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
CLUSTERS = {"pyspark", "dask"}  # make test-scale runs them, in their newest versions


def declared() -> dict[str, Version]:
    """The lower bound of each package that roclab or an extra needs."""
    extras = PROJECT["optional-dependencies"].values()
    found: dict[str, Version] = {}
    for text in [*PROJECT["dependencies"], *(one for extra in extras for one in extra)]:
        requirement = Requirement(text.partition("#")[0])
        if requirement.name in {"roclab", *CLUSTERS}:
            continue
        (bound,) = requirement.specifier
        assert bound.operator == ">=", text
        assert found.setdefault(requirement.name, Version(bound.version)) == Version(bound.version)
    return found


def test_the_lower_bounds_are_the_versions_that_are_tested() -> None:
    text = (ROOT / "constraints" / "oldest.txt").read_text("utf-8")
    direct = text.partition("# What those use")[0].splitlines()
    pinned = (line.partition("==") for line in direct if "==" in line)
    assert {name: Version(version) for name, _, version in pinned} == declared()
