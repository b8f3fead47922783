"""What users call: public functions, classes and their methods, with signatures and docstrings."""

import importlib
import inspect
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, NamedTuple

from numpydoc.docscrape import NumpyDocString

from roclab.result import Result

SOURCE = Path(__file__).parents[2] / "src" / "roclab"
ROOMS = sorted(
    stub.parent.relative_to(SOURCE.parent).as_posix().replace("/", ".")
    for stub in SOURCE.rglob("__init__.pyi")
)


class Entry(NamedTuple):
    """A parameter, as a docstring describes it."""

    name: str
    type: str
    text: str


class Public(NamedTuple):
    """A public callable: where users find it, and what they read there."""

    room: str
    name: str
    value: Any
    docstring: str

    @property
    def path(self) -> str:
        return f"{self.room}.{self.name}"

    @property
    def parameters(self) -> list[inspect.Parameter]:
        found = inspect.signature(self.value).parameters.values()
        return [one for one in found if one.name not in ("self", "cls")]


def public() -> Iterator[Public]:
    """Public functions, classes that users create, and public methods of public classes."""
    for room in ROOMS:
        module = importlib.import_module(room)
        for name in module.__all__:
            value = getattr(module, name)
            if room == "roclab" and _is_of_a_room(name, value):
                continue  # it is found there
            if not inspect.isclass(value):
                if callable(value):
                    yield Public(room, name, value, docstring_of(value))
            elif not issubclass(value, BaseException):
                if _users_create(value):
                    yield Public(room, name, value, docstring_of(value))
                yield from _methods(room, name, value)


def _is_of_a_room(name: str, value: Any) -> bool:
    return any(
        getattr(importlib.import_module(room), name, None) is value
        for room in ROOMS
        if room != "roclab" and name in importlib.import_module(room).__all__
    )


def _users_create(kind: type) -> bool:
    """Results are created by functions, records by readers, and protocols by nobody."""
    record = is_dataclass(kind) and "\nParameters\n---" not in docstring_of(kind)
    protocol = getattr(kind, "_is_protocol", False)
    return not (issubclass(kind, Result | tuple) or record or protocol)


def _methods(room: str, name: str, kind: type) -> Iterator[Public]:
    for method in sorted(set(dir(kind)) - set(dir(tuple))):
        found = inspect.getattr_static(kind, method)
        if isinstance(found, classmethod | staticmethod):
            found = getattr(kind, method)
        compiled = type(found).__name__ in ("method_descriptor", "nb_method")
        ours = str(getattr(found, "__module__", "")).startswith("roclab") or compiled
        if ours and not method.startswith("_") and callable(found) and not inspect.isclass(found):
            if type(found).__name__ == "nb_method":  # its signature is in its docstring only
                continue
            yield Public(room, f"{name}.{method}", found, docstring_of(found))


def docstring_of(value: Any) -> str:
    return inspect.cleandoc(value.__doc__ or "")


def entries(docstring: str, section: str = "Parameters") -> list[Entry]:
    """The entries of a section, one for each name."""
    found = NumpyDocString(docstring)[section]
    return [
        Entry(name.strip().lstrip("*"), one.type, " ".join(" ".join(one.desc).split()))
        for one in found
        for name in one.name.split(",")
    ]


def field_names(kind: type) -> list[str]:
    """The public fields of a dataclass."""
    return [one.name for one in fields(kind) if not one.name.startswith("_")]


def without_literals(docstring: str) -> str:
    return re.sub(r"``.*?``", "", docstring, flags=re.DOTALL)


def first_line(docstring: str) -> str:
    return docstring.partition("\n")[0]
