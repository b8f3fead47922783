"""The examples that a result needs, and the warning if they are missing."""

from __future__ import annotations

from typing import Literal

from roclab.data.ranking import Ranking
from roclab.errors import UndefinedMeasureWarning

Needs = Literal["both classes", "positive examples", "examples"]


def is_undefined(ranking: Ranking, needs: Needs = "both classes") -> bool:
    """Whether the ranking has too few examples to define a result."""
    if needs == "both classes":
        return not (ranking.n_pos and ranking.n_neg)
    return not (ranking.n_pos if needs == "positive examples" else len(ranking))


def warn_if_undefined(
    title: str,
    ranking: Ranking,
    *,
    needs: Needs = "both classes",
    undefined: str = "What needs the missing class",
) -> None:
    """Warn if examples are missing.

    Parameters
    ----------
    title : str
        Subject of the sentence.
    ranking : Ranking
        The examples.
    needs : {"both classes", "positive examples", "examples"}
        Examples without which the result is undefined.
    undefined : str
        What the warning reports as nan.
    """
    if not is_undefined(ranking, needs):
        return
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
