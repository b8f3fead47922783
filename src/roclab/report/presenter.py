"""How results present themselves: printed, in a notebook, as a data frame."""

from __future__ import annotations

import importlib
from typing import Any

from roclab.checks.vectors import EXACT_UP_TO
from roclab.errors import InputError
from roclab.report import html, markdown
from roclab.report.document import document


def to_text(result: Any) -> str:
    """What `print` shows."""
    return markdown.to_text(document(result))


def to_html(result: Any) -> str:
    """What a notebook shows."""
    return html.to_html(document(result))


def to_pandas(result: Any) -> Any:
    """The main table as a data frame of pandas, with every digit."""
    pandas, columns = _imported("pandas"), _columns(result)
    kinds = {name: "object" if _mixed(values) else None for name, values in columns.items()}
    made = {name: pandas.Series(columns[name], dtype=kinds[name]) for name in columns}
    return pandas.DataFrame(made if any(kinds.values()) else columns)


def to_polars(result: Any) -> Any:
    """The main table as a data frame of polars, with every digit."""
    polars = _imported("polars")
    return polars.DataFrame(
        [
            polars.Series(name, values, polars.Object if _mixed(values) else None, strict=False)
            for name, values in _columns(result).items()
        ]
    )


def _imported(package: str) -> Any:
    try:
        return importlib.import_module(package)
    except ModuleNotFoundError:
        raise InputError(
            found="This data frame needs the package {package}, which is not installed",
            fix="Run: pip install {package}",
            package=package,
        ) from None


def _columns(result: Any) -> dict[str, list[Any]]:
    table = document(result).main_table
    return {name: [record[name] for record in table.records] for name in table.header}


def _mixed(values: list[Any]) -> bool:
    """Whether integers beyond 2**53 are among floats, as which they would be rounded."""
    wide = any(isinstance(value, int) and abs(value) > EXACT_UP_TO for value in values)
    return wide and any(isinstance(value, float) for value in values)
