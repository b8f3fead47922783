"""An alarm never contradicts itself, whatever the stream, the reference and the detector."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.report.documents.streaming import alarm_sentence

SIGN = {"drop": -1, "rise": 1}


@st.composite
def streams(draw):
    """A reference and a stream whose classes move together and apart, in steps."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    parts = []
    for length, levels, gap in (
        (draw(st.integers(400, 800)), draw(st.integers(0, 5)), 1.0),
        (
            draw(st.integers(200, 800)),
            draw(st.integers(0, 5)),
            draw(st.sampled_from([-2.0, -1.0, 0.0, 0.5, 1.0, 2.0, 4.0])),
        ),
    ):
        rate = draw(st.sampled_from([0.2, 0.5, 0.8]))
        labels = rng.random(length) < rate
        wander = np.repeat(rng.normal(0, levels, length // 20 + 1), 20)[:length]
        parts.append((labels, np.round(rng.normal(size=length) + gap * labels + wander, 1)))
    return parts


@given(
    streams(),
    st.sampled_from(["less", "greater", "two-sided"]),
    st.sampled_from([20.0, 200.0, 5000.0]),
    st.sampled_from(["events", "ranking", "auc", "cusum"]),
    st.sampled_from([2, 5]),
)
def test_what_is_said_agrees_with_what_was_tested(parts, alternative, run_length, kind, per_class):
    before, stream = parts
    options = {"alternative": alternative, "average_run_length": run_length}
    try:
        if kind in ("events", "cusum"):
            reference = rl.DriftReference(*before, per_class=per_class)
        else:
            reference = rl.Ranking(*before)
            options["per_class"] = per_class
            if kind == "auc":
                reference = rl.auc(reference)
        made = (rl.BlockCUSUM if kind == "cusum" else rl.BlockEDetector)(reference, **options)
    except rl.InputError:
        return  # too short, or at the limit of what an AUC can be
    for alarm in made.update_many(*stream):
        sign = SIGN[alarm.direction]
        assert alarm.direction in {"less": "drop", "greater": "rise"}.get(alternative, SIGN)
        assert sign * alarm.difference > 0
        assert alarm.difference == alarm.block_mean - alarm.reference_block_mean
        assert sign * alarm.block_mean > sign * alarm.bound
        assert sign * alarm.bound >= sign * alarm.reference_block_mean
        assert alarm.bound in made.bounds
        assert alarm.statistic >= alarm.threshold
        assert 1 <= alarm.since_event <= alarm.event <= len(stream[0])
        assert 1 <= alarm.n_blocks <= alarm.block
        labels, scores = (column[alarm.since_event - 1 : alarm.event] for column in stream)
        assert alarm.pooled_auc == rl.auc(labels, scores)
        assert alarm.block_mean == pytest.approx(
            np.mean(blocks(labels, scores, per_class)), abs=1e-12
        )
        words = ("dropped", "below") if sign < 0 else ("risen", "above")
        assert all(word in alarm_sentence(alarm) for word in words)


def blocks(labels, scores, per_class):
    """AUCs of blocks, obviously."""
    found, first = [], 0
    for last in range(1, len(labels) + 1):
        positive = labels[first:last].sum()
        if min(positive, last - first - positive) >= per_class:
            found.append(rl.auc(labels[first:last], scores[first:last]))
            first = last
    return found
