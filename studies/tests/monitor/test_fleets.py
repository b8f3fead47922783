"""Simulated installations have the AUCs they should, and the blocks of a plain computation."""

from dataclasses import replace

import numpy as np
import pytest

import roclab as rl
from roclab_studies.monitor import fleets
from roclab_studies.monitor.fleets import DAY, HORIZON, NEVER, SEGMENTS, Setting

STEADY = Setting(aucs=(0.8, 0.8))


@pytest.mark.parametrize("wider", [1.0, 2.0])
def test_scores_have_the_auc_they_should(wider):
    rows = fleets.made_rows(replace(STEADY, rows=2000, wider=wider), np.random.default_rng(0), 100)
    true = fleets.true_aucs(STEADY, np.random.default_rng(0), 100)
    assert true.mean() == pytest.approx(0.8, abs=0.02)
    assert rl.auc(rows.label, rows.score) == pytest.approx(0.8, abs=0.015)
    assert rows.label.mean() == pytest.approx(0.3, abs=0.005)


def test_a_drop_is_in_the_segments_that_have_it_and_from_its_day_on():
    rows = fleets.made_rows(
        replace(STEADY, rows=2000),
        np.random.default_rng(1),
        100,
        drop=0.1,
        change_at=50,
        segments=1,
    )
    falls = []
    for segment in range(SEGMENTS):
        before, after = (
            rl.auc(rows.label[chosen], rows.score[chosen])
            for chosen in (
                (rows.segment == segment) & (rows.cohort < 50),
                (rows.segment == segment) & (rows.cohort >= 50),
            )
        )
        falls.append(before - after)
    assert falls == pytest.approx([0.1, 0, 0, 0, 0], abs=0.02)


def test_waves_spikes_and_levels():
    days = 730
    calm = fleets.true_aucs(STEADY, np.random.default_rng(2), days)
    assert np.ptp(calm, axis=0).max() == 0
    year = fleets.true_aucs(replace(STEADY, year=0.02), np.random.default_rng(2), days)
    assert np.ptp(year[:, 0]) == pytest.approx(0.04, abs=0.001)
    spikes = fleets.true_aucs(replace(STEADY, spikes=0.05), np.random.default_rng(2), days)
    low = spikes[:, 0] < spikes[:, 0].max() - 0.09
    assert np.ptp(spikes[:, 0]) == pytest.approx(0.1)
    assert low.mean() == pytest.approx(0.05, abs=0.02)
    rows = fleets.made_rows(replace(STEADY, levels=5), np.random.default_rng(2), 10)
    assert len(np.unique(rows.score)) <= 5


def test_labels_of_positives_and_of_low_scores_come_later_and_one_in_ten_never():
    rows = fleets.made_rows(replace(STEADY, rows=2000), np.random.default_rng(3), 50)
    came = rows.arrival != NEVER
    delay = rows.arrival - rows.time
    assert 1 - came.mean() == pytest.approx(0.1, abs=0.03)
    assert delay[came & rows.label].mean() > 1.1 * delay[came & ~rows.label].mean()
    low = rows.score < np.median(rows.score)
    assert delay[came & low].mean() > delay[came & ~low].mean()


def test_blocks_are_those_of_a_plain_computation():
    """Cohort by cohort, with the labels known at the end of each, ties and joined cohorts."""
    setting = Setting(rows=60, rate=0.2, levels=7)
    rows = fleets.made_rows(setting, np.random.default_rng(4), 40)
    chosen = {0: slice(None), 3: rows.segment == 2}
    for place, some in chosen.items():
        cohort, label, score, arrival = (
            one[some] for one in (rows.cohort, rows.label, rows.score, rows.arrival)
        )
        found = fleets.blocks_of(setting, rows)[place]
        expected, begun = [], 0
        for last in range(40):
            known = (cohort >= begun) & (cohort <= last)
            # A cohort is frozen at its end and the horizon, with what came before that moment; it
            # is joined if that is too little, and labels that come until then count as well.
            frozen = (last + 1 + HORIZON) * DAY
            own = [
                np.sum(label[known & (cohort == one) & (arrival < (one + 1 + HORIZON) * DAY)] == c)
                for c in (True, False)
                for one in range(begun, last + 1)
            ]
            size = last + 1 - begun
            if min(sum(own[:size]), sum(own[size:])) >= 10:
                known &= arrival < frozen
                expected.append((rl.auc(label[known], score[known]), begun, last))
                begun = last + 1
        assert len(found.auc) == len(expected) >= 5
        assert found.auc == pytest.approx([auc for auc, _, _ in expected], abs=1e-12)
        assert found.first.tolist() == [first for _, first, _ in expected]
        assert found.last.tolist() == [last for _, _, last in expected]
    assert (found.last > found.first).any()
