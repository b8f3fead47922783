"""Where a table is evaluated: in memory, out of core, or on a cluster."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Annotated

import typer

from roclab.checks.choices import Engine
from roclab.cli.output import note
from roclab.cli.table import optional
from roclab.errors import InputError, Parameter

EngineOption = Annotated[
    Engine,
    typer.Option(
        "--engine",
        help="Where to compute: in memory, in parts with polars, or on a cluster. auto: in "
        "memory if the file fits, else in parts. Clusters read Parquet files.",
    ),
]
Memory = Annotated[
    str | None,
    optional("--memory", "SIZE", "Memory to use, such as 2GB. Default: half of the machine's."),
]

# Bytes of memory for a byte of a file: columns are decompressed, and text becomes numbers.
_GROWTH = {".parquet": 6, ".xlsx": 15, ".arrow": 2, ".ipc": 2, ".feather": 2, ".gz": 15, ".zst": 15}
_GROWTH_OF_TEXT = 3


def chosen_engine(
    file: str | IO[bytes] | None, engine: Engine, memory: str | None, *, in_parts: bool = False
) -> Engine:
    """The engine for a file; with "auto", memory for a single file that fits into it.

    With `in_parts`, the command does something that memory is not needed for.
    """
    from roclab.readers.remote import is_remote
    from roclab.scale.memory import memory_bytes

    limit = memory_bytes(memory)
    if in_parts and engine in ("auto", "memory"):
        engine = "polars"
    if engine != "auto":
        if engine != "memory" and (not isinstance(file, str) or file == "-"):
            raise InputError(
                found="Tables are read from files in parts ({engine=}{value}), and this one comes "
                "from standard input",
                fix="Name a file, or leave out the options for large tables.",
                value=engine,
            )
        return engine
    if not isinstance(file, str) or file == "-":
        return "memory"
    if is_remote(file):
        note(f"{file} is read in parts (--engine polars), as every remote file.")
        return "polars"
    needed = sum(_memory_of(path) for path in _paths(file))
    if needed > limit:
        note(
            f"{file} may need {needed / 1e9:.1f} GB in memory, more than {limit / 1e9:.1f} GB: "
            "it is read in parts (--engine polars)."
        )
        return "polars"
    return "memory"


def _paths(file: str) -> Iterator[Path]:
    """The files that are read; none for a pipe or what does not exist."""
    from roclab.readers.opening import with_home

    path = Path(with_home(file))
    if os.path.isfile(path):  # which raises nothing for names that are too long
        yield path
    elif os.path.isdir(path):
        yield from path.rglob("*.parquet")
    else:
        yield from filter(Path.is_file, map(Path, glob.iglob(str(path), recursive=True)))


def _memory_of(path: Path) -> int:
    return path.stat().st_size * _GROWTH.get(path.suffix.lower(), _GROWTH_OF_TEXT)


def refuse_in_parts(engine: Engine, options: Mapping[str, object]) -> None:
    """Refuse options that need all rows together."""
    for name, value in options.items():
        if value:
            raise InputError(
                found="{name} needs all rows in memory, and {engine=}{value} reads them in parts",
                fix="Leave it out, or pass {engine=}memory if the table fits.",
                name=Parameter(name),
                value=engine,
            )
