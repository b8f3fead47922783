"""The study of contenders: populations are what they claim, and answers what a loop finds."""

import math
from dataclasses import asdict

import numpy as np
import pytest

import roclab as rl
from roclab_studies.catalogue import STUDIES
from roclab_studies.selection import contender_tables, contenders

SMALL = contenders.Question(by="auc", pattern="half worse", models=4, n_pos=12, n_neg=15, runs=4)


@pytest.mark.parametrize("pattern", contenders.PATTERNS)
def test_models_have_the_aucs_that_the_pattern_says(pattern):
    question = contenders.Question(
        by="auc", pattern=pattern, models=4, n_pos=60_000, n_neg=60_000, runs=1
    )
    aucs = contenders.true_aucs(pattern, 4)
    table = contenders.drawn_table(question, aucs, np.random.default_rng(0))
    assert [rl.auc(table[name]) for name in table] == pytest.approx(list(aucs), abs=0.006)
    assert aucs[0] == max(aucs)


def test_an_answer_is_what_a_loop_finds():
    rng = np.random.default_rng([11, 4, 12, 15])
    aucs = contenders.true_aucs("half worse", 4)
    found = [
        rl.select_model(
            contenders.drawn_table(SMALL, aucs, rng),
            n_resamples=contenders.REPLICATES,
            rng=run,
        )
        for run in range(4)
    ]
    answer = contenders.answer(SMALL)
    assert answer.covered == np.mean(["0" in one.contenders for one in found])
    assert answer.contenders == np.mean([len(one.contenders) for one in found])
    assert answer.best_chosen == np.mean([one.best in ("0", "1") for one in found])
    gaps = [one.value - aucs[int(one.best)] for one in found]
    assert answer.optimism == pytest.approx(np.mean(gaps), rel=1e-3)
    assert answer.estimated == pytest.approx(np.mean([one.optimism for one in found]), rel=1e-3)


def test_other_measures_have_no_known_truth():
    small = asdict(SMALL) | {"by": "brier_score", "pattern": "equal", "runs": 2}
    assert math.isnan(contenders.answer(contenders.Question(**small)).optimism)


def test_recorded_sets_contain_the_best_as_often_as_promised():
    answers = STUDIES["selection_sets"].recorded()
    assert len(answers) == len(contenders.questions())
    for one in answers:
        error = math.sqrt(0.95 * 0.05 / one.runs)
        assert one.covered > 0.95 - 3.3 * error, one
    rows = contender_tables.coverage(answers).splitlines()
    assert len(rows) == 2 + len(answers)
