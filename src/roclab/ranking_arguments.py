"""The door that functions of a ranking share: what comes in, and what is said if it is not enough.

A curve (`roclab.curves.curve`) or a measure (`roclab.measures.measure`) is written as a function of
a `Ranking` and its own options. Its public face takes labels and scores as well, has the common
parameters in its signature and docstring, and warns where the data do not define the result.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any, Literal, TypeVar, get_type_hints

from roclab.errors import UndefinedMeasureWarning
from roclab.ranking import Ranking

__all__ = ["Needs", "lacks", "warn_of_lack", "warn_undefined", "with_face"]

Needs = Literal["both classes", "positive examples", "examples"]
Face = TypeVar("Face", bound=Callable[..., Any])

_PARAMETERS = """y_score : array-like
        Scores, higher for more positive.
    sample_weight : array-like, optional
        Weights of the examples.
    pos_label : optional
        The value of `y_true` that is positive."""


def with_face(public: Face, of_ranking: Callable[..., Any], y_true: str, more: str = "") -> Face:
    """Give a public function the signature and the docstring that users read.

    Parameters
    ----------
    public : callable
        Takes the common parameters, and ``**options`` at the end.
    of_ranking : callable
        Takes a ranking and its own options, which follow the common parameters. Its docstring has
        ``{door}`` where these belong.
    y_true, more : str
        What the docstring says of the first parameter, and after the common ones.
    """
    written = inspect.signature(of_ranking)
    common = list(inspect.signature(public).parameters.values())[:-1]
    own = list(written.parameters.values())[1:]
    signature = inspect.Signature([*common, *own], return_annotation=written.return_annotation)
    hints = get_type_hints(public) | get_type_hints(of_ranking)
    functools.update_wrapper(public, of_ranking)
    public.__signature__ = signature  # type: ignore[attr-defined]
    public.__annotations__ = {
        name: hints[name] for name in (*signature.parameters, "return") if name in hints
    }
    parameters = "\n    ".join(filter(None, (y_true, _PARAMETERS, more)))
    public.__doc__ = (of_ranking.__doc__ or "").replace("{door}", parameters)
    return public


def lacks(ranking: Ranking, needs: Needs = "both classes") -> bool:
    """Whether the examples that a function needs are not there."""
    if needs == "both classes":
        return not (ranking.n_pos and ranking.n_neg)
    return not (ranking.n_pos if needs == "positive examples" else len(ranking))


def warn_of_lack(title: str, ranking: Ranking, needs: Needs, undefined: str) -> None:
    """Warn that what is needed is not there, and say what is nan for that."""
    found = "there are none"
    if needs == "both classes":
        found = f"there are {ranking.n_pos:,} positive and {ranking.n_neg:,} negative examples"
    warn_undefined(f"{title} needs {needs}; {found}. {undefined} is nan.")


def warn_undefined(message: str) -> None:
    """Warn whoever called roclab, however deep inside it the warning is raised."""
    level, frame = 1, inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] == "roclab":
        level, frame = level + 1, frame.f_back
    warnings.warn(message, UndefinedMeasureWarning, stacklevel=level)
