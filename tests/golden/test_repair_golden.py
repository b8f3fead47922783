"""Frozen repairs of the samples "repair 1" to "repair 4"; README.md names the source.

The source mirrors scores as t1 + t2 - s, which gives other values in the same order.
"""

import runpy
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import roclab as rl

DATA = runpy.run_path(str(Path(__file__).with_name("test_golden.py")))
HULLS = runpy.run_path(str(Path(__file__).with_name("test_hull_golden.py")))["HULLS"]

# sample: scores after repair of the largest concavity, its area, AUC after, AUC after all repairs
REPAIRS = {
    "repair 1": ("9/20 9/10 1 1/5 3/20 9/10 11/20 2/5 11/20 3/10", "9/32", "27/32", "27/32"),
    "repair 2": ("1/8 7/8 1/4 7/8 1 1 3/4 1 1/8 1/4 1/4 3/4", "6/35", "47/70", "47/70"),
    "repair 3": (
        "181/500 807/1000 151/500 447/500 71/250 2/125 149/200 181/1000 371/500 783/1000 247/250 "
        "157/200 21/50 561/1000",
        "5/33",
        "29/33",
        "29/33",
    ),
    "repair 4": ("1 1/6 0 5/6 0 1 1/3 2/3 1/2 1 2/3 5/6 1/6 1 1 2/3", "1/10", "77/120", "79/120"),
}


def ranks(scores):
    return np.searchsorted(np.unique(scores), scores).tolist()


@pytest.mark.parametrize("name", REPAIRS)
def test_repairs(name):
    scores, labels, auc = DATA["AUC"][name]
    y, s = DATA["bits"](labels), np.array(DATA["numbers"](scores), float)
    after, area, repaired_auc, all_repaired = REPAIRS[name]
    repair = rl.repair_section(y, s)
    assert repair.auc == float(Fraction(auc))
    assert repair.sections[0].area == float(Fraction(area))
    assert repair.repaired_auc == float(Fraction(repaired_auc))
    repaired = repair.apply(s)
    assert rl.auc(y, repaired) == float(Fraction(repaired_auc))
    assert ranks(repaired) == ranks(np.array([float(Fraction(one)) for one in after.split()]))
    assert rl.repair_section(y, s, sections="all").repaired_auc == float(Fraction(all_repaired))
    flat = rl.repair_section(y, s, sections="all", method="flatten")
    assert flat.repaired_auc == rl.auc(y, flat.apply(s)) == float(Fraction(HULLS[name][2]))
    assert repair.then(repair).apply(s).tolist() == s.tolist()
