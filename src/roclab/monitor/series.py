"""Readings of all streams of a model as columns over time: what the page draws."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from roclab.monitor.answers import label_free, model_state
from roclab.monitor.installation import Installation
from roclab.monitor.state import ModelState, StreamState
from roclab.report.thinning import thinned

_POINTS, _FEW_POINTS = 2_000, 800  # of a model, and of a segment, whose picture is small
_COSTLY = 7  # recent mature cohorts that say what a segment costs
_FEW_COLUMNS = ("auc", "low", "high", "n", "coverage")
_COLUMNS = (
    *_FEW_COLUMNS,
    *("provisional", "bound_low", "bound_high"),
    *("n_labelled", "n_pos", "positive_rate", "mean_score"),
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
    rest = sorted(
        (one for one in found if one is not whole),
        key=lambda one: (one["cost"] is None, -(one["cost"] or 0.0), one["name"]),
    )
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
    every = sorted({*known, *frozen})
    aucs = [(known.get(one) or frozen[one])["auc"] for one in every]
    kept = _thinned(every, aucs, _POINTS if stream.whole else _FEW_POINTS)
    cohorts = [every[place] for place in kept]
    rows = [known.get(one) or frozen[one] for one in cohorts]
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
        "gap": _gaps(state, every, kept),
        "mature": [one in frozen for one in cohorts],
        "frozen_auc": [frozen[one]["auc"] if one in frozen else None for one in cohorts],
        **{
            column: [row[column] for row in rows]
            for column in (_COLUMNS if stream.whole else _FEW_COLUMNS)
        },
        **({"expected_auc": _expected(installation, stream, rows)} if stream.whole else {}),
    }


def _expected(
    installation: Installation, stream: StreamState, rows: list[dict[str, Any]]
) -> list[float | None]:
    shown = label_free(installation, stream)["shown"]
    return [row["expected_auc"] if shown else None for row in rows]


def _gaps(state: ModelState, cohorts: list[int], kept: list[int]) -> list[bool]:
    """Whether cohorts are missing between each one that is kept and the one kept before it."""
    missing = [False, *(state.calendar.after(i) < j for i, j in pairwise(cohorts))]
    return [False, *(any(missing[i + 1 : j + 1]) for i, j in pairwise(kept))][: len(kept)]


def _thinned(cohorts: list[int], aucs: list[float | None], points: int) -> list[int]:
    """Places of the cohorts to draw: all, or at most `points` that keep every extreme and gap."""
    if len(cohorts) <= points:
        return list(range(len(cohorts)))
    heights = np.array([np.nan if auc is None else auc for auc in aucs])
    valid = np.flatnonzero(~np.isnan(heights))
    if not len(valid):
        return [0, len(cohorts) - 1]
    # Four points of a column, and one that has no AUC and begins a gap.
    columns = (points - 2) // 5
    times = np.array(cohorts, float)
    kept = {0, len(cohorts) - 1}
    kept |= {*valid[thinned(times[valid], heights[valid], columns=columns)].tolist()}
    gaps = np.flatnonzero(np.isnan(heights))
    if len(gaps):
        column = ((times[gaps] - times[0]) * columns // (times[-1] - times[0] + 1)).astype(np.intp)
        kept |= {*gaps[np.unique(column, return_index=True)[1]].tolist()}
    return sorted(kept)
