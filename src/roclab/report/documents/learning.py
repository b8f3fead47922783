"""Documents of learning: a model that was trained."""

from __future__ import annotations

from roclab.formatting import listed, one_line, sentence
from roclab.learning.training import Training
from roclab.report.document import Column, Document, Note, Table, document
from roclab.report.documents.rows import dropped_notes
from roclab.report.formats import count, plain


@document.register
def _(result: Training) -> Document:
    record = {
        "model": result.model,
        "n_rows": result.n_rows,
        "n_pos": result.n_pos,
        "n_features": len(result.features),
        **result.details,
        "auc": result.auc.value,
        "low": result.auc.low,
        "high": result.auc.high,
    }
    table = Table(
        name="training",
        records=(record,),
        columns=(
            Column("model", ("model",), one_line, kind="text"),
            Column("rows", ("n_rows",), count),
            Column("positive", ("n_pos",), count),
            Column("features", ("n_features",), count),
            *(Column(one, (one,), plain) for one in result.details),
        ),
    )
    categories = sentence(f"Categories: {listed(map(one_line, result.categories))}")
    notes = [
        *_left_out(result),
        Note(f"Training AUC (optimistic): {result.auc!r}"),
        *([Note(categories)] if result.categories else ()),
        *dropped_notes(result.missing),
        Note(f"Model written to {one_line(result.file)}"),
    ]
    return Document(data=result.to_dict(), parts=(table, *notes))


def _left_out(result: Training) -> list[Note]:
    """Columns that the model does not see, and why: a warning, since nobody named them."""
    reasons = {
        "not numeric": result.missing.columns_skipped,
        "likely identifiers": result.missing.identifiers,
    }
    shown = [f"{listed(map(one_line, names))} ({why})" for why, names in reasons.items() if names]
    left_out = sum(map(len, reasons.values()))
    if not left_out:
        return []
    text = f"{left_out} of {left_out + len(result.features)} columns left out of the model: "
    text += f"{'; '.join(shown)}. Name all features with --feature to choose others."
    return [Note(text, severity="warning")]
