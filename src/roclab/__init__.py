"""ROC analysis for people who ship classifiers: exact, with error bars."""

from typing import Any

from roclab.lazy import load_lazily
from roclab.result import register_presenter

__version__ = "0.1.0"

_load, __dir__, __all__ = load_lazily(__name__, __file__)

# Names that were here before, with their room. To be removed in 0.3.0.
_MOVED = {"accuracy": "measures"}


def __getattr__(name: str) -> Any:
    if name not in _MOVED:
        return _load(name)
    from roclab.errors import RenamedWarning

    room = _MOVED[name]
    RenamedWarning(f"roclab.{name}", f"roclab.{room}.{name}", removed_in="0.3.0").issue()
    return getattr(_load(room), name)


register_presenter("roclab.report.presenter")
