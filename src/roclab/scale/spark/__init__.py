"""Spark: its frames (`table`), and windows inside its streams (`windows`)."""

from typing import Any

from roclab.errors import needs_extra
from roclab.lazy import load_lazily

_load, __dir__, __all__ = load_lazily(__name__, __file__)

_BROUGHT = ("narwhals", "pandas", "polars", "pyarrow", "pyspark")


def __getattr__(name: str) -> Any:
    with needs_extra("spark", "A window in streams of Spark", *_BROUGHT):
        return _load(name)
