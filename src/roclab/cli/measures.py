"""``roclab measures``: what can be measured, with meaning, range, options and reference."""

from __future__ import annotations

from typing import Annotated

import typer

from roclab.cli.output import OutputFormat, show

__all__ = ["measures"]


def measures(
    format: Annotated[
        OutputFormat, typer.Option("--format", help="How to print the list.")
    ] = OutputFormat.table,
) -> None:
    """List the measures with options, range, meaning and reference."""
    # Here and not above, so that the help comes at once.
    from roclab.measures import list_measures

    show(list_measures(), format)
