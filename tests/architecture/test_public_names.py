"""The public names: listed once, documented, typed, and loaded without anything else."""

import importlib
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import roclab

ROOT = Path(__file__).parents[2]
ROOMS = sorted(
    stub.parent.relative_to(ROOT / "src").as_posix().replace("/", ".")
    for stub in (ROOT / "src" / "roclab").rglob("__init__.pyi")
)


def load(script: Path):
    spec = importlib.util.spec_from_file_location(script.stem, script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


API = load(ROOT / "docs" / "make_api_pages.py")
WITH_ERRORS_PAGE = {name for name in roclab.__all__ if name.endswith(("Error", "Warning"))}


def test_the_top_level_has_at_most_a_hundred_names() -> None:
    assert len(roclab.__all__) <= 100
    assert {"auc", "Ranking", "WindowAUC", "InputError"} <= set(roclab.__all__)
    assert set(roclab.__all__) | {"learning", "streaming"} <= set(dir(roclab))


@pytest.mark.parametrize("name", roclab.__all__)
def test_every_public_name_is_there_and_has_a_docstring(name: str) -> None:
    assert getattr(roclab, name).__doc__


@pytest.mark.parametrize("name", roclab._MOVED)
def test_a_name_that_has_moved_warns_and_is_that_of_its_room(name: str) -> None:
    room = f"roclab.{roclab._MOVED[name]}"
    message = f"^roclab.{name} is deprecated and will be removed in .* Use {room}.{name}.$"
    with pytest.warns(FutureWarning, match=message):
        found = getattr(roclab, name)
    assert found is getattr(importlib.import_module(room), name)
    assert name not in roclab.__all__


def test_a_name_that_has_moved_is_gone_in_the_version_that_was_promised() -> None:
    assert tuple(map(int, roclab.__version__.split(".")[:2])) < (0, 3)


@pytest.mark.parametrize("room", ROOMS)
def test_every_name_in_a_stub_can_be_loaded(room: str) -> None:
    module = importlib.import_module(room)
    assert module.__all__
    for name in module.__all__:
        assert getattr(module, name) is not None, name


@pytest.mark.parametrize("room", ROOMS)
def test_dir_shows_public_names_only(room: str) -> None:
    """Whatever was loaded before: no modules, no functions of other rooms."""
    module = importlib.import_module(room)
    rooms = {name.removeprefix(f"{room}.") for name in ROOMS if name.rpartition(".")[0] == room}
    rooms -= {"readers"}  # of which only a part is public
    shown = {name for name in dir(module) if not (name[:2] == name[-2:] == "__")}
    assert shown == {*module.__all__, *rooms}
    assert {"__all__", "__doc__", "__name__"} <= set(dir(module))


def test_dir_shows_the_version() -> None:
    assert "__version__" in dir(roclab)


@pytest.mark.parametrize("room", ["learning", "streaming"])
def test_rooms_can_be_reached_from_the_top(room: str) -> None:
    probe = f"import roclab as rl; print(rl.{room}.__name__)"
    run = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert run.stdout.split() == [f"roclab.{room}"]


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'rock_curve'"):
        _ = roclab.rock_curve


def test_the_reference_pages_are_what_their_script_writes() -> None:
    pages = API.pages()
    written = {
        path: path.read_text("utf-8") for path in [API.FOLDER / "api.md", *API.FOLDER.glob("api/*")]
    }
    assert written == pages, "run: python docs/make_api_pages.py"


def test_every_public_name_has_one_entry_in_the_reference() -> None:
    entries = [entry for topic in API.TOPICS for entry in topic.entries]
    assert sorted(entries) == sorted(API.public()), (
        "give each name a place in docs/make_api_pages.py"
    )
    assert set(roclab.__all__) - WITH_ERRORS_PAGE - set(API.PACKAGES) <= {
        name for _, name in entries
    }
    errors = (ROOT / "docs" / "reference" / "errors.md").read_text("utf-8")
    for name in WITH_ERRORS_PAGE:
        assert f".. autoexception:: {name}\n" in errors


MISSPELT = {
    "auc([0, 1], [0, 1], sample_wieght=[1, 2])": 'argument "sample_wieght"',
    "scored_auc([0, 1], [0, 1], normalise=True)": 'argument "normalise"',
    "roc_curve([0, 1], [0, 1], thinn=True)": 'argument "thinn"',
    "auc_interval([0, 1], [0, 1], confidence=0.9)": 'argument "confidence"',
    "compare_to_value([0, 1], [0, 1], method='delon')": "incompatible type",
}


def test_a_misspelt_option_fails_in_mypy(tmp_path: Path) -> None:
    """One script for all calls: mypy takes seconds to start."""
    api = pytest.importorskip("mypy.api", reason="mypy is not installed")
    script = tmp_path / "script.py"
    script.write_text("\n".join(["import roclab as rl", *(f"rl.{call}" for call in MISSPELT)]))
    config = ["--config-file", str(ROOT / "pyproject.toml")]
    cache = ["--cache-dir", str(ROOT / ".mypy_cache")]
    found, _, code = api.run([*config, *cache, str(script)])
    assert code == 1
    for line, complaint in enumerate(MISSPELT.values(), 2):
        [said] = [each for each in found.splitlines() if f"script.py:{line}: error" in each]
        assert complaint in said


@pytest.mark.parametrize(
    ("code", "unwanted"),
    [
        ("import roclab", {"numpy", "scipy", "sklearn", "polars", "pandas", "rich", "typer"}),
        (
            "import roclab; roclab.auc_interval([0, 1, 1, 0], [1, 2, 3, 4])",
            {"scipy", "sklearn", "polars", "narwhals", "pandas", "pyarrow", "rich", "matplotlib"},
        ),
        (
            "from roclab.cli import main; main(['evaluate', 'examples/scores.csv', '--label', "
            "'malignant', '--format', 'csv'])",
            {"scipy", "sklearn", "pandas", "matplotlib", "skops"},
        ),
    ],
)
def test_what_is_not_used_is_not_loaded(code: str, unwanted: set[str]) -> None:
    probe = f"{code}\nimport sys; print('loaded:', *({unwanted!r} & set(sys.modules)))"
    run = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert run.stdout.splitlines()[-1] == "loaded:"


@pytest.mark.parametrize("room", ROOMS)
def test_no_public_name_is_that_of_a_module_of_its_room(room: str) -> None:
    """Whoever imports the module first would get it in place of the function."""
    module = importlib.import_module(room)
    modules = {path.stem for path in Path(module.__file__).parent.glob("*.py")}
    folders = {path.parent.name for path in Path(module.__file__).parent.glob("*/__init__.py")}
    assert not set(module.__all__) & (modules | folders) - {
        name.removeprefix(f"{room}.") for name in ROOMS
    }
