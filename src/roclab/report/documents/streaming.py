"""Documents of streams: alarms, the history of a window, and confidence sequences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from roclab.errors import InputError
from roclab.report.document import Document, Note, document, fields_of, with_fields
from roclab.report.figure import Axes, Band, Figure, Line, Rule, Series
from roclab.report.formats import percent
from roclab.report.together import sequence_figure
from roclab.streaming import Alarm, BlockMeanInterval, SequentialDifference
from roclab.streaming.watcher import StreamStep

_METHODS = {
    "hedged_capital": "Hedged-capital confidence sequence (Waudby-Smith and Ramdas 2024)",
    "empirical_bernstein": "Empirical-Bernstein confidence sequence (Howard, Ramdas, McAuliffe and "
    "Sekhon 2021)",
}


@document.register
def _(result: Alarm) -> Document:
    note = Note(alarm_sentence(result), severity="warning")
    return Document(
        data=result.to_dict() | {"outcome": note.text}, parts=(note, *fields_of(result))
    )


def alarm_sentence(alarm: Alarm) -> str:
    """What was tested, what was found, and what is promised under which condition."""
    verb, beyond = ("dropped", "below") if alarm.direction == "drop" else ("risen", "above")
    blocks = "block" if alarm.n_blocks == 1 else "blocks"
    return (
        f"The mean AUC of blocks has {verb} from {alarm.reference_block_mean:.3f} to "
        f"{alarm.block_mean:.3f}, {beyond} the bound {alarm.bound:.3f}, in {alarm.n_blocks:,} "
        f"{blocks} since event {alarm.since_event:,}; detected at event {alarm.event:,} (statistic "
        f"{alarm.statistic:.3g}, threshold {alarm.threshold:.3g}). Average number of events to a "
        f"false alarm: at least {alarm.average_run_length:,.0f}, if {alarm.condition}. Pooled AUC, "
        f"not tested: {alarm.reference_pooled_auc:.3f} in the reference, {alarm.pooled_auc:.3f} "
        "now."
    )


@document.register
def _(result: BlockMeanInterval) -> Document:
    return _sequence(result, "mean AUC of blocks")


@document.register
def _(result: SequentialDifference) -> Document:
    return _sequence(result, "difference of the mean AUCs of blocks")


def _sequence(result: BlockMeanInterval | SequentialDifference, subject: str) -> Document:
    """The interval, its method, its subject, and whether the subject has changed."""
    if result.method == "hedged_capital":
        about = f"The interval is of a constant {subject}, given the past"
    else:
        about = f"The interval is of the {subject} expected so far, which may drift"
    method = Note(f"{_METHODS[result.method]}. {about}. It is not about the AUC over all pairs.")
    notes = [Note(repr(result)), method]
    if result.changed_event is not None:
        text = (
            f"No constant {subject} is compatible with all blocks until event "
            f"{result.changed_event:,}: it has changed, so that there is no interval. Start again, "
            "or use method='empirical_bernstein'."
        )
        notes.append(Note(text, severity="warning"))
    return with_fields(result, *notes)


@sequence_figure.register
def _(_: StreamStep | Alarm, results: Sequence[Any], __: Mapping[str, Any] | None = None) -> Figure:
    """The AUC of a window over time; beneath it the statistic of a detector, if there is one."""
    steps = [one for one in results if isinstance(one, StreamStep)]
    alarms = [one for one in results if isinstance(one, Alarm)]
    if len(steps) + len(alarms) < len(results) or not steps:
        raise InputError(
            found="The list has {count} steps of a stream among {total} results",
            needed="a history has steps, and alarms",
            fix="Pass what StreamWatcher.update returned, in one list.",
            count=len(steps),
            total=len(results),
        )
    events = _column(steps, "event")
    level = percent(steps[-1].confidence_level)
    marks = [
        Rule(x=float(alarm.event), label="" if place else "alarm", role="changed")
        for place, alarm in enumerate(alarms)
    ]
    reference = alarms[0].reference_pooled_auc if alarms else None
    series: tuple[Series, ...] = (
        *([] if reference is None else [Rule(y=reference, label=f"reference, {reference:.3f}")]),
        Band(
            x=events,
            low=_column(steps, "low"),
            high=_column(steps, "high"),
            label=f"{level} interval",
        ),
        *marks[::-1],
        Line(x=events, y=_column(steps, "auc"), label="AUC of the window"),
    )
    return Figure(series=series, axes=Axes(x="event", y="AUC"), below=_evidence(steps, alarms))


def _evidence(steps: Sequence[StreamStep], alarms: Sequence[Alarm]) -> Figure | None:
    tested = [one for one in steps if one.statistic is not None]
    if not tested:
        return None
    # At an alarm the statistic begins again, so that no step shows its highest value.
    places = [(one.event, one.statistic or 0.0) for one in tested]
    peaks = [(one.event - 0.5, one.statistic) for one in alarms]
    x, y = np.array(sorted(places + peaks), dtype=np.float64).T
    threshold = tested[-1].threshold or 1.0
    log = threshold > 1  # an e-value; a CUSUM is in units of its threshold
    return Figure(
        series=(
            Rule(y=threshold, label="threshold of an alarm", role="changed"),
            Line(x=x, y=np.maximum(y, 0.1) if log else y, label=""),
        ),
        axes=Axes(
            x="event", y="evidence" if log else "statistic", y_scale="log" if log else "linear"
        ),
    )


def _column(steps: Sequence[StreamStep], name: str) -> Any:
    return np.array([getattr(one, name) for one in steps], dtype=np.float64)
