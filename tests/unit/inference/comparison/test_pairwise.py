"""compare: ties of models, degenerate tables, groups, the sentence, what is refused and printed."""

import json
import math
import pickle
import warnings

import numpy as np
import pytest
from scipy.stats import chi2

import roclab as rl
from roclab.inference.comparison.multiplicity import simes_pvalue
from roclab.inference.comparison.pairwise import Comparison, GroupedComparison, compare
from roclab.report.documents.comparison import outcome

RNG = np.random.default_rng(21)
TRUTH = RNG.random(120) < 0.4
BASE = RNG.normal(size=120) + 1.5 * TRUTH
SCORES = {
    "weak": np.round(0.2 * BASE + RNG.normal(size=120), 1),
    "good": np.round(BASE, 1),
    "near": np.round(BASE + 0.2 * TRUTH + 0.4 * RNG.normal(size=120), 1),
}
TABLE = rl.ScoreTable(TRUTH, SCORES, groups={"region": np.repeat(["north", "south"], 60)})


def nan_free(value):
    """A copy of plain values in which nan equals itself."""
    return json.loads(json.dumps(value).replace("NaN", '"nan"'))


def check_interval(interval, alone, rel):
    for name in ("value", "low", "high", "standard_error"):
        assert getattr(interval, name) == pytest.approx(getattr(alone, name), rel=rel, abs=0)
    for name in ("measure", "method", "confidence_level", "n_pos", "n_neg", "alternative"):
        assert getattr(interval, name) == getattr(alone, name)


def test_fields():
    comparison = compare(TABLE)
    assert isinstance(comparison, Comparison)
    assert [one.model for one in comparison.models] == ["weak", "good", "near"]
    assert [(p.model_a, p.model_b) for p in comparison.pairs] == [
        ("weak", "good"),
        ("weak", "near"),
        ("good", "near"),
    ]
    assert (comparison.measure, comparison.correction) == ("auc", "holm")
    assert (comparison.confidence_level, comparison.n_pos) == (0.95, int(TRUTH.sum()))
    for one in comparison.models:
        alone = rl.auc_interval(TRUTH, SCORES[one.model])
        check_interval(one.interval, alone, 1e-12)
    assert comparison.omnibus.df == 2
    assert comparison.omnibus.method == "simes"
    assert comparison.omnibus.pvalue == simes_pvalue([pair.pvalue for pair in comparison.pairs])
    assert {pair.method for pair in comparison.pairs} == {"mover"}
    omnibus = compare(TABLE, method="delong").omnibus
    assert omnibus.pvalue == pytest.approx(chi2.sf(omnibus.statistic, 2))
    assert omnibus.method == "delong"
    assert comparison.groups == (("good", "near"), ("weak",))
    assert [one.letters for one in comparison.models] == ["b", "a", "a"]


def test_plain_values():
    comparison = compare(TABLE)
    plain = comparison.to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["models"][1]["model"] == "good"
    assert plain["models"][1]["letters"] == "a"
    assert plain["pairs"][0]["adjusted_pvalue"] == comparison.pairs[0].adjusted_pvalue
    assert plain["omnibus"]["df"] == 2
    assert plain["groups"] == [["good", "near"], ["weak"]]
    assert plain["missing"]["rows_read"] == 120
    assert pickle.loads(pickle.dumps(comparison)) == comparison


def test_what_is_printed():
    comparison = compare(TABLE)
    assert repr(comparison) == (
        "Comparison(AUC: weak 0.599 b, good 0.895 a, near 0.873 a; Simes p < 0.0001)"
    )
    assert repr(comparison.models[1]) == f"ModelValue(good a: {comparison.models[1].interval})"
    assert repr(comparison.pairs[2]) == (
        "ModelPair(good - near = 0.023 [-0.014, 0.060], MOVER, adjusted p = 0.23)"
    )
    assert outcome(comparison) == (
        "good has the highest AUC (0.895); it is not significantly different from near, "
        "and is significantly better than "
        "weak (adjusted p < 0.001)."
    )
    odd = compare(rl.ScoreTable([0, 1, 0, 1], {"a\nb": [1, 2, 3, 4]}))
    assert "\n" not in repr(odd) + outcome(odd)


def test_corrections():
    none, holm, fdr = (compare(TABLE, correction=c) for c in ("none", "holm", "fdr"))
    for pair in none.pairs:
        assert pair.adjusted_pvalue == pair.pvalue
    for a, b, c in zip(none.pairs, fdr.pairs, holm.pairs, strict=True):
        assert a.pvalue == b.pvalue == c.pvalue
        assert a.pvalue <= b.adjusted_pvalue <= c.adjusted_pvalue * (1 + 1e-15)


def test_by_group():
    grouped = compare(TABLE, by="region")
    assert isinstance(grouped, GroupedComparison)
    assert grouped.by == "region"
    assert list(grouped.parts) == ["north", "south"]
    south = rl.ScoreTable(TRUTH[60:], {name: column[60:] for name, column in SCORES.items()})
    alone = compare(south)
    assert grouped.parts["south"].pairs == alone.pairs
    assert outcome(grouped.parts["south"]) == outcome(alone)
    assert repr(grouped).startswith("GroupedComparison(2 groups of region: interaction p = ")
    plain = grouped.to_dict()
    assert plain["by"] == "region"
    assert [part["group"] for part in plain["parts"]] == ["north", "south"]
    assert json.loads(json.dumps(plain)) == plain


def test_scored_auc():
    comparison = compare(TABLE, measure="scored_auc")
    for one in comparison.models:
        alone = rl.scored_auc_interval(TRUTH, SCORES[one.model], method="delong")
        check_interval(one.interval, alone, 1e-11)
    far = rl.ScoreTable(TRUTH, {"a": 100 * SCORES["good"], "b": -100 * SCORES["good"]})
    (pair,) = compare(far, measure="scored_auc").pairs
    assert pair.difference > 50  # in the unit of the scores, not cut off at 1
    assert pair.high > pair.difference
    assert "scored AUC" in outcome(comparison)


def test_weights():
    weight = np.linspace(0.1, 3, 120)
    weighted = compare(rl.ScoreTable(TRUTH, SCORES, sample_weight=weight))
    scaled = compare(rl.ScoreTable(TRUTH, SCORES, sample_weight=7 * weight))
    for one in weighted.models:
        assert one.interval.value == pytest.approx(
            rl.auc(TRUTH, SCORES[one.model], sample_weight=weight), rel=1e-14, abs=0
        )
    for a, b in zip(weighted.pairs, scaled.pairs, strict=True):
        assert a.pvalue == pytest.approx(b.pvalue, rel=1e-9, abs=0)
    assert weighted.omnibus.statistic == pytest.approx(scaled.omnibus.statistic, rel=1e-9, abs=0)


def test_identical_models_reduce_the_degrees_of_freedom():
    columns = SCORES | {"twin": np.exp(SCORES["good"])}
    comparison = compare(rl.ScoreTable(TRUTH, columns))
    alone = compare(TABLE)
    assert comparison.omnibus == alone.omnibus
    pair = next(p for p in comparison.pairs if (p.model_a, p.model_b) == ("good", "twin"))
    assert (pair.difference, pair.standard_error, pair.statistic) == (0, 0, 0)
    assert (pair.pvalue, pair.adjusted_pvalue) == (1, 1)
    assert pair.low == -pair.high < 0
    letters = {one.model: one.letters for one in comparison.models}
    assert letters["twin"] == letters["good"]


def test_all_models_identical():
    comparison = compare(rl.ScoreTable(TRUTH, dict.fromkeys("abc", SCORES["good"])))
    assert (comparison.omnibus.statistic, comparison.omnibus.df) == (0, 0)
    assert comparison.omnibus.pvalue == 1
    assert comparison.groups == (("a", "b", "c"),)
    assert outcome(comparison) == "a, b and c rank identically (AUC 0.895)."


def test_dependent_models_reduce_the_degrees_of_freedom_too():
    """Four models of AUC 1/2, in which one positive or one negative is first or last."""
    truth = [1, 1, 0, 0]
    columns = {"a": [0, 3, 1, 2], "b": [3, 0, 1, 2], "c": [1, 2, 0, 3], "d": [1, 2, 3, 0]}
    comparison = compare(rl.ScoreTable(truth, columns))
    assert comparison.omnibus.df == 2  # four rows, less one of each class
    assert comparison.omnibus.statistic == pytest.approx(0, abs=1e-12)
    assert comparison.omnibus.pvalue == pytest.approx(1)
    assert all(pair.pvalue == 1 and pair.standard_error > 0.3 for pair in comparison.pairs)


def test_more_models_than_rows_leave_differences_unexplained():
    rng = np.random.default_rng(0)
    truth = np.arange(8) % 2
    columns = {f"m{i}": rng.permutation(8) for i in range(12)}
    with pytest.warns(rl.DegenerateIntervalWarning, match="not certainty") as seen:
        comparison = compare(rl.ScoreTable(truth, columns), method="delong")
    assert len(seen) == 1
    assert math.isnan(comparison.omnibus.pvalue)
    assert comparison.omnibus.df <= 6
    assert 0 < compare(rl.ScoreTable(truth, columns)).omnibus.pvalue <= 1
    assert all(0 < pair.pvalue <= 1 for pair in comparison.pairs)


def test_a_difference_without_variance():
    columns = {"perfect": TRUTH * 1.0, "constant": np.zeros(120), "good": SCORES["good"]}
    with pytest.warns(rl.DegenerateIntervalWarning, match="variance of 0") as seen:
        comparison = compare(rl.ScoreTable(TRUTH, columns), method="delong")
    assert len(seen) == 1
    pair = comparison.pairs[0]
    assert (pair.difference, pair.standard_error) == (0.5, 0)
    assert math.isnan(pair.statistic)
    assert 0 < pair.pvalue < 1e-6
    assert pair.low < 0.5 < pair.high
    assert math.isnan(comparison.omnibus.pvalue)
    assert comparison.groups == (("perfect",), ("good",), ("constant",))
    with pytest.warns(rl.DegenerateIntervalWarning):
        scored = compare(rl.ScoreTable(TRUTH, columns), measure="scored_auc")
    assert math.isnan(scored.pairs[0].pvalue)
    assert math.isnan(scored.pairs[0].adjusted_pvalue)
    assert scored.pairs[0].difference == 1


@pytest.mark.parametrize("measure", ["auc", "scored_auc"])
def test_one_class(measure):
    table = rl.ScoreTable([1, 1, 1], {"a": [1, 2, 3], "b": [3, 1, 2]})
    with pytest.warns(rl.UndefinedMeasureWarning, match="needs both classes") as seen:
        comparison = compare(table, measure=measure)
    assert len(seen) == 1
    assert comparison.groups == ()
    assert [one.letters for one in comparison.models] == ["", ""]
    assert math.isnan(comparison.omnibus.pvalue)
    assert outcome(comparison).endswith(
        "is undefined: there are 3 positive and 0 negative examples."
    )
    assert nan_free(comparison.to_dict())["pairs"][0]["pvalue"] == "nan"


def test_one_example_of_a_class():
    table = rl.ScoreTable([1, 0, 0], {"a": [3, 1, 2], "b": [2, 1, 3]})
    with pytest.warns(rl.UndefinedMeasureWarning, match="two examples of each class") as seen:
        comparison = compare(table, method="delong")
    assert len(seen) == 1
    assert [one.interval.value for one in comparison.models] == [1, 0.5]
    assert comparison.models[0].interval.low > 0
    assert math.isnan(comparison.pairs[0].pvalue)
    assert comparison.groups == (("a", "b"),)
    assert outcome(comparison) == (
        "a has the highest AUC (1.000), but no test is possible: a class has fewer than two "
        "examples."
    )


def test_groups_without_a_class_are_named_once():
    region = np.repeat(["north", "south", "east"], [118, 1, 1])
    table = rl.ScoreTable(TRUTH, SCORES, groups={"region": region})
    with pytest.warns(rl.UndefinedMeasureWarning, match=r"2 of 3 groups of `region`") as seen:
        grouped = compare(table, by="region")
    assert len(seen) == 1
    assert "south, east" in str(seen[0].message)
    assert not math.isnan(grouped.parts["north"].omnibus.pvalue)


def test_one_model():
    comparison = compare(rl.ScoreTable(TRUTH, {"good": SCORES["good"]}))
    assert comparison.pairs == ()
    assert comparison.groups == (("good",),)
    assert (comparison.omnibus.statistic, comparison.omnibus.df) == (0, 0)
    interval = rl.auc_interval(TRUTH, SCORES["good"])
    assert outcome(comparison) == (
        f"good has AUC 0.895 [{interval.low:.2f}, {interval.high:.2f}]; there is no other "
        "model to compare it with."
    )


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: compare(SCORES), rl.InputError, "a ScoreTable is needed"),
        (lambda: compare(TABLE, measure="briar"), rl.InputError, "Did you mean 'brier"),
        (lambda: compare(TABLE, measure="brier_parts"), rl.InputError, "several parts"),
        (lambda: compare(TABLE, measure="gini", method="delong"), rl.InputError, "For gini"),
        (lambda: compare(TABLE, correction="bonferroni"), rl.InputError, "Choose 'holm', 'fdr'"),
        (lambda: compare(TABLE, confidence_level=95), rl.InputError, "between 0 and 1 is needed"),
        (lambda: compare(TABLE, by="town"), rl.ColumnError, "No group column 'town'"),
    ],
)
def test_what_is_refused(call, error, match):
    with pytest.raises(error, match=match):
        call()


def test_nothing_else_warns():
    rng = np.random.default_rng(0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", rl.DegenerateIntervalWarning)
        warnings.simplefilter("ignore", rl.UndefinedMeasureWarning)
        for _ in range(60):
            size = int(rng.integers(1, 8))
            columns = {f"m{i}": rng.integers(0, 3, size) for i in range(4)}
            weight = rng.random(size) if rng.random() < 0.5 else None
            table = rl.ScoreTable(rng.random(size) < 0.5, columns, sample_weight=weight)
            for measure in ("auc", "scored_auc"):
                comparison = compare(table, measure=measure)
                assert outcome(comparison).endswith(".")


def test_scored_aucs_without_spread_are_no_certainty():
    """Of constant leads no test is possible, and of no leads the intervals have no width."""
    leads = {"a": [0, 0, 1, 1], "b": [0, 0, 0.5, 0.5]}
    with pytest.warns(rl.DegenerateIntervalWarning):
        constant = compare(rl.ScoreTable([0, 0, 1, 1], leads), measure="scored_auc")
    assert outcome(constant) == (
        "a has the highest scored AUC (1.000), but no test is possible: the differences do not "
        "vary."
    )
    without = {"a": [1, 1, 1, 1], "b": [5, 4, 2, 1]}
    with pytest.warns(rl.DegenerateIntervalWarning, match="intervals have zero width"):
        none = compare(rl.ScoreTable([0, 0, 1, 1], without), measure="scored_auc")
    assert [one.interval.high for one in none.models] == [0, 0]
