"""How scores and labels are distributed now: ROC curve, histogram, calibration and delays."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.curves.roc import roc_curve
from roclab.decisions.calibration.calibration_curve import calibration_curve
from roclab.monitor.answers import model_state, stream_state
from roclab.monitor.cohorts import FEWEST, delay_distribution, label_delay
from roclab.monitor.installation import Installation
from roclab.monitor.readings import rows_of
from roclab.report.thinning import thinned

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int8]

_BINS = 30
_LARGE = 1e300
_COLUMNS = 150  # of a small picture
_MOST_ROWS = 200_000


def distributions(
    installation: Installation, name: str, *, segment: str = "", value: str = ""
) -> dict[str, Any]:
    """ROC curve, histogram of scores and calibration of a stream, now and in the reference."""
    state = model_state(installation, name)
    stream = stream_state(state, segment, value)
    store, number = installation.store, state.record.number
    since = installation.now() - round(state.settings.window.total_seconds() * 1e6)
    cohorts = [
        one.cohort for one in store.cohorts(number, since=state.calendar.cohort(since)) if one.n
    ]
    rows = rows_of(store, stream, store.rows(number, cohorts))
    rows = rows.where(rows.time > since)
    now = rows.score[-_MOST_ROWS:], rows.label[-_MOST_ROWS:]
    reference = store.reference(stream.record.number)
    return {
        "model": name,
        "segment": segment or None,
        "value": value or None,
        "now": {"roc": _roc(*now), "calibration": _calibration(*now)},
        "reference": None
        if reference is None
        else {"roc": _roc(*reference), "calibration": _calibration(*reference)},
        "histogram": _histogram(now[0], None if reference is None else reference[0]),
    }


def _roc(scores: Floats, labels: Labels) -> dict[str, Any] | None:
    known = labels >= 0
    y, s = labels[known].astype(np.uint8), scores[known]
    if min(np.count_nonzero(y), np.count_nonzero(y == 0)) < FEWEST:
        return None
    curve = roc_curve(y, s)
    kept = thinned(curve.fpr, curve.tpr, columns=_COLUMNS)
    return {"fpr": curve.fpr[kept].tolist(), "tpr": curve.tpr[kept].tolist(), "auc": curve.auc}


def _calibration(scores: Floats, labels: Labels) -> dict[str, Any] | None:
    known = labels >= 0
    y, s = labels[known].astype(np.uint8), scores[known]
    if len(y) < 2 * FEWEST or s.min() < 0 or s.max() > 1:
        return None
    curve = calibration_curve(y, s)
    return {
        "mean_probability": curve.mean_probability.tolist(),
        "observed_rate": curve.observed_rate.tolist(),
        "low": curve.low.tolist(),
        "high": curve.high.tolist(),
        "count": curve.count.tolist(),
    }


def _histogram(now: Floats, reference: Floats | None) -> dict[str, Any] | None:
    parts = [one for one in (now, reference) if one is not None and len(one)]
    if not parts:
        return None
    low, high = (float(end([end(one) for one in parts])) for end in (np.min, np.max))
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    if high == low:
        high = low + 1.0
    scale = 4.0 if max(-low, high) > _LARGE else 1.0  # or sums would overflow
    edges = scale * np.linspace(low / scale, high / scale, _BINS + 1)
    return {
        "edges": edges.tolist(),
        "now": _shares(now, edges),
        "reference": None if reference is None else _shares(reference, edges),
    }


def _shares(scores: Floats, edges: Floats) -> list[float]:
    counts = np.histogram(scores, edges)[0]
    shares: list[float] = (counts / max(1, len(scores))).tolist()
    return shares


def arrival(installation: Installation, name: str) -> dict[str, Any]:
    """Share of labels that have come by each delay, for each class, as far as is known.

    Only labels that came are seen, and of young predictions only the quick ones: the curves are
    corrected for that, and end where the oldest prediction ends.
    """
    state = model_state(installation, name)
    boundary = installation.now()
    made, labels, came = installation.label_times(state, boundary)
    ages, delays = (boundary - made) / 1e6, (came - made) / 1e6
    curves = {}
    for word, of_class in (("positive", labels == 1), ("negative", labels == 0)):
        if np.count_nonzero(of_class) < FEWEST:
            continue
        times, share = delay_distribution(ages[of_class], delays[of_class])
        kept = thinned(times, share, columns=_COLUMNS)
        curves[word] = {"seconds": times[kept].tolist(), "share": share[kept].tolist()}
    slowest = label_delay(ages, delays, labels == 1)
    return {"model": name, "seconds_95": slowest, "classes": curves}
