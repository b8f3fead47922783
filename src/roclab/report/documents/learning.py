"""Documents of learning: a model that was trained."""

from __future__ import annotations

from roclab.formatting import listed, one_line
from roclab.learning.training import Training
from roclab.report.document import Column, Document, Note, Table, count, document, name, plain
from roclab.report.documents.rows import missing_notes, skipped_notes

__all__: list[str] = []


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
            Column(title="model", keys=("model",), format=name, kind="text"),
            Column(title="rows", keys=("n_rows",), format=count),
            Column(title="positive", keys=("n_pos",), format=count),
            Column(title="features", keys=("n_features",), format=count),
            *(Column(title=one, keys=(one,), format=plain) for one in result.details),
        ),
    )
    categories = f"Categories: {listed(map(one_line, result.categories))}."
    notes = [
        Note(text=f"Training AUC (optimistic): {result.auc!r}"),
        *([Note(text=categories)] if result.categories else ()),
        *missing_notes(result.missing),
        *skipped_notes(result.missing),
        Note(text=f"Model written to {one_line(result.file)}"),
    ]
    return Document(data=result.to_dict(), parts=(table, *notes))
