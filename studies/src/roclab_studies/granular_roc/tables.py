"""The tables of the studies of Dong and others, as Markdown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from scipy.stats import t, ttest_1samp

from roclab.inference.comparison.multiplicity import adjusted_pvalues
from roclab_studies.granular_roc import bands, example, selection
from roclab_studies.granular_roc.readings import READINGS
from roclab_studies.granular_roc.selection import DATA, FEW_MODELS, MEASURES, MODELS
from roclab_studies.markdown import table_head, table_row
from roclab_studies.paired_tests import better_and_worse, sign_pvalue, wilcoxon_pvalue

LEVEL = 0.05
Z = 1.96
# Test rows for each row that a model was learnt from or chosen by, for Nadeau and Bengio.
TEST_RATIO = 0.2 / 0.8
# Table 5 and section 4.2 as printed, in the order of the first four measures.
PRINTED = {
    "Monk2": (0.5635, 0.5637, 0.5674, 0.5674),
    "Sonar": (0.8905, 0.8905, 0.8971, 0.8927),
    "Breast-W": (0.9613, 0.9625, 0.9659, 0.9658),
    "Abalone": (0.8572, 0.8572, 0.8572, 0.8572),
    "Vehicle": (0.8860, 0.9126, 0.9229, 0.9279),
    "Vowel": (0.9466, 0.9466, 0.9466, 0.9478),
    "Satimage": (0.9051, 0.9051, 0.8998, 0.9075),
}
FOUR = tuple(MEASURES)[:4]
OTHERS = tuple(MEASURES)[1:]
# Fields of an answer that measure no choice.
YARDSTICKS = {
    "all_rows": "all training rows",
    "random": "a random model",
    "best": "the best on test",
}
PRINTED_HIGHER = (4, 4, 1, 2)
PRINTED_CORRELATIONS = (0.5154, 0.5211, 0.5214, 0.6470)
PRINTED_PVALUES = (0.0207, 0.0189, 0.0186, 0.0021)
PRINTED_BAND = {"auc": 0.7628, "up": 0.7938, "low": 0.7441, "lambda": 0.9374}
PRINTED_RANK, PRINTED_SPREAD = 0.48571, 0.00474


def example_table(answers: Sequence[example.Answer]) -> str:
    """Table 3: printed values and each reading."""
    lines = table_head(["reading", "A: AUC", "low", "up", "B: AUC", "low", "up"])
    printed = [f"{value:g}" for values in example.PRINTED.values() for value in values]
    lines.append(table_row("printed", *printed))
    for method in dict.fromkeys(row.method for row in answers):
        rows = {row.classifier: row for row in answers if row.method == method}
        cells = [f"{value:.5g}" for one in rows.values() for value in (one.auc, one.low, one.up)]
        lines.append(table_row(method, *cells))
    return "\n".join(lines)


def band_table(answers: Sequence[bands.Answer]) -> str:
    """The simulation: printed values and each reading."""
    lines = table_head(["reading", "AUC", "up", "low", "lambda", "up - AUC", "low - AUC"])
    auc, up, low, ratio = PRINTED_BAND.values()
    numbers = [f"{value:.4f}" for value in (auc, up, low, ratio)]
    lines.append(table_row("printed", *numbers, f"{up - auc:+.4f}", f"{low - auc:+.4f}"))
    for method in READINGS:
        row = _band(answers, method, bands.SIZE, bands.GRANULARITY)
        cells = [
            f"{value:{sign}.4f} ± {spread:.4f}"
            for value, spread, sign in (
                (row.auc, row.auc_sd, ""),
                (row.up, row.up_sd, ""),
                (row.low, row.low_sd, ""),
                (row.lambda_, row.lambda_sd, ""),
                (row.above, row.above_sd, "+"),
                (row.below, row.below_sd, "+"),
            )
        ]
        lines.append(table_row(method, *cells))
    return "\n".join(lines)


def rank_table(answers: Sequence[bands.Answer]) -> str:
    """Table 2: scores in the middle."""
    lines = table_head(["scores", "at rank 2001", "from there to rank 2050"])
    lines.append(table_row("printed", f"{PRINTED_RANK:.5f}", f"{PRINTED_SPREAD:.5f}"))
    for name, method in (("as drawn", "published"), ("scaled", "published, scaled scores")):
        row = _band(answers, method, bands.SIZE, bands.GRANULARITY)
        lines.append(
            table_row(
                name,
                f"{row.rank_2001:.4f} ± {row.rank_2001_sd:.4f}",
                f"{row.spread_50:.5f} ± {row.spread_50_sd:.5f}",
            )
        )
    return "\n".join(lines)


def granularity_table(answers: Sequence[bands.Answer]) -> str:
    """Figure 2: what becomes of AUC / up and low / AUC."""
    titles = ["granularity", "published: AUC / up", "low / AUC", "clean: AUC / up", "low / AUC"]
    lines = table_head(titles)
    for step in bands.GRANULARITIES:
        rows = [_band(answers, method, bands.SIZE, step) for method in bands.DEFINITIONS]
        cells = [f"{value:.3f}" for row in rows for value in (row.auc / row.up, row.low / row.auc)]
        lines.append(table_row(f"{step:g}", *cells))
    return "\n".join(lines)


def coverage_table(answers: Sequence[bands.Answer]) -> str:
    """Figure 3: what the band holds, by the number of examples."""
    titles = ["definition", "of each class", "sd of AUC", "low and up from AUC", "true AUC inside"]
    titles += ["in DeLong's interval", "true curve inside", "points of it", "of another sample's"]
    lines = table_head(titles)
    for method in bands.DEFINITIONS:
        for size in bands.SIZES:
            row = _band(answers, method, size, bands.GRANULARITY)
            lines.append(
                table_row(
                    method,
                    f"{size:,}",
                    f"{row.auc_sd:.4f}",
                    f"{row.below:+.3f}, {row.above:+.3f}",
                    *(
                        f"{100 * share:.1f} %"
                        for share in (
                            row.area_inside,
                            row.delong_inside,
                            row.curve_inside,
                            row.points_inside,
                            row.other_inside,
                        )
                    ),
                )
            )
    return "\n".join(lines)


def _band(
    answers: Iterable[bands.Answer], method: str, size: int, granularity: float
) -> bands.Answer:
    wanted = (method, size, granularity)
    return next(row for row in answers if (row.method, row.size, row.granularity) == wanted)


Cells = dict[tuple[str, str], selection.Answer]


def cells_of(answers: Iterable[selection.Answer], learner: str, models: int = MODELS) -> Cells:
    """By data set and rule."""
    return {
        (row.data, row.method): row
        for row in answers
        if (row.learner, row.models) == (learner, models)
    }


def selection_table(answers: Sequence[selection.Answer], learner: str) -> str:
    """Table 5: printed, our mean with its error, and where single cuts lie."""
    cells = cells_of(answers, learner)
    titles = ["data", *(title for rule in FOUR for title in (f"{rule}: printed", "ours"))]
    lines = table_head([*titles, "one cut, 95 %", "scores of exactly 1"])
    for data in dict.fromkeys(data for data, _ in cells):
        parts = []
        for rule, printed in zip(FOUR, PRINTED[data], strict=True):
            row = cells[data, rule]
            parts += [f"{printed:.4f}", f"{row.auc:.4f} ± {half_width(row.auc_sd, row):.4f}"]
        row = cells[data, "AUC"]
        parts += [f"{row.low:.3f} to {row.high:.3f}", f"{100 * row.certain:.1f} %"]
        lines.append(table_row(data, *parts))
    return "\n".join(lines)


def gain_table(answers: Sequence[selection.Answer], learner: str) -> str:
    """Points of test AUC above the choice by AUC; bold where the corrected test says so."""
    cells = cells_of(answers, learner)
    names = list(dict.fromkeys(data for data, _ in cells))
    pairs = [(data, rule) for data in names for rule in OTHERS]
    found = adjusted_pvalues([cut_pvalue(cells[pair]) for pair in pairs], "holm")
    pvalues = dict(zip(pairs, found, strict=True))
    lines = table_head(["data", "validation rows", *OTHERS, *YARDSTICKS.values()])
    gains: dict[str, list[float]] = {name: [] for name in (*OTHERS, *YARDSTICKS)}
    for data in names:
        base = cells[data, "AUC"]
        parts = []
        for rule in OTHERS:
            row = cells[data, rule]
            gains[rule].append(row.over_auc)
            text = _gain(row.over_auc, row.over_auc_sd, row)
            parts.append(f"**{text}**" if pvalues[data, rule] < LEVEL else text)
        for name in YARDSTICKS:
            gains[name].append(getattr(base, name) - base.auc)
            parts.append(_gain(gains[name][-1], getattr(base, f"{name}_sd"), base))
        lines.append(table_row(data, f"{base.validation}", *parts))
    lines.append(table_row("mean of the sets", "", *map(_over_sets, gains.values())))
    return "\n".join(lines)


def verdict_table(answers: Sequence[selection.Answer]) -> str:
    """Over the seven sets: printed and ours, against AUC and against scored AUC."""
    cells = cells_of(answers, "normal")
    names = list(DATA)
    rows: list[tuple[str, list[float]]] = []
    for at, rule in enumerate(FOUR):
        for base_at, base in enumerate(FOUR[: min(at, 2)]):
            printed = [PRINTED[data][at] - PRINTED[data][base_at] for data in names]
            rows.append((f"{rule} over {base}: printed", printed))
            rows.append((f"{rule} over {base}: ours", _gains(cells, names, rule, base)))
    rows += [
        (f"{rule} over {base}: ours", _gains(cells, names, rule, base))
        for rule in tuple(MEASURES)[4:]
        for base in FOUR[:2]
    ]
    tests = [wilcoxon_pvalue(gains) for _, gains in rows]
    ours = [at for at, (title, _) in enumerate(rows) if title.endswith("ours")]
    adjusted = dict(zip(ours, adjusted_pvalues([tests[at] for at in ours], "holm"), strict=True))
    titles = ["comparison", "mean, points", "sets better", "worse", "sign test", "Wilcoxon", "Holm"]
    lines = table_head(titles)
    for at, (title, gains) in enumerate(rows):
        better, worse = better_and_worse(gains)
        lines.append(
            table_row(
                title,
                f"{100 * np.mean(gains):+.2f}",
                f"{better}",
                f"{worse}",
                f"{sign_pvalue(gains):.3f}",
                f"{tests[at]:.3f}",
                f"{adjusted[at]:.3f}" if at in adjusted else "",
            )
        )
    return "\n".join(lines)


def figure_table(answers: Sequence[selection.Answer]) -> str:
    """Figure 4 and the correlations, all of Sonar."""
    few, many = (cells_of(answers, "normal", count) for count in (FEW_MODELS, MODELS))
    titles = ["measure", "better models: printed", "ours", "of a random choice"]
    titles += ["r: printed", "p: printed", "p for 20", "p for 100"]
    titles += ["r of 20 models: ours, 95 % of cuts", "r of 100 models", "r above that of AUC"]
    lines = table_head(titles)
    for at, rule in enumerate(MEASURES):
        row, other = few["Sonar", rule], many["Sonar", rule]
        printed = [""] * 5
        if rule in FOUR:
            related = PRINTED_CORRELATIONS[at]
            printed = [
                f"{PRINTED_HIGHER[at]}",
                f"{related:.4f}",
                f"{PRINTED_PVALUES[at]:.4f}",
                *(f"{correlation_pvalue(related, n):.2g}" for n in (FEW_MODELS, MODELS)),
            ]
        error = half_width(other.correlation_over_auc_sd, other)
        over = f"{other.correlation_over_auc:+.3f} ± {error:.3f}"
        lines.append(
            table_row(
                rule,
                printed[0],
                f"{row.higher:.1f}",
                f"{row.random_higher:.1f}",
                *printed[1:],
                f"{row.correlation:.3f} ({row.correlation_low:.2f} to {row.correlation_high:.2f})",
                f"{other.correlation:.3f}",
                over if rule != "AUC" else "",
            )
        )
    return "\n".join(lines)


def correlation_table(answers: Sequence[selection.Answer]) -> str:
    """Mean rank correlation of each measure with the test AUC, on every set."""
    cells = cells_of(answers, "normal")
    lines = table_head(["data", *MEASURES])
    for data in DATA:
        values = [f"{cells[data, rule].correlation:.3f}" for rule in MEASURES]
        lines.append(table_row(data, *values))
    means = [np.mean([cells[data, rule].correlation for data in DATA]) for rule in MEASURES]
    lines.append(table_row("mean", *(f"{value:.3f}" for value in means)))
    return "\n".join(lines)


def cut_pvalue(row: selection.Answer) -> float:
    """Of Student's paired test over cuts, corrected for rows they share (Nadeau and Bengio)."""
    if row.over_auc_sd == 0:
        return 1.0
    error = row.over_auc_sd * math.sqrt(1 / row.repetitions + TEST_RATIO)
    return float(2 * t.sf(abs(row.over_auc) / error, row.repetitions - 1))


def correlation_pvalue(related: float, models: int) -> float:
    """Of Spearman's correlation, by the usual approximation."""
    freedom = models - 2
    return float(2 * t.sf(abs(related) * math.sqrt(freedom / (1 - related**2)), freedom))


def _gains(cells: Cells, names: Sequence[str], rule: str, base: str) -> list[float]:
    return [cells[data, rule].auc - cells[data, base].auc for data in names]


def _gain(gain: float, spread: float, row: selection.Answer) -> str:
    return f"{100 * gain:+.2f} ± {100 * half_width(spread, row):.2f}"


def _over_sets(gains: Sequence[float]) -> str:
    """Mean and half the width of the interval by Student's distribution, sets being the sample."""
    interval = ttest_1samp(gains, 0).confidence_interval(1 - LEVEL)
    return f"{100 * np.mean(gains):+.2f} ± {50 * (interval.high - interval.low):.2f}"


def half_width(spread: float, row: selection.Answer) -> float:
    """Half the width of the 95 % interval of a mean over cuts."""
    return Z * spread / math.sqrt(row.repetitions)


EXAMPLE_BLOCKS: dict[str, Callable[[Sequence[example.Answer]], str]] = {
    "granular-example": example_table,
}
BAND_BLOCKS: dict[str, Callable[[Sequence[bands.Answer]], str]] = {
    "granular-bands": band_table,
    "granular-ranks": rank_table,
    "granular-granularities": granularity_table,
    "granular-coverage": coverage_table,
}
SELECTION_BLOCKS: dict[str, Callable[[Sequence[selection.Answer]], str]] = {
    "granular-verdict": verdict_table,
    "granular-selection": lambda answers: selection_table(answers, "normal"),
    "granular-gains": lambda answers: gain_table(answers, "normal"),
    "granular-figure": figure_table,
    "granular-correlations": correlation_table,
    "granular-selection-words": lambda answers: selection_table(answers, "normal throughout"),
    "granular-gains-words": lambda answers: gain_table(answers, "normal throughout"),
    "granular-selection-bins": lambda answers: selection_table(answers, "bins"),
    "granular-gains-bins": lambda answers: gain_table(answers, "bins"),
}
