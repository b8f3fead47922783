"""Frozen numbers that others computed or printed; README.md beside this file names the sources.

Scores are decimal strings and values are fractions wherever the source is exact, so that the twin
in `reference.py` must meet them exactly and the library to rounding.
"""

from fractions import Fraction

import numpy as np
import pytest
import reference

import roclab as rl

# name: (scores, labels, AUC, scored AUC, DeLong variance of the scored AUC)
SCORED_AUC = {
    "M1": (
        "1.0 0.7 0.6 0.5 0.4 0.0",
        "111000",
        "1",
        "7/15",
        "17/450",
    ),
    "M2": (
        "1.0 0.9 0.6 0.5 0.2 0.0",
        "110100",
        "8/9",
        "49/90",
        "193/4050",
    ),
    "ties": (
        "0.9 0.5 0.5 0.5 0.4 0.1 0.9",
        "1100100",
        "13/24",
        "23/120",
        "97/4320",
    ),
    "outside_unit_interval": (
        "-1.0 3.0 -2.0 1.0",
        "1100",
        "3/4",
        "2",
        "13/4",
    ),
}

# name: (scores, labels, AUC)
AUC = {
    "granular A": (
        "0.9 0.8 0.7 0.6 0.55 0.54 0.53 0.52 0.51 0.505 0.495 0.4 0.38 0.35 0.34 0.33 "
        "0.32 0.31 0.2 0.1",
        "11011100110010001010",
        "69/100",
    ),
    "granular B": (
        "0.9 0.8 0.7 0.6 0.57 0.55 0.53 0.51 0.48 0.45 0.4 0.38 0.36 0.34 0.32 0.3 0.25 "
        "0.15 0.12 0.1",
        "11011100110010001010",
        "69/100",
    ),
    "repair 1": (
        "0.75 0.3 0.2 1 0.15 0.3 0.65 0.8 0.65 0.9",
        "0010000010",
        "9/32",
    ),
    "repair 1, largest concavity repaired": (
        "0.45 0.9 1 0.2 0.15 0.9 0.55 0.4 0.55 0.3",
        "0010000010",
        "27/32",
    ),
    "repair 2": (
        "1 0.25 0.875 0.25 0.125 0.125 0.375 0.125 1 0.875 0.875 0.375",
        "000101010110",
        "23/70",
    ),
    "repair 2, largest concavity repaired": (
        "0.125 0.875 0.25 0.875 1 1 0.75 1 0.125 0.25 0.25 0.75",
        "000101010110",
        "47/70",
    ),
    "repair 3": (
        "0.816 0.371 0.876 0.284 0.894 0.016 0.433 0.181 0.436 0.395 0.988 0.393 0.758 0.617",
        "00010000101000",
        "19/33",
    ),
    "repair 3, largest concavity repaired": (
        "0.362 0.807 0.302 0.894 0.284 0.016 0.745 0.181 0.742 0.783 0.988 0.785 0.42 0.561",
        "00010000101000",
        "29/33",
    ),
    "repair 4": (
        "1 0.5 2/3 5/6 2/3 1 1/3 0 1/6 1 0 5/6 0.5 1 1 0",
        "0001011000100011",
        "53/120",
    ),
    "repair 4, largest concavity repaired": (
        "1 1/6 0 5/6 0 1 1/3 2/3 0.5 1 2/3 5/6 1/6 1 1 2/3",
        "0001011000100011",
        "77/120",
    ),
    "repair 4, all repaired": (
        "5/6 1/6 0 1 0 5/6 1/3 2/3 0.5 5/6 2/3 1 1/6 5/6 5/6 2/3",
        "0001011000100011",
        "79/120",
    ),
}

# repair case: the ROC points as counts: false positives, true positives
ROC_POINTS = {
    "repair 1": "0,0 1,0 2,0 3,0 4,0 5,1 7,1 7,2 8,2",
    "repair 2": "0,0 2,0 3,2 5,2 6,3 7,5",
    "repair 3": "0,0 0,1 1,1 2,1 3,1 4,1 5,1 5,2 6,2 7,2 8,2 9,2 9,3 10,3 11,3",
    "repair 4": "0,0 3,2 4,3 6,3 8,3 8,4 9,4 10,6",
}

# A stream seen through a window of 12: (score, label, AUC, scored AUC) after each event.
WINDOW = 12
STREAM = [
    ("0.3", 0, None, None),
    ("0.2", 1, "0", "0"),
    ("0.9", 1, "1/2", "3/10"),
    ("0.9", 1, "2/3", "2/5"),
    ("0.0", 0, "5/6", "8/15"),
    ("0.7", 1, "7/8", "43/80"),
    ("0.3", 1, "17/20", "23/50"),
    ("0.7", 0, "11/15", "1/3"),
    ("0.8", 1, "7/9", "16/45"),
    ("1.0", 0, "7/12", "4/15"),
    ("0.3", 0, "37/60", "17/60"),
    ("0.8", 1, "9/14", "52/175"),
    ("0.0", 0, "24/35", "62/175"),
    ("0.1", 1, "24/35", "61/175"),
    ("0.9", 1, "24/35", "61/175"),
    ("0.0", 0, "13/18", "11/30"),
    ("0.4", 1, "23/35", "3/10"),
    ("0.6", 0, "5/8", "47/180"),
    ("0.6", 1, "47/72", "103/360"),
    ("0.9", 1, "7/10", "9/25"),
    ("0.2", 0, "17/24", "43/120"),
    ("0.1", 1, "11/14", "131/350"),
    ("0.7", 1, "53/64", "13/32"),
    ("1.0", 1, "53/64", "69/160"),
    ("1.0", 0, "19/32", "91/320"),
    ("0.6", 0, "9/14", "101/350"),
    ("0.6", 0, "11/18", "29/120"),
    ("0.8", 0, "1/2", "53/360"),
    ("0.9", 1, "11/18", "17/90"),
    ("0.5", 0, "5/8", "73/360"),
    ("0.0", 0, "7/10", "52/175"),
    ("0.9", 0, "5/8", "39/160"),
    ("0.2", 0, "5/8", "39/160"),
    ("0.5", 0, "22/27", "44/135"),
    ("0.9", 0, "7/8", "71/200"),
    ("1.0", 1, "7/8", "71/200"),
    ("0.9", 1, "25/27", "17/45"),
    ("0.1", 1, "23/32", "93/320"),
    ("1.0", 0, "41/64", "83/320"),
    ("0.1", 1, "37/70", "8/35"),
]

PROC_LABELS = (
    "011000100001010101001101000010000010101001100001001100010000110001001011101101110100000011"
)
# predictor: (scores, AUC, variance, 95 % DeLong interval)
PROC = {
    "alpha": (
        """
        0.2 1.6 0.2 0.7 -0.8 -0.6 1.8 0.2 1.6 -1.8 0.6 1.5 0.6 0.3 0.6 4.7 -0.1 1.5 -0.2 -0.1 -1.2
        1.1 0.4 0.1 -0.3 0.1 0.7 -1.1 1.3 2.2 -2.2 -0.5 -0.1 1.1 2.2 2.1 -0.1 -1.4 -0.1 0.6 -0.3
        2.4 1 -0.1 -0.9 2.2 -1.6 3.1 -0.8 0 2.4 1.9 -1.7 -0.9 2.8 1.4 -0.4 -1.6 -1.3 1.6 1.1 1.2
        0.7 2.9 -2 -0.4 -0.2 -0.4 1.7 1 -0.2 1.8 0.3 1.6 0.9 0.1 1.1 3 1.3 3.1 -0.9 1.6 -1.2 0
        -0.4 0.1 0.7 -0.2 1.4 2.3
        """,
        0.784415584415584,
        0.0023973982614166,
        (0.688449409655748, 0.880381759175421),
    ),
    "beta": (
        """
        0.65 2.03 0.16 0.48 -0.78 -0.97 0.74 1.76 3.01 -1.07 1.08 -0.25 -1.55 0.93 0.37 2.73 0.1
        1.02 -1.03 1.99 -1.47 0.2 -0.4 0.74 1.02 -0.69 1.4 -1.78 1.85 -1.09 -0.49 -2.38 1.5 -0.48
        -0.16 1.24 0.45 0.64 -0.01 2.42 0.03 0.74 0.2 -0.32 -0.35 1.75 0.48 2.57 -1.37 0.41 0.92
        0.52 0.88 -0.66 -0.17 -0.95 0.35 -1.72 -1.53 2.84 1.18 0.05 0.69 2.85 0.27 -0.8 -1.15
        -1.61 0.41 1.29 -0.12 2.68 -0.37 0 -1.48 -0.12 1.28 3.35 -0.07 0.32 0.16 1.56 -0.41 0.87
        0.25 -0.17 -0.52 0 0.11 2.53
        """,
        0.607532467532467,
        0.00360293509506649,
        (0.489886699222122, 0.725178235842813),
    ),
    "gamma": (
        """
        2 2 2 3 3 3 3 3 4 1 3 2 4 4 1 5 1 3 3 2 2 4 5 1 2 4 4 1 3 4 3 2 3 2 3 2 2 4 3 4 2 5 2 3 3
        5 3 3 2 1 2 4 1 3 4 3 2 1 2 4 5 1 4 4 3 3 4 3 2 5 1 5 3 2 4 3 5 5 5 5 1 2 1 2 3 3 3 2 3 5
        """,
        0.567532467532468,
        0.00377168608490228,
        (0.44716313265129, 0.687901802413645),
    ),
}


def numbers(text):
    """The exact numbers in a line of text."""
    return [Fraction(word) for word in text.split()]


def bits(text):
    return [int(digit) for digit in text]


def close(value, exact):
    return value == pytest.approx(float(exact), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("name", SCORED_AUC)
def test_scored_auc_cases(name):
    scores, labels, *values = SCORED_AUC[name]
    y, s, (auc, scored, variance) = bits(labels), numbers(scores), map(Fraction, values)
    assert reference.auc(y, s) == auc
    assert reference.scored_auc(y, s) == scored
    assert reference.scored_auc_variance(y, s) == variance
    summary = rl.Ranking(y, np.array(s, float)).summary
    assert close(summary.auc, auc)
    assert close(summary.scored_auc, scored)
    assert close(summary.scored_auc_variance, variance)


@pytest.mark.parametrize("name", AUC)
def test_auc_cases(name):
    scores, labels, auc = AUC[name]
    y, s = bits(labels), numbers(scores)
    assert reference.auc(y, s) == Fraction(auc)
    assert close(rl.auc(y, np.array(s, float)), Fraction(auc))


@pytest.mark.parametrize("name", ROC_POINTS)
def test_roc_points(name):
    scores, labels, _ = AUC[name]
    s = np.array(numbers(scores), float)
    counts = np.array([point.split(",") for point in ROC_POINTS[name].split()], float)
    curve = rl.roc_curve(bits(labels), s)
    np.testing.assert_allclose(curve.fpr, counts[:, 0] / counts[-1, 0], rtol=1e-15)
    np.testing.assert_allclose(curve.tpr, counts[:, 1] / counts[-1, 1], rtol=1e-15)
    np.testing.assert_array_equal(curve.thresholds, [np.inf, *np.unique(s)[::-1]])


@pytest.mark.filterwarnings("ignore::roclab.UndefinedMeasureWarning")
def test_each_window_of_a_stream():
    for end, (_, _, auc, scored) in enumerate(STREAM, start=1):
        window = STREAM[max(0, end - WINDOW) : end]
        s, y = [Fraction(row[0]) for row in window], [row[1] for row in window]
        summary = rl.Ranking(y, np.array(s, float)).summary
        if auc is None:
            assert np.isnan([summary.auc, summary.scored_auc]).all()
            continue
        assert (reference.auc(y, s), reference.scored_auc(y, s)) == (
            Fraction(auc),
            Fraction(scored),
        )
        assert close(summary.auc, Fraction(auc))
        assert close(summary.scored_auc, Fraction(scored))


def test_a_sliding_window_after_each_event():
    window = rl.WindowAUC(WINDOW)
    for score, label, auc, scored in STREAM:
        window.update(label, float(score))
        if auc is None:
            assert np.isnan([window.auc, window.scored_auc]).all()
            continue
        assert window.auc == float(Fraction(auc))
        assert close(window.scored_auc, Fraction(scored))


@pytest.mark.parametrize("name", PROC)
def test_proc(name):
    scores, auc, variance, (low, high) = PROC[name]
    y, s = bits(PROC_LABELS), np.array(scores.split(), float)
    interval = rl.auc_interval(y, s, method="delong")
    assert close(interval.value, auc)
    assert close(interval.standard_error**2, variance)
    assert (interval.low, interval.high) == (
        pytest.approx(low, rel=1e-12),
        pytest.approx(high, rel=1e-12),
    )
    assert close(rl.Ranking(y, s).summary.auc_variance, variance)
