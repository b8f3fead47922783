"""The tables of the studies of AUCtron, as Markdown."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from roclab.inference.multiplicity import adjusted_pvalues
from studies import auctron_data, auctron_starts, fixed_errors
from studies.auctron_data import DATA, TESTS_PER_TRAINING
from studies.markdown import table_head, table_row
from studies.rankers import CHOSEN, PUBLISHED
from studies.resampling import CorrectedMean

LEVEL = 0.05
PLATEAU = 0.9  # share of saturated outputs
# The paper's own six; the other two are what its sets should have been.
ITS_OWN = ("wpbc", "pima", "spectf, faulty", "ionosphere", "cleveland", "hungarian")
RATIOS = dict(zip(ITS_OWN, (23.7, 34.9, 20.4, 35.9, 39.6, 41.3), strict=True))
TABLE_1: dict[str, dict[str, float]] = {
    "AUCsplit, no limits": {"wpbc": 59.3, "pima": 76.7, "ionosphere": 89.7},
    "MSEtron, descent": dict(zip(ITS_OWN, (72.2, 77.9, 84.1, 82.0, 86.9, 83.8), strict=True)),
    "AUCtron, descent": dict(zip(ITS_OWN, (80.1, 79.3, 83.7, 83.4, 91.2, 87.8), strict=True)),
}
Rates = tuple[float, float]
TABLE_2: dict[str, dict[str, Rates]] = {
    "MSEtron, descent": {
        "wpbc": (0.43, 0.87),
        "pima": (0.45, 0.87),
        "spectf, faulty": (0.38, 0.91),
        "ionosphere": (0.63, 1.0),
        "cleveland": (0.52, 0.88),
        "hungarian": (0.46, 0.79),
    },
    "AUCtron, descent": {
        "wpbc": (0.79, 0.64),
        "pima": (0.55, 0.91),
        "spectf, faulty": (0.75, 0.73),
        "ionosphere": (0.71, 0.94),
        "cleveland": (0.89, 0.82),
        "hungarian": (0.84, 0.81),
    },
}
Answers = Mapping[tuple[str, str], auctron_data.Answer]


def by_cell(answers: Sequence[auctron_data.Answer]) -> Answers:
    """Answers by learner and data set."""
    return {(row.learner, row.data): row for row in answers}


def mean_auc(row: auctron_data.Answer) -> CorrectedMean:
    """Over all splits."""
    return CorrectedMean.of(row.aucs, TESTS_PER_TRAINING)


def lead(first: auctron_data.Answer, second: auctron_data.Answer) -> CorrectedMean:
    """By how much the first ranks better, split by split."""
    return CorrectedMean.of(np.subtract(first.aucs, second.aucs), TESTS_PER_TRAINING)


def over_sets(leads: Sequence[CorrectedMean]) -> tuple[float, float, float]:
    """The mean over several sets, and its 95 % interval; sets are independent of each other."""
    mean = float(np.mean([one.value for one in leads]))
    reach = float(ndtri(0.975)) * math.hypot(*(one.error for one in leads)) / len(leads)
    return mean, mean - reach, mean + reach


def table_1(answers: Sequence[auctron_data.Answer]) -> str:
    """The paper's Table 1, each value beside ours."""
    cells = by_cell(answers)
    titles = ["data", "positive, %"]
    for learner in TABLE_1:
        titles += [f"{learner.partition(',')[0]}: paper", "here"]
    lines = table_head(titles)
    for data in DATA:
        row = cells["AUCtron, descent", data]
        shares = f"{100 * row.positives / row.rows:.1f}"
        if data in RATIOS:
            shares += f" (paper {RATIOS[data]})"
        line = [f"{data} ({row.positives} of {row.rows})", shares]
        for learner, published in TABLE_1.items():
            mean = mean_auc(cells[learner, data])
            low, high = mean.interval()
            value = published.get(data)
            outside = value is not None and not 100 * low <= value <= 100 * high
            shown = "-" if value is None else f"{value:.1f}"
            line += [f"**{shown}**" if outside else shown, _points(mean)]
        lines.append(table_row(*line))
    return "\n".join(lines)


def aucs(answers: Sequence[auctron_data.Answer], learners: Sequence[str]) -> str:
    """Mean AUCs with their intervals."""
    cells = by_cell(answers)
    lines = table_head(["data", *learners])
    for data in DATA:
        lines.append(
            table_row(data, *(_points(mean_auc(cells[learner, data])) for learner in learners))
        )
    return "\n".join(lines)


def leads(answers: Sequence[auctron_data.Answer], learners: Sequence[str]) -> str:
    """The first learner less each of the others, with p-values adjusted for all of them."""
    cells = by_cell(answers)
    first, *others = learners
    found = {
        (other, data): lead(cells[first, data], cells[other, data])
        for data in DATA
        for other in others
    }
    adjusted = dict(
        zip(found, adjusted_pvalues([one.pvalue for one in found.values()], "holm"), strict=True)
    )
    lines = table_head(["data", *others])
    for data in DATA:
        line = [_lead(found[other, data], adjusted[other, data]) for other in others]
        lines.append(table_row(data, *line))
    line = []
    for other in others:
        mean, low, high = over_sets([found[other, data] for data in ITS_OWN])
        line.append(f"{100 * mean:+.1f} ({100 * low:+.1f} to {100 * high:+.1f})")
    lines.append(table_row("mean of the paper's six", *line))
    return "\n".join(lines)


def table_2(answers: Sequence[auctron_data.Answer]) -> str:
    """The paper's Table 2, each value beside ours, and both at a threshold that was chosen."""
    cells = by_cell(answers)
    titles = ["data"]
    for learner in TABLE_2:
        titles += [f"{learner.partition(',')[0]}: paper", "here, at one half", "at the best sum"]
    lines = table_head(titles)
    for data in DATA:
        line = [data]
        for learner, published in TABLE_2.items():
            row = cells[learner, data]
            line += [
                _rates(published[data]) if data in published else "-",
                _rates((row.sensitivity, row.specificity)),
                _rates((row.best_sensitivity, row.best_specificity)),
            ]
        lines.append(table_row(*line))
    return "\n".join(lines)


def data_claims(answers: Sequence[auctron_data.Answer]) -> str:
    """What the paper says of its tables, and what is seen here."""
    cells = by_cell(answers)
    auctron, msetron = (
        [cells[learner, data] for data in ITS_OWN]
        for learner in ("AUCtron, descent", "MSEtron, descent")
    )
    pairs = list(zip(auctron, msetron, strict=True))
    over_mse = [lead(a, m) for a, m in pairs]
    ahead = sum(one.value > 0 for one in over_mse)
    sure = [pvalue < LEVEL for pvalue in _holm(over_mse)]
    mean, low, high = over_sets(over_mse)
    published = float(
        np.mean([TABLE_1["AUCtron, descent"][d] - TABLE_1["MSEtron, descent"][d] for d in ITS_OWN])
    )
    over_tree = {
        data: lead(cells["AUCtron, descent", data], cells["AUCsplit, no limits", data])
        for data in ITS_OWN
    }
    higher = sum(a.sensitivity > m.sensitivity for a, m in pairs)
    balanced = [
        (a.best_sensitivity - m.best_sensitivity, a.best_specificity - m.best_specificity)
        for a, m in pairs
    ]
    differences = [abs(one) for pair in balanced for one in pair]
    return _claims(
        (
            "AUCtron has the higher AUC than MSEtron on five of six sets",
            f"on {ahead} of six, beyond chance on {sum(sure)}",
            ahead >= 5 and sum(sure) >= 1,
        ),
        (
            f"by {published:.1f} points on average",
            f"{100 * mean:+.1f} ({100 * low:+.1f} to {100 * high:+.1f})",
            100 * low <= published <= 100 * high,
        ),
        (
            "it also beats AUCsplit on wpbc and Pima, and loses to it on Ionosphere",
            ", ".join(
                f"{data} {100 * over_tree[data].value:+.1f}"
                for data in ("wpbc", "pima", "ionosphere")
            ),
            over_tree["wpbc"].value > 0 < over_tree["pima"].value
            and over_tree["ionosphere"].value < 0,
        ),
        (
            "its sensitivity at one half is higher than MSEtron's on all sets",
            f"on {higher} of six",
            higher == 6,
        ),
        (
            "that is because AUCtron takes the classes' shares into account",
            "at thresholds chosen alike for both, rates differ by "
            f"{np.mean(differences):.3f} on average, {max(differences):.3f} at most",
            np.mean(differences) > 0.05,
        ),
    )


def starts(answers: Sequence[auctron_starts.Answer], wanted: Sequence[str]) -> str:
    """What becomes of the starts of these solvers."""
    titles = ["data", "solver", "start", "loss: median (range)", "lowest", "largest derivative"]
    titles += ["gone on: loss", "lowest", "plateau", "other", "test AUC", "gone on"]
    lines = table_head(titles, left=(0, 1))
    for data in DATA:
        # The lowest that any start of the same objective leads to.
        penalised = [row for row in answers if row.data == data and "penalty" in row.solver]
        free = [row for row in answers if row.data == data and row not in penalised]
        for rows in (free, penalised):
            lowest = min(min(row.further_losses) for row in rows)
            for row in sorted(rows, key=lambda one: (one.solver, one.spread)):
                if row.solver in wanted:
                    lines.append(_start(row, lowest))
    return "\n".join(lines)


def _start(row: auctron_starts.Answer, lowest: float) -> str:
    ended, gone_on = arrived(row.losses, lowest), arrived(row.further_losses, lowest)
    flat = np.array(row.further_saturated) >= PLATEAU
    counts = [gone_on.sum(), (flat & ~gone_on).sum(), (~flat & ~gone_on).sum()]
    return table_row(
        row.data,
        row.solver,
        f"{row.spread:g}",
        _range(row.losses, ".4f"),
        f"{ended.sum()}",
        f"{np.median(row.gradients):.0e}",
        _range(row.further_losses, ".4f"),
        *map(str, counts),
        _range(row.aucs, ".3f"),
        _range(row.further_aucs, ".3f"),
    )


def arrived(losses: Sequence[float], lowest: float) -> npt.NDArray[np.bool_]:
    """Which losses are the lowest, to one per cent or one in ten thousand."""
    return np.array(losses) <= max(1.01 * lowest, lowest + 1e-4)


def error_claims(answers: Sequence[fixed_errors.Answer]) -> str:
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
    return _claims(
        (
            "eq. 3: the mean for given false positives is one less the mean of the *accuracy* "
            "rates of the classes",
            "it is one less the mean of their error rates",
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
            all(at_most[ratio].deviation > at_most[0.5].deviation for ratio in (0.05, 0.1)),
        ),
        (
            "the same at one accuracy, 95 %",
            _by_ratio(at_tenth, lambda row: f"{row.deviation:.3f}"),
            all(at_tenth[a].deviation > at_tenth[b].deviation for a, b in pairwise(at_tenth)),
        ),
        (
            "the same, of 20,000 examples, at as many errors as positives",
            _by_ratio(at_most_of_many, lambda row: f"{row.deviation:.3f}"),
            all(
                at_most_of_many[ratio].deviation > at_most_of_many[0.5].deviation
                for ratio in (0.05, 0.1)
            ),
        ),
    )


def _by_ratio(values: Mapping[float, object], shown: Callable[..., str]) -> str:
    return ", ".join(f"{100 * ratio:g} %: {shown(value)}" for ratio, value in values.items())


def _negatives(row: fixed_errors.Answer) -> int:
    return row.size - row.positives


def _holm(means: Sequence[CorrectedMean]) -> list[float]:
    return adjusted_pvalues([one.pvalue for one in means], "holm")


def _claims(*rows: tuple[str, str, bool]) -> str:
    lines = table_head(["the paper says", "seen here", "holds"], left=(0, 1, 2))
    for claim, seen, holds in rows:
        lines.append(table_row(claim, seen, "yes" if holds else "**no**"))
    return "\n".join(lines)


def _points(mean: CorrectedMean) -> str:
    low, high = (min(max(one, 0.0), 1.0) for one in mean.interval())
    return f"{100 * mean.value:.1f} ({100 * low:.1f}-{100 * high:.1f})"


def _lead(mean: CorrectedMean, adjusted: float) -> str:
    low, high = mean.interval()
    shown = f"{100 * mean.value:+.1f} ({100 * low:+.1f} to {100 * high:+.1f})"
    return f"**{shown}**" if adjusted < LEVEL else shown


def _rates(rates: Rates) -> str:
    return f"{rates[0]:.2f} / {rates[1]:.2f}"


def _range(values: Sequence[float], form: str) -> str:
    low, middle, high = (format(one, form) for one in np.quantile(values, (0, 0.5, 1)))
    return f"{middle} ({low}-{high})"


DATA_BLOCKS: dict[str, Callable[[Sequence[auctron_data.Answer]], str]] = {
    "auctron-table-1": table_1,
    "auctron-table-2": table_2,
    "auctron-data-claims": data_claims,
    "auctron-published-leads": lambda answers: leads(answers, tuple(PUBLISHED)),
    "auctron-chosen": lambda answers: aucs(answers, tuple(CHOSEN)),
    "auctron-chosen-leads": lambda answers: leads(answers, tuple(CHOSEN)),
}
START_BLOCKS: dict[str, Callable[[Sequence[auctron_starts.Answer]], str]] = {
    "auctron-starts": lambda answers: starts(answers, ("descent", "L-BFGS")),
    "auctron-penalised-starts": lambda answers: starts(answers, ("L-BFGS, penalty 0.01",)),
}
ERROR_BLOCKS: dict[str, Callable[[Sequence[fixed_errors.Answer]], str]] = {
    "auctron-error-claims": error_claims,
}
