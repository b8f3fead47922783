"""Starts of AUCtron: where training starts, and where it ends."""

from dataclasses import replace

import numpy as np
import pytest
from auctron_rows import LABELS, NUMERIC, VALUES
from scipy.special import expit

import roclab as rl
from roclab_studies.auctron import starts as auctron_starts
from roclab_studies.auctron.rankers import Encoding


class TestStarts:
    question = auctron_starts.Question(solver="descent", data="pima", spread=5.0, starts=3)

    def test_training_starts_where_it_is_told(self):
        X = Encoding.of(VALUES, NUMERIC).columns(VALUES)
        parameters = np.linspace(-2, 2, X.shape[1] + 1)
        model = auctron_starts.starting_from(parameters).set_params(max_iter=1000)
        model.fit(X, LABELS)
        outputs = expit(X @ parameters[:-1] + parameters[-1])
        expected = rl.learning.pairwise_loss(LABELS, outputs, gamma=0.3).value
        assert model.loss_curve_[0] == pytest.approx(expected)
        assert model.loss_curve_[-1] < expected

    @pytest.mark.usefixtures("table")
    def test_going_on_ends_with_a_gradient_that_has_vanished_and_no_higher(self):
        found = auctron_starts.answer(self.question)
        assert len(found.losses) == len(found.further_aucs) == 3
        assert all(b <= a for a, b in zip(found.losses, found.further_losses, strict=True))
        assert max(found.further_gradients) < 1e-6
        assert all(0.4 < auc < 1 for auc in (*found.aucs, *found.further_aucs))

    @pytest.mark.usefixtures("table")
    def test_solvers_and_sizes_share_their_directions(self):
        small = replace(self.question, spread=1e-4)
        ends = [
            auctron_starts.answer(replace(small, solver=solver)).further_losses
            for solver in ("descent", "L-BFGS")
        ]
        assert ends[0] == pytest.approx(ends[1], rel=1e-4)
