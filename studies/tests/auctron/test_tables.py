"""The tables of AUCtron: differences, outcomes of starts, and claims counted right."""

import math
from dataclasses import replace

import numpy as np
import pytest

from roclab_studies.auctron import data as auctron_data
from roclab_studies.auctron import starts as auctron_starts
from roclab_studies.auctron import tables
from roclab_studies.auctron.rankers import CHOSEN, RANKERS
from roclab_studies.resampling import CorrectedMean


def test_over_sets_variances_add():
    leads = [CorrectedMean(value=v, error=e, splits=9) for v, e in ((0.1, 0.03), (0.2, 0.04))]
    assert tables.over_sets(leads) == pytest.approx(
        (0.15, 0.15 - 1.959964 * 0.025, 0.15 + 1.959964 * 0.025)
    )


def test_arrived_is_within_a_hundredth():
    found = tables.arrived((0.1, 0.1009, 0.1011, 0.5), 0.1)
    assert found.tolist() == [True, True, False, False]
    assert tables.arrived((0.0, 0.00009, 0.0002), 0.0).sum() == 2


def test_outcomes_are_counted_against_the_best_start_of_the_same_objective():
    rows = [
        auctron_starts.Answer(
            solver=solver,
            data="pima",
            spread=1.0,
            starts=4,
            losses=(0.1, 0.2, 0.3, 0.4),
            gradients=(1e-3, 1e-3, 1e-3, 1e-3),
            aucs=(0.7, 0.7, 0.7, 0.8),
            further_losses=further,
            further_gradients=(1e-8, 1e-8, 1e-8, 1e-8),
            further_aucs=(0.7, 0.7, 0.7, 0.7),
            further_saturated=(0.0, 1.0, 0.95, 0.1),
        )
        for solver, further in (
            ("descent", (0.1, 0.1, 0.3, 0.4)),
            ("L-BFGS", (0.2, 0.2, 0.3, 0.4)),
            ("penalised L-BFGS", (0.1, 0.2, 0.3, 0.05)),
        )
    ]
    lowest = tables.lowest_losses(rows)
    assert lowest == {("pima", 0.0): 0.1, ("pima", 0.01): 0.05}
    assert tables.outcomes(rows[0], 0.1) == (1, 2, 1, 1)
    assert tables.outcomes(rows[1], 0.1) == (1, 0, 2, 2)
    assert tables.outcomes(rows[2], 0.05) == (0, 1, 2, 1)


def made_up(learner, data, aucs, **rates):
    usual = {"sensitivity": 0.5, "specificity": 0.5}
    usual |= {"best_sensitivity": 0.7, "best_specificity": 0.7}
    return auctron_data.Answer(
        learner=learner,
        data=data,
        splits=len(aucs),
        rows=100,
        positives=30,
        aucs=aucs,
        setting=math.nan,
        **(usual | rates),
    )


class TestTables:
    @pytest.fixture
    def answers(self):
        rng = np.random.default_rng(1)
        noise = rng.normal(0, 0.02, (len(auctron_data.DATA), 10))
        return [
            made_up(
                learner,
                data,
                tuple(0.7 + noise[at] + 0.1 * (learner == "AUCtron") * (data == "pima")),
            )
            for at, data in enumerate(auctron_data.DATA)
            for learner in RANKERS
        ]

    def test_leads_beyond_chance_are_bold(self, answers):
        lines = tables.leads(answers, tuple(CHOSEN)).splitlines()
        assert len(lines) == 2 + len(auctron_data.DATA) + 1
        pima = next(line for line in lines if line.startswith("| pima"))
        assert pima.count("**+10.0 (+10.0 to +10.0)**") == 5
        others = [line for line in lines if "**" not in line]
        assert len(others) == len(lines) - 1
        assert lines[-1].count("+1.7 (+1.7 to +1.7)") == 5

    def test_a_zero_has_no_minus(self):
        assert tables._signed(-0.0004, -0.02, 0.0) == "+0.0 (-2.0 to +0.0)"

    def test_published_values_outside_the_interval_are_bold(self, answers):
        lines = tables.table_1(answers).splitlines()
        pima = next(line for line in lines if line.startswith("| pima (30 of 100) | 30.0"))
        assert pima.split("|")[3:9:2] == [" **76.7** ", " **77.9** ", " **79.3** "]
        assert lines[2].split("|")[5] == " 72.2 "

    def test_claims_count_sets(self, answers):
        spec = {"sensitivity": 0.9}
        lines = tables.data_claims(
            [
                replace(row, **spec, aucs=tuple(np.add(row.aucs, 0.04)))
                if row.learner == "AUCtron, descent"
                else row
                for row in answers
            ]
        ).splitlines()
        assert "on 6 of six, significantly on 6 | yes" in lines[2]
        assert "+4.0 (+4.0 to +4.0) | **no**" in lines[3]
        assert "on 6 of six | yes" in lines[5]
        assert "+0.000 on average, +0.000 to +0.000 | **no**" in lines[6]
