"""Documents of the population stability index."""

from __future__ import annotations

from roclab.decisions.stability import PopulationStability
from roclab.report.document import Column, Document, Note, Table, document
from roclab.report.formats import number, p_equals, percent, percentage, plain


@document.register
def _(result: PopulationStability) -> Document:
    fields = ("low", "high", "reference_share", "current_share", "contribution")
    rows = zip(*(getattr(result, name).tolist() for name in fields), strict=True)
    table = Table(
        name="bins",
        records=tuple(dict(zip(fields, row, strict=True)) for row in rows),
        columns=(
            Column("from", ("low",), plain),
            Column("to below", ("high",), plain),
            Column("reference", ("reference_share",), percentage),
            Column("current", ("current_share",), percentage),
            Column("contribution", ("contribution",), number(4)),
        ),
        fields=fields,
    )
    index = number(4)
    if result.pvalue != result.pvalue:
        return Document(data=result.to_dict(), parts=(table, Note("The index is undefined.")))
    changed = result.value > result.critical_value
    verdict = "Significant change" if changed else "No significant change"
    level = percent(result.confidence_level)
    notes = (
        Note(f"Population stability index {index(result.value)}, {p_equals(result.pvalue)}."),
        Note(
            f"{verdict}: {level} of samples of {result.n_reference:,} and {result.n_current:,} "
            f"scores of one population have an index below {index(result.critical_value)}."
        ),
    )
    return Document(data=result.to_dict(), parts=(table, *notes))
