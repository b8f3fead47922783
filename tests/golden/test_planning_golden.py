"""Power and sample sizes that others have published.

pROC 1.18.0 under R 4.2 (`power.roc.test`), and what its authors and Obuchowski print.
"""

import math
from statistics import NormalDist

import pytest
import real_data

import roclab as rl

S100B = 0.731368563685637  # the AUC of s100b in pROC's aSAH data


@pytest.mark.parametrize(
    ("auc", "n_pos", "n_neg", "power", "tolerance"),
    [
        (0.75, 30, 60, 0.983110542521689, 1e-12),
        (0.73, 41, 72, 0.9897453, 5e-8),
        (S100B, 41, 72, 0.9904833, 5e-8),
    ],
)
def test_power_of_proc(auc, n_pos, n_neg, power, tolerance):
    assert rl.auc_power(auc, n_pos, n_neg) == pytest.approx(power, abs=tolerance)


@pytest.mark.parametrize(
    ("auc", "power", "ratio", "n_pos", "n_neg", "tolerance"),
    [
        (0.7, 0.9, 2, 30.5987735549071, 61.1975471098142, 1e-12),
        (S100B, 0.9, 72 / 41, 23.5598674, 41.3734257, 3e-9),
        (S100B, 0.9, 1, 29.5697422, 29.5697422, 3e-9),
        (S100B, 0.95, 1.7, 29.29764, 49.806, 2e-7),
    ],
)
def test_sample_sizes_of_proc(auc, power, ratio, n_pos, n_neg, tolerance):
    plan = rl.auc_sample_size(auc, power=power, ratio=ratio)
    assert plan.n_pos == pytest.approx(n_pos, rel=tolerance)
    assert plan.n_neg == pytest.approx(n_neg, rel=tolerance)


def test_alpha_of_proc():
    plan = rl.plan_auc_study(0.73, n_pos=41, n_neg=72, power=0.95, alpha=None)
    assert plan.alpha == pytest.approx(0.009238584, abs=5e-10)


def test_detectable_auc_of_proc():
    # pROC finds it with uniroot, whose tolerance is 1.2e-4.
    assert rl.plan_auc_study(n_pos=41, n_neg=72, power=0.95).auc == pytest.approx(
        0.6961054, abs=2e-5
    )


# Obuchowski, Lieber and Wians (2004), table 4: one-sided, alpha 0.05, power 0.9. The table has no
# fewer than 10 in a cell; those are not compared. Two printed cells are 1 too small (339 for 340,
# 201 for 202), as pROC's tests note.
AUCS = (0.6, 0.7, 0.8, 0.9, 0.95)
NEGATIVES = {
    0.25: (84, 20, None, None, None),
    0.5: (101, 25, None, None, None),
    1: (135, 33, 14, None, None),
    2: (203, 50, 21, None, None),
    4: (340, 84, None, None, None),
}
POSITIVES = {
    0.25: (334, 80, None, None, None),
    0.5: (202, 49, None, None, None),
    1: (135, 33, 14, None, None),
    2: (102, 25, 11, None, None),
    4: (85, 21, None, None, None),
}


@pytest.mark.parametrize("ratio", NEGATIVES)
def test_table_4_of_obuchowski(ratio):
    for auc, n_pos, n_neg in zip(AUCS, POSITIVES[ratio], NEGATIVES[ratio], strict=True):
        plan = rl.auc_sample_size(auc, power=0.9, ratio=ratio, alternative="greater")
        if n_pos is not None:
            assert math.ceil(plan.n_pos) == n_pos
        if n_neg is not None:
            assert math.ceil(plan.n_neg) == n_neg


# AUCs of the first and second curve, their variances and covariance, as pROC gives them for aSAH.
NDKA_WFNS = (0.611957994579946, 0.823678861788618, 0.0031908105493913, 0.00146991470882363)
BETWEEN = -0.000532967856762438


def test_two_curves_of_proc():
    """pROC's test of ndka and wfns takes twice the variance of the first under the null.

    Its tests have 0.7131594 and 64.77777 positives for power 0.9. DeLong's test, which a plan of
    roclab predicts, has the variance of the difference under both hypotheses.
    """
    first, second, of_first, of_second = NDKA_WFNS
    z, distance = NormalDist().inv_cdf(0.975), second - first
    under_null = math.sqrt(2 * of_first - 2 * BETWEEN)
    error = math.sqrt(of_first + of_second - 2 * BETWEEN)
    power = NormalDist().cdf((distance - z * under_null) / error)
    assert power == pytest.approx(0.7131594, abs=5e-8)
    needed = z * under_null + NormalDist().inv_cdf(0.9) * error
    assert 41 * (needed / distance) ** 2 == pytest.approx(64.77777, rel=1e-7)
    rows = real_data.rows("asah.csv")
    columns = {name: [float(row[name]) for row in rows] for name in ("ndka", "wfns")}
    table = rl.ScoreTable([row["class"] == "Poor" for row in rows], columns)
    plan = rl.plan_auc_study(pilot=table, n_pos=41, n_neg=72)
    assert (plan.auc, plan.other_auc) == pytest.approx((first, second), rel=1e-12)
    assert plan.power == pytest.approx(NormalDist().cdf(distance / error - z), rel=1e-9)
