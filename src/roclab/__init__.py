"""ROC analysis for people who ship classifiers: exact, with error bars."""

from roclab.lazy import load_lazily
from roclab.result import register_presenter

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = load_lazily(__name__, __file__)

register_presenter("roclab.report.presenter")
