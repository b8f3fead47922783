"""What the paper prints has the wins that it prints."""

import pytest

from roclab_studies.scored_auc import (
    published,
)
from roclab_studies.scored_auc.data import LARGE, SMALL


@pytest.mark.parametrize(
    ("learner", "names", "over_auc", "over_brier"),
    [
        ("tree", SMALL, 9, 9),
        ("naive Bayes", SMALL, 10, 10),
        ("logistic regression", SMALL, 10, 9),
        ("tree", LARGE, 2, 4),  # printed is 3
        ("naive Bayes", LARGE, 1, 3),
        ("logistic regression", LARGE, 2, 3),
    ],
)
def test_published_cells_have_the_wins_of_their_last_row(learner, names, over_auc, over_brier):
    rows = [published.PUBLISHED[learner][number] for number in names]
    assert sum(scored > auc for scored, auc, _ in rows) == over_auc
    assert sum(scored > brier for scored, _, brier in rows) == over_brier
