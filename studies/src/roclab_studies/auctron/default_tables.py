"""The tables of the study of defaults, as Markdown."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import numpy as np
from scipy.special import ndtri

from roclab_studies.auctron import defaults
from roclab_studies.auctron.defaults import DATA, SIMULATED, TESTS_PER_TRAINING
from roclab_studies.markdown import table_head, table_row
from roclab_studies.resampling import CorrectedMean

CHOSEN = ("AUCtronClassifierCV", "LogisticRegressionCV")
FIXED = ("AUCtronClassifier", "LogisticRegression")
NO_PENALTY = "AUCtronClassifier, alpha=0"
Triple = tuple[float, float, float]


def real(answers: Sequence[defaults.Answer]) -> str:
    """The eight data sets, and the mean over them with two intervals."""
    lines = _rows(answers, DATA)
    for title, corrected in (("these splits", False), ("new data", True)):
        cells = [
            _signed(mean_difference(answers, pair, corrected=corrected)) for pair in (CHOSEN, FIXED)
        ]
        lines.append(
            table_row(f"mean of eight, {title}", "", "", "", "", cells[0], "", "", "", cells[1])
        )
    return "\n".join(lines)


def simulated(answers: Sequence[defaults.Answer]) -> str:
    """The populations, each drawn again."""
    return "\n".join(_rows(answers, SIMULATED))


def differences(
    answers: Sequence[defaults.Answer], data: str, pair: tuple[str, str]
) -> CorrectedMean:
    """By how much the first ranks better, split by split; draws share no rows."""
    first, second = (
        next(row.aucs for row in answers if (row.learner, row.data) == (learner, data))
        for learner in pair
    )
    return CorrectedMean.of(np.subtract(first, second), TESTS_PER_TRAINING if data in DATA else 0.0)


def mean_difference(
    answers: Sequence[defaults.Answer], pair: tuple[str, str], *, corrected: bool
) -> Triple:
    """The mean over the data sets with its 95 % interval.

    Over splits of these very rows; or, `corrected`, with the error of Nadeau and Bengio, which
    includes that other rows could have been drawn.
    """
    means = [differences(answers, data, pair) for data in DATA]
    errors = [
        one.error if corrected else one.error / math.sqrt(1 + TESTS_PER_TRAINING * one.splits)
        for one in means
    ]
    mean = float(np.mean([one.value for one in means]))
    reach = float(ndtri(0.975)) * math.hypot(*errors) / len(means)
    return mean, mean - reach, mean + reach


def _rows(answers: Sequence[defaults.Answer], data_sets: Collection[str]) -> list[str]:
    titles = ["data", "rows", "positives", *CHOSEN, "difference"]
    titles += [*FIXED, "alpha=0", "difference"]
    lines = table_head(titles)
    for data in data_sets:
        found = {row.learner: row for row in answers if row.data == data}
        cells = [data, f"{found[CHOSEN[0]].rows}", f"{found[CHOSEN[0]].positives}"]
        for pair, more in ((CHOSEN, ()), (FIXED, (NO_PENALTY,))):
            cells += [f"{np.mean(found[one].aucs):.4f}" for one in (*pair, *more)]
            mean = differences(answers, data, pair)
            cells.append(_signed((mean.value, *mean.interval())))
        lines.append(table_row(*cells))
    return lines


def _signed(values: Triple) -> str:
    """A difference and its interval; a zero has no minus."""
    middle, low, high = (f"{round(one, 4) + 0.0:+.4f}" for one in values)
    return f"{middle} ({low} to {high})"


BLOCKS = {"auctron-defaults-real": real, "auctron-defaults-simulated": simulated}
