"""The printed plan: what was solved for, and whole examples."""

import pytest

import roclab as rl
from roclab.report.document import document


def marked(plan):
    """The rows of the printed plan that were solved for."""
    table = document(plan).parts[0]
    titles = [table.columns[0].show(one) for one in table.records]
    return [title.removesuffix(", solved for") for title in titles if "solved for" in title]


@pytest.mark.parametrize(
    ("known", "solved"),
    [
        ({}, ["n+", "n-"]),
        ({"ratio": 3}, ["n+", "n-"]),
        ({"n_pos": 40}, ["n-"]),
        ({"n_neg": 40}, ["n+"]),
        ({"n_neg": 400, "width": 0.1}, ["n+"]),
        ({"n_pos": 40, "ratio": 2}, ["power"]),
        ({"n_pos": 40, "n_neg": 9, "power": 0.8, "alpha": None}, ["alpha"]),
        ({"other_auc": 0.7, "paired": False}, ["n+", "n-", "other n+", "other n-"]),
        ({"other_auc": 0.7, "paired": False, "n_pos": 300}, ["n-", "other n-"]),
    ],
)
def test_only_what_was_left_out_is_solved_for(known, solved):
    plan = rl.plan_auc_study(0.8, **known)
    assert marked(plan) == solved
    for size in ("n_pos", "n_neg"):
        if size in known:
            assert getattr(plan, size) == known[size]


def test_sizes_rounded_up_have_at_least_the_power():
    plan = rl.auc_sample_size(0.8)
    assert plan.n_pos % 1
    assert "17 positive and 17 negative examples (34 in all)" in str(plan)
    assert "has power at least 0.9." in str(plan)
    assert rl.auc_power(0.8, 17, 17) > 0.9
    given = rl.plan_auc_study(0.8, n_pos=30, n_neg=20)
    assert "has power 0.979." in str(given)
