"""The tables of the studies of AUCtron, as Markdown."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from roclab.inference.comparison.multiplicity import adjusted_pvalues
from roclab_studies.auctron import data as auctron_data
from roclab_studies.auctron import starts as auctron_starts
from roclab_studies.auctron.data import DATA, TESTS_PER_TRAINING
from roclab_studies.auctron.rankers import CHOSEN, PUBLISHED
from roclab_studies.markdown import claims_table, table_head, table_row
from roclab_studies.resampling import CorrectedMean

LEVEL = 0.05
BETTER_BALANCE = 0.02
PLATEAU = 0.9  # share of saturated outputs
# The paper's own six; the other two are what its sets should have been.
ITS_OWN = ("wpbc", "pima", "faulty spectf", "ionosphere", "cleveland", "hungarian")
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
        "faulty spectf": (0.38, 0.91),
        "ionosphere": (0.63, 1.0),
        "cleveland": (0.52, 0.88),
        "hungarian": (0.46, 0.79),
    },
    "AUCtron, descent": {
        "wpbc": (0.79, 0.64),
        "pima": (0.55, 0.91),
        "faulty spectf": (0.75, 0.73),
        "ionosphere": (0.71, 0.94),
        "cleveland": (0.89, 0.82),
        "hungarian": (0.84, 0.81),
    },
}
PENALISED = {
    "AUCtron": ("AUCtron", "AUCtron, L-BFGS"),
    "MSEtron": ("MSEtron", "MSEtron, L-BFGS"),
    "logistic regression": ("logistic regression", "logistic regression, no penalty"),
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
    """The first learner minus each of the others."""
    first, *others = learners
    return _leads(answers, {other: (first, other) for other in others})


def penalties(answers: Sequence[auctron_data.Answer]) -> str:
    """Learners whose penalty was chosen, minus the same without any."""
    return _leads(answers, PENALISED)


def _leads(answers: Sequence[auctron_data.Answer], pairs: Mapping[str, tuple[str, str]]) -> str:
    """Differences of pairs of learners, with p-values adjusted for all of them."""
    cells = by_cell(answers)
    found = {
        (title, data): lead(cells[one, data], cells[other, data])
        for data in DATA
        for title, (one, other) in pairs.items()
    }
    adjusted = dict(zip(found, _holm(list(found.values())), strict=True))
    lines = table_head(["data", *pairs])
    for data in DATA:
        line = [_lead(found[title, data], adjusted[title, data]) for title in pairs]
        lines.append(table_row(data, *line))
    means = [over_sets([found[title, data] for data in ITS_OWN]) for title in pairs]
    lines.append(table_row("mean of the paper's six", *(_signed(*one) for one in means)))
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
    balance = [
        (a.best_sensitivity + a.best_specificity - m.best_sensitivity - m.best_specificity) / 2
        for a, m in pairs
    ]
    return claims_table(
        (
            "AUCtron has a higher AUC than MSEtron on five of six sets",
            f"on {ahead} of six, significantly on {sum(sure)}",
            ahead >= 5 and sum(sure) >= 1,
        ),
        (
            f"by {published:.1f} points on average",
            _signed(mean, low, high),
            100 * low <= published <= 100 * high,
        ),
        (
            "it beats AUCsplit on wpbc and Pima, and loses to it on Ionosphere",
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
            "it has the better balance of sensitivity and specificity",
            "their mean, at thresholds chosen alike for both: "
            f"{np.mean(balance):+.3f} on average, {min(balance):+.3f} to {max(balance):+.3f}",
            np.mean(balance) > BETTER_BALANCE,
        ),
    )


def starts_summary(answers: Sequence[auctron_starts.Answer]) -> str:
    """What becomes of starts, over all sets."""
    titles = ["solver", "start", "starts", "lowest", "continued: lowest", "plateau", "other"]
    lines = table_head([*titles, "range of the test AUC in a set"])
    lowest = lowest_losses(answers)
    for solver in auctron_starts.SOLVERS:
        for spread in auctron_starts.SPREADS:
            rows = [row for row in answers if (row.solver, row.spread) == (solver, spread)]
            counts = np.sum([outcomes(row, lowest[_objective(row)]) for row in rows], axis=0)
            width = np.mean([max(row.aucs) - min(row.aucs) for row in rows])
            total = f"{sum(row.starts for row in rows)}"
            lines.append(table_row(solver, f"{spread:g}", total, *map(str, counts), f"{width:.3f}"))
    return "\n".join(lines)


def starts(answers: Sequence[auctron_starts.Answer]) -> str:
    """What becomes of starts, set by set."""
    titles = ["data", "solver", "start", "loss: median (range)", "largest derivative", "lowest"]
    titles += ["continued: loss", "lowest", "plateau", "other", "test AUC", "continued"]
    lines = table_head(titles, left=(0, 1))
    lowest = lowest_losses(answers)
    order = list(auctron_starts.SOLVERS)
    for data in DATA:
        rows = [row for row in answers if row.data == data]
        for row in sorted(rows, key=lambda one: (order.index(one.solver), one.spread)):
            ended, *gone_on = outcomes(row, lowest[_objective(row)])
            lines.append(
                table_row(
                    data,
                    row.solver,
                    f"{row.spread:g}",
                    _range(row.losses, ".4f"),
                    f"{np.median(row.gradients):.0e}",
                    str(ended),
                    _range(row.further_losses, ".4f"),
                    *map(str, gone_on),
                    _range(row.aucs, ".3f"),
                    _range(row.further_aucs, ".3f"),
                )
            )
    return "\n".join(lines)


def outcomes(row: auctron_starts.Answer, lowest: float) -> tuple[int, int, int, int]:
    """Starts that end at the lowest loss; and continued: there, on a plateau, or elsewhere."""
    gone_on = arrived(row.further_losses, lowest)
    flat = np.array(row.further_saturated) >= PLATEAU
    counts = arrived(row.losses, lowest), gone_on, flat & ~gone_on, ~flat & ~gone_on
    ended, there, plateau, other = (int(count.sum()) for count in counts)
    return ended, there, plateau, other


def lowest_losses(
    answers: Sequence[auctron_starts.Answer],
) -> dict[tuple[str, float], float]:
    """The lowest that any start leads to, for each data set and penalty."""
    lowest: dict[tuple[str, float], float] = {}
    for row in answers:
        key = _objective(row)
        lowest[key] = min(lowest.get(key, math.inf), *row.further_losses)
    return lowest


def _objective(row: auctron_starts.Answer) -> tuple[str, float]:
    return row.data, float(auctron_starts.SOLVERS[row.solver]["alpha"])


def arrived(losses: Sequence[float], lowest: float) -> npt.NDArray[np.bool_]:
    """Which losses are the lowest, to one per cent or one in ten thousand."""
    return np.array(losses) <= max(1.01 * lowest, lowest + 1e-4)


def _holm(means: Sequence[CorrectedMean]) -> list[float]:
    return adjusted_pvalues([one.pvalue for one in means], "holm")


def _points(mean: CorrectedMean) -> str:
    low, high = (min(max(one, 0.0), 1.0) for one in mean.interval())
    return f"{100 * mean.value:.1f} ({100 * low:.1f}-{100 * high:.1f})"


def _lead(mean: CorrectedMean, adjusted: float) -> str:
    shown = _signed(mean.value, *mean.interval())
    return f"**{shown}**" if adjusted < LEVEL else shown


def _signed(*values: float) -> str:
    """A difference and the ends of its interval, in points; a zero has no minus."""
    middle, low, high = (f"{round(100 * one, 1) + 0.0:+.1f}" for one in values)
    return f"{middle} ({low} to {high})"


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
    "auctron-penalties": penalties,
}
START_BLOCKS: dict[str, Callable[[Sequence[auctron_starts.Answer]], str]] = {
    "auctron-starts-summary": starts_summary,
    "auctron-starts": starts,
}
