"""Documents of streams: alarms."""

from __future__ import annotations

from roclab.report.document import Document, Note, document, fields_of
from roclab.streaming import Alarm


@document.register
def _(result: Alarm) -> Document:
    note = Note(alarm_sentence(result), severity="warning")
    return Document(
        data=result.to_dict() | {"outcome": note.text}, parts=(note, *fields_of(result))
    )


def alarm_sentence(alarm: Alarm) -> str:
    """What has changed, since when, and how sure it is."""
    verb = "dropped" if alarm.direction == "drop" else "risen"
    sure = f"statistic {alarm.statistic:.3g}, threshold {alarm.threshold:.3g}"
    if alarm.alpha is not None:
        sure = f"evidence {alarm.statistic:.3g} to 1, threshold {alarm.threshold:.3g}"
        sure += f"; probability of a false alarm, ever: at most {alarm.alpha:.3g}"
    if alarm.average_run_length is not None:
        sure += f"; one false alarm per {alarm.average_run_length:,.0f} events on average"
    return (
        f"AUC has {verb} from {alarm.reference_auc:.3f} to {alarm.auc:.3f} since event "
        f"{alarm.since_event:,} (difference {alarm.difference:+.3f} [{alarm.low:.3f}, "
        f"{alarm.high:.3f}]), detected at event {alarm.event:,}: {sure}."
    )
