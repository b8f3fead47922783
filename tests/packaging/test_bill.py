"""The bill of materials names roclab with its version, and what its wheels hold of others."""

import hashlib
import runpy
from importlib.metadata import version
from pathlib import Path

import pytest

import roclab

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / ".github" / "bill.py"

if not SCRIPT.exists():
    pytest.skip("the source distribution has no workflows", allow_module_level=True)


def test_a_bill_gets_the_version_and_what_is_bundled() -> None:
    bill = {"metadata": {"component": {"name": "roclab"}}, "components": [{"name": "numpy"}]}
    made = runpy.run_path(str(SCRIPT))["completed"](bill)
    about = made["metadata"]["component"]
    assert about["version"] == roclab.__version__ == version("roclab")
    assert about["purl"] == f"pkg:pypi/roclab@{roclab.__version__}"
    assert made["components"] == [{"name": "numpy"}]
    bundled = {one["name"]: one for one in about["components"]}
    # A licence of each is in the wheel.
    licences = [*ROOT.glob("licenses/*"), *ROOT.glob("src/roclab/monitor/page/vendor/*.LICENSE")]
    assert set(bundled) == {one.stem.lower().replace("_", "-") for one in licences}
    script = ROOT / "src/roclab/monitor/page/vendor/uPlot.iife.min.js"
    (digest,) = bundled["uplot"]["hashes"]
    assert digest["content"] == hashlib.sha256(script.read_bytes()).hexdigest()
    assert bundled["uplot"]["version"] in script.read_text("utf-8")[:80]
    assert f"nanobind=={bundled['nanobind']['version']}\n" in (
        ROOT / "constraints" / "build.txt"
    ).read_text("utf-8")
