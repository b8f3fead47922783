"""Names and values of users in messages and results."""

from __future__ import annotations

import datetime
import math
import struct
from collections.abc import Iterable
from decimal import ROUND_FLOOR, Context
from typing import Any

_SHOWN = 5
_WHOLE_UP_TO = 1e16  # whole numbers are shown without an exponent
_DOUBLE_DIGITS = 17  # enough digits to restore every double
_MOST_DECIMALS = 12
_SMALLEST = 5e-324
# How methods of intervals and tests are cited; other words are shown with spaces.
_METHODS = {
    "bca": "BCa bootstrap",
    "between": "variation between strata",
    "binormal": "binormal",
    "bootstrap_t": "bootstrap-t",
    "clopper_pearson": "Clopper-Pearson",
    "delong": "DeLong",
    "empirical_bernstein": "empirical Bernstein",
    "half_sampling": "half-sampling",
    "hotelling": "Hotelling",
    "ks": "Kolmogorov-Smirnov",
    "ledell": "LeDell",
    "log": "log-transformed DeLong",
    "logit": "logit-transformed DeLong",
    "mover": "MOVER",
    "newcombe": "Newcombe",
    "paired_t": "paired t",
    "score": "score test",
    "shrunken_wilson": "Wilson-type",
    "simes": "Simes",
    "venkatraman": "Venkatraman",
    "venkatraman_begg": "Venkatraman-Begg",
    "wald": "Wald",
    "wilson": "Wilson",
    "within": "variation within strata",
}


def listed(names: Iterable[str]) -> str:
    """The first five names, and the number of others: ``a, b, c, d, e and 3 more``."""
    shown = list(names)
    more = len(shown) - _SHOWN
    return ", ".join(shown[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def sentence(text: str) -> str:
    """A text with a full stop at its end, which a name like ``Nr.`` may have brought already."""
    return text if text.endswith(".") else f"{text}."


def one_line(value: object) -> str:
    """A name on one line, safe for a terminal: characters that cannot be printed are escaped."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in str(value)
    )


def with_interval(value: float, low: float, high: float, *, least: int = 2) -> str:
    """A value and its interval, with as many decimals as its width needs.

    Rounding moves an end by at most an eighth of the width. The ends have at least `least`
    decimals, and the value at least three.
    """
    width = high - low
    decimals = least
    if 0 < width < 1:
        decimals = min(
            max(least, math.ceil(-math.log10(max(width / 4, _SMALLEST)))), _MOST_DECIMALS
        )
    own = max(3, decimals + 1 if decimals > least else least)
    return f"{value:.{own}f} [{low:.{decimals}f}, {high:.{decimals}f}]"


def threshold_text(threshold: float, below: float | None = None, *, digits: int = 6) -> str:
    """A threshold with as many digits, at least `digits`, as call the same examples positive.

    Parameters
    ----------
    threshold : float
        Examples that score at or above it are positive.
    below : float, optional
        The highest score below it. By default unknown: the digits give the threshold back.
    digits : int, default 6
        Significant digits, if they suffice.
    """
    if _is_whole(threshold):
        return str(int(threshold))
    if not math.isfinite(threshold):
        return str(threshold)
    for shown in range(digits, _DOUBLE_DIGITS):
        down = Context(prec=shown, rounding=ROUND_FLOOR).create_decimal_from_float(threshold)
        for rounded in (threshold, float(down)):
            text = f"{rounded:.{shown}g}"
            if _separates(float(text), threshold, below):
                return text
    return repr(threshold)


def distinct_texts(*values: float, digits: int = 4) -> list[str]:
    """Numbers with as many digits, at least `digits`, as distinguish them and keep their order.

    What is shown of a number is nearer to it than to any other. nan is not distinguished.
    """
    ascending = sorted({value for value in values if math.isfinite(value)})
    shown = {}
    for place, value in enumerate(ascending):
        near = ascending[max(place - 1, 0) : place + 2]
        half = min((abs(value - other) / 2 for other in near if other != value), default=math.inf)
        shown[value] = _within(value, half, digits)
    return [shown.get(value) or str(value) for value in values]


def range_text(low: float, high: float, *, digits: int = 4) -> str:
    """The ends of a range of scores, with as many digits as distinguish them."""
    return " to ".join(dict.fromkeys(distinct_texts(low, high, digits=digits)))


def _is_whole(value: float) -> bool:
    """Whether a number is shown without a decimal point and an exponent."""
    return isinstance(value, int) or (value.is_integer() and abs(value) < _WHOLE_UP_TO)


def _within(value: float, distance: float, digits: int) -> str:
    """A number with the fewest digits, at least `digits`, that show it up to a distance."""
    if _is_whole(value):
        return str(int(value))
    for count in range(digits, _DOUBLE_DIGITS):
        text = f"{value:.{count}g}"
        if abs(float(text) - value) < distance:
            return text
    return repr(value)


def _separates(value: float, threshold: float, below: float | None) -> bool:
    """Whether a value is a threshold of the same examples, also if scores are of a shorter type.

    NumPy rounds a number to the type of the scores that it is compared with.
    """
    if below is None:
        return value == threshold
    return all(
        below < _rounded(value, kind) <= threshold
        for kind in ("d", "f", "e")
        if _rounded(threshold, kind) == threshold
    )


def _rounded(value: float, kind: str) -> float:
    """A number as a float of another size."""
    try:
        return float(struct.unpack(kind, struct.pack(kind, value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def level_and_method(confidence_level: float, method: str, side: str = "") -> str:
    """The level of an interval and the name its method is cited by: ``95 % DeLong``."""
    return f"{100 * confidence_level:.10g} % {side}{method_name(method)}"


def method_name(method: str) -> str:
    """The name that a method is cited by, in few words."""
    return _METHODS.get(method, method.replace("_", " "))


def plain_value(value: Any) -> Any:
    """A value as a type that JSON has; dates in ISO 8601, everything else as text."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    # A number of NumPy, which itself is loaded later. Its dates are text in ISO 8601.
    kind = getattr(getattr(value, "dtype", None), "kind", None)
    if kind is not None and kind in "biuf" and value.ndim == 0:
        return float(value) if kind == "f" else value.item()
    return str(value)
