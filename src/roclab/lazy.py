"""What is made on first use: the public names of a package, and attributes."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

Value = TypeVar("Value")

_IMPORT = re.compile(r"^from (\S+) import \(?\s*(\w+) as", re.MULTILINE)


def load_lazily(
    package: str, file: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a package, from the imports in ``__init__.pyi``.

    The stub has a line ``from roclab.room import name as name`` for each name. So the import of the
    package is quick and loads no optional package, and type checkers know every signature. `dir`
    shows these names and no others: modules that happen to be loaded are not public.
    """
    stub = Path(file).with_suffix(".pyi").read_text(encoding="utf-8")
    homes = {name: module for module, name in _IMPORT.findall(stub)}

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = homes[name]
        if module == package:  # a package inside, as `learning` in roclab
            return importlib.import_module(f"{module}.{name}")
        value = getattr(importlib.import_module(module), name)
        setattr(sys.modules[package], name, value)
        return value

    def shown() -> list[str]:
        names = vars(sys.modules[package])
        return sorted({*homes, *(name for name in names if re.fullmatch("__.*__", name))})

    public = sorted(name for name, module in homes.items() if module != package)
    return load, shown, public


class computed_once(cached_property[Value]):
    """An attribute that is computed on first use, by several threads at once if they ask at once.

    `cached_property` of Python 3.11 has one lock for all objects of a class.
    """

    if not TYPE_CHECKING:

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            if instance is None:
                return self
            value = vars(instance)[self.attrname] = self.func(instance)
            return value
