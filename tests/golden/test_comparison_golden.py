"""Comparisons by pROC 1.18.0 under R 4.2: of synthetic data, and of its aSAH data.

The first are literals here. The second are read where ROCLAB_DATA names the folder that holds
asah.csv; the numbers are those that pROC computes for them.
"""

from math import sqrt

import numpy as np
import pytest
import real_data
import reference_comparison

import roclab as rl
from roclab.inference import auc_covariance, compare_roc
from roclab.inference.comparison.paired import compare_auc
from roclab.inference.comparison.pairwise import compare
from roclab.inference.comparison.unpaired import compare_independent_auc

LABELS = (
    "011000100001010101001101000010000010101001100001001100010000110001001011101101110100000011"
)
REGIONS = (
    "011010001100100001011101111000000000001110101101100001110111011000000100110110100011100100"
)
Y = np.array([int(label) for label in LABELS])
GROUP = np.array([int(region) for region in REGIONS])
SCORES = {
    "alpha": (
        "0.2 1.6 0.2 0.7 -0.8 -0.6 1.8 0.2 1.6 -1.8 0.6 1.5 0.6 0.3 0.6 4.7 -0.1 1.5 -0.2 -0.1 "
        "-1.2 1.1 0.4 0.1 -0.3 0.1 0.7 -1.1 1.3 2.2 -2.2 -0.5 -0.1 1.1 2.2 2.1 -0.1 -1.4 -0.1 "
        "0.6 -0.3 2.4 1 -0.1 -0.9 2.2 -1.6 3.1 -0.8 0 2.4 1.9 -1.7 -0.9 2.8 1.4 -0.4 -1.6 -1.3 "
        "1.6 1.1 1.2 0.7 2.9 -2 -0.4 -0.2 -0.4 1.7 1 -0.2 1.8 0.3 1.6 0.9 0.1 1.1 3 1.3 3.1 "
        "-0.9 1.6 -1.2 0 -0.4 0.1 0.7 -0.2 1.4 2.3"
    ),
    "beta": (
        "0.65 2.03 0.16 0.48 -0.78 -0.97 0.74 1.76 3.01 -1.07 1.08 -0.25 -1.55 0.93 0.37 2.73 "
        "0.1 1.02 -1.03 1.99 -1.47 0.2 -0.4 0.74 1.02 -0.69 1.4 -1.78 1.85 -1.09 -0.49 -2.38 "
        "1.5 -0.48 -0.16 1.24 0.45 0.64 -0.01 2.42 0.03 0.74 0.2 -0.32 -0.35 1.75 0.48 2.57 "
        "-1.37 0.41 0.92 0.52 0.88 -0.66 -0.17 -0.95 0.35 -1.72 -1.53 2.84 1.18 0.05 0.69 2.85 "
        "0.27 -0.8 -1.15 -1.61 0.41 1.29 -0.12 2.68 -0.37 0 -1.48 -0.12 1.28 3.35 -0.07 0.32 "
        "0.16 1.56 -0.41 0.87 0.25 -0.17 -0.52 0 0.11 2.53"
    ),
    "gamma": (
        "2 2 2 3 3 3 3 3 4 1 3 2 4 4 1 5 1 3 3 2 2 4 5 1 2 4 4 1 3 4 3 2 3 2 3 2 2 4 3 4 2 5 2 "
        "3 3 5 3 3 2 1 2 4 1 3 4 3 2 1 2 4 5 1 4 4 3 3 4 3 2 5 1 5 3 2 4 3 5 5 5 5 1 2 1 2 3 3 "
        "3 2 3 5"
    ),
}
SCORES = {name: np.array(text.split(), float) for name, text in SCORES.items()}
# name: (AUC, variance, ends of the DeLong interval)
SINGLE = {
    "alpha": (0.784415584415584, 0.0023973982614166, (0.688449409655748, 0.880381759175421)),
    "beta": (0.607532467532467, 0.00360293509506649, (0.489886699222122, 0.725178235842813)),
    "gamma": (0.567532467532468, 0.00377168608490228, (0.44716313265129, 0.687901802413645)),
}
# pair: (covariance, paired z, p, p of "greater"; unpaired t, df, p)
PAIRS = {
    ("alpha", "beta"): (
        0.00143492842499718,
        (3.16141244066369, 0.00157006013658173, 0.000785030068290865),
        (2.28348778597152, 171.093718503576, 0.0236313581027763),
    ),
    ("alpha", "gamma"): (
        0.00128541186906351,
        (3.61559218294849, 0.000299661814291321, 0.00014983090714566),
        (2.7613114383217, 169.58412685665, 0.0063913341156033),
    ),
    ("beta", "gamma"): (
        0.00088477043710046,
        (0.534280189949251, 0.593147695908113, 0.296573847954057),
        (0.465789970695879, 177.906845061539, 0.641935580165707),
    ),
}
# (t, df, p) of alpha in group 1 against group 0
GROUPS = (-1.55449193320606, 70.0745429599881, 0.124572229265891)

# pROC's numbers for aSAH, Poor positive
ASAH = {
    "wfns": (0.823678861788618, 0.00146991470882363),
    "ndka": (0.611957994579946, 0.0031908105493913),
}
ASAH_COVARIANCE = -0.000532967856762438
ASAH_PAIRED = (2.79777591868904, 0.00514557970691098, 0.0634011709339876, 0.3600405634833566)
ASAH_UNPAIRED = (3.10125096778969, 0.00220950791756457)


def near(value):
    """Ten digits."""
    return pytest.approx(value, rel=1e-10, abs=0)


def test_values_and_the_joint_covariance():
    joint = auc_covariance(rl.ScoreTable(Y, SCORES))
    for model, (auc, variance, _) in enumerate(SINGLE.values()):
        assert joint.values[model] == near(auc)
        assert joint.covariance[model, model] == near(variance)
    for (a, b), (covariance, *_) in PAIRS.items():
        row, column = joint.names.index(a), joint.names.index(b)
        assert joint.covariance[row, column] == joint.covariance[column, row] == near(covariance)


@pytest.mark.parametrize("model", SINGLE)
def test_intervals(model):
    auc, variance, ends = SINGLE[model]
    interval = rl.auc_interval(Y, SCORES[model], method="delong")
    assert interval.value == near(auc)
    assert interval.standard_error**2 == near(variance)
    assert (interval.low, interval.high) == near(ends)


@pytest.mark.parametrize("pair", PAIRS, ids=" and ".join)
def test_paired(pair):
    _, (statistic, pvalue, greater), _ = PAIRS[pair]
    scores = [SCORES[model] for model in pair]
    result = compare_auc(Y, *scores, method="delong")
    assert (result.statistic, result.pvalue) == near((statistic, pvalue))
    assert result.paired
    assert result.df is None
    assert compare_auc(Y, *scores, method="delong", alternative="greater").pvalue == near(greater)
    assert compare_auc(Y, *scores, method="delong", alternative="less").pvalue == near(1 - greater)
    in_table = next(
        p
        for p in compare(rl.ScoreTable(Y, SCORES), method="delong").pairs
        if p.model_a == pair[0] and p.model_b == pair[1]
    )
    assert (in_table.statistic, in_table.pvalue) == near((statistic, pvalue))


@pytest.mark.parametrize("pair", PAIRS, ids=" and ".join)
def test_unpaired(pair):
    *_, (statistic, df, pvalue) = PAIRS[pair]
    result = compare_independent_auc(
        *(rl.Ranking(Y, SCORES[model]) for model in pair), method="delong"
    )
    assert (result.statistic, result.df, result.pvalue) == near((statistic, df, pvalue))
    assert not result.paired


def test_unpaired_groups():
    inside = GROUP.astype(bool)
    first, second = (rl.Ranking(Y[rows], SCORES["alpha"][rows]) for rows in (inside, ~inside))
    result = compare_independent_auc(first, second, method="delong")
    assert (result.statistic, result.df, result.pvalue) == near(GROUPS)
    assert (result.n_pos, result.n_neg, result.n_pos_b, result.n_neg_b) == (14, 26, 21, 29)


def test_omnibus_is_the_chi_square_of_the_published_covariance():
    """No package of R gives it; from pROC's numbers it follows by elimination."""
    values = [auc for auc, *_ in SINGLE.values()]
    names = list(SINGLE)
    covariances = [
        [SINGLE[a][1] if a == b else PAIRS.get((a, b), PAIRS.get((b, a)))[0] for b in names]
        for a in names
    ]
    statistic, rank = reference_comparison.chi_square(values, covariances)
    omnibus = compare(rl.ScoreTable(Y, SCORES), method="delong").omnibus
    assert omnibus.statistic == near(statistic)
    assert omnibus.df == rank == 2
    assert omnibus.pvalue == near(np.exp(-statistic / 2))


@pytest.fixture(scope="module")
def patients():
    rows = real_data.rows("asah.csv")
    outcome = np.array([row["class"] for row in rows])
    return outcome, {name: np.array([float(row[name]) for row in rows]) for name in ASAH}


def test_asah(patients):
    outcome, scores = patients
    joint = auc_covariance(rl.ScoreTable(outcome, scores, pos_label="Poor"))
    for model, (auc, variance) in enumerate(ASAH.values()):
        assert joint.values[model] == near(auc)
        assert joint.covariance[model, model] == near(variance)
    assert joint.covariance[0, 1] == near(ASAH_COVARIANCE)
    paired = compare_auc(outcome, *scores.values(), pos_label="Poor", method="delong")
    found = (paired.statistic, paired.pvalue, paired.low, paired.high)
    assert found == near(ASAH_PAIRED)
    assert paired.standard_error == near(
        sqrt(sum(v for _, v in ASAH.values()) - 2 * ASAH_COVARIANCE)
    )
    unpaired = compare_independent_auc(
        *(rl.Ranking(outcome, column, pos_label="Poor") for column in scores.values()),
        method="delong",
    )
    assert (unpaired.statistic, unpaired.pvalue) == near(ASAH_UNPAIRED)


# name: partial AUC for FPR 0 to 0.1, the same standardized, and for TPR 0.8 to 1
PARTIAL = {
    "alpha": (0.0192640692640693, 0.575074048758259, 0.0875324675324675),
    "beta": (0.00909090909090908, 0.521531100478469, 0.052987012987013),
    "gamma": (0.0147402597402597, 0.551264524948735, 0.0317171717171717),
}
RANGES = (
    {"fpr_range": (0, 0.1)},
    {"fpr_range": (0, 0.1), "standardize": True},
    {"tpr_range": (0.8, 1)},
)


@pytest.mark.parametrize("pair", PAIRS)
def test_differences_of_partial_aucs(pair):
    first, second = pair
    for number, options in enumerate(RANGES):
        found = rl.compare_measure(
            Y, SCORES[first], SCORES[second], measure="partial_auc", **options
        )
        values = PARTIAL[first][number], PARTIAL[second][number]
        assert (found.value_a, found.value_b) == near(values)
        assert found.difference == near(values[0] - values[1])
    # Over the whole range the variance of the influence functions is DeLong's.
    whole = rl.compare_measure(
        Y, SCORES[first], SCORES[second], measure="partial_auc", fpr_range=(0, 1)
    )
    assert whole.statistic == near(PAIRS[pair][1][0])


def test_equal_curves_of_asah(patients):
    """pROC breaks ties by the order of rows, and prints E = 578, p-value = 0.024 (2,000 draws)."""
    outcome, _ = patients
    rows = real_data.rows("asah.csv")
    ranks = [
        np.argsort(np.argsort([float(row[name]) for row in rows], kind="stable"), kind="stable")
        for name in ("s100b", "wfns")
    ]
    found = compare_roc(outcome, *ranks, pos_label="Poor", rng=0)
    assert found.statistic * len(outcome) ** 2 == near(578)
    assert found.pvalue == pytest.approx(0.024, abs=4 * sqrt(2 * 0.024 * 0.976 / 2000))
