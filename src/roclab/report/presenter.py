"""How results present themselves: printed, in a notebook, as a data frame."""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import Any

from roclab.errors import InputError
from roclab.options import check_choice
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
    return library.DataFrame(columns, **({"strict": False} if backend == "polars" else {}))
