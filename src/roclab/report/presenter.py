"""How results present themselves: printed, in a notebook, as a data frame."""

from __future__ import annotations

import importlib
from typing import Any

from roclab.checks.vectors import EXACT_UP_TO
from roclab.errors import InputError, needs_extra
from roclab.report import html, markdown
from roclab.report.document import document

_NEEDED = "This data frame"


def to_text(result: Any) -> str:
    """What `print` shows."""
    return markdown.to_text(document(result))


def to_html(result: Any) -> str:
    """What a notebook shows."""
    return html.to_html(document(result))


def to_pandas(result: Any) -> Any:
    """The main table as a data frame of pandas, with every digit."""
    pandas, columns = _pandas(), _columns(result)
    kinds = {name: "object" if _mixed(values) else None for name, values in columns.items()}
    made = {name: pandas.Series(columns[name], dtype=kinds[name]) for name in columns}
    return pandas.DataFrame(made if any(kinds.values()) else columns)


def to_polars(result: Any) -> Any:
    """The main table as a data frame of polars, with every digit."""
    with needs_extra("cli", _NEEDED, "polars"):
        polars = importlib.import_module("polars")
    return polars.DataFrame(
        [
            polars.Series(name, values, polars.Object if _mixed(values) else None, strict=False)
            for name, values in _columns(result).items()
        ]
    )


def _pandas() -> Any:
    """pandas, which no extra brings but those of clusters."""
    try:
        return importlib.import_module("pandas")
    except ModuleNotFoundError:
        raise InputError(
            found="{purpose} needs the package pandas, which is not installed",
            fix="Run: pip install pandas",
            purpose=_NEEDED,
        ) from None


def _columns(result: Any) -> dict[str, list[Any]]:
    table = document(result).main_table
    return {name: [record[name] for record in table.records] for name in table.header}


def _mixed(values: list[Any]) -> bool:
    """Whether integers beyond 2**53 are among floats, as which they would be rounded."""
    wide = any(isinstance(value, int) and abs(value) > EXACT_UP_TO for value in values)
    return wide and any(isinstance(value, float) for value in values)
