"""What editors show of a public name: the signature and the docstring of the source."""

import ast
import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pytest

import roclab
from tests.architecture.language_server import LanguageServer
from tests.architecture.signatures import ROOMS, SOURCE, Public, first_line, public

# Every result inherits these; one class of them is enough.
INHERITED = ("to_dict", "to_pandas", "to_polars")
NAMES = [
    one
    for one in public()
    if not one.name.endswith(INHERITED) or one.name.startswith(("Interval.", "MarginCurve."))
]
SEARCHED = [str(SOURCE.parent), *(path for path in sys.path if path.endswith("site-packages"))]
# Classes that only the rooms use with each other, and where users see them nevertheless.
KNOWN = {
    "roclab.data.Ranking.rows": "RankedRows: the rows as the core takes them",
    "roclab.data.ScoreTable.members": "Membership: the groups as the core takes them",
}


class Shown(NamedTuple):
    """What an editor shows: the text of each parameter, all of the signature, and the docstring."""

    parameters: list[str]
    signature: str
    docstring: str


def calls() -> Iterator[tuple[str, str, list[Public]]]:
    """The names by room and first part: those that one import makes available."""
    key = lambda one: (one.room, one.name.partition(".")[0])  # noqa: E731
    for (room, name), members in groupby(NAMES, key=key):
        yield room, name, list(members)


def ask_jedi() -> dict[str, list[Shown]]:
    """One script for each import: jedi stops to infer in longer ones."""
    import jedi

    project = jedi.Project(SOURCE.parent, sys_path=[*SEARCHED, *sys.path])
    # Not the environment of the tests: jedi asks its import hooks, and that of an editable install
    # does not tell it where stubs are.
    python = jedi.create_environment(sys.base_prefix, safe=False)
    shown = {}
    for room, name, members in calls():
        lines = [f"from {room} import {name}", *(f"{one.name}()" for one in members)]
        script = jedi.Script("\n".join(lines), project=project, environment=python)
        for row, one in enumerate(members, 2):
            [documented] = script.help(row, len(one.name) - 1)
            shown[one.path] = [
                Shown(
                    [each.to_string() for each in found.params],
                    found.to_string(),
                    documented.docstring(raw=True),
                )
                for found in script.get_signatures(row, len(one.name) + 1)
            ]
    return shown


def ask_pyright(folder: Path) -> tuple[dict[str, list[Shown]], dict[str, set[str]]]:
    """One process for all names: their signatures, and the completions of each room."""
    lines, places, dots = [], {}, {}
    for number, (room, name, members) in enumerate(calls()):
        lines.append(f"from {room} import {name} as n{number}")
        for one in members:
            call = f"n{number}{one.name.removeprefix(name)}("
            places[one.path] = (len(lines), len(call))
            lines.append(f"{call})")
    lines += [f"import {room}" for room in ROOMS]
    for room in ROOMS:
        dots[room] = (len(lines), len(room) + 1)
        lines.append(f"{room}.")
    with LanguageServer(folder, "\n".join(lines), SEARCHED) as server:
        shown = {
            path: [
                Shown(
                    [each["label"] for each in found["parameters"]],
                    found["label"],
                    found["documentation"]["value"],
                )
                for found in server.signatures(*place)
            ]
            for path, place in places.items()
        }
        return shown, {room: server.completions(*place) for room, place in dots.items()}


@pytest.fixture(scope="module")
def pyright(tmp_path_factory: pytest.TempPathFactory) -> Any:
    pytest.importorskip("basedpyright", reason="basedpyright is not installed")
    return ask_pyright(tmp_path_factory.mktemp("editor"))


# jedi takes as long as thousands of other tests.
@pytest.fixture(scope="module", params=[pytest.param("jedi", marks=pytest.mark.slow), "pyright"])
def editor(request: pytest.FixtureRequest) -> dict[str, list[Shown]]:
    if request.param == "pyright":
        return request.getfixturevalue("pyright")[0]
    pytest.importorskip("jedi", reason="jedi is not installed")
    return ask_jedi()


def parts(parameter: str) -> tuple[str, str]:
    """Name and default of a parameter, as an editor writes it."""
    name = re.match(r"\**\w*", parameter).group().lstrip("*")
    # The default follows the last equals sign outside brackets and quotes.
    default = re.search(r"(?<![=<>!])=\s*((?:[^=\"']|\"[^\"]*\"|'[^']*')*)$", parameter)
    return name, default.group(1).strip() if default else ""


def same_default(one: Public, name: str, written: str) -> bool:
    default = {each.name: each.default for each in one.parameters}[name]
    if default is inspect.Parameter.empty:
        return written == ""
    if written == "...":
        return True  # pyright shortens long ones
    try:
        return ast.literal_eval(written) == default
    except ValueError:
        function = one.value.__init__ if inspect.isclass(one.value) else one.value
        return eval(written, vars(sys.modules[function.__module__])) == default


def test_editors_show_the_parameters_of_the_source(editor: dict[str, list[Shown]]) -> None:
    for one in NAMES:
        wanted = [each.name for each in one.parameters]
        seen = set()
        assert editor[one.path], one.path
        for shown in editor[one.path]:  # several if it is overloaded
            found = [parts(each) for each in shown.parameters]
            # jedi shows the `_: KW_ONLY` of a dataclass.
            found = [each for each in found if each[0] not in ("self", "cls", "_", "")]
            names = [name for name, _ in found]
            seen |= set(names)
            assert names == [name for name in wanted if name in names], one.path
            for name, default in found:
                needed = not default and len(editor[one.path]) > 1  # by this overload
                assert needed or same_default(one, name, default), (one.path, name, default)
        assert seen == set(wanted), one.path


def test_editors_show_the_docstring_of_the_source(editor: dict[str, list[Shown]]) -> None:
    for one in NAMES:
        for shown in editor[one.path]:
            assert first_line(inspect.cleandoc(shown.docstring)) == first_line(one.docstring)


def is_private(word: str, module: str) -> bool:
    """Whether a word in a signature is a class or type variable that no room has."""
    value = vars(sys.modules[module]).get(word)
    if isinstance(value, TypeVar):
        return True
    ours = inspect.isclass(value) and value.__module__.startswith("roclab")
    return ours and not any(word in importlib.import_module(room).__all__ for room in ROOMS)


def test_editors_name_no_class_that_users_do_not_know(pyright: Any) -> None:
    assert is_private("RankedRows", "roclab.data.ranking")
    assert is_private("Function", "roclab.measures.measure")
    found = {}
    for one in NAMES:
        for shown in pyright[0][one.path]:
            texts = [each for each in shown.parameters if parts(each)[0] not in ("self", "cls")]
            texts.append(shown.signature.rpartition(" -> ")[2])
            for word in re.findall(r"\w+", " ".join(texts)):
                if is_private(word, getattr(one.value, "__module__", one.room)):
                    found[one.path] = word
    assert found.keys() == KNOWN.keys(), found


@pytest.mark.parametrize("room", ROOMS)
def test_completion_offers_public_names_only(room: str, pyright: Any) -> None:
    module = importlib.import_module(room)
    offered = {name for name in pyright[1][room] if not name.startswith("__")}
    # pyright also offers packages that the same file imports.
    rooms = {name.removeprefix(f"{room}.").partition(".")[0] for name in ROOMS if name != room}
    assert set(module.__all__) <= offered <= {*module.__all__, *rooms}


def test_completion_in_a_notebook_offers_public_names_only() -> None:
    """jedi, for an object that exists, as in IPython."""
    jedi = pytest.importorskip("jedi", reason="jedi is not installed")
    found = jedi.Interpreter("rl.", [{"rl": roclab}]).complete()
    assert {each.name for each in found} == set(dir(roclab))
