import numpy as np
import pytest

import roclab as rl
from roclab_studies.coverage.panel_populations import FAMILIES, PanelPopulation


@pytest.mark.parametrize("family", FAMILIES)
def test_samples_have_the_true_values(family):
    population = PanelPopulation(family=family, auc=0.8)
    pos, neg = population.draw(np.random.default_rng(2), 20_000, 20_000, 1)
    y, s = np.repeat([1, 0], 20_000), np.concatenate([pos[0], neg[0]])
    assert population.value(rl.auc) == pytest.approx(0.8, abs=1e-6)
    assert rl.auc(y, s) == pytest.approx(0.8, abs=0.01)
    for measure in (rl.scored_auc, rl.average_precision, rl.h_measure):
        assert measure(y, s) == pytest.approx(population.value(measure), rel=0.06)


def test_known_values():
    """Exponential classes with means 1 and 4: AUC 4/5, scored AUC 4 * 4/5."""
    population = PanelPopulation(family="exponential", auc=0.8)
    assert population.separation == pytest.approx(4, abs=1e-5)
    assert population.value(rl.scored_auc) == pytest.approx(3.2, abs=1e-4)
    assert sum(kind.chosen_on for kind in FAMILIES.values()) <= len(FAMILIES) / 2
