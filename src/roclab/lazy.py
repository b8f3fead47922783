"""Public names of a package, listed once, in its stub, and loaded when they are first used."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

_IMPORT = re.compile(r"^from (\S+) import \(?\s*(\w+) as", re.MULTILINE)


def load_lazily(
    package: str, file: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a package, from the imports in ``__init__.pyi``.

    The stub has a line ``from roclab.room import name as name`` for each name. So the import of the
    package is quick and loads no optional package, and type checkers know every signature.
    """
    stub = Path(file).with_suffix(".pyi").read_text(encoding="utf-8")
    homes = {name: module for module, name in _IMPORT.findall(stub)}

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = homes[name]
        if module == package:  # a package inside, as `datasets` in roclab
            return importlib.import_module(f"{module}.{name}")
        value = getattr(importlib.import_module(module), name)
        setattr(sys.modules[package], name, value)
        return value

    public = sorted(name for name, module in homes.items() if module != package)
    return load, lambda: sorted({*vars(sys.modules[package]), *homes}), public
