"""Bounds over missing labels against all labellings; the expected AUC against all pairs."""

import io
import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import roclab as rl
from roclab.errors import InputError
from roclab.report.document import document

TYPES = [np.float64, np.float32, np.int32, np.int64, np.uint64]


def pairwise_auc(labels, scores):
    """The AUC by all pairs; nan if a class is missing."""
    pos = [s for y, s in zip(labels, scores, strict=True) if y]
    neg = [s for y, s in zip(labels, scores, strict=True) if not y]
    if not pos or not neg:
        return math.nan
    wins = sum((p > n) + (p == n) / 2 for p in pos for n in neg)
    return wins / (len(pos) * len(neg))


def all_aucs(labels, scores, least=0, most=10**9):
    """The AUCs of every labelling of the missing labels, with the number of positives."""
    missing = [row for row, label in enumerate(labels) if label is None]
    found = []
    for filled in itertools.product((0, 1), repeat=len(missing)):
        complete = list(labels)
        for row, label in zip(missing, filled, strict=True):
            complete[row] = label
        if least <= sum(filled) <= most:
            found.append(pairwise_auc(complete, scores))
    return [value for value in found if not math.isnan(value)]


rows = st.lists(st.tuples(st.sampled_from([0, 1, None]), st.integers(0, 6)), min_size=1, max_size=9)


@settings(max_examples=150)
@given(rows=rows, kind=st.sampled_from(TYPES))
def test_the_bounds_are_the_extremes_over_all_labellings(rows, kind):
    labels, scores = zip(*rows, strict=True)
    found = rl.auc_bounds(list(labels), np.array(scores, kind))
    values = all_aucs(labels, scores)
    if not values:
        assert math.isnan(found.low)
        assert math.isnan(found.high)
        return
    assert (found.low, found.high) == pytest.approx((min(values), max(values)), abs=1e-15)
    assert found.low <= found.high
    assert (found.n_pos, found.n_neg, found.n_missing) == tuple(
        labels.count(label) for label in (1, 0, None)
    )


@settings(max_examples=100)
@given(rows=rows, ends=st.tuples(st.floats(0, 1), st.floats(0, 1)))
def test_a_positive_rate_narrows_the_labellings(rows, ends):
    labels, scores = zip(*rows, strict=True)
    rate = min(ends), max(ends)
    missing = labels.count(None)
    least, most = math.floor(rate[0] * missing), math.ceil(rate[1] * missing)
    if any(abs(end * missing - round(end * missing)) < 1e-6 for end in rate):
        return  # a whole number but for rounding
    found = rl.auc_bounds(list(labels), scores, positive_rate=rate)
    values = all_aucs(labels, scores, least, most)
    expected = (min(values), max(values)) if values else (math.nan, math.nan)
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-15, nan_ok=True)


def test_a_rate_that_is_a_whole_number_of_rows_gives_exactly_that_number():
    labels, scores = [0, 1, *[None] * 30], np.arange(32)
    for tenths in range(11):
        found = rl.auc_bounds(labels, scores, positive_rate=tenths / 10)
        assert (found.low_positives, found.high_positives) == (3 * tenths, 3 * tenths)


def test_without_missing_labels_both_bounds_are_the_auc():
    rng = np.random.default_rng(1)
    y, s = rng.random(500) < 0.3, rng.integers(0, 50, 500)
    found = rl.auc_bounds(y, s)
    assert found.low == found.high == found.labelled_auc == rl.auc(y, s)
    assert found.n_missing == 0


def test_every_container_may_have_missing_labels():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    values = [1, None, 0, 1, None, 0]
    scores = [0.5, 0.1, 0.3, 0.9, 0.7, 0.6]
    expected = rl.auc_bounds(values, scores).to_dict()  # one number is NaN, which equals nothing
    text = ["yes" if v == 1 else "no" if v == 0 else None for v in values]
    for labels in (
        np.array([1, np.nan, 0, 1, np.nan, 0]),
        np.ma.masked_array([1, 0, 0, 1, 0, 0], [0, 1, 0, 0, 1, 0]),
        pandas.Series(values),
        pandas.Series(values, dtype="Int64"),
        pandas.Series(values, dtype="boolean"),
        polars.Series(values),
    ):
        np.testing.assert_equal(rl.auc_bounds(labels, scores).to_dict(), expected)
    for labels in (text, pandas.Series(text), polars.Series(text), np.array(text, object)):
        found = rl.auc_bounds(labels, scores, pos_label="yes")
        np.testing.assert_equal(found.to_dict(), expected)


def test_the_interval_encloses_the_intervals_of_labellings_at_the_bounds():
    rng = np.random.default_rng(2)
    y = (rng.random(300) < 0.4).astype(float)
    s = rng.normal(size=300) + y
    y[rng.random(300) < 0.1] = np.nan
    found = rl.auc_bounds(y, s, confidence_level=0.95)
    missing = np.flatnonzero(np.isnan(y))
    ascending = missing[np.argsort(s[missing], kind="stable")]
    low, high = y.copy(), y.copy()
    low[missing] = high[missing] = 0
    low[ascending[: found.low_positives]] = 1
    high[ascending[len(ascending) - found.high_positives :]] = 1
    assert rl.auc(low, s) == pytest.approx(found.low, abs=1e-15)
    assert rl.auc(high, s) == pytest.approx(found.high, abs=1e-15)
    assert found.interval_low == rl.auc_interval(low, s).low < found.low
    assert found.interval_high == rl.auc_interval(high, s).high > found.high


@pytest.mark.parametrize("rate", [-0.1, 1.1, (0.5, 0.2), (0.1, 0.2, 0.3), "x", np.nan, ()])
def test_a_rate_that_is_no_proportion_is_refused(rate):
    with pytest.raises(InputError, match="is not a proportion; a number from 0 to 1"):
        rl.auc_bounds([0, 1, None], [1, 2, 3], positive_rate=rate)


def test_nan_scores_are_refused_also_of_unlabelled_rows():
    with pytest.raises(InputError, match="row 2"):
        rl.auc_bounds([0, 1, None], [1, 2, np.nan])


@settings(max_examples=100)
@given(
    rows=st.lists(
        st.tuples(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9, 1.0]), st.integers(0, 4)),
        min_size=1,
        max_size=12,
    )
)
def test_the_expected_auc_is_that_of_all_pairs_of_different_rows(rows):
    proba, scores = map(list, zip(*rows, strict=True))
    wins = pairs = 0.0
    for i, j in itertools.permutations(range(len(rows)), 2):
        weight = proba[i] * (1 - proba[j])
        pairs += weight
        wins += weight * ((scores[i] > scores[j]) + (scores[i] == scores[j]) / 2)
    found = rl.expected_auc(proba, scores).value
    if pairs < 1e-12:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(wins / pairs, abs=1e-12)


def test_the_expected_auc_is_the_mean_over_labels_of_these_probabilities():
    rng = np.random.default_rng(3)
    proba = rng.beta(1, 3, 2000)
    values = [rl.auc(rng.random(2000) < proba, proba) for _ in range(400)]
    error = np.std(values) / math.sqrt(len(values))
    assert abs(np.mean(values) - rl.expected_auc(proba).value) < 4 * error + 1e-4


def test_the_check_finds_probabilities_that_are_not_calibrated():
    rng = np.random.default_rng(4)
    proba = rng.beta(1, 3, 5000)
    y = rng.random(5000) < proba
    good = rl.expected_auc(proba, check=rl.Ranking(y, proba)).check
    spoiled = rl.expected_auc(proba, check=rl.Ranking(y, proba**2)).check
    assert good.pvalue > 0.01
    assert good.observed.low < good.expected < good.observed.high
    assert spoiled.pvalue < 1e-6
    assert spoiled.expected > spoiled.observed.high
    assert good.observed == rl.auc_interval(y, proba)
    # Spiegelhalter's statistic, written out.
    z = np.sum((y - proba) * (1 - 2 * proba))
    z /= math.sqrt(np.sum((1 - 2 * proba) ** 2 * proba * (1 - proba)))
    assert good.pvalue == pytest.approx(math.erfc(abs(z) / math.sqrt(2)), rel=1e-9)


def overfitted(n: int, slope: float):
    """Labels and probabilities whose logits must be multiplied by the slope."""
    rng = np.random.default_rng(30)
    logit = rng.normal(-1, 1.5, n)
    return rng.random(n) < 1 / (1 + np.exp(-slope * logit)), 1 / (1 + np.exp(-logit))


@pytest.mark.parametrize(("slope", "error"), [(0.8, 0.041), (1.25, -0.040)])
def test_known_labels_check_the_estimate_of_the_others(slope, error):
    y, proba = overfitted(20_000, slope)
    labels = np.where(np.arange(20_000) < 5_000, y.astype(float), np.nan)
    found = rl.expected_auc(proba, y_true=labels)
    assert found == rl.expected_auc(proba[5_000:], check=rl.Ranking(y[:5_000], proba[:5_000]))
    assert found.n == 15_000
    true = rl.auc(y[5_000:], proba[5_000:])
    assert found.value - true == pytest.approx(error, abs=0.01)
    assert found.check.expected - found.check.observed.value == pytest.approx(error, abs=0.015)
    assert found.check.pvalue < 0.001
    assert found.assumption == "the probabilities are calibrated"
    side = "high" if error > 0 else "low"
    size = abs(found.check.expected - found.check.observed.value)
    assert f"are not calibrated, and the expected AUC is {size:.3f} too {side}." in str(found)


def test_what_is_presumed_is_said_and_whether_it_was_checked():
    proba = [0.1, 0.2, 0.7, 0.9]
    found = rl.expected_auc(proba)
    assert repr(found).endswith("rows without labels, if the probabilities are calibrated")
    assert "Not checked: that the probabilities are calibrated." in str(found)
    labels = rl.expected_auc([*proba, 0.3, 0.6, 0.5], y_true=[None] * 4 + ["no", "yes", "no"],
                             pos_label="yes")  # fmt: skip
    assert labels.value == found.value
    assert "; on 3 labelled rows" in repr(labels)
    assert "Not checked" not in str(labels)
    assert rl.expected_auc(proba, y_true=[None] * 4) == found


def test_scores_are_checked_by_their_own_ranking():
    y, proba = [0, 1, 0, 1], [0.1, 0.4, 0.6, 0.9]
    scores = [1, 4, 2, 3, 5, 6]
    found = rl.expected_auc([*proba, 0.5, 0.5], scores, y_true=[*y, None, None])
    assert found.check.observed == rl.auc_interval(y, scores[:4])
    assert found.check.expected == rl.expected_auc(proba, scores[:4]).value


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"y_true": [0, 1]}, "y_true has no missing label"),
        ({"y_true": [0, None, 1]}, "y_true"),
        ({"y_true": [0, None], "check": rl.Ranking([0, 1], [0.1, 0.9])}, "were both passed"),
    ],
)
def test_labels_that_cannot_check(options, message):
    with pytest.raises(InputError, match=message):
        rl.expected_auc([0.5, 0.6], **options)


@pytest.mark.parametrize("value", [-0.01, 1.01, np.nan])
def test_what_is_no_probability_is_refused(value):
    with pytest.raises(InputError, match="probabilities are between 0 and 1"):
        rl.expected_auc([0.5, value])


def test_a_check_must_be_a_ranking_of_rows():
    for check in ([0, 1], rl.Ranking([0, 1], [0.1, 0.9], sample_weight=[1, 2])):
        with pytest.raises(InputError, match="Ranking\\(y_true, y_proba\\)"):
            rl.expected_auc([0.5, 0.6], check=check)


FILE = b"""y,s,t,g
1,.9,.3,a
0,.1,.2,a
,.5,.5,a
1,.4,.6,b
0,.3,.1,b
,.2,,b
,.6,.4,b
"""


def read(**options):
    return rl.read_scores(io.BytesIO(FILE), y_true="y", y_score=["s", "t"], by="g", **options)


def test_evaluate_gives_the_bounds_of_rows_that_lack_a_label_and_nothing_else():
    table = read(missing_labels="bounds")
    assert table.missing.rows_dropped == 1  # t is missing, too
    assert table.missing.by_column == {"t": 1}
    rows = rl.evaluate(table).rows
    for row, scores in zip(
        rows, ([0.9, 0.1, 0.4, 0.3, 0.5, 0.6], [0.3, 0.2, 0.6, 0.1, 0.5, 0.4]), strict=False
    ):
        expected = rl.auc_bounds([1, 0, 1, 0, None, None], scores)
        found = {name.removeprefix("bounds."): value for name, value in row.values.items()}
        assert found == {"low": expected.low, "high": expected.high, "n_missing": 2}
        assert row.interval == rl.auc_interval([1, 0, 1, 0], scores[:4])
    by_group = rl.evaluate(table, by="g", positive_rate=0).rows
    assert [(row.group, row.model, row.values["bounds.low"]) for row in by_group] == [
        ("a", "s", 1.0),
        ("a", "t", 0.5),
        ("b", "s", 0.5),
        ("b", "t", 1.0),
    ]


def test_the_table_says_that_its_auc_may_lie_outside_of_the_bounds():
    table = rl.read_scores(
        io.BytesIO(b"y,s\n1,.9\n0,.1\n,.05\n"), y_true="y", missing_labels="bounds"
    )
    found = rl.evaluate(table, positive_rate=1)
    (row,) = found.rows
    bounds = row.values["bounds.low"], row.values["bounds.high"]
    assert (row.interval.value, *bounds) == (1, 0.5, 0.5)
    text = "the AUC of the labelled rows, in the table, may lie outside."
    assert any(text in note.text for note in document(found).notes)


def test_by_default_rows_without_a_label_are_left_out():
    table = read()
    assert table.unlabelled is None
    assert table.missing.by_column == {"y": 3, "t": 1}
    assert rl.evaluate(table).measures == ()


def test_bounds_refuse_what_they_cannot_do():
    with pytest.raises(InputError, match="has no effect: the table has no unlabelled rows"):
        rl.evaluate(read(), positive_rate=0.1)
    with pytest.raises(InputError, match="compare all rows"):
        rl.evaluate(read(missing_labels="bounds"), fold="g")
    weighted = rl.read_scores(
        io.BytesIO(FILE), y_true="y", y_score="s", sample_weight="t", missing_labels="bounds"
    )
    with pytest.raises(InputError, match="those of unweighted rows"):
        rl.evaluate(weighted)
    with pytest.raises(InputError, match="missing_labels='keep' is not an option"):
        read(missing_labels="keep")
