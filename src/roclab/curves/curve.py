"""The decorator that makes a public curve from a function of a ranking."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import numpy.typing as npt

from roclab.checks.options import refuse_unknown
from roclab.data.ranking import Ranking, as_ranking
from roclab.ranking_arguments import (
    Needs,
    lacks,
    option_names,
    warn_of_lack,
    with_ranking_arguments,
)

Options = ParamSpec("Options")
Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)

_Y_TRUE = """y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking."""


class CurveFunction(Protocol[Options, Result_co]):
    """A curve as users call it."""

    __name__: str

    def __call__(
        self,
        y_true: npt.ArrayLike | Ranking,
        y_score: npt.ArrayLike | None = None,
        *args: Options.args,
        **options: Options.kwargs,
    ) -> Result_co:
        """The curve of labels and scores, or of a ranking."""


def curve(
    *, title: str, needs: Needs = "both classes", undefined: str = "What needs the missing class"
) -> Callable[[Callable[Concatenate[Ranking, Options], Result]], CurveFunction[Options, Result]]:
    """Make a public curve from a function of a ranking.

    Parameters
    ----------
    title : str
        Subject of the sentence in a warning.
    needs : {"both classes", "positive examples", "examples"}
        Examples without which there is a warning. The function sets undefined values to nan.
    undefined : str
        What the warning reports as nan.

    Notes
    -----
    The docstring of the function has ``{arguments}`` in place of the shared parameters.
    """

    def decorate(of_ranking: Callable[..., Result]) -> Any:
        name, known = of_ranking.__name__, option_names(of_ranking)

        def public(
            y_true: npt.ArrayLike | Ranking,
            y_score: npt.ArrayLike | None = None,
            *,
            sample_weight: npt.ArrayLike | None = None,
            pos_label: Any = None,
            **options: Any,
        ) -> Result:
            refuse_unknown(name, options, known)
            ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
            result = of_ranking(ranking, **options)
            if lacks(ranking, needs):
                warn_of_lack(title, ranking, needs, undefined)
            return result

        return with_ranking_arguments(public, of_ranking, _Y_TRUE)

    return decorate
