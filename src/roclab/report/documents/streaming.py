"""Documents of streams: alarms and confidence sequences."""

from __future__ import annotations

from roclab.report.document import Document, Note, document, fields_of, with_fields
from roclab.streaming import Alarm, BlockMeanInterval, SequentialDifference

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
