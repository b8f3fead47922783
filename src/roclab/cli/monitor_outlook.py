"""What the monitor could notice in each model, and how long its reference will still take."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from roclab.monitor.installation import Installation
    from roclab.monitor.state import ModelState, StreamState


def outlook(installation: Installation, state: ModelState) -> dict[str, Any]:
    """The whole model, and the segment that is worst off.

    Parameters
    ----------
    installation : Installation
        Where it is.
    state : ModelState
        The model.
    """
    segments = [
        _of_stream(installation, state, one) for one in state.streams.values() if not one.whole
    ]
    return {
        "model": state.record.name,
        "period": state.record.period,
        "streams": len(state.streams),
        "learning": sum(one.rule.learning for one in state.streams.values()),
        "whole": _of_stream(installation, state, state.whole),
        "worst_segment": max(segments, key=_badness, default=None),
    }


def _of_stream(
    installation: Installation, state: ModelState, stream: StreamState
) -> dict[str, Any]:
    from roclab.monitor import answers

    rule = stream.rule
    cohorts = _cohorts_to_go(state, stream)
    days = state.calendar.length.total_seconds() / 86_400
    return {
        "stream": stream.name,
        "missing_blocks": rule.missing,
        "cohorts_to_go": cohorts,
        "days_to_go": None if cohorts is None else cohorts * days,
        "problem": rule.problem,
        "notice": answers.notice(installation, state, stream),
    }


def _cohorts_to_go(state: ModelState, stream: StreamState) -> int | None:
    """Cohorts until the reference is complete, at the pace of its blocks; None if unknown."""
    rule = stream.rule
    if not rule.learning:
        return 0
    if not rule.reference or rule.problem is not None:
        return None
    length = state.calendar.length.total_seconds() * 1e6
    span = (rule.reference[-1].until - rule.reference[0].since) / length
    return math.ceil(rule.missing * max(1.0, span / len(rule.reference)))


def _badness(one: dict[str, Any]) -> tuple[float, float, float]:
    """The longer a reference or a drop takes, the worse."""
    to_go = one["cohorts_to_go"]
    waits = [math.inf if each["cohorts"] is None else each["cohorts"] for each in one["notice"]]
    return (math.inf if to_go is None else to_go, *(waits or [0, 0]))  # type: ignore[return-value]
