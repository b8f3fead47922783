"""The change rule of a stream, block by block."""

import numpy as np
import pytest

from roclab.monitor.settings import ModelSettings, ReferencePeriod
from roclab.monitor.store.records import Block
from roclab.monitor.streams import ChangeRule, could_notice
from roclab.streaming.drift.e_detector import BlockEDetector
from roclab.streaming.drift.reference import DriftReference
from tests.unit.monitor.fleet import DAY, START

CALM = 0.8 + 0.01 * np.random.default_rng(3).normal(size=400)


def block(place, auc):
    since = START + place * DAY
    return Block(
        number=place,
        since=since,
        until=since + DAY,
        cohorts=(since,),
        auc=float(auc),
        n_pos=50,
        n_neg=150,
        judged=since + DAY,
        run_length=1000.0,
    )


def lived(aucs):
    """The rule after all blocks, and what it said: place, beginning, mean and what was before."""
    rule, said = ChangeRule(ReferencePeriod()), []
    for place, auc in enumerate(aucs):
        if rule.add(block(place, auc)) is not None:
            since = (rule.alarm.blocks[0].since - START) // DAY
            said.append((place, since, rule.alarm.mean, rule.alarm.before))
        elif rule.recovered():
            said.append((place, "recovered"))
            rule.close()
    return rule, said


def test_an_open_alarm_does_not_hide_a_worse_one():
    aucs = CALM[:150].copy()
    aucs[50:] -= 0.06
    aucs[90:] -= 0.2
    rule, said = lived(aucs)
    first, second = said
    assert (first[1], second[1]) == (50, 90)
    assert first[0] < 70
    assert 90 <= second[0] < 96
    assert first[2] == pytest.approx(0.74, abs=0.01)
    assert second[2] == pytest.approx(0.54, abs=0.02)
    assert (first[3], second[3]) == (None, first[2])
    # What it fell from is the reference, not the alarm before.
    assert rule.alarm.reference_mean == pytest.approx(CALM[:30].mean())


def test_an_alarm_that_stays_as_it_is_is_said_once():
    aucs = CALM.copy()
    aucs[50:] -= 0.06
    _, said = lived(aucs)
    assert len(said) == 1


def test_an_alarm_begins_after_the_end_of_the_one_before():
    aucs = CALM[:200].copy()
    aucs[50:70] -= 0.1
    aucs[100:] -= 0.1
    _, said = lived(aucs)
    (_, since, *_), (recovered, _), (_, later, *_) = said
    assert since == 50
    assert recovered < 100
    assert later == 100


def test_what_is_closed_by_hand_begins_anew():
    aucs = CALM[:80].copy()
    aucs[50:] -= 0.1
    rule = ChangeRule(ReferencePeriod())
    places = []
    for place, auc in enumerate(aucs):
        if rule.add(block(place, auc)) is not None:
            places.append(place)
            rule.close()
            assert rule.detector.statistic == 0
    # Each time as many blocks are needed, since nothing is remembered.
    assert len(places) > 2
    assert np.diff(places).tolist() == pytest.approx([places[0] - 49] * (len(places) - 1), abs=2)


def test_a_model_that_ranks_all_wrong_cannot_get_worse():
    aucs = np.concatenate([CALM[:40], np.zeros(40)])
    rule, said = lived(aucs)
    assert len(said) == 1
    assert rule.alarm.mean == 0.0
    assert len(rule.blocks) == 50


def test_the_rule_is_the_detector_of_its_reference():
    rule, _ = lived(CALM[:60])
    detector = BlockEDetector(DriftReference.from_blocks(CALM[:30]), average_run_length=1000)
    for auc in CALM[30:60]:
        detector.update_block(auc)
    assert rule.state()["statistic"] == detector.statistic


def test_what_could_be_noticed_is_what_detectors_notice():
    rng = np.random.default_rng(5)
    known = CALM[:60]
    reference = DriftReference.from_blocks(known)
    found = []
    for _ in range(100):
        detector = BlockEDetector(reference, average_run_length=1000)
        drawn = rng.choice(known, 300) - 0.05
        found.append(next(n for n, auc in enumerate(drawn, 1) if detector.update_block(auc)))
    assert could_notice(known, [0.05], run_length=1000, most=300) == [
        pytest.approx(np.median(found), abs=1)
    ]


@pytest.mark.parametrize(("cohort", "first"), [("hour", 168), ("day", 30), ("week", 30)])
def test_hours_are_compared_with_a_whole_week(cohort, first):
    assert str(ModelSettings(cohort=cohort).reference_period) == f"first {first}"
    chosen = ReferencePeriod(first=48)
    assert ModelSettings(cohort=cohort, reference=chosen).reference_period is chosen
