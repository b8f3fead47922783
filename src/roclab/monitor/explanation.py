"""Why the AUC of a stream has changed: the mix of segments, or the ranking within them."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from roclab.data.table import ScoreTable
from roclab.errors import RoclabError, RoclabWarning
from roclab.formatting import plain_value
from roclab.inference.change import AUCChange, auc_change
from roclab.monitor.store.records import Rows

_MOST_ROWS = 200_000
_MOST_SEGMENTS = 10
_OTHER = "(none)"


def explain_change(
    before: Rows,
    after: Rows,
    segments: Mapping[int, tuple[tuple[str, str], ...]],
    *,
    leave_out: str = "",
) -> dict[str, Any]:
    """Decompose a change between two sets of rows, by each segment that they have.

    Parameters
    ----------
    before, after : Rows
        Rows of the reference, and of the cohorts of an alarm.
    segments : mapping
        Combinations of segments by their number.
    leave_out : str
        A segment that has one value in these rows.

    Returns
    -------
    dict
        A sentence, and the decomposition by each segment.
    """
    pair = [_recent(rows.where(rows.label >= 0)) for rows in (before, after)]
    used = {
        key
        for rows in pair
        for one in np.unique(rows.segments)
        for key in segments.get(int(one), ())
    }
    names = sorted({name for name, _ in used} - {leave_out})
    found = []
    for name in names:
        change = _change(pair, segments, name)
        if change is not None:
            found.append(_shown(change))
    if not found:
        return {"sentence": "", "by": []}
    # The segment whose values differ most in what they contribute says most about where it is.
    best = max(found, key=lambda one: max(abs(each["share"]) for each in one["segments"]))
    return {"sentence": _sentence(best), "by": found}


def _recent(rows: Rows) -> Rows:
    return rows.where(slice(-_MOST_ROWS, None))  # type: ignore[arg-type]


def _change(
    pair: list[Rows], segments: Mapping[int, tuple[tuple[str, str], ...]], name: str
) -> AUCChange | None:
    tables = []
    for rows in pair:
        numbers, places = np.unique(rows.segments, return_inverse=True)
        values = [dict(segments.get(int(one), ())).get(name, _OTHER) for one in numbers]
        tables.append(
            ScoreTable(
                rows.label.astype(np.uint8),
                {"score": rows.score},
                groups={name: np.array(values, object)[places]},
            )
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RoclabWarning)
            return auc_change(*tables, by=name)
    except RoclabError:  # a class is missing, since rows are gone
        return None


def _shown(change: AUCChange) -> dict[str, Any]:
    content = change.to_dict()
    segments = [
        {name: _plain(value) for name, value in one.items()}
        for one in content.pop("segments")[:_MOST_SEGMENTS]
    ]
    return {**{name: _plain(value) for name, value in content.items()}, "segments": segments}


def _plain(value: Any) -> Any:
    plain = plain_value(value)
    return None if isinstance(plain, float) and not np.isfinite(plain) else plain


def _sentence(change: dict[str, Any]) -> str:
    mix, ranking = change["mix"], change["ranking"]
    worst = min(change["segments"], key=lambda one: one["share"])
    where = (
        f"together {change['difference']:+.3f} over all rows; {change['by']} {worst['segment']} "
        f"contributes {worst['share']:+.3f}."
    )
    if abs(ranking) >= 2 * abs(mix):
        return f"It is the ranking ({ranking:+.3f}), not the mix ({mix:+.3f}), {where}"
    if abs(mix) >= 2 * abs(ranking):
        return f"It is the mix ({mix:+.3f}), not the ranking ({ranking:+.3f}), {where}"
    return f"It is both the ranking ({ranking:+.3f}) and the mix ({mix:+.3f}), {where}"
