"""``roclab measures``: the list of measures."""

from __future__ import annotations

from roclab.cli.output import show
from roclab.cli.table import Format


def measures(
    format: Format = "table",
) -> None:
    """List the measures with options, range, meaning and reference."""
    # Imported here so that --help is fast.
    from roclab.measures import list_measures

    show(list_measures(), format)
