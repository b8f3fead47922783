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
