"""Readings of all streams of a model as columns over time: what the page draws."""

from __future__ import annotations

from typing import Any

import numpy as np

from roclab.monitor.answers import label_free, model_state
from roclab.monitor.installation import Installation
from roclab.monitor.state import ModelState, StreamState
from roclab.report.thinning import thinned

_POINTS = 2_000
_COSTLY = 7  # recent mature cohorts that say what a segment costs
_COLUMNS = (
    *("auc", "low", "high", "provisional", "bound_low", "bound_high"),
    *("n", "n_labelled", "n_pos", "coverage", "positive_rate", "mean_score"),
    *("psi", "psi_critical", "expected_positives"),
)


def series(
    installation: Installation, name: str, *, since: int = -(2**62), until: int = 2**62
) -> dict[str, Any]:
    """Columns of readings over time, for the whole model and for each of its segments."""
    state = model_state(installation, name)
    streams = list(state.streams.values())
    found = [_stream(installation, state, one, since, until) for one in streams]
    whole = next(one for one in found if one["segment"] is None)
    total = sum(n for n in whole["n"] if n) or 1
    for one in found:
        volume = sum(n for n in one["n"] if n)
        one["share"] = volume / total
        drop = one.pop("drop")
        one["cost"] = None if drop is None else drop * one["share"]
    rest = [one for one in found if one is not whole]
    rest.sort(key=lambda one: (one["cost"] is None, -(one["cost"] or 0.0), one["name"]))
    return {
        "model": name,
        "period": state.record.period,
        "time_zone": state.record.time_zone,
        "label_free": label_free(installation, state.whole),
        "whole": whole,
        "segments": rest,
    }


def _stream(
    installation: Installation, state: ModelState, stream: StreamState, since: int, until: int
) -> dict[str, Any]:
    number, store = stream.record.number, installation.store
    known = dict(store.readings(number, since=since, until=until))
    frozen = dict(store.readings(number, frozen=True, since=since, until=until))
    cohorts = sorted({*known, *frozen})
    rows = [known.get(one) or frozen[one] for one in cohorts]
    kept = _thinned(cohorts, rows)
    cohorts, rows = [cohorts[place] for place in kept], [rows[place] for place in kept]
    shown = label_free(installation, stream)["shown"]
    mature = [frozen[one]["auc"] for one in sorted(frozen) if frozen[one]["auc"] is not None]
    rule = stream.rule.state()
    return {
        "name": stream.name,
        "stream": number,
        "segment": stream.record.segment or None,
        "value": stream.record.value or None,
        "status": rule["state"],
        "reference": rule.get("reference_mean"),
        "drop": None
        if "reference_mean" not in rule or not mature
        else rule["reference_mean"] - float(np.mean(mature[-_COSTLY:])),
        "cohort": [one / 1e6 for one in cohorts],
        "end": [state.calendar.after(one) / 1e6 for one in cohorts],
        "mature": [one in frozen for one in cohorts],
        "frozen_auc": [frozen[one]["auc"] if one in frozen else None for one in cohorts],
        "expected_auc": [row["expected_auc"] if shown else None for row in rows],
        **{column: [row[column] for row in rows] for column in _COLUMNS},
    }


def _thinned(cohorts: list[int], rows: list[dict[str, Any]]) -> list[int]:
    """Places of the cohorts to draw: all, or so many that no extreme is lost."""
    if len(cohorts) <= _POINTS:
        return list(range(len(cohorts)))
    aucs = np.array([np.nan if row["auc"] is None else row["auc"] for row in rows])
    height = np.where(np.isnan(aucs), np.nanmean(aucs) if np.isfinite(aucs).any() else 0.0, aucs)
    kept: list[int] = thinned(np.array(cohorts, float), height, columns=_POINTS // 4).tolist()
    return kept
