"""``roclab measures``: the list of measures."""

from __future__ import annotations

from typing import Annotated

import typer

from roclab.cli.output import OutputFormat, show


def measures(
    format: Annotated[
        OutputFormat, typer.Option("--format", help="Output format.")
    ] = OutputFormat.table,
) -> None:
    """List the measures with options, range, meaning and reference."""
    # Imported here so that --help is fast.
    from roclab.measures import list_measures

    show(list_measures(), format)
