"""How results present themselves: printed, in a notebook, as a data frame."""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import Any

from roclab.checks.options import check_choice
from roclab.checks.vectors import EXACT_UP_TO
from roclab.errors import InputError
from roclab.report import html, markdown
from roclab.report.document import document

_BACKENDS = ("pandas", "polars")


def to_text(result: Any) -> str:
    """What `print` shows."""
    return markdown.to_text(document(result))


def to_html(result: Any) -> str:
    """What a notebook shows."""
    return html.to_html(document(result))


def to_frame(result: Any, backend: str | None) -> Any:
    """The main table as a data frame, with every digit."""
    if backend is None:
        backend = next((one for one in _BACKENDS if find_spec(one) is not None), _BACKENDS[0])
    check_choice("backend", backend, _BACKENDS)
    try:
        library = importlib.import_module(backend)
    except ModuleNotFoundError:
        raise InputError(
            found="{backend=}{value} needs the package {package}, which is not installed",
            fix="Run: pip install {package}",
            value=repr(backend),
            package=backend,
        ) from None
    table = document(result).main_table
    columns = {name: [record[name] for record in table.records] for name in table.header}
    if backend == "pandas":
        kinds = {name: "object" if _mixed(values) else None for name, values in columns.items()}
        made = {name: library.Series(columns[name], dtype=kinds[name]) for name in columns}
        return library.DataFrame(made if any(kinds.values()) else columns)
    return library.DataFrame(
        [
            library.Series(name, values, library.Object if _mixed(values) else None, strict=False)
            for name, values in columns.items()
        ]
    )


def _mixed(values: list[Any]) -> bool:
    """Whether integers beyond 2**53 are among floats, as which they would be rounded."""
    wide = any(isinstance(value, int) and abs(value) > EXACT_UP_TO for value in values)
    return wide and any(isinstance(value, float) for value in values)
