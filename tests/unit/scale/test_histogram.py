"""`method="bounded"` and `ScoreHistogram`: a guaranteed error, also of weights."""

import struct
from random import Random

import numpy as np
import polars as pl
import pytest
from partitioned_rows import FAMILIES

import roclab as rl
from roclab.data.serialization import packed, unpacked
from roclab.scale import ScoreHistogram, evaluate, plans, score_histograms, slots

ROWS = 5000
CUTS = [0.25, 0.5]
ROW = [0, 0, 1, 0, 1], [0.1, 0.3, 0.4, 0.5, 0.9]
# What ScoreHistogram(CUTS).update(*ROW) wrote before there were weights.
OLD_BYTES = bytes.fromhex(
    "524c53480100b5c655f515000000000000005b223c6638222c5b31362c33322c33322c33325d5d000000000000d0"
    "3f000000000000e03f00000000000000000200000000000000030000000000000004000000000000000000000000"
    "00000001000000000000000000000000000000010000000000000001000000000000000100000000000000010000"
    "00000000000000000000000000"
)


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(4)
    y = rng.random(ROWS) < 0.2
    return pl.DataFrame(
        {
            "y": y.astype(np.int64),
            "good": np.round(rng.normal(size=ROWS) + 1.5 * y, 2),
            "poor": rng.normal(size=ROWS).astype(np.float32) + 0.2 * y,
            "w": rng.choice([0.0, 0.1, 1.0, 7.0], ROWS),
        }
    )


@pytest.mark.parametrize("weight", [None, "w"])
def test_the_interval_covers_the_error(frame, weight):
    options = {"y_true": "y", "y_score": "poor", "sample_weight": weight}
    found = evaluate(frame, **options, method="bounded", max_error=0.01)
    row, exact = found.rows[0], evaluate(frame, **options).rows[0]
    assert 0 < row.max_error <= 0.01
    assert 0 < abs(row.interval.value - exact.interval.value) <= row.max_error
    assert row.interval.low < exact.interval.low
    assert exact.interval.high < row.interval.high
    assert (row.interval.n_pos, row.interval.n_neg) == (exact.interval.n_pos, exact.interval.n_neg)
    assert row.to_dict()["max_error"] == row.max_error
    assert exact.max_error == 0
    assert "max_error" in str(found)


@pytest.mark.parametrize("weight", [None, "w"])
def test_with_all_scores_as_cuts_the_interval_is_exact(frame, weight):
    options = {"y_true": "y", "y_score": "good", "sample_weight": weight}
    row = evaluate(frame, **options, method="bounded").rows[0]
    exact = evaluate(frame, **options).rows[0].interval
    assert row.max_error == 0
    for name in ("value", "low", "high", "standard_error"):
        assert getattr(row.interval, name) == pytest.approx(getattr(exact, name), rel=1e-12)


def test_rows_are_counted_again_if_the_first_ones_are_not_like_the_others(monkeypatch):
    monkeypatch.setattr(plans, "_GLANCE_ROWS", 100)
    rng = np.random.default_rng(0)
    scores = np.sort(rng.normal(size=20_000))
    frame = pl.DataFrame({"y": (rng.random(20_000) < 0.3).astype(int), "s": scores})
    # Nearly all the weight is in a range that the second pass finds.
    heavy = frame.with_columns(w=pl.when(pl.col("s").is_between(1, 1.05)).then(1e6).otherwise(1.0))
    for source, weight, passes in ((frame, None, 2), (heavy, "w", 3)):
        seen = []
        found = evaluate(
            source,
            y_true="y",
            y_score="s",
            sample_weight=weight,
            method="bounded",
            max_error=1e-3,
            progress=lambda *rows, seen=seen: seen.append(rows),
        )
        assert 0 < found.rows[0].max_error <= 1e-3
        assert seen == [(20_000, None), *[(20_000, 20_000)] * (passes - 1)]


def test_histograms_of_a_table_with_weights(frame):
    found = score_histograms(frame, y_true="y", y_score="poor", sample_weight="w", max_error=0.01)
    exact = rl.auc(frame["y"], frame["poor"], sample_weight=frame["w"])
    ranking = found["poor"].ranking()
    assert rl.auc(ranking) == pytest.approx(found["poor"].auc, rel=1e-12)
    assert 0 < abs(rl.auc(ranking) - exact) <= found["poor"].max_error
    assert rl.roc_hull(ranking).auc >= rl.auc(ranking)


def test_weights_by_hand():
    """Positives of weight 2 and 4, negatives of weight 1, 3 and 1; one pair is inside a bin."""
    histogram = ScoreHistogram(CUTS)
    histogram.update(*ROW, sample_weight=[1, 3, 2, 1, 4])
    wins = 2 * (1 + 3 / 2) + 4 * 5
    assert histogram.auc == pytest.approx(wins / (6 * 5))
    assert histogram.max_error == pytest.approx(2 * 3 / 2 / (6 * 5))
    assert repr(histogram) == "ScoreHistogram(AUC 0.833 +- 0.1, 2+ 3-, 2 cuts)"
    plain = ScoreHistogram(CUTS)
    plain.update(*ROW)
    both = plain + histogram
    assert both == histogram + plain
    assert (both.n_pos, both.n_neg) == (4, 6)
    assert both.max_error == pytest.approx((2 + 1) * (3 + 1) / 2 / (8 * 8))


def test_rows_of_weight_0_are_left_out():
    histogram = ScoreHistogram(CUTS)
    histogram.update([0, 1, 1], [0.1, 0.9, np.nan], sample_weight=[1, 1, 0])
    assert (histogram.auc, histogram.n_pos) == (1, 1)
    with pytest.raises(rl.InputError, match=r"NaN.* row 2"):
        histogram.update([0, 1, 1], [0.1, 0.9, np.nan], sample_weight=[0, 1, 1])
    with pytest.raises(rl.InputError, match="sample_weight is -1 in row 1"):
        histogram.update([0, 1], [0.1, 0.9], sample_weight=[1, -1])
    assert histogram.n_pos == 1


def test_bytes_without_weights_are_as_before():
    histogram = ScoreHistogram(CUTS)
    histogram.update(*ROW)
    assert histogram.to_bytes() == OLD_BYTES
    assert ScoreHistogram.from_bytes(OLD_BYTES) == histogram


def forged(histogram, head=None, **changed):
    """The bytes of a histogram with some parts replaced, and with the right checksum."""
    names = ["cuts", "used", "pos", "neg", "pos_squared", "neg_squared"]
    old, parts = unpacked(histogram._content())
    parts = dict(zip(names, parts, strict=False)) | changed
    parts = [np.asarray(part).tobytes() for part in parts.values() if part is not None]
    copy = ScoreHistogram.from_bytes(histogram.to_bytes())
    copy._content = lambda: packed(old if head is None else head, parts)
    return copy.to_bytes()


@pytest.mark.parametrize(
    ("weights", "changed"),
    [
        (None, {"pos": [0, -1, 0, 2]}),
        (None, {"neg": [2**62, 2**62, 2**62, 0]}),
        (None, {"pos": [2**62, 0, 0, 2**62 - 1]}),  # more pairs than 128 bits can count
        (None, {"pos": [1, 0, 1]}),
        (None, {"used": [0, 2, 2, 4]}),
        (None, {"used": [3, 2, 1, 0]}),
        (None, {"used": [0, 2, 3, 5]}),
        (None, {"used": [-1, 2, 3, 4]}),
        (None, {"cuts": [0.5, 0.25]}),
        (None, {"cuts": [0.25, np.nan]}),
        (None, {"cuts": [0.25, 0.25]}),
        (None, {"neg": None}),
        (None, {"head": "<f4"}),
        (None, {"head": "O"}),
        (None, {"head": None, "pos": [0.0, 1.0, 0.0, 1.0], "neg": None}),
        (None, {"head": ("<f8", 2, 3)}),
        ([1, 3, 2, 1, 4], {"head": ["<f8", 2, -3]}),
        ([1, 3, 2, 1, 4], {"head": ["<f8", 2]}),
        ([1, 3, 2, 1, 4], {"head": ["<f8", 2, 3, 4]}),
        ([1, 3, 2, 1, 4], {"head": ["<f8", 2.0, 3]}),
        ([1, 3, 2, 1, 4], {"head": ["<f8", 0, 3]}),
        ([1, 3, 2, 1, 4], {"head": ["<f8", 1, 3]}),  # two slots have positives
        ([1, 3, 2, 1, 4], {"head": "<f8"}),
        ([1, 3, 2, 1, 4], {"neg_squared": None}),
        ([1, 3, 2, 1, 4], {"pos": [0.0, 2.0, 0.0, np.nan]}),
        ([1, 3, 2, 1, 4], {"pos": [0.0, 2.0, 0.0, np.inf]}),
        ([1, 3, 2, 1, 4], {"pos": [0.0, 2.0, 0.0, -4.0]}),
        ([1, 3, 2, 1, 4], {"pos_squared": [0.0, 4.0, 0.0, 17.0]}),  # above the square of the sum
        ([1, 3, 2, 1, 4], {"pos_squared": [0.0, 4.0, 0.0, 1.0]}),  # too small for two rows
    ],
)
def test_forged_bytes_are_refused(weights, changed):
    histogram = ScoreHistogram(CUTS)
    histogram.update(*ROW, sample_weight=weights)
    assert ScoreHistogram.from_bytes(forged(histogram)) == histogram
    with pytest.raises(rl.SerializationError, match="This ScoreHistogram cannot be restored"):
        ScoreHistogram.from_bytes(forged(histogram, **changed))


def test_changed_bytes_are_refused_or_are_a_histogram():
    """With the right checksum: whatever is accepted has an AUC within its bounds."""
    random = Random(0)
    wide = [b"\xff" * 8, bytes(8), *(struct.pack("<d", value) for value in (np.nan, np.inf, 1e300))]
    wide += [struct.pack("<q", value) for value in (-5, 2**40, 2**62)]
    originals = []
    for cuts in ([], CUTS, [-np.inf, 0.4, np.inf]):
        for weights in (None, [1, 3, 2, 1, 4]):
            originals.append(ScoreHistogram(cuts))
            originals[-1].update(*ROW, sample_weight=weights)
    accepted = 0
    for _ in range(3000):
        content = bytearray(random.choice(originals)._content())
        for _ in range(random.choice([1, 1, 2, 4])):
            at = random.randrange(len(content))
            if random.random() < 0.5:
                content[at] ^= 1 << random.randrange(8)
            else:
                content[at : at + random.choice([0, 8])] = random.choice(wide)
        copy = ScoreHistogram(CUTS)
        copy._content = lambda content=content: bytes(content)
        try:
            found = ScoreHistogram.from_bytes(copy.to_bytes())
        except rl.SerializationError:
            continue
        accepted += 1
        assert ScoreHistogram.from_bytes(found.to_bytes()) == found
        if found.n_pos and found.n_neg:
            low, high = found.auc_bounds.to_dict().values()
            assert 0 <= low <= found.auc <= high <= 1
            assert 0 <= found.max_error <= 0.5
            assert 0 <= found.interval().low <= found.interval().high <= 1
    assert 100 < accepted < 1500


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("family", FAMILIES)
def test_the_error_that_was_asked_is_reached(family, weight, monkeypatch):
    """Also if the first rows are all alike, and single rows in a small range have the weight."""
    monkeypatch.setattr(plans, "_GLANCE_ROWS", 10)
    monkeypatch.setattr(slots.CountTask.__init__, "__defaults__", (1, None, (), 64))
    rng = np.random.default_rng(2)
    y = rng.random(20_000) < 0.3
    scores = FAMILIES[family](rng, y)
    weights = np.where(rng.random(len(y)) < 5e-4, 1e6, 1.0)
    frame = pl.DataFrame({"y": y, "s": scores, "w": weights}).sort("s")
    for max_error in (0.1, 0.01):
        found = evaluate(
            frame,
            y_true="y",
            y_score="s",
            sample_weight=weight,
            method="bounded",
            max_error=max_error,
        )
        exact = rl.auc(y, scores, sample_weight=None if weight is None else weights)
        assert found.rows[0].max_error <= max_error
        assert abs(found.rows[0].interval.value - exact) <= found.rows[0].max_error + 1e-12


def test_an_error_that_cannot_be_reached_is_warned_of(frame, monkeypatch):
    monkeypatch.setattr(plans, "_MOST_CUTS", 20)
    options = {"y_true": "y", "y_score": ["good", "poor"], "max_error": 1e-3}
    with pytest.warns(rl.MaxErrorWarning) as caught:
        found = evaluate(frame, method="bounded", **options)
    reached = max(row.max_error for row in found.rows)
    assert reached > 1e-3
    [warning] = caught
    shown = str(warning.message).split()[8].rstrip(",")
    assert reached <= float(shown) < 1.1 * reached
    assert str(warning.message) == (
        f"The error of the AUC is at most {shown}, and max_error=0.001 was asked (models: good, "
        f"poor). Ask for max_error={shown}, or evaluate the table exactly."
    )
    with pytest.warns(rl.MaxErrorWarning):
        score_histograms(frame, **options)


def test_models_are_refined_by_themselves(monkeypatch):
    """Each has its own coarse bins: only these models are counted again, on rows inside them."""
    monkeypatch.setattr(plans, "_GLANCE_ROWS", 50)
    rng = np.random.default_rng(6)
    y = rng.random(5000) < 0.5
    fine = rng.normal(size=5000) + y
    frame = pl.DataFrame({"y": y, "late": fine, "early": -fine, "level": np.arange(5000) % 7})
    found = evaluate(frame.sort("late"), y_true="y", method="bounded", max_error=1e-3)
    for row in found.rows:
        exact = rl.auc(frame["y"], frame[row.model])
        assert row.max_error <= 1e-3
        assert abs(row.interval.value - exact) <= row.max_error + 1e-15


def test_infinite_cuts():
    histogram = ScoreHistogram([-np.inf, 0.0, np.inf])
    histogram.update([0, 1, 0, 1, 0], [-np.inf, -np.inf, 1.0, np.inf, np.inf])
    # 1 of 3 negatives ties with a positive, likewise at the top, and two are below it.
    assert histogram.auc == (0.5 + 2.5) / 6
    assert histogram.max_error == 0
    assert ScoreHistogram.from_bytes(histogram.to_bytes()) == histogram
    assert rl.auc(histogram.ranking()) == histogram.auc
    assert histogram.ranking().scores.tolist() == [-np.inf, 5e-324, np.inf]
    with pytest.raises(rl.InputError, match="cuts do not ascend"):
        ScoreHistogram([0.0, np.nan])
    with pytest.raises(rl.InputError, match="cuts do not ascend"):
        ScoreHistogram([np.nan])
    assert np.isinf(ScoreHistogram.from_sample([np.inf, 1.0, -np.inf]).cuts).sum() == 2
