"""``roclab compare``: differences between the models of a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from roclab.checks.choices import Correction, PairMethod
from roclab.cli.engine import EngineOption, Memory, chosen_engine, refuse_in_parts
from roclab.cli.output import show
from roclab.cli.progress import reading, resampling
from roclab.cli.table import (
    By,
    Cluster,
    Confidence,
    Decimal,
    File,
    Format,
    InputFormatOption,
    Label,
    Positive,
    Resamples,
    Score,
    Seed,
    Separator,
    Weight,
    read_table,
)
from roclab.errors import InputError

EXAMPLE = "Example: roclab compare scores.csv --label outcome --score old --score new"


def compare(
    label: Label,
    file: File = None,
    score: Score = None,
    positive: Positive = None,
    weight: Weight = None,
    by: By = None,
    cluster: Cluster = None,
    measure: Annotated[
        str,
        typer.Option(
            "--measure",
            metavar="MEASURE",
            help="Measure to compare, with options in brackets, as in "
            '"partial_auc(fpr_range=(0, 0.1))"; see: roclab measures.',
        ),
    ] = "auc",
    correction: Annotated[
        Correction,
        typer.Option(
            "--correction",
            help="Correction of p-values for the number of pairs: Holm, Benjamini-Hochberg (fdr) "
            "or none.",
        ),
    ] = "holm",
    method: Annotated[
        PairMethod,
        typer.Option(
            "--method",
            help="Test of each pair: auto, which holds its level in small samples, or delong "
            "(AUC and scored AUC).",
        ),
    ] = "auto",
    engine: EngineOption = "auto",
    memory: Memory = None,
    confidence: Confidence = 0.95,
    resamples: Resamples = 2000,
    seed: Seed = None,
    format: Format = "table",
    input_format: InputFormatOption = None,
    separator: Separator = None,
    decimal: Decimal = None,
) -> None:
    """Compare all models in a file: differences with tests."""
    # Imported here so that --help is fast.
    from roclab.inference import compare as compare_models
    from roclab.measures import find_measure

    compared, _ = find_measure(measure)  # refuse a wrong one before a long read
    engine = chosen_engine(file, engine, memory)
    if engine != "memory":
        further = measure if compared.name != "auc" else None
        refuse_in_parts(
            engine, {"weight": weight, "by": by, "cluster": cluster, "measure": further}
        )
        from roclab.scale import compare as compare_in_parts
        from roclab.scale.sources import read_on

        with reading() as rows_read:
            in_parts = compare_in_parts(
                read_on(engine, str(file), input_format),
                y_true=label,
                y_score=score or None,
                pos_label=positive,
                correction=correction,
                method=method,
                confidence_level=confidence,
                memory_limit=memory,
                format=input_format,
                separator=separator,
                decimal=decimal,
                progress=rows_read,
            )
        _check_several([one.model for one in in_parts.models])
        show(in_parts, format)
        return
    table = read_table(
        "compare",
        file,
        label=label,
        score=score,
        positive=positive,
        weight=weight,
        by=[column for column in (by, cluster) if column is not None],
        input_format=input_format,
        separator=separator,
        decimal=decimal,
    )
    _check_several(table.names)
    with resampling() as progress:
        comparison = compare_models(
            table,
            measure=measure,
            by=by,
            correction=correction,
            method=method,
            confidence_level=confidence,
            n_resamples=resamples,
            rng=seed,
            cluster=cluster,
            progress=progress,
        )
    show(comparison, format)


def _check_several(names: Sequence[str]) -> None:
    if len(names) < 2:
        raise InputError(
            found="There is one model, `{name}`",
            needed="a comparison needs two",
            fix="Name their columns with {y_score}, or see: roclab evaluate.",
            name=names[0],
        )
