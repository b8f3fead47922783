"""The table of the study of error counts, as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from roclab_studies.auctron import fixed_errors
from roclab_studies.markdown import claims_table

NOTICEABLE = 0.02  # a standard deviation of the AUC


def claims(answers: Sequence[fixed_errors.Answer]) -> str:
    """What the paper says of its Figures 2 to 4, and what the formula says."""
    small = [row for row in answers if row.size == fixed_errors.SIZE]
    curves = {ratio: [row for row in small if row.ratio == ratio] for ratio in fixed_errors.RATIOS}
    within = {
        ratio: [row for row in rows if row.errors <= row.positives]
        for ratio, rows in curves.items()
    }
    balanced = max(abs(row.mean - row.accuracy) for row in curves[0.5])
    rises = {
        ratio: sum(b.mean > a.mean for a, b in pairwise(rows)) for ratio, rows in curves.items()
    }
    slopes = {
        ratio: [
            fixed_errors.mean_given_false_positives(rows[0].positives, _negatives(rows[0]), 10, x)
            for x in (0, 10)
        ]
        for ratio, rows in curves.items()
    }
    at_most = {ratio: rows[-1] for ratio, rows in within.items()}
    at_tenth = {
        ratio: next(row for row in rows if row.errors == 10) for ratio, rows in curves.items()
    }
    large = [row for row in answers if row.size == max(fixed_errors.LARGER)]
    at_most_of_many = {
        ratio: next(row for row in large if row.ratio == ratio and row.errors == row.positives)
        for ratio in fixed_errors.RATIOS
    }
    return claims_table(
        (
            "eq. 3: the mean for given false positives is 1 minus the mean of the *accuracy* "
            "rates of the classes",
            "it is 1 minus the mean of their error rates",
            False,
        ),
        (
            "fig. 2: at a fixed number of errors, of unequal classes, the mean AUC decreases with "
            "the number of false positives",
            "it rises with them: "
            + _by_ratio(slopes, lambda ends: f"{ends[0]:.2f} to {ends[1]:.2f}"),
            all(ends[1] < ends[0] for ratio, ends in slopes.items() if ratio < 0.5),
        ),
        (
            "section 5, of the same figure: it decreases as false negatives increase",
            "the same numbers, from right to left",
            all(ends[1] > ends[0] for ratio, ends in slopes.items() if ratio < 0.5),
        ),
        (
            "fig. 3: with equal classes the mean is the accuracy",
            f"within {balanced:.0e}",
            balanced < 1e-9,
        ),
        (
            "section 5: the mean rises monotonically with the accuracy",
            f"falls with every further error, from 0 to all {fixed_errors.SIZE}"
            if not any(rises.values())
            else "rises with a further error: " + _by_ratio(rises, str),
            not any(rises.values()),
        ),
        (
            "fig. 4: classifiers of one accuracy differ noticeably in AUC if classes are unequal "
            "and errors many",
            "standard deviation at as many errors as positives: "
            + _by_ratio(at_most, lambda row: f"{row.deviation:.3f}"),
            all(at_most[ratio].deviation > NOTICEABLE for ratio in (0.05, 0.1)),
        ),
        (
            "the same at one accuracy, 95 %: the more unequal, the more they differ",
            _by_ratio(at_tenth, lambda row: f"{row.deviation:.3f}"),
            all(at_tenth[a].deviation > at_tenth[b].deviation for a, b in pairwise(at_tenth)),
        ),
        (
            f"the same, of {max(fixed_errors.LARGER):,} examples, at as many errors as positives",
            _by_ratio(at_most_of_many, lambda row: f"{row.deviation:.3f}"),
            all(at_most_of_many[ratio].deviation > NOTICEABLE for ratio in (0.05, 0.1)),
        ),
    )


def _by_ratio(values: Mapping[float, object], shown: Callable[..., str]) -> str:
    return ", ".join(f"{100 * ratio:g} %: {shown(value)}" for ratio, value in values.items())


def _negatives(row: fixed_errors.Answer) -> int:
    return row.size - row.positives


BLOCKS = {"auctron-error-claims": claims}
