"""Documents of summaries of cohorts."""

from __future__ import annotations

from roclab.formatting import one_line
from roclab.report.document import Column, Document, Note, Table, document
from roclab.report.documents.rows import N_NEG, N_POS, dropped_notes
from roclab.report.formats import count
from roclab.scale.cohort_summary import CohortSummaries, PostedSummaries

_SHOWN = 20


def _stream(segment: str | None, value: str | None) -> str:
    return "all" if segment is None else f"{one_line(segment)} {one_line(value)}"


_STREAM = (
    Column("cohort", ("cohort",), one_line, "Beginning, in UTC.", kind="text"),
    Column("stream", ("segment", "value"), _stream, kind="name"),
)


@document.register
def _(result: CohortSummaries) -> Document:
    rows = Table(
        name="rows",
        records=tuple(row.to_dict() for row in result.rows),
        columns=(
            *_STREAM,
            Column("AUC", ("auc",), lambda auc: "-" if auc is None else f"{auc:.3f}"),
            N_POS,
            N_NEG,
            Column("predictions", ("n",), count, "With and without a label."),
        ),
        shown=_SHOWN if len(result.rows) > _SHOWN else None,
    )
    more = len(result.rows) - _SHOWN
    notes = [Note(f"{more:,} more rows.")] if more > 0 else []
    if result.n_unfinished:
        notes.append(
            Note(
                f"{result.n_unfinished:,} predictions of cohorts that end after "
                f"{result.until:%Y-%m-%d %H:%M} UTC left out as unfinished (until).",
                severity="warning",
            )
        )
    if result.n_unlabelled:
        text = f"{result.n_unlabelled:,} predictions of cohorts without any label left out."
        notes.append(Note(text, severity="warning"))
    return Document(
        data=result.to_dict(), parts=(rows, *notes, *dropped_notes(result.missing)), main="rows"
    )


@document.register
def _(result: PostedSummaries) -> Document:
    refused = Table(
        name="refused",
        records=tuple(one.to_dict() for one in result.refused),
        columns=(*_STREAM, Column("reason", ("reason",), one_line, kind="name")),
        fields=("cohort", "reason"),
        shown=_SHOWN if len(result.refused) > _SHOWN else None,
    )
    counts = (
        f"{result.accepted:,} accepted, {result.duplicate:,} duplicate, "
        f"{len(result.refused):,} refused."
    )
    return Document(
        data=result.to_dict(), parts=(Note(counts), *([refused] if result.refused else ()))
    )
