"""What the options of inference may be: levels, alternatives, resamples and random numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any, Literal

import numpy as np
from scipy.special import ndtri, stdtrit

from roclab.errors import InputError
from roclab.validation import number_or_nan

__all__ = [
    "Alternative",
    "Progress",
    "RandomSource",
    "check_alternative",
    "check_level",
    "check_method",
    "check_resamples",
    "check_word",
    "critical_value",
    "normal_quantile",
    "refuse_clusters",
    "seed_of",
    "tail_levels",
]

Alternative = Literal["two-sided", "less", "greater"]
Progress = Callable[[int, int], object]
RandomSource = int | np.random.Generator | None

ALTERNATIVES = ("two-sided", "less", "greater")
_MOST_RESAMPLES = 10**9


def check_level(confidence_level: Any, alternative: str = "two-sided") -> float:
    """The level as a float between 0 and 1; of a single bound above one half."""
    level = number_or_nan(confidence_level)
    if not 0 < level < 1:
        raise InputError(
            f"confidence_level={confidence_level!r:.60} is not between 0 and 1. "
            "For 95 % pass confidence_level=0.95."
        )
    if alternative != "two-sided" and level <= 0.5:
        raise InputError(
            f"confidence_level={confidence_level!r} with alternative={alternative!r} would put a "
            "bound on the wrong side of the value; it must be above 0.5. For 95 % pass "
            "confidence_level=0.95."
        )
    return level


def check_alternative(alternative: Any, allowed: Sequence[str] = ALTERNATIVES) -> Any:
    """One of the allowed words."""
    return check_word("alternative", alternative, allowed, "Alternatives")


def check_method(method: Any, allowed: Sequence[str]) -> str:
    """One of the allowed words."""
    return check_word("method", method, allowed, "Methods")


def check_resamples(n_resamples: Any) -> int:
    """A whole number from 1 on."""
    whole = isinstance(n_resamples, Integral) and not isinstance(n_resamples, bool)
    if not whole or not 1 <= int(n_resamples) <= _MOST_RESAMPLES:
        raise InputError(
            f"n_resamples={n_resamples!r} is not a whole number from 1 to {_MOST_RESAMPLES:,}. "
            "2,000 are usual for an interval of 95 %."
        )
    return int(n_resamples)


def seed_of(rng: Any) -> int:
    """64 random bits from what users pass as `rng`: None, a whole number or a generator."""
    if isinstance(rng, bool) or not (
        rng is None or isinstance(rng, Integral | np.random.Generator)
    ):
        raise InputError(
            f"rng={rng!r:.60} is neither None, a whole number nor a numpy Generator. "
            "For results that can be had again pass rng=0."
        )
    if isinstance(rng, Integral) and rng < 0:
        raise InputError(f"rng={rng!r} is negative; a seed is a whole number from 0 on.")
    generator = np.random.default_rng(int(rng) if isinstance(rng, Integral) else rng)
    return int(generator.integers(2**64, dtype=np.uint64))


def normal_quantile(probability: float) -> float:
    """The value below which a standard normal variable lies with this probability."""
    return float(ndtri(probability))


def critical_value(confidence_level: float, alternative: str, df: float | None = None) -> float:
    """The quantile with which a two-sided interval has the bounds, or the bound, of this level.

    Normal, or Student's with `df` degrees of freedom; infinite with none of these.
    """
    two_sided = alternative == "two-sided"
    probability = (1 + confidence_level) / 2 if two_sided else confidence_level
    if df is None:
        return normal_quantile(probability)
    return float(stdtrit(df, probability)) if df > 0 else math.inf


def tail_levels(confidence_level: float, alternative: str) -> tuple[float, float]:
    """The probabilities below the two ends of an interval; 0 and 1 for an end that is open."""
    outside = 1 - confidence_level
    if alternative == "two-sided":
        return outside / 2, 1 - outside / 2
    return (outside, 1.0) if alternative == "greater" else (0.0, 1 - outside)


def refuse_clusters(
    cluster: Any, method: str, independent: Sequence[str], instead: str = '"bootstrap"'
) -> None:
    """Methods that take the rows for independent have no use for clusters."""
    if cluster is not None and method in independent:
        raise InputError(
            f"method={method!r} takes the rows for independent. With `cluster` choose {instead}."
        )


def check_word(option: str, word: Any, allowed: Sequence[str], title: str) -> str:
    """One of the words that an option may be; `title` says for the message what they are."""
    if not isinstance(word, str) or word not in allowed:
        raise InputError(f"{option}={word!r} is not known. {title}: {', '.join(allowed)}.")
    return word
