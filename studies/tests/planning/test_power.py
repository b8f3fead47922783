"""Power of planned studies: what is simulated, and the table."""

import dataclasses

import pytest

import roclab as rl
from roclab_studies.planning import power as planned_power
from roclab_studies.planning.tables import BLOCKS as PLANNED


def test_planned():
    asked = planned_power.Question(
        method="delong", test="paired", auc=0.95, against=0.8, ratio=4.0, runs=20
    )
    found = planned_power.answer(asked)
    plan = rl.auc_sample_size(
        0.95, power=0.8, ratio=4, other_auc=0.8, correlation=0.5, method="delong"
    )
    assert found.n_pos == pytest.approx(plan.n_pos, rel=1e-5)
    assert 0.4 < found.power <= 1


def test_every_cell_is_a_row():
    planned = [
        planned_power.Answer(
            **dataclasses.asdict(asked), n_pos=9.5, n_neg=20, power=0.81, standard_error=0.006
        )
        for asked in planned_power.questions()
    ]
    (table_of,) = PLANNED.values()
    lines = table_of(planned).splitlines()
    assert len(lines) == 2 + 20
    assert "| 10, 20 | 0.810 ± 0.006 |" in lines[-1]
