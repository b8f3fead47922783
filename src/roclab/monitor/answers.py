"""What the monitor says when it is asked: plain values for JSON."""

from __future__ import annotations

from math import isnan
from typing import Any

import numpy as np

from roclab.monitor.cohorts import FEWEST, Reading, label_free_errors
from roclab.monitor.installation import Installation
from roclab.monitor.rules import CHANGE, COHORT_QUANTITIES, RuleState
from roclab.monitor.schema import UnknownError
from roclab.monitor.state import ModelState, StreamState
from roclab.monitor.store.records import Act, Alert, Delivery
from roclab.monitor.streams import blocks_in_a_year, could_notice
from roclab.streaming.calendar import iso

DROPS = (0.05, 0.10)
_SILENT_COHORTS = 2
_DIGITS = 4  # of the small picture
_ACTS = 51  # more than are shown of a model


def overview(installation: Installation) -> list[dict[str, Any]]:
    """All models, trouble first."""
    found = [
        summary(installation, state, state.whole) for state in list(installation.models.values())
    ]
    order = {"firing": 0, "pending": 1, "no data": 2, "learning": 3, "ok": 4}
    return sorted(found, key=lambda one: (order[one["status"]], one["model"]))


def summary(installation: Installation, state: ModelState, stream: StreamState) -> dict[str, Any]:
    """A stream in one line of the overview: status, sentence, the present, and recent cohorts."""
    status, sentence = _status(installation, state, stream)
    latest = stream.recent[-1][1] if stream.recent else None
    return {
        "model": state.record.name,
        "stream": stream.record.number,
        "segment": stream.record.segment or None,
        "value": stream.record.value or None,
        "period": state.record.period,
        "time_zone": state.record.time_zone,
        "status": status,
        "sentence": sentence,
        "now": stream.window.read(),
        "reference": _reference(stream),
        "last_prediction": _time(state.record.last_prediction),
        "label_delay_seconds": state.delay,
        "coverage": None if latest is None else latest.coverage,
        "volume": None if latest is None else latest.n,
        "complete": _complete(state, stream, installation.now()),
        "recent": _recent(stream),
    }


def _recent(stream: StreamState) -> dict[str, list[Any]]:
    """Mature ones of the last cohorts, as columns: what a picture of 44 pixels needs, and no more.

    With every digit, as objects, they were most of what the overview of many models took.
    """
    found = [one for one in stream.recent if one[0] in stream.mature]
    ends = [(one.auc, one.low, one.high) for _, one in found]
    columns = np.array(ends, float).reshape(-1, 3).round(_DIGITS).T.tolist()
    return {
        "cohort": [cohort // 10**6 for cohort, _ in found],
        **{
            name: [None if isnan(one) else one for one in column]
            for name, column in zip(("auc", "low", "high"), columns, strict=True)
        },
    }


def _complete(state: ModelState, stream: StreamState, now: int) -> dict[str, Any] | None:
    """The latest cohort that has ended, or else the latest."""
    if not stream.recent:
        return None
    ended = (one for one in reversed(stream.recent) if state.calendar.after(one[0]) <= now)
    cohort, reading = next(ended, stream.recent[-1])
    return {"cohort": iso(cohort), "n": reading.n, "coverage": reading.coverage}


def _status(installation: Installation, state: ModelState, stream: StreamState) -> tuple[str, str]:
    alerts = [
        (one, where)
        for where in [stream, *(state.streams.values() if stream.whole else ())]
        for one in list(where.alerts.values())
    ]
    if alerts:
        # The change of the stream itself first, then the oldest.
        worst, _ = min(
            alerts, key=lambda one: (one[0].rule != CHANGE, one[1] is not stream, one[0].since)
        )
        return "firing", str(worst.content["sentence"])
    states = dict(stream.conditions)
    pending = [
        one.condition
        for one in installation.settings.rule
        if one.name in states and states[one.name].state == "pending"
    ]
    if pending:
        return "pending", f"{pending[0]} holds, but not for long enough yet."
    now, last = installation.now(), state.record.last_prediction
    if last is None:
        return "no data", "No prediction has come yet."
    silent = (now - last) / 1e6
    if silent > _SILENT_COHORTS * state.calendar.length.total_seconds():
        return "no data", f"No prediction since {iso(last)[:16].replace('T', ' ')} UTC."
    rule = stream.rule
    if rule.learning:
        period = state.record.period
        if rule.problem is not None:
            return "learning", f"The reference cannot be used: {rule.problem}"
        return "learning", (
            f"Learning: {rule.missing} more mature {period}{'s' * (rule.missing != 1)} with at "
            f"least {FEWEST} labels of each class are needed before changes can be noticed."
        )
    mean = _reference(stream)
    return "ok", f"No change from the reference, whose mean AUC is {mean:.3f}."


def _reference(stream: StreamState) -> float | None:
    """Mean AUC of the blocks of the reference, once it is known."""
    detector = stream.rule.detector
    return None if detector is None else detector.reference_block_mean


def model(installation: Installation, name: str) -> dict[str, Any]:
    """One model: its streams, settings, rules, deployments and what it could notice."""
    state = model_state(installation, name)
    chosen = state.settings
    return {
        **summary(installation, state, state.whole),
        "settings": {
            "cohort": chosen.cohort,
            "time_zone": chosen.time_zone,
            "horizon_seconds": None if chosen.horizon is None else chosen.horizon.total_seconds(),
            "missing_label": chosen.missing_label,
            "coverage": chosen.coverage,
            "reference": str(chosen.reference_period),
            "window_seconds": chosen.window.total_seconds(),
        },
        "change": _change(state, state.whole),
        "notice": notice(installation, state, state.whole),
        "challenger_of": chosen.challenger_of,
        "challengers": [
            one.record.name
            for one in list(installation.models.values())
            if one.settings.challenger_of == name
        ],
        "streams": [
            {**summary(installation, state, one), "change": _change(state, one)}
            for one in list(state.streams.values())
            if not one.whole
        ],
        "rules": [
            {
                "name": rule.name,
                "when": str(rule.condition),
                "what": COHORT_QUANTITIES.get(rule.condition.quantity, rule.condition.quantity),
                "state": one.conditions.get(rule.name, RuleState()).state,
                "stream": one.name,
            }
            for one, rule in installation.conditions.of(state)
        ],
        "deployments": [
            {"version": version, "time": iso(time), "note": note}
            for version, time, note in installation.store.deployments(state.record.number)
        ],
        "alerts": [
            _alert(installation, one)
            for one in installation.store.alerts(model=state.record.number, limit=50)
        ],
        "acts": [act(one) for one in installation.alerts.acts if one.model == name][:-_ACTS:-1],
    }


def _change(state: ModelState, stream: StreamState) -> dict[str, Any]:
    found = stream.rule.state()
    for name in ("reference_since", "reference_until"):
        if name in found:
            found[name] = iso(found[name])
    return {**found, "cohorts_per_month": state.calendar.per_month}


def notice(
    installation: Installation, state: ModelState, stream: StreamState
) -> list[dict[str, Any]]:
    """After how many cohorts the monitor would find drops, in half of the cases."""
    if stream.rule.learning:
        return []
    most = blocks_in_a_year(state.calendar.per_month)
    aucs = [block.auc for block in stream.rule.reference]
    found = could_notice(aucs, DROPS, run_length=installation.changes.run_length(state), most=most)
    days = state.calendar.length.total_seconds() / 86_400
    return [
        {
            "drop": drop,
            "cohorts": cohorts,
            "days": None if cohorts is None else cohorts * days,
            "within": most,
        }
        for drop, cohorts in zip(DROPS, found, strict=True)
    ]


def history(
    installation: Installation,
    name: str,
    *,
    segment: str = "",
    value: str = "",
    since: int = -(2**62),
    until: int = 2**62,
) -> dict[str, Any]:
    """Readings of a stream: as known now, and as frozen."""
    state = model_state(installation, name)
    stream = stream_state(state, segment, value)
    number, store = stream.record.number, installation.store
    frozen = dict(store.readings(number, frozen=True, since=since, until=until))
    at = store.frozen_at(number)
    known = dict(store.readings(number, since=since, until=until))
    return {
        "model": name,
        "segment": segment or None,
        "value": value or None,
        "label_free": label_free(installation, stream),
        "cohorts": [
            {
                "cohort": iso(cohort),
                "end": iso(state.calendar.after(cohort)),
                "now": known.get(cohort),
                "frozen": frozen.get(cohort),
                "frozen_at": _time(at.get(cohort)),
            }
            for cohort in sorted({*frozen, *known})
        ],
    }


def label_free(installation: Installation, stream: StreamState) -> dict[str, Any]:
    """Whether the AUC that scores imply is worth showing: only if it was nearer to the truth."""
    if stream.rule.learning:
        return {"shown": False, "error": None, "error_unchanged": None}
    judged = {cohort for block in stream.rule.blocks for cohort in block.cohorts}
    frozen = installation.store.readings(stream.record.number, frozen=True)
    found = label_free_errors(
        [Reading.of(content) for cohort, content in frozen if cohort in judged],
        stream.rule.state()["reference_mean"],
    )
    error, unchanged = (None, None) if found is None else found
    return {
        "shown": found is not None and found[0] < found[1],
        "error": error,
        "error_unchanged": unchanged,
    }


def comparison(installation: Installation, name: str) -> dict[str, Any]:
    """A challenger against its champion, after each cohort."""
    state = model_state(installation, name)
    champion = installation.models.get(state.settings.challenger_of or "")
    if champion is None:
        raise UnknownError(
            found="There is no champion of {name}",
            fix='Name it in the settings of the model: challenger_of = "credit".',
            name=repr(name),
        )
    found = installation.store.comparisons(state.record.number, champion.record.number)
    latest = found[-1][1] if found else None
    return {
        "challenger": name,
        "champion": champion.record.name,
        "sentence": _verdict(name, champion.record.name, latest),
        "cohorts": [{"cohort": iso(cohort), **content} for cohort, content in found],
    }


def _verdict(name: str, champion: str, latest: dict[str, Any] | None) -> str:
    if latest is None or latest["difference"] is None:
        return f"{name} and {champion} have not been compared yet: no mature cohort has both."
    decided, margin = latest["decided"], latest["margin"]
    if latest["low"] is None:
        return f"The difference between {name} and {champion} is not constant: it has changed."
    ends = f"{-latest['high']:+.3f} to {-latest['low']:+.3f}"
    shown = f"AUC {name} minus {champion} {-latest['difference']:+.3f} ({ends}, at any time)"
    if decided == "equivalent":
        return f"{name} and {champion} differ by less than {margin:g}: {shown}."
    if decided is not None:
        better = name if decided == "challenger" else champion
        return f"{better} is better: {shown}."
    return f"Undecided: {shown}, after {latest['n_events']:,} events with both scores."


def alerts(installation: Installation, *, firing: bool = False) -> list[dict[str, Any]]:
    """Alerts, the newest first."""
    return [_alert(installation, one) for one in installation.store.alerts(firing=firing)]


def one_alert(installation: Installation, number: int) -> dict[str, Any]:
    """One alert with its deliveries and what people did about it."""
    found = installation.store.alerts(number=number)
    if not found:
        raise UnknownError(found="There is no alert {number}", number=number)
    return {
        **_alert(installation, found[0]),
        "deliveries": [
            delivery(one) for one in installation.store.deliveries(alert=number, limit=1000)
        ],
        "acts": [act(one) for one in installation.alerts.acts if one.alert == number],
    }


def _alert(installation: Installation, one: Alert) -> dict[str, Any]:
    """An alert with its stream, and whether it is delivered to nobody now."""
    state = model_state(installation, one.content["model"])
    streams = {each.record.number: each.record for each in list(state.streams.values())}
    return {
        **alert(one),
        "muted": installation.alerts.muted(state.record.name, one.stream),
        "segment": streams[one.stream].segment or None,
        "segment_value": streams[one.stream].value or None,
        "period": state.record.period,
        "time_zone": state.record.time_zone,
    }


def alert(one: Alert) -> dict[str, Any]:
    """An alert for JSON, as it is recorded."""
    return {
        "number": one.number,
        "rule": one.rule,
        "state": one.state,
        "since": iso(one.since),
        "fired": iso(one.fired),
        "ended": _time(one.ended),
        **one.content,
    }


def act(one: Act) -> dict[str, Any]:
    """An act for JSON."""
    return {
        "at": iso(one.at),
        "author": one.author,
        "kind": one.kind,
        "model": one.model,
        "until": _time(one.until),
        "reason": one.reason,
    }


def delivery(one: Delivery) -> dict[str, Any]:
    """A delivery for JSON, without what was said."""
    return {
        "channel": one.channel,
        "kind": one.kind,
        "state": one.state,
        "attempts": one.attempts,
        "created": iso(one.created),
        "error": one.error,
    }


def model_state(installation: Installation, name: str) -> ModelState:
    """A model by its name."""
    state = installation.models.get(name)
    if state is None:
        raise UnknownError(
            found="There is no model {name}",
            fix="GET /v1/models lists all.",
            name=repr(name[:200]),
        )
    return state


def stream_state(state: ModelState, segment: str, value: str) -> StreamState:
    """A stream of a model; the whole model without a segment."""
    stream = state.streams.get((segment, value))
    if stream is None:
        raise UnknownError(
            found="{model} has no segment {segment} with the value {value}",
            fix="GET /v1/models/{model} lists its streams.",
            model=state.record.name,
            segment=segment,
            value=value,
        )
    return stream


def _time(value: int | None) -> str | None:
    return None if value is None else iso(value)
