"""Imports point down: between rooms, between modules, inside functions, and from the core."""

import importlib.util
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]


def load(name, folder=Path(__file__).parent):
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GRAPH = load("import_graph")


def layers_of(container):
    (contract,) = [one for one in CONTRACTS["contracts"] if one["containers"] == [container]]
    assert contract["exhaustive"]
    return [layer.split(" | ") for layer in contract["layers"]]


def test_no_module_imports_itself_in_a_circle():
    assert GRAPH.cycle(GRAPH.imports()) == []


def test_a_circle_would_be_found():
    assert GRAPH.cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]


def test_no_room_imports_a_higher_one():
    place = {room: n for n, layer in enumerate(layers_of("roclab")) for room in layer}
    for room, imported in GRAPH.rooms().items():
        for other in imported if room in place else ():
            assert place[other] > place[room], f"{room} imports {other}"


def test_the_core_imports_nothing_of_ours():
    assert GRAPH.imports_of_the_core() == []


def test_the_presenter_is_the_only_way_up():
    """Modules that are imported by a name in a variable could go anywhere."""
    dynamic = [
        name
        for name, file in GRAPH.modules().items()
        if re.search(r"import_module\((?!\")", file.read_text("utf-8"))
    ]
    assert dynamic == [
        "roclab.lazy",  # names of stubs, which the graph follows
        "roclab.report.document",  # documents of a room, below the report
        "roclab.result",  # the registered presenter
    ]


def test_the_architecture_page_is_what_its_script_writes():
    script = load("make_architecture_page", ROOT / "docs")
    assert script.layers() == layers_of("roclab")
    assert script.PAGE.read_text("utf-8") == script.page()
    assert script.PICTURE.read_text("utf-8") == script.picture()
