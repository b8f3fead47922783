"""``roclab repair``: concavities of a model's ROC curve, checked on other rows and repaired."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from roclab.checks.choices import KeepRule, RepairMethod, Sections, TableFormat
from roclab.cli.output import note, show, write
from roclab.cli.progress import reading
from roclab.cli.table import (
    Decimal,
    File,
    Format,
    InputFormatOption,
    Label,
    OneScore,
    Positive,
    Separator,
    Weight,
    named_source,
    note_missing,
    optional,
    read_table,
)
from roclab.data.output_file import check_output, write_output
from roclab.errors import InputError, SerializationError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from roclab.data.table import ScoreTable
    from roclab.readers.rewriting import Rows
    from roclab.repair import ScoreRepair

    Mask = npt.NDArray[np.bool_]

EXAMPLE = (
    "Example: roclab repair scores.csv --label outcome --check-on fold=validation -o repaired.csv"
)
APPLY_EXAMPLE = "Example: roclab repair apply repaired.json new.csv -o new_repaired.csv"

_SUFFIX = "_repaired"


Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write all rows here, with the repaired scores in one more column: CSV, TSV, Parquet "
        "or JSON lines, as the name says (the text formats also with .gz or .zst).",
        show_default=False,
    ),
]


def repair(
    label: Label,
    check_on: Annotated[
        list[str],
        typer.Option(
            "--check-on",
            metavar="COLUMN=VALUE",
            help="The rows that decide what is repaired; neither the model nor the search for "
            "concavities may have seen them. May be repeated: every time a fold.",
        ),
    ],
    file: File = None,
    score: OneScore = None,
    fit_on: Annotated[
        str | None,
        optional(
            "--fit-on",
            "COLUMN=VALUE",
            "The rows in which concavities are found. Default: all that are not checked.",
        ),
    ] = None,
    positive: Positive = None,
    weight: Weight = None,
    method: Annotated[
        RepairMethod,
        typer.Option("--method", help="Mirror a section of scores, or flatten it."),
    ] = "mirror",
    sections: Annotated[
        Sections, typer.Option("--sections", help="Which concavities are considered.")
    ] = "largest",
    keep: Annotated[
        KeepRule,
        typer.Option(
            "--keep",
            help="Repair what is significantly inverted in the rows checked, or what raises the "
            "AUC of every fold of them, or of most.",
        ),
    ] = "significant",
    alpha: Annotated[
        float, typer.Option("--alpha", metavar="LEVEL", help="Significance level.")
    ] = 0.05,
    output: Output = None,
    map_file: Annotated[
        str | None,
        optional(
            "--map",
            "FILE",
            "Write the repair here as JSON, for roclab repair apply. Default: beside the "
            "output, with the suffix .json.",
        ),
    ] = None,
    format: Format = "table",
    input_format: InputFormatOption = None,
    separator: Separator = None,
    decimal: Decimal = None,
) -> None:
    """Repair concavities of a ROC curve that other rows confirm."""
    # Imported here so that --help is fast.
    from roclab.readers.rewriting import check_rows_output, write_rows
    from roclab.repair import checked_repair

    folds = [_column_and_value(text, "--check-on") for text in check_on]
    fitted = None if fit_on is None else _column_and_value(fit_on, "--fit-on")
    by = list(dict.fromkeys(name for name, _ in [*folds, *filter(None, [fitted])]))
    source = named_source(file, example="roclab repair --label COLUMN < scores.csv")
    target = map_file
    if output is not None:
        check_rows_output(output, source)
        target = _beside(output) if map_file is None else map_file
    if target is not None:
        check_output(target, source, *filter(None, [output]))
    rows = None
    if output is None:
        table = read_table(
            "repair",
            file,
            label=label,
            score=None if score is None else [score],
            positive=positive,
            weight=weight,
            by=by,
            input_format=input_format,
            separator=separator,
            decimal=decimal,
        )
    else:
        rows = _read_rows(source, (label, score, weight, *by), input_format, separator, decimal)
        table = rows.score_table(
            y_true=label, y_score=score, pos_label=positive, sample_weight=weight, by=by
        )
    note_missing(table)
    name = _only_score(table)
    found, checked = _parts(table, fitted, folds)
    result = checked_repair(
        table.take(found)[name],
        [table.take(fold)[name] for fold in checked],
        sections=sections,
        method=method,
        keep=keep,
        alpha=alpha,
    )
    if rows is not None and output is not None:
        write_rows(rows.with_changed(name, result.repair.apply, suffix=_SUFFIX), output)
    if target is not None:
        _write_map(target, result.repair, name)
    show(result, format)
    if output is not None:
        note(f"Repaired scores are in the column {name}{_SUFFIX} of {output}.")
    if target is not None:
        note(f"The repair is in {target}.")


def apply(
    map_file: Annotated[
        str, typer.Argument(metavar="MAP", help="The JSON file that roclab repair wrote.")
    ],
    file: File = None,
    score: Annotated[
        str | None,
        optional(
            "--score",
            "COLUMN",
            "Column with the scores. Default: the one that was repaired.",
        ),
    ] = None,
    output: Output = None,
    input_format: InputFormatOption = None,
    separator: Separator = None,
    decimal: Decimal = None,
) -> None:
    """Repair the scores of new rows. Without --output: CSV on standard output."""
    from roclab.readers.rewriting import check_rows_output, csv_bytes, write_rows

    source = named_source(file, example="roclab repair apply MAP < scores.csv")
    if output is not None:
        check_rows_output(output, map_file, source)
    repair, name = _read_map(map_file)
    name = score or name
    rows = _read_rows(source, (name,), input_format, separator, decimal)
    repaired = rows.with_changed(name, repair.apply, suffix=_SUFFIX)
    if output is None:
        write(csv_bytes(repaired))
    else:
        write_rows(repaired, output)


def _column_and_value(text: str, option: str) -> tuple[str, str]:
    name, *value = text.split("=", maxsplit=1)
    if not (name and value):
        raise InputError(
            found=f"{option} {{text}} names no rows",
            fix="Write COLUMN=VALUE, as in fold=train.",
            text=text,
        )
    return name, value[0]


def _parts(
    table: ScoreTable, fitted: tuple[str, str] | None, folds: list[tuple[str, str]]
) -> tuple[Mask, list[Mask]]:
    """The rows in which concavities are found, and those of each fold that checks them."""
    import numpy as np

    taken = np.zeros(len(table), dtype=np.bool_)
    parts = []
    for part in (*folds, *((fitted,) if fitted else ())):
        rows = _rows(table, *part)
        if (taken & rows).any():
            raise InputError(
                found="Some rows are both in --fit-on and in --check-on",
                needed="concavities must be checked on other rows than they were found in",
                fix="Name other rows.",
            )
        taken |= rows
        parts.append(rows)
    found = parts.pop() if fitted else ~taken
    if not found.any():
        raise InputError(
            found="All rows are used to check",
            needed="other rows are needed to find concavities",
            fix="Name fewer rows with --check-on.",
        )
    return found, parts


def _rows(table: ScoreTable, name: str, value: str) -> Mask:
    import numpy as np

    members = table.members(name)
    values = [str(one) for one in table.groups[name][members.firsts()].tolist()]
    if value not in values:
        from roclab.formatting import listed

        raise InputError(
            found="No row has {column}={value}",
            fix="Values of `{column}`: {seen}.",
            column=name,
            value=value,
            seen=listed(dict.fromkeys(values)),
        )
    return np.array([one == value for one in values])[members.numbers]


def _only_score(table: ScoreTable) -> str:
    if len(table.names) > 1:
        raise InputError(
            found="There are several columns of scores: {columns}",
            fix="Name one with {y_score}.",
            columns=", ".join(table.names),
        )
    return table.names[0]


def _read_rows(
    source: str | IO[bytes],
    named: Iterable[str | None],
    input_format: TableFormat | None,
    separator: str | None,
    decimal: str | None,
) -> Rows:
    from roclab.readers.rewriting import read_rows

    with reading(quiet=not isinstance(source, str) and sys.stdin.isatty()) as progress:
        return read_rows(
            source,
            named=[*filter(None, named)],
            format=input_format,
            separator=separator,
            decimal=decimal,
            progress=progress,
        )


def _beside(output: str) -> str:
    """Where the map goes by default: `repaired.json` for `repaired.csv.gz`."""
    from roclab.readers.files import COMPRESSIONS

    path = Path(output)
    path = path.with_suffix("") if path.suffix.lower() in COMPRESSIONS else path
    return str(path.with_suffix(".json"))


def _write_map(path: str, repair: ScoreRepair, name: str) -> None:
    data = {**json.loads(repair.to_json()), "score": name}
    text = json.dumps(data, indent=1) + "\n"
    write_output(path, lambda file: file.write(text.encode()))


def _read_map(path: str) -> tuple[ScoreRepair, str | None]:
    from roclab.repair import ScoreRepair

    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            found="`{path}` cannot be read: {reason}", path=path, reason=reason
        ) from None
    try:
        repair = ScoreRepair.from_json(text)
    except SerializationError as error:
        raise error.about(f"`{path}`") from None
    name = json.loads(text).get("score")
    return repair, name if isinstance(name, str) else None
