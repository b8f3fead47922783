"""Arguments that functions of a ranking share, and the warning for undefined results.

A curve (`roclab.curves.curve`) or a measure (`roclab.measures.measure`) is written as a function of
a `Ranking` and its options. The public function also takes labels and scores, has the shared
parameters in its signature and docstring, and warns if the result is undefined.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, Literal, TypedDict, TypeVar, get_type_hints

import numpy.typing as npt

from roclab.data.ranking import Ranking
from roclab.errors import UndefinedMeasureWarning

Needs = Literal["both classes", "positive examples", "examples"]
Function = TypeVar("Function", bound=Callable[..., Any])

_PARAMETERS = """y_score : array-like
        Scores, higher for the positive class.
    sample_weight : array-like, optional
        Sample weights.
    pos_label : optional
        Positive class label."""


class RankingArguments(TypedDict, total=False):
    """The shared keyword arguments, for type checkers: ``**_: Unpack[RankingArguments]``."""

    sample_weight: npt.ArrayLike | None
    pos_label: Any


def option_names(of_ranking: Callable[..., Any]) -> frozenset[str]:
    """The options of a function of a ranking: all parameters after the ranking."""
    _, *parameters = inspect.signature(of_ranking).parameters.values()
    return frozenset(p.name for p in parameters if p.kind is not p.VAR_KEYWORD)


def with_ranking_arguments(
    public: Function, of_ranking: Callable[..., Any], y_true: str, more: str = ""
) -> Function:
    """Give a public function its signature and docstring.

    Parameters
    ----------
    public : callable
        Takes the shared parameters, and ``**options`` at the end.
    of_ranking : callable
        Takes a ranking and its options, which follow the shared parameters. Its docstring has
        ``{arguments}`` in place of the shared parameters.
    y_true, more : str
        Documentation of the first parameter, and of those after the shared ones.
    """
    written = inspect.signature(of_ranking)
    common = list(inspect.signature(public).parameters.values())[:-1]
    options = [p for p in list(written.parameters.values())[1:] if p.kind is not p.VAR_KEYWORD]
    signature = inspect.Signature([*common, *options], return_annotation=written.return_annotation)
    hints = get_type_hints(public) | get_type_hints(of_ranking)
    functools.update_wrapper(public, of_ranking)
    public.__signature__ = signature  # type: ignore[attr-defined]
    public.__annotations__ = {
        name: hints[name] for name in (*signature.parameters, "return") if name in hints
    }
    parameters = "\n    ".join(filter(None, (y_true, _PARAMETERS, more)))
    public.__doc__ = (of_ranking.__doc__ or "").replace("{arguments}", parameters)
    return public


def lacks(ranking: Ranking, needs: Needs = "both classes") -> bool:
    """Whether the ranking has too few examples to define a result."""
    if needs == "both classes":
        return not (ranking.n_pos and ranking.n_neg)
    return not (ranking.n_pos if needs == "positive examples" else len(ranking))


def warn_of_lack(title: str, ranking: Ranking, needs: Needs, undefined: str) -> None:
    """Warn that examples are missing, and name the part of the result that is nan."""
    there_are = "there are none"
    if needs == "both classes":
        there_are = f"there are {ranking.n_pos:,} positive and {ranking.n_neg:,} negative examples"
    UndefinedMeasureWarning(
        found="{title} needs {needs}; {there_are}",
        fix="{undefined} is nan.",
        title=title,
        needs=needs,
        there_are=there_are,
        undefined=undefined,
    ).issue()
