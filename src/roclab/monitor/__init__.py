"""The monitor: a service that watches models in production."""

from typing import Any

from roclab.errors import needs_extra
from roclab.lazy import load_lazily

_load, __dir__, __all__ = load_lazily(__name__, __file__)

_BROUGHT = ("fastapi", "msgspec", "narwhals", "polars", "prometheus_client", "starlette", "uvicorn")


def __getattr__(name: str) -> Any:
    with needs_extra("monitor", "The monitor", *_BROUGHT):
        return _load(name)
