"""What the source distribution holds, and that it builds from itself without a network."""

import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LICENCES = {"LICENSE", "nanobind.LICENSE", "robin_map.LICENSE", "uPlot.LICENSE"}
MEGABYTE = 2**20

TOOLS = next((ROOT / "build" / "tools" / "lib").glob("python*/site-packages"), None)  # of make

needs_tools = pytest.mark.skipif(TOOLS is None, reason="build tools are not installed")


def run(folder: Path, *arguments: str | Path) -> None:
    """Run Python with the build tools, and without packages from elsewhere."""
    environment = {name: one for name, one in os.environ.items() if not name.startswith("PIP_")}
    environment |= {"PYTHONPATH": str(TOOLS), "PIP_CONFIG_FILE": os.devnull}
    subprocess.run([sys.executable, *arguments], cwd=folder, env=environment, check=True)


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdist")
    make = "import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])"
    run(ROOT, "-c", make, folder)
    (archive,) = folder.glob("*.tar.gz")
    return archive


@needs_tools
def test_it_holds_sources_tests_and_pages_and_no_records(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    folders = {name.split("/")[0] for name in names}
    assert {"src", "core", "tests", "docs", "examples", "licenses", "LICENSE"} <= folders
    assert not folders & {"studies", ".ci", ".github", "build", "dist", ".venv", ".git"}
    left = ("docs/pictures/", "docs/_build/", "benchmarks/results/")
    assert not [name for name in names if name.startswith(left)]
    assert not [name for name in names if name.endswith((".so", ".pyc", ".png"))]
    assert sdist.stat().st_size < 3 * MEGABYTE


@needs_tools
@pytest.mark.slow
def test_it_builds_a_wheel_without_a_network_from_itself_and_build_tools(
    sdist: Path, tmp_path: Path
) -> None:
    offline = ["--no-index", "--no-build-isolation", "--no-deps"]
    run(tmp_path, "-m", "pip", "wheel", "-q", *offline, "-w", tmp_path, sdist)
    (wheel,) = tmp_path.glob("roclab-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    of_licences = {Path(name).name for name in names if ".dist-info/licenses/" in name}
    assert of_licences == LICENCES
    tops = {name.split("/")[0].partition("-")[0] for name in names}
    assert tops == {"roclab"}
    assert [name for name in names if name.startswith("roclab/_core/_native.")]


def test_code_of_others_that_is_shipped_is_in_the_metadata() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    found = {path.name for pattern in project["license-files"] for path in ROOT.glob(pattern)}
    assert found == LICENCES
    vendored = (ROOT / "src/roclab/monitor/page/vendor").glob("*.js")
    assert {f"{path.name.split('.')[0]}.LICENSE" for path in vendored} <= found
