"""The tables of the selection study and of its scatter plot, as Markdown."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt
from scipy.stats import t

from roclab_studies.markdown import table_head, table_row
from roclab_studies.paired_tests import better_and_worse, sign_pvalue, wilcoxon_pvalue
from roclab_studies.scored_auc import scatter as scored_scatter
from roclab_studies.scored_auc.data import LARGE, SMALL
from roclab_studies.scored_auc.few_rows import FEW_SHARE
from roclab_studies.scored_auc.published import PUBLISHED
from roclab_studies.scored_auc.selection import SHARE, Answer, together
from roclab_studies.subset_learners import LEARNERS

Z = 1.959964
RULES = ("scored", "auc", "brier")
RIVALS = {"auc": "AUC", "brier": "Brier score"}
Groups = dict[str, dict[int, str]]
GROUPS: Groups = {"11 small sets": SMALL, "6 larger sets": LARGE}
SMALL_ONLY: Groups = {"11 small sets": SMALL}
SHARES = (SHARE, FEW_SHARE)
RESAMPLES, SEED = 2_000, 3

Floats = npt.NDArray[np.float64]


def cells(answers: Sequence[Answer], learner: str, names: dict[int, str]) -> str:
    """Every data set: test AUC by each rule, ours and published, and what the scored AUC gains."""
    titles = ["#", "data", "by scored AUC", "by AUC", "by Brier score"]
    titles += ["gain over AUC", "published", "gain over Brier score", "published"]
    lines = table_head(titles, left=(1,))
    for number, row in _rows(answers, learner, names).items():
        printed = PUBLISHED[learner][number]
        values = [
            f"{100 * getattr(row, rule):.2f} ({other:.2f})"
            for rule, other in zip(RULES, printed, strict=True)
        ]
        gains = [
            text
            for at, rival in enumerate(RIVALS, start=1)
            for text in (gain(row, rival), f"{printed[0] - printed[at]:+.2f}")
        ]
        lines.append(table_row(f"{number}", row.data, *values, *gains))
    wins = []
    for at, rival in enumerate(RIVALS, start=1):
        ours, theirs = _gains(answers, learner, names, rival), _printed(learner, names, at)
        wins += [_wins(ours), _wins(theirs)]
    lines.append(table_row("", "wins", "", "", "", *wins))
    return "\n".join(lines)


def gain(row: Answer, rival: str) -> str:
    """In points with a 95 % interval; bold if 0 is outside."""
    mean, error = (100 * getattr(row, f"over_{rival}{end}") for end in ("", "_error"))
    text = f"{mean:+.2f} ± {Z * error:.2f}"
    return f"**{text}**" if abs(mean) > Z * error else text


def over_sets(answers: Sequence[Answer], groups: Groups = GROUPS) -> str:
    """Sign tests and signed-rank tests over data sets, of our gains and of the published."""
    titles = ["sets", "learner", "gain over", "wins", "sign test p", "signed-rank p", "mean gain"]
    titles += ["published wins", "sign test p", "signed-rank p", "mean gain"]
    lines = table_head(titles, left=(0, 1, 2))
    for group, names in groups.items():
        for learner in LEARNERS:
            for at, (rival, title) in enumerate(RIVALS.items(), start=1):
                ours, theirs = _gains(answers, learner, names, rival), _printed(learner, names, at)
                found = [
                    text
                    for gains in (ours, theirs)
                    for text in (
                        _wins(gains),
                        f"{sign_pvalue(gains):.4f}",
                        f"{wilcoxon_pvalue(gains):.4f}",
                        _mean(gains),
                    )
                ]
                lines.append(table_row(group, learner, title, *found))
    return "\n".join(lines)


def agreement(answers: Sequence[Answer]) -> str:
    """How near the published cells of table 4 are, and how near what the scored AUC gains."""
    titles = ["learner", "validation rows", "mean distance of cells", "of gains"]
    titles += ["correlation of gains", "mean gain over AUC", "published"]
    lines = table_head(titles)
    for learner in LEARNERS:
        rows = _rows(answers, learner, SMALL)
        cells_apart = [
            abs(100 * getattr(row, rule) - printed)
            for number, row in rows.items()
            for rule, printed in zip(RULES, PUBLISHED[learner][number], strict=True)
        ]
        ours = np.concatenate([_gains(answers, learner, SMALL, rival) for rival in RIVALS])
        theirs = np.concatenate([_printed(learner, SMALL, at) for at in (1, 2)])
        sizes = [row.validation for row in rows.values()]
        lines.append(
            table_row(
                learner,
                f"{min(sizes)} to {max(sizes)}",
                f"{np.mean(cells_apart):.2f}",
                f"{np.abs(ours - theirs).mean():.2f}",
                f"{np.corrcoef(ours, theirs)[0, 1]:.2f}",
                f"{ours[: len(rows)].mean():+.2f}",
                f"{theirs[: len(rows)].mean():+.2f}",
            )
        )
    return "\n".join(lines)


def room(answers: Sequence[Answer], groups: Groups = GROUPS) -> str:
    """Mean test AUC over sets of every way to choose."""
    ways = {
        "any_model": "a model at random",
        "auc": "by AUC",
        "tie_broken": "by AUC, ties by scored AUC",
        "scored": "by scored AUC",
        "brier": "by Brier score",
        "best_model": "best on the test rows",
    }
    titles = ["sets", "learner", *ways.values(), "ties of AUC", "same choice"]
    lines = table_head(titles, left=(0, 1))
    for group, names in groups.items():
        for learner in LEARNERS:
            rows = list(_rows(answers, learner, names).values())
            means = [f"{100 * np.mean([getattr(row, way) for row in rows]):.2f}" for way in ways]
            shares = [
                f"{np.mean([getattr(row, name) for row in rows]):.0%}"
                for name in ("auc_ties", "same_auc")
            ]
            lines.append(table_row(group, learner, *means, *shares))
    return "\n".join(lines)


def ties(answers: Sequence[Answer], groups: Groups = GROUPS) -> str:
    """What remains of the gain over AUC where ties of AUC are broken by the scored AUC."""
    titles = ["sets", "learner", "gain over AUC", "over AUC with ties broken", "wins"]
    lines = table_head(titles, left=(0, 1))
    for group, names in groups.items():
        for learner in LEARNERS:
            all_of_it = _gains(answers, learner, names, "auc")
            rest = _gains(answers, learner, names, "tie_broken")
            lines.append(table_row(group, learner, _mean(all_of_it), _mean(rest), _wins(rest)))
    return "\n".join(lines)


def fits(answers: Sequence[Answer]) -> str:
    """How closely test AUC follows each measure, means over sets of the correlations."""
    titles = ["sets", "learner", "AUC", "scored AUC", "Brier score", "scored above AUC"]
    titles += ["AUC, within", "scored AUC, within", "Brier score, within", "scored above AUC"]
    lines = table_head(titles, left=(0, 1))
    for group, names in GROUPS.items():
        for learner in LEARNERS:
            rows = list(_rows(answers, learner, names).values())
            found = []
            for kind in ("fit", "within"):
                values = {rule: [getattr(row, f"{rule}_{kind}") for row in rows] for rule in RULES}
                found += [f"{np.nanmean(values[rule]):.3f}" for rule in ("auc", "scored", "brier")]
                above = sum(a > b for a, b in zip(values["scored"], values["auc"], strict=True))
                known = sum(not math.isnan(a) for a in values["auc"])
                found.append(f"{above} of {known}")
            lines.append(table_row(group, learner, *found))
    return "\n".join(lines)


def scatter(answers: Sequence[scored_scatter.Answer]) -> str:
    """The regressions of figure 3."""
    titles = ["validation", "learner", "measure", "slope", "intercept", "correlation g", "1 - g²"]
    titles += ["less than with AUC", "AUC is 1"]
    lines = table_head(titles, left=(0, 1, 2))
    for share, learner in itertools.product(SHARES, LEARNERS):
        rows = [row for row in answers if (row.share, row.learner) == (share, learner)]
        test, auc = _by_repetition(rows, "test_auc"), _by_repetition(rows, "auc")
        for rule, title in (("auc", "AUC"), ("scored", "scored AUC"), ("brier", "Brier score")):
            value = _by_repetition(rows, rule)
            slope, intercept = np.polyfit(value.ravel(), test.ravel(), 1)
            less = "" if rule == "auc" else _less(auc, value, test)
            numbers = [f"{slope:.3f}", f"{intercept:.3f}", f"{_correlation(value, test):.3f}"]
            numbers.append(f"{unexplained(value, test):.3f}")
            perfect = f"{np.mean(auc == 1):.1%}" if rule == "auc" else ""
            lines.append(table_row(f"{share:.0%}", learner, title, *numbers, less, perfect))
    return "\n".join(lines)


def unexplained(value: Floats, test: Floats) -> float:
    """The share of the variance of test AUC that a line leaves."""
    return 1 - _correlation(value, test) ** 2


def _less(auc: Floats, value: Floats, test: Floats) -> str:
    """How much less than AUC a measure leaves; repetitions are drawn again for the interval."""
    rng = np.random.default_rng(SEED)
    drawn = []
    for _ in range(RESAMPLES):
        rows = rng.integers(0, len(test), len(test))
        drawn.append(unexplained(auc[rows], test[rows]) - unexplained(value[rows], test[rows]))
    low, high = np.quantile(drawn, (0.025, 0.975))
    return f"{unexplained(auc, test) - unexplained(value, test):+.3f} [{low:+.3f}, {high:+.3f}]"


def _correlation(value: Floats, test: Floats) -> float:
    return float(np.corrcoef(value.ravel(), test.ravel())[0, 1])


def _by_repetition(rows: Sequence[scored_scatter.Answer], name: str) -> Floats:
    count = 1 + max(row.repetition for row in rows)
    table = np.empty((count, len(rows) // count))
    for row in rows:
        table[row.repetition, row.model] = getattr(row, name)
    return table


def _rows(answers: Sequence[Answer], learner: str, names: dict[int, str]) -> dict[int, Answer]:
    found = {row.data: row for row in together(answers) if row.learner == learner}
    return {number: found[data] for number, data in names.items()}


def _gains(answers: Sequence[Answer], learner: str, names: dict[int, str], rival: str) -> Floats:
    rows = _rows(answers, learner, names).values()
    return np.array([100 * getattr(row, f"over_{rival}") for row in rows])


def _printed(learner: str, names: dict[int, str], at: int) -> Floats:
    values = [PUBLISHED[learner][number] for number in names]
    return np.array([round(value[0] - value[at], 2) for value in values])


def _wins(gains: Floats) -> str:
    return f"{better_and_worse(gains)[0]} of {len(gains)}"


def _mean(gains: Floats) -> str:
    """Over data sets, with Student's 95 % interval."""
    half = t.ppf(0.975, len(gains) - 1) * gains.std(ddof=1) / math.sqrt(len(gains))
    return f"{gains.mean():+.2f} ± {half:.2f}"


def _cells_of(size: str, names: dict[int, str]) -> dict[str, Callable[[Sequence[Answer]], str]]:
    """A table of cells for each learner."""
    return {
        f"scored-{size}-{learner.replace(' ', '-')}": partial(cells, learner=learner, names=names)
        for learner in LEARNERS
    }


SELECTION_BLOCKS: dict[str, Callable[[Sequence[Answer]], str]] = {
    "scored-tests": over_sets,
    "scored-agreement": agreement,
    "scored-room": room,
    "scored-ties": ties,
    "scored-fits": fits,
    **_cells_of("small", SMALL),
    **_cells_of("large", LARGE),
}
FEW_BLOCKS: dict[str, Callable[[Sequence[Answer]], str]] = {
    "scored-few-tests": partial(over_sets, groups=SMALL_ONLY),
    "scored-few-agreement": agreement,
    "scored-few-room": partial(room, groups=SMALL_ONLY),
    "scored-few-ties": partial(ties, groups=SMALL_ONLY),
    **_cells_of("few", SMALL),
}
SCATTER_BLOCKS: dict[str, Callable[[Sequence[scored_scatter.Answer]], str]] = {
    "scored-scatter": scatter
}
