"""Granular AUC, lambda AUC and rho AUC: their results, tables of models, and bad options."""

import json

import numpy as np
import pytest

import roclab as rl
from roclab.measures import granular_rho

Y = [0, 1, 0, 1]
S = [0.1, 0.4, 0.4, 0.8]


def test_granular_auc():
    area = rl.granular_auc(Y, S, granularity=0.1)
    assert (area.low, area.auc, area.up, area.lambda_) == (0.75, 0.875, 1.0, 0.75)
    assert repr(area) == "GranularAUC(0.75 low, 0.875, 1 up, granularity 0.1, clean)"
    assert area.to_dict() == {
        "low": 0.75,
        "auc": 0.875,
        "up": 1.0,
        "lambda": 0.75,
        "granularity": 0.1,
        "definition": "clean",
    }


def test_granular_parts():
    parts = rl.measures.granular_parts(Y, S, grid=None)
    assert parts.up_area == pytest.approx(0.875)  # moved at all, positives win every pair
    assert parts.low_area == pytest.approx(0.35 / 0.875)
    assert parts.rho == pytest.approx(0.35**0.5)
    assert repr(parts) == (
        "GranularParts(rho 0.5916, up area 0.875, low area 0.4, AUC 0.875, exact, clean)"
    )
    assert "grid 100" in repr(rl.measures.granular_parts(Y, S))
    as_dict = parts.to_dict()
    assert as_dict["rho"] == parts.rho
    assert as_dict["grid"] is None
    json.dumps(as_dict)


@pytest.mark.parametrize("bad", [0, -1, 2.5, "100", True, np.nan])
def test_grid_must_be_a_whole_number(bad):
    with pytest.raises(rl.InputError, match="from 1 to 1,000,000"):
        rl.rho_auc(Y, S, grid=bad)


def test_the_exact_integral_is_for_clean_curves():
    with pytest.raises(rl.InputError, match="only for definition='clean'"):
        rl.rho_auc(Y, S, grid=None, definition="published")


def test_the_exact_integral_is_refused_beyond_its_pairs(monkeypatch):
    # Four rows, two distinct positives and two distinct negatives: four pairs.
    monkeypatch.setattr(granular_rho, "MOST_PAIRS", 4)
    assert rl.rho_auc(Y, S, grid=None) > 0
    assert rl.rho_auc(Y * 10, S * 10, grid=None) == pytest.approx(rl.rho_auc(Y, S, grid=None))
    monkeypatch.setattr(granular_rho, "MOST_PAIRS", 3)
    with pytest.raises(rl.InputError, match=r"takes 4 pairs .*; at most 3.*grid=100"):
        rl.rho_auc(Y, S, grid=None)


def test_a_grid_must_fit_the_decimals():
    with pytest.raises(rl.InputError, match="more than 1 decimals"):
        rl.rho_auc(Y, S, grid=100, decimals=1)
    with pytest.raises(rl.InputError, match="more than 3 decimals"):
        rl.rho_auc(Y, S, grid=3, decimals=3)
    exact = [rl.rho_auc(Y, S, grid=100, decimals=k) for k in (2, 6)]
    assert exact[0] == exact[1]
    # In doubles 7 * 0.01 > 0.07, and 0.8 - 0.1 is not 0.7.
    whole = rl.granular_auc(Y, [10, 40, 40, 80], granularity=7)
    assert rl.granular_auc(Y, S, granularity=0.07, decimals=2).low == whole.low


def test_counts_beyond_64_bit_pairs():
    many = 3 * 10**9
    ranking = rl.Ranking.from_groups([0.1, 0.4, 0.8], pos=[0, many, many], neg=[many, many, 0])
    area = rl.granular_auc(ranking, granularity=0.1)
    assert (area.low, area.auc, area.up) == pytest.approx((0.75, 0.875, 1.0), abs=1e-15)
