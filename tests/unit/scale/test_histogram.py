"""`method="bounded"` and `ScoreHistogram`: a guaranteed error, also of weights."""

import numpy as np
import polars as pl
import pytest

import roclab as rl
from roclab.scale import ScoreHistogram, evaluate, plans, score_histograms

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


def test_damaged_weights_are_refused():
    from roclab.streaming.state import packed, unpacked

    histogram = ScoreHistogram(CUTS)
    histogram.update(*ROW, sample_weight=[1, 3, 2, 1, 4])
    (kind, *_), parts = unpacked(histogram._content())
    for head, some in (([kind, 2, -3], parts), ([kind, 2, 3], parts[:-1]), (kind, parts)):
        histogram._content = lambda head=head, some=some: packed(head, some)
        with pytest.raises(rl.SerializationError, match="cannot be restored"):
            ScoreHistogram.from_bytes(histogram.to_bytes())
