"""What makes a function of a ranking a curve: the decorator that gives it the common door."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import numpy.typing as npt

from roclab.ranking import Ranking, as_ranking
from roclab.ranking_arguments import Needs, lacks, warn_of_lack, with_face

__all__ = ["CurveFunction", "curve"]

Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)

_Y_TRUE = """y_true : array-like or Ranking
        Labels (see `Ranking`), or a ranking that holds labels and scores."""


class CurveFunction(Protocol[Result_co]):
    """A curve as users call it."""

    __name__: str

    def __call__(
        self,
        y_true: npt.ArrayLike | Ranking,
        y_score: npt.ArrayLike | None = None,
        *,
        sample_weight: npt.ArrayLike | None = None,
        pos_label: Any = None,
        **options: Any,
    ) -> Result_co:
        """The curve of labels and scores, or of a ranking."""


def curve(
    *, title: str, needs: Needs = "both classes", undefined: str = "What needs the missing class"
) -> Callable[[Callable[..., Result]], CurveFunction[Result]]:
    """Make a public curve of a function of a ranking.

    Parameters
    ----------
    title : str
        What a warning calls it, as the subject of a sentence.
    needs : {"both classes", "positive examples", "examples"}
        Without which there is a warning. The function itself gives nan for what is not defined.
    undefined : str
        What the warning says is nan then.

    Notes
    -----
    The docstring of the function has ``{door}`` where the common parameters belong.
    """

    def decorate(of_ranking: Callable[..., Result]) -> CurveFunction[Result]:
        def public(
            y_true: npt.ArrayLike | Ranking,
            y_score: npt.ArrayLike | None = None,
            *,
            sample_weight: npt.ArrayLike | None = None,
            pos_label: Any = None,
            **options: Any,
        ) -> Result:
            ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
            result = of_ranking(ranking, **options)
            if lacks(ranking, needs):
                warn_of_lack(title, ranking, needs, undefined)
            return result

        return with_face(public, of_ranking, _Y_TRUE)

    return decorate
