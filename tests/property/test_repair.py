"""Repairs against their slow twins, and what must hold for every repair of every sample."""

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
import reference
import reference_hull
import reference_repair
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import (
    LARGE_SCORES,
    MILD_WEIGHTS,
    large_truths,
    one_class_samples,
    samples,
    weighted_samples,
)

import roclab as rl

SAMPLES = samples(dtypes=["i4", "u4", "f2", "f4", "f8"], finite=True)


def stretches(*sample):
    return [(low, high) for low, high, *_ in reference_hull.concavities(*sample)]


@given(SAMPLES)
def test_equals_the_twin(sample):
    y, s = sample
    values = s.astype(float)
    every = stretches(y, values)
    one = reference_repair.largest(y, values)
    cases = [("all", every), ("largest", [one[0]] if one else [])]
    for sections, chosen in cases:
        mirrored = rl.repair_section(y, s, sections=sections)
        assert mirrored.apply(s).tolist() == reference_repair.mirrored(values.tolist(), chosen)
        flat = rl.repair_section(y, s, sections=sections, method="flatten")
        assert flat.apply(s).tolist() == reference_repair.flattened(values.tolist(), chosen)


@given(SAMPLES)
def test_mirroring_adds_twice_the_area_exactly(sample):
    y, s = sample
    areas = [area for _, _, area, _, _ in reference_hull.concavities(y, s.astype(float))]
    before = reference.auc(y, s.astype(float))
    every = rl.repair_section(y, s, sections="all")
    assert reference.auc(y, every.apply(s)) == before + 2 * sum(areas)
    assert every.repaired_auc == float(before + 2 * sum(areas))
    largest = rl.repair_section(y, s)
    assert reference.auc(y, largest.apply(s)) == before + 2 * max(areas, default=Fraction(0))
    assert [one.area for one in every.sections] == [float(area) for area in reversed(areas)]


def test_mirroring_adds_twice_the_area_on_thousands_of_samples():
    rng = np.random.default_rng(5)
    concave = 0
    for run in range(3000):
        n = int(rng.integers(3, 60))
        s = rng.integers(0, int(rng.integers(2, 40)), n) / 8  # eighths: many ties
        y = rng.random(n) < rng.uniform(0.1, 0.9)
        y[:2] = [True, False]
        repair = rl.repair_section(y, s, sections=("largest", "all")[run % 2])
        gain = sum(Fraction(one.area).limit_denominator(2 * n * n) for one in repair.sections)
        positives, negatives = int(y.sum()), int((~y).sum())
        wins = rl.Ranking(y, s).summary.twice_wins
        mended = rl.Ranking(y, repair.apply(s)).summary.twice_wins
        assert Fraction(mended - wins, 2 * positives * negatives) == 2 * gain
        concave += len(repair) > 0
    assert concave > 2500


@given(SAMPLES)
def test_flattening_all_gives_the_hull_exactly(sample):
    y, s = sample
    flat = rl.repair_section(y, s, sections="all", method="flatten")
    assert reference.auc(y, flat.apply(s)) == reference_hull.hull_auc(y, s.astype(float))
    assert not rl.concavities(y, flat.apply(s))


@given(SAMPLES, st.sampled_from(["largest", "all"]))
def test_mirroring_twice_is_the_identity(sample, sections):
    y, s = sample
    repair = rl.repair_section(y, s, sections=sections)
    assert repair.apply(repair.apply(s)).tolist() == s.astype(float).tolist()
    assert repair.then(repair).apply(s).tolist() == s.astype(float).tolist()


@given(SAMPLES)
def test_without_a_concavity_scores_come_back_identical(sample):
    y, s = sample
    order = np.sort(s)
    truth = np.sort(y)  # negatives first: no concavity
    repair = rl.repair_section(truth, order, sections="all")
    assert len(repair) == 0
    assert repair.apply(s).tolist() == s.astype(float).tolist()


@given(weighted_samples(SAMPLES, kinds=MILD_WEIGHTS), st.sampled_from(["largest", "all"]))
def test_with_weights(sample, sections):
    y, s, w = sample
    repair = rl.repair_section(y, s, sample_weight=w, sections=sections)
    before = reference.auc(y, s.astype(float), w)
    after = reference.auc(y, repair.apply(s), w)
    gain = 2 * math.fsum(one.area for one in repair.sections)
    assert float(after - before) == pytest.approx(gain, abs=1e-12)
    assert repair.repaired_auc == pytest.approx(float(after), abs=1e-12)
    flat = rl.repair_section(y, s, sample_weight=w, sections="all", method="flatten")
    hull = reference_hull.hull_auc(y, s.astype(float), w)
    assert flat.repaired_auc == pytest.approx(float(hull), abs=1e-12)


@given(weighted_samples(SAMPLES, kinds=["counts"]))
def test_whole_weights_mean_repetition(sample):
    y, s, w = sample
    times = w.astype(int)
    weighted = rl.repair_section(y, s, sample_weight=w, sections="all")
    repeated = rl.repair_section(np.repeat(y, times), np.repeat(s, times), sections="all")
    assert weighted.apply(s).tolist() == repeated.apply(s).tolist()


@given(SAMPLES, st.data())
def test_unseen_scores_keep_reversed_order_and_stay_in_their_section(sample, data):
    y, s = sample
    repair = rl.repair_section(y, s, sections="all")
    assume(len(repair))
    section = data.draw(st.sampled_from(repair.sections))
    low, high = section.scores[[0, -1]]
    ends = st.floats(low, high)
    new = np.sort(np.array(data.draw(st.lists(ends, min_size=1, max_size=20))))
    images = repair.apply(new)
    assert (np.diff(images) <= 0).all()
    assert low <= images.min()
    assert images.max() <= high


@given(SAMPLES, st.floats(allow_nan=False))
def test_scores_beyond_the_fitted_ones_are_treated_like_the_nearest(sample, new):
    y, s = sample
    repair = rl.repair_section(y, s, sections="all")
    (image,) = repair.apply([new])
    for section in repair.sections:
        if section.low <= new < section.high or (new == section.high == np.inf):
            nearest = min(max(new, section.scores[0]), section.scores[-1])
            assert image == repair.apply([nearest])[0]
            return
    assert image == new


@given(SAMPLES, st.sampled_from(["mirror", "flatten"]))
def test_json_and_pickle_give_the_same_map(sample, method):
    y, s = sample
    repair = rl.repair_section(y, s, sections="all", method=method)
    for copy in (rl.ScoreRepair.from_json(repair.to_json()), pickle.loads(pickle.dumps(repair))):
        assert copy == repair
        assert copy.apply(s).tolist() == repair.apply(s).tolist()
        assert not any(one.scores.flags.writeable for one in copy.sections)
    assert rl.ScoreRepair.from_json(repair.to_json()).to_json() == repair.to_json()


@given(samples(dtypes=["f8"], finite=True, max_size=20), SAMPLES)
def test_a_ranking_is_repaired_as_its_scores_are(fitted, other):
    repair = rl.repair_section(*fitted, sections="all")
    y, s = other
    ranking = repair.apply_to_ranking(rl.Ranking(y, s))
    again = rl.Ranking(y, repair.apply(s))
    for name in ("scores", "pos", "neg"):
        assert getattr(ranking, name).tolist() == getattr(again, name).tolist()
    assert (ranking.n_pos, ranking.n_neg) == (again.n_pos, again.n_neg)


@given(weighted_samples(samples(dtypes=["f8"], finite=True), kinds=MILD_WEIGHTS))
def test_a_weighted_ranking_is_repaired_as_its_scores_are(sample):
    y, s, w = sample
    repair = rl.repair_section(y, s, sections="all", method="flatten")
    ranking = repair.apply_to_ranking(rl.Ranking(y, s, sample_weight=w))
    again = rl.Ranking(y, repair.apply(s), sample_weight=w)
    assert ranking.scores.tolist() == again.scores.tolist()
    for name in ("pos", "neg", "pos_squared", "neg_squared"):
        np.testing.assert_allclose(getattr(ranking, name), getattr(again, name), rtol=1e-14)
    assert (ranking.n_pos, ranking.n_neg) == (again.n_pos, again.n_neg)


@given(SAMPLES, SAMPLES)
def test_pvalues_equal_the_twin(found, checked):
    y, s = checked
    expected = [
        reference_repair.inversion_pvalue(y.tolist(), s.tolist(), low, high)
        for low, high in stretches(*found)
    ]
    result = rl.concavities(*found, check=rl.Ranking(y, s))
    assert [one.pvalue for one in result] == pytest.approx(
        reference_repair.holm(expected), abs=1e-12, nan_ok=True
    )
    plain = rl.concavities(*found)
    assert all(math.isnan(one.pvalue) for one in plain)
    assert [(one.low, one.area) for one in plain] == [(one.low, one.area) for one in result]


@given(one_class_samples())
def test_one_class_is_undefined_and_stays_as_it_is(sample):
    y, s = sample
    assume(np.isfinite(s.astype(float)).all() and abs(s.astype(float)).max() <= 2**53)
    with pytest.warns(rl.UndefinedMeasureWarning):
        repair = rl.repair_section(y, s, sections="all")
    assert len(repair) == 0
    assert math.isnan(repair.auc)
    assert repair.apply(s).tolist() == s.astype(float).tolist()


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans(), st.booleans()), min_size=1))
def test_repair_point_equals_the_twin(rows):
    first, second, third, _ = (np.array(column) for column in zip(*rows, strict=True))
    expected = [reference_repair.fourth_prediction(*row[:3]) for row in rows]
    assert rl.repair_point(first, second, third).tolist() == expected


@given(SAMPLES, st.lists(st.integers(0, 39), min_size=3, max_size=3))
def test_a_repaired_point_has_the_rates_of_the_theorem(sample, cuts):
    y, s = sample
    thresholds = sorted(np.sort(s)[[min(cut, len(s) - 1) for cut in cuts]].tolist())
    lenient, poor, strict = (s >= threshold for threshold in thresholds)
    fourth = rl.repair_point(strict, lenient, poor)
    for rows in (y, ~y):
        counts = [int(one[rows].sum()) for one in (fourth, strict, lenient, poor)]
        assert counts[0] == counts[1] + counts[2] - counts[3]


# Integers beyond 2**53 are refused, infinite scores too.
LARGE = [
    name
    for name in LARGE_SCORES
    if name
    not in {
        "with infinities",
        "integers next to each other",
        "unsigned above the signed range",
    }
]


@pytest.mark.parametrize("kind", LARGE)
def test_large_samples(kind):
    rng = np.random.default_rng(11)
    s = LARGE_SCORES[kind](rng, 3000)
    for y in large_truths(rng, s).values():
        if y.all() or not y.any():
            continue
        repair = rl.repair_section(y, s, sections="all")
        repaired = repair.apply(s)
        gain = 2 * math.fsum(one.area for one in repair.sections)
        assert rl.auc(y, repaired) == pytest.approx(rl.auc(y, s) + gain, abs=1e-12)
        assert repair.apply(repaired).tolist() == s.astype(float).tolist()
