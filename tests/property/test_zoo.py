"""Labels, scores and weights of every type and size: the same ranks give the same results.

Each kind of scores holds six values in ascending order. What depends on ranks alone must be what
the ranks themselves give; whatever else is asked is answered or refused in our own words.
"""

import contextlib
import math
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from questions import OF_ROWS

import roclab as rl

RANKS = [0, 2, 1, 3, 3, 5, 2, 0, 4, 5, 1, 4, 2, 3]
TRUTH = [0, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 0, 0, 1]
WEIGHTS = [1, 2, 1, 3, 1, 1, 2, 2, 1, 1, 1, 3, 1, 1]
DOUBLES = [0.0, 0.1, 0.25, 0.5, 0.75, 1.0]
WIDE = [2**53 + step for step in range(6)]
DIGITS = [Decimal(step) / 7 for step in range(6)]


def integers(kind, first):
    return np.array([first + step for step in range(6)], dtype=kind)


def floats(kind, *values):
    return np.array(values, dtype=kind)


KINDS = {
    "int8": integers(np.int8, -128),
    "uint8": integers(np.uint8, 250),
    "int16": integers(np.int16, 2**15 - 6),
    "uint16": integers(np.uint16, 2**16 - 6),
    "int32": integers(np.int32, -(2**31)),
    "uint32": integers(np.uint32, 2**32 - 6),
    "int64 around 2**53": integers(np.int64, 2**53 - 2),
    "int64, lowest": integers(np.int64, -(2**63)),
    "int64, highest": integers(np.int64, 2**63 - 6),
    "int64, both ends": np.array([-(2**63), -(2**63) + 1, -1, 0, 2**63 - 2, 2**63 - 1]),
    "uint64, highest": integers(np.uint64, 2**64 - 6),
    "big-endian": integers(">i8", 2**60),
    "float16": floats(np.float16, -65504, -6e-8, 0, 6e-8, 1, 65504),
    "float16, next to each other": np.float16(1) + np.arange(6, dtype=np.float16) / 1024,
    "float32, next to each other": np.float32(0.1) + np.arange(6, dtype=np.float32) * 2**-27,
    "float32, extreme": floats(np.float32, -3.4e38, -1e-45, 0, 1e-45, 1, 3.4e38),
    "float64": floats(np.float64, *DOUBLES),
    "next to each other": 1 + np.arange(6) * 2.0**-52,
    "next to 1": 1 - np.arange(5, -1, -1) * 2.0**-53,
    "subnormal": np.arange(6) * 5e-324,
    "largest": floats(np.float64, -1.79e308, -1.7e308, -1e308, 1e308, 1.7e308, 1.79e308),
    "all sizes": floats(np.float64, -1e308, -1e-308, 0, 5e-324, 1e-308, 1e308),
    "infinite": floats(np.float64, -np.inf, -1e308, -1, 1, 2, np.inf),
    "infinite, with probabilities": floats(np.float64, -np.inf, 0, 0.5, 0.7, 1, np.inf),
    "long double": floats(np.longdouble, *DOUBLES),
    "Decimal": DIGITS,
    "Fraction": [Fraction(step, 7) for step in range(6)],
    "Python integers": [*range(5), 2**64 - 1],
    "integers of 100 bits": [2**100 + step * 2**60 for step in range(6)],
    "integers and floats": [0, 0.5, 1, 1.5, 2, 1e300],
    "objects": np.array([0, np.float32(0.5), 1, Decimal(2), Fraction(5, 2), 2**70], object),
}
HOLDERS = {
    "list": list,
    "pandas": pd.Series,
    "pandas Float64": lambda v: pd.Series(v, dtype="Float64"),
    "pandas Int64": lambda v: pd.Series(v, dtype="Int64"),
    "pandas arrow": lambda v: pd.Series(v, dtype=pd.ArrowDtype(pa.float64())),
    "polars": pl.Series,
    "polars Int128": lambda v: pl.Series(v, dtype=pl.Int128),
    "polars Decimal": lambda v: pl.Series(v, dtype=pl.Decimal(38, 30)),
    "arrow": pa.array,
    "masked": np.ma.MaskedArray,
    "column": lambda v: np.array(v).reshape(-1, 1),
}
HELD = {
    "list": DOUBLES,
    "pandas": DOUBLES,
    "pandas Float64": DOUBLES,
    "pandas Int64": WIDE,
    "pandas arrow": DOUBLES,
    "polars": WIDE,
    "polars Int128": WIDE,
    "polars Decimal": DIGITS,
    "arrow": DIGITS,
    "masked": DOUBLES,
    "column": WIDE,
}
SAMPLES = {
    **{
        name: np.array(values, getattr(values, "dtype", object))[RANKS]
        if not isinstance(values, list)
        else [values[rank] for rank in RANKS]
        for name, values in KINDS.items()
    },
    **{name: HOLDERS[name]([values[rank] for rank in RANKS]) for name, values in HELD.items()},
}
ORDINARY = np.array(RANKS, float)


@contextlib.contextmanager
def our_warnings_only():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", rl.RoclabWarning)
        yield


OF_RANKS = {
    "auc": rl.auc,
    "gini": rl.gini,
    "ks": rl.ks_statistic,
    "average precision": rl.average_precision,
    "partial": lambda t, s, sample_weight: rl.partial_auc(
        t, s, sample_weight=sample_weight, fpr_range=(0.2, 0.6)
    ),
    "h": rl.h_measure,
    "expected cost": lambda t, s, sample_weight: rl.expected_cost(
        t, s, sample_weight=sample_weight, false_positive_cost=1, false_negative_cost=3
    ),
    "interval": lambda t, s, sample_weight: rl.auc_interval(
        t, s, sample_weight=sample_weight
    ).to_dict(),
    "roc": lambda t, s, sample_weight: _rates(rl.roc_curve(t, s, sample_weight=sample_weight)),
    "thin roc": lambda t, s, sample_weight: _rates(
        rl.roc_curve(t, s, sample_weight=sample_weight, thin=True)
    ),
    "det": lambda t, s, sample_weight: rl.det_curve(t, s, sample_weight=sample_weight).fnr.tolist(),
    "hull": lambda t, s, sample_weight: _rates(rl.roc_hull(t, s, sample_weight=sample_weight)),
    "cost": lambda t, s, sample_weight: rl.cost_curve(
        t, s, sample_weight=sample_weight
    ).cost.tolist(),
    "precision": lambda t, s, sample_weight: rl.precision_recall_curve(
        t, s, sample_weight=sample_weight
    ).precision.tolist(),
    "points": lambda t, s, sample_weight: rl.operating_points(
        t, s, sample_weight=sample_weight
    ).matthews.tolist(),
    "band": lambda t, s, sample_weight: rl.roc_band(
        t, s, sample_weight=sample_weight, n_resamples=20, rng=0
    ).high.tolist(),
    "choice": lambda t, s, sample_weight: [
        getattr(rl.choose_threshold(t, s, sample_weight=sample_weight, n_resamples=20, rng=0), name)
        for name in ("tp", "fp", "optimism", "expected_cost")
    ],
    "comparison": lambda t, s, sample_weight: rl.compare_auc(
        t, s, ORDINARY, sample_weight=sample_weight
    ).to_dict(),
}


def _rates(curve):
    return curve.fpr.tolist(), curve.tpr.tolist()


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
@pytest.mark.parametrize("kind", SAMPLES)
def test_ranks_decide(kind, weights):
    for name, ask in OF_RANKS.items():
        with our_warnings_only():
            expected = ask(TRUTH, RANKS, sample_weight=weights)
            found = ask(TRUTH, SAMPLES[kind], sample_weight=weights)
        assert str(found) == str(expected), name  # nan is nan


@pytest.mark.parametrize("kind", SAMPLES)
def test_every_threshold_reproduces_its_counts(kind):
    """By the comparison of Python, which rounds neither integers nor floats, and by NumPy's."""
    with our_warnings_only():
        ranking = rl.Ranking(TRUTH, SAMPLES[kind])
        points = rl.operating_points(ranking)
        curves = (
            rl.roc_curve(ranking).thresholds,
            rl.roc_hull(ranking).thresholds,
            rl.det_curve(ranking).thresholds,
            rl.precision_recall_curve(ranking).thresholds,
            rl.cost_curve(ranking).thresholds,
        )
    scores = ranking.rows().scores
    exact = scores.tolist()
    for point in [points[row] for row in range(1, len(points))]:
        called = [score >= point.threshold for score in exact]
        assert (scores >= point.threshold).tolist() == called
        assert sum(called) == point.tp + point.fp
        assert sum(called[row] for row, label in enumerate(TRUTH) if label) == point.tp
        text = rl.formatting.threshold_text(point.threshold, point.score_below)
        printed = int(text) if isinstance(point.threshold, int) else float(text)
        assert (scores >= printed).tolist() == called
        assert [score >= printed for score in exact] == called
        again = points.at(threshold=point.threshold)
        assert (again.tp, again.fp) == (point.tp, point.fp)
        if point.score_below > -math.inf:
            assert points.at(threshold=point.score_below).tp + 0 > point.tp or (
                points.at(threshold=point.score_below).fp > point.fp
            )
    for thresholds in curves:
        assert set(thresholds.tolist()) <= {math.inf, *exact}
    choice = rl.choose_threshold(ranking, n_resamples=20, rng=0)
    assert np.count_nonzero(scores >= choice.threshold) == choice.tp + choice.fp
    assert {choice.low, choice.high} <= {-math.inf, math.inf, *exact}


MORE_QUESTIONS = OF_ROWS | {
    "choose_threshold": lambda t, s, w: rl.choose_threshold(
        t, s, sample_weight=w, n_resamples=20, rng=0
    ),
    "operating_point_interval": lambda t, s, w: rl.operating_point_interval(
        t, s, sample_weight=w, threshold="youden"
    ),
    "det_curve": lambda t, s, w: rl.det_curve(t, s, sample_weight=w),
    "kernel_roc": lambda t, s, w: rl.curves.kernel_roc(t, s, sample_weight=w),
    "calibration_curve": lambda t, s, w: rl.calibration_curve(t, s, sample_weight=w),
    "decision_curve": lambda t, s, w: rl.decision_curve(t, s, sample_weight=w),
    "binormal_fit": lambda t, s, _: rl.binormal_fit(t, s),
    "concavities": lambda t, s, w: rl.concavities(t, s, sample_weight=w),
    "population_stability_index": lambda _, s, __: rl.decisions.population_stability_index(
        s, s, n_bins=3
    ),
    "auc_bounds": lambda t, s, _: rl.auc_bounds([None, *t[1:]], s),
    "granular_auc": lambda t, s, w: rl.granular_auc(t, s, sample_weight=w, granularity=1),
    "average_roc": lambda t, s, w: rl.average_roc(
        t, s, sample_weight=w, fold=np.arange(len(t)) % 2, over="threshold"
    ),
    "Ranking": lambda t, s, w: rl.Ranking(t, s, sample_weight=w),
    "ScoreTable": lambda t, s, w: rl.ScoreTable(t, {"a": s}, sample_weight=w),
}


def presented(result):
    """Whatever a notebook, a terminal or a program shows of a result."""
    repr(result)
    str(result)
    if hasattr(result, "_repr_html_"):
        result._repr_html_()
    if hasattr(result, "to_pandas"):
        result.to_pandas()
        result.to_polars()


@pytest.mark.parametrize("name", MORE_QUESTIONS)
def test_answers_or_our_own_errors(name):
    for kind, values in SAMPLES.items():
        scores = rl.Ranking(TRUTH, values).rows().scores
        for weights in (None, np.array(WEIGHTS, float)):
            try:
                with our_warnings_only(), contextlib.suppress(rl.RoclabError):
                    presented(MORE_QUESTIONS[name](np.array(TRUTH, bool), scores, weights))
            except Exception as error:
                error.add_note(f"{kind}, {'plain' if weights is None else 'weighted'}")
                raise


DEGENERATE = {
    "constant": ([0, 1, 0, 1], [3, 3, 3, 3]),
    "separated": ([0, 0, 1, 1], [0, 1, 2, 3]),
    "reversed": ([1, 1, 0, 0], [0, 1, 2, 3]),
    "only positives": ([1, 1, 1], [0, 1, 2]),
    "only negatives": ([0, 0, 0], [0, 1, 1]),
    "two rows": ([0, 1], [1, 2]),
    "one row": ([1], [2]),
    "empty": ([], []),
}


@pytest.mark.parametrize("name", MORE_QUESTIONS)
def test_degenerate_samples(name):
    for kind, (truth, ranks) in DEGENERATE.items():
        for values in (KINDS["float64"], KINDS["int64 around 2**53"], KINDS["infinite"]):
            for weights in (None, np.ones(len(truth))):
                try:
                    with our_warnings_only(), contextlib.suppress(rl.RoclabError):
                        presented(
                            MORE_QUESTIONS[name](
                                np.array(truth, bool), values[np.array(ranks, int)], weights
                            )
                        )
                except Exception as error:
                    error.add_note(f"{kind}, {values}")
                    raise


LABELS = {
    "bool": (TRUTH, bool, None),
    "int8": (TRUTH, np.int8, None),
    "uint64": (TRUTH, np.uint64, None),
    "float16": (TRUTH, np.float16, None),
    "long double": (TRUTH, np.longdouble, None),
    "-1 and 1": ([2 * label - 1 for label in TRUTH], np.int32, None),
    "beyond 2**53": ([2**53 + label for label in TRUTH], np.int64, 2**53 + 1),
    "uint64 beyond 2**63": ([2**64 - 2 + label for label in TRUTH], np.uint64, 2**64 - 1),
    "text": ([["no", "yes"][label] for label in TRUTH], None, "yes"),
    "text that looks like numbers": ([["1", "01"][label] for label in TRUTH], None, "01"),
    "bytes": ([[b"no", b"yes"][label] for label in TRUTH], None, b"yes"),
    "Decimal": ([Decimal(label) for label in TRUTH], object, None),
    "Decimal, named": ([Decimal(7 + label) for label in TRUTH], object, Decimal(8)),
    "Fraction": ([Fraction(label) for label in TRUTH], object, None),
    "objects": ([[False, 1][label] for label in TRUTH], object, None),
    "dates": ([["2024-01-01", "2024-01-02"][label] for label in TRUTH], "M8[D]", None),
}


@pytest.mark.parametrize("kind", LABELS)
def test_labels_of_every_type(kind):
    values, dtype, pos_label = LABELS[kind]
    held = values if dtype is None else np.array(values, dtype)
    if kind == "dates":
        pos_label = held[TRUTH.index(1)]
    with our_warnings_only():
        for scores in (RANKS, SAMPLES["int64 around 2**53"]):
            assert rl.auc(held, scores, pos_label=pos_label) == rl.auc(TRUTH, RANKS)
            ranking = rl.Ranking(held, scores, pos_label=pos_label)
            assert ranking.rows().labels.tolist() == TRUTH


@pytest.mark.parametrize("kind", ["bool", "int8", "uint64", "float16", "long double", "Decimal"])
def test_weights_of_every_type(kind):
    values = [weight > 1 for weight in WEIGHTS] if kind == "bool" else WEIGHTS
    held = {
        "bool": lambda: np.array(values),
        "Decimal": lambda: list(map(Decimal, values)),
        "long double": lambda: np.array(values, np.longdouble),
    }.get(kind, lambda: np.array(values, kind))()
    expected = rl.auc(TRUTH, RANKS, sample_weight=list(map(float, values)))
    assert rl.auc(TRUTH, RANKS, sample_weight=held) == expected


@pytest.mark.parametrize("kind", SAMPLES)
def test_reports_of_every_kind(kind):
    from roclab.report.page.build import html_report

    with our_warnings_only():
        table = rl.ScoreTable(TRUTH, {"a": SAMPLES[kind], "b": RANKS})
        page = html_report(table)
    assert page.count("<svg") > 3
    assert ">nan" not in page
