"""Documents of confidence intervals: the AUC of several classes."""

from __future__ import annotations

from roclab.formatting import one_line
from roclab.inference import MulticlassInterval
from roclab.report.document import Column, Document, Note, Table, document
from roclab.report.formats import count, interval, number, percent


@document.register
def _(result: MulticlassInterval) -> Document:
    pairs = result.average.startswith("hand_till")
    fields = ("classes", "value", "low", "high", "standard_error", "n_pos", "n_neg")
    table = Table(
        name="parts",
        records=tuple(
            one.to_dict() | {"classes": " and ".join(map(one_line, one.classes))}
            for one in result.parts
        ),
        columns=(
            Column("classes" if pairs else "class", ("classes",), str, kind="name"),
            Column("AUC", ("value",), number(3)),
            Column(f"{percent(result.confidence_level)} interval", ("low", "high"), interval(3)),
            Column("n first" if pairs else "n of class", ("n_pos",), count),
            Column("n second" if pairs else "n of others", ("n_neg",), count),
        ),
        fields=fields,
    )
    ends = interval(3)(result.low, result.high)
    text = f"Average ({result.average}): {number(3)(result.value)} {ends}, {result.n:,} examples."
    return Document(data=result.to_dict(), parts=(table, Note(text)))
