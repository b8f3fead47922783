"""``roclab monitor``: a service that watches models in production, and its store."""

from __future__ import annotations

import json
import os
import time as clock
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from roclab.cli.monitor_lines import check_lines, import_lines, status_lines
from roclab.cli.output import note, write
from roclab.cli.progress import reading, replaying
from roclab.cli.table import (
    Decimal,
    File,
    InputFormatOption,
    Label,
    Positive,
    Separator,
    named_source,
    optional,
)
from roclab.data.output_file import check_output
from roclab.errors import InputError, needs_extra

if TYPE_CHECKING:
    from roclab.monitor.installation import Installation
    from roclab.monitor.settings import Settings


EXAMPLE = "Example: roclab monitor serve --demo"
SERVE_EXAMPLE = "Example: roclab monitor serve --data monitor --config monitor.toml"
IMPORT_EXAMPLE = (
    "Example: roclab monitor import scores.parquet --model credit --label default --score p "
    "--time decided_at --segment region,product"
)
CHECK_EXAMPLE = "Example: roclab monitor check monitor.toml"
STATUS_EXAMPLE = "Example: roclab monitor status --data monitor"
EXPORT_EXAMPLE = "Example: roclab monitor export --model credit -o rows.parquet"
BACKUP_EXAMPLE = "Example: roclab monitor backup -o monitor-backup.sqlite"
TOKEN_EXAMPLE = "Example: roclab monitor token create loader --scope write"
FORGET_EXAMPLE = "Example: roclab monitor forget --model credit --id 4711"

Data = Annotated[
    Path | None,
    optional("--data", "DIRECTORY", "Directory of the store. Default: roclab-monitor."),
]
Config = Annotated[
    Path | None, optional("--config", "FILE", "Settings in TOML. Default: monitor.toml, if any.")
]
Model = Annotated[str, typer.Option("--model", metavar="NAME", help="Name of the model.")]
Output = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="File to write.")]
Format = Annotated[
    Literal["table", "json"], typer.Option("--format", help="Output format; json has every digit.")
]


def serve(
    data: Data = None,
    config: Config = None,
    host: Annotated[
        str | None,
        optional(
            "--host", "ADDRESS", "Address to listen at. Default: 127.0.0.1. Others need tokens."
        ),
    ] = None,
    port: Annotated[
        int | None,
        optional("--port", "NUMBER", "Port to listen at; 0: any. Default: 8711.", min=0, max=65535),
    ] = None,
    demo: Annotated[
        bool,
        typer.Option("--demo", help="Show simulated models, in a directory that is removed after."),
    ] = False,
) -> None:
    """Take predictions and labels, answer, and alert, until Ctrl-C."""
    with needs_extra(
        "monitor", "The monitor", "msgspec", "fastapi", "uvicorn", "prometheus_client"
    ):
        from roclab.monitor.server import run
    if demo and data is not None:
        raise InputError(
            found="--demo has a directory of its own, and --data is {data}",
            fix="Leave one of them out.",
            data=data,
        )
    settings = _settings(config, data)
    server = settings.server
    server = replace(
        server,
        host=server.host if host is None else host,
        port=server.port if port is None else port,
    )
    run(
        replace(settings, server=server),
        demo=demo,
        say=note,
        say_once=partial(note, always=True),
    )


def import_(
    model: Model,
    label: Label,
    score: Annotated[
        str,
        typer.Option(
            "--score", metavar="COLUMN", help="Column with the scores, higher for positives."
        ),
    ],
    time: Annotated[
        str,
        typer.Option(
            "--time",
            metavar="COLUMN",
            help="Column with the times of predictions: dates, ISO 8601, or seconds since 1970.",
        ),
    ],
    file: File = None,
    id: Annotated[
        str | None,
        optional("--id", "COLUMN", "Column with ids. Default: made from times and scores."),
    ] = None,
    label_time: Annotated[
        str | None,
        optional(
            "--label-time",
            "COLUMN",
            "Column with the times at which labels became known. Default: with the predictions.",
        ),
    ] = None,
    segment: Annotated[
        list[str] | None,
        optional(
            "--segment",
            "COLUMN",
            "Columns whose values are watched apart, separated by commas; may be repeated.",
        ),
    ] = None,
    model_version: Annotated[
        str | None,
        optional("--model-version", "COLUMN", "Column with the version of the model."),
    ] = None,
    time_zone: Annotated[
        str, typer.Option("--time-zone", metavar="ZONE", help="Time zone of times without one.")
    ] = "UTC",
    positive: Positive = None,
    data: Data = None,
    config: Config = None,
    format: Format = "table",
    input_format: InputFormatOption = None,
    separator: Separator = None,
    decimal: Decimal = None,
) -> None:
    """Import a file: readings, and when the monitor would have alerted."""
    _require()
    from roclab.monitor.history import read_history
    from roclab.monitor.replay import replay
    from roclab.readers.opening import FileOptions

    settings = _settings(config, data)
    source = named_source(file, example="roclab monitor import ... < scores.csv")
    _check_zone(time_zone)
    _check_name(model, settings)
    with reading() as progress:
        read = read_history(
            source,
            label=label,
            score=score,
            time=time,
            id=id,
            segments=segment or (),
            version=model_version,
            label_time=label_time,
            positive=positive,
            time_zone=time_zone,
            now=clock.time_ns() // 1000,
            limits=settings.limits,
            options=FileOptions(format=input_format, separator=separator, decimal=decimal),
            progress=progress,
        )
    if not len(read):
        raise InputError(
            found="All {count} rows are refused, {reason}",
            count=f"{read.rejected:,}",
            reason=read.reason,
        )
    if read.left_out is not None:
        note(read.left_out)
    with _opened(settings, when_used="stop it, import, and start it again") as installation:
        try:
            with replaying() as progress:
                found = replay(installation, model, read, progress=progress)
        except KeyboardInterrupt:
            note("what was imported so far stays; the same command goes on from there")
            raise
        if found.rejected:
            note(f"{found.rejected:,} rows are refused, {found.reason}")
        if found.behind:
            note(
                f"{found.behind:,} predictions are older than what had been judged; they are read, "
                "but not replayed: import older files first"
            )
        if format == "json":
            write(json.dumps(_imported(model, found)) + "\n")
        else:
            named = {"--data": data, "--config": config}
            options = "".join(f" {name} {quote(str(path))}" for name, path in named.items() if path)
            stored = f"Stored in {settings.data}; roclab monitor serve{options} shows it."
            write(import_lines(installation, model, found, made_ids=id is None, stored=stored))


def check(
    config: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            help="Settings in TOML. Default: monitor.toml, if any.",
            show_default=False,
        ),
    ] = None,
    data: Data = None,
    format: Format = "table",
) -> None:
    """Say what is wrong, and what the monitor could notice.

    Exit with 1 if something is wrong.
    """
    _require()
    from roclab.monitor.delivery import make_channel

    settings = _settings(config, data)
    problems = []
    for channel in settings.alerts.channel:
        try:
            make_channel(channel, environment=dict(os.environ))
        except InputError as error:
            problems.append(str(error))
    found: dict[str, Any] = {"store": None, "problems": problems, "models": []}
    if _exists(settings):
        from roclab.cli.monitor_outlook import outlook
        from roclab.monitor.store.database import damage_of

        found["store"] = str(settings.data)
        damage = damage_of(settings.data)
        problems += [f"The store is damaged: {one}" for one in damage]
        if not damage:
            with _opened(settings, shared=True) as installation:
                found["models"] = [
                    outlook(installation, state) for state in installation.models.values()
                ]
    write(json.dumps(found) + "\n" if format == "json" else check_lines(settings, found))
    if problems:
        raise typer.Exit(1)


def status(data: Data = None, config: Config = None, format: Format = "table") -> None:
    """Print the state of all models, trouble first."""
    _require()
    from roclab.monitor import answers

    with _opened(_settings(config, data), shared=True) as installation:
        models = answers.overview(installation)
    if format == "json":
        write(json.dumps({"models": models}) + "\n")
        return
    if not models:
        note("there are no models yet")
    write(status_lines(models))


def export(model: Model, output: Output, data: Data = None, config: Config = None) -> None:
    """Write the rows of a model to a Parquet file."""
    _require()
    from roclab.monitor import export as exports

    settings = _settings(config, data)
    with _opened(settings, shared=True) as installation:
        _check_model(installation, model)
        check_output(str(output), installation.store.path)
        count = exports.export(installation, model, output)
    note(f"{count:,} rows of {model} are in {output}")


def backup(output: Output, data: Data = None, config: Config = None) -> None:
    """Copy the store to one file, while it is in use."""
    _require()
    from roclab.monitor.store.database import FILE

    settings = _settings(config, data)
    with _opened(settings, shared=True) as installation:
        check_output(str(output), installation.store.path)
        installation.store.backup(output)
    note(f"the copy is in {output}; to restore it, put it into an empty directory as {FILE}")


def token(
    action: Annotated[
        Literal["create", "list", "revoke"], typer.Argument(help="What to do.", show_default=False)
    ],
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Name of the token.", show_default=False)
    ] = None,
    scope: Annotated[
        Literal["read", "write", "admin"],
        typer.Option("--scope", help="What it allows: to ask, to send rows, or everything."),
    ] = "write",
    data: Data = None,
    config: Config = None,
) -> None:
    """Create, list or revoke tokens, while the service runs or not."""
    _require()
    from roclab.monitor import tokens
    from roclab.streaming.calendar import iso

    if name is None and action != "list":
        raise InputError(
            found="The token has no name",
            fix="Name it: roclab monitor token {action} NAME.",
            action=action,
        )
    with _opened(_settings(config, data), shared=True) as installation:
        if action == "list":
            for _, one in installation.store.tokens():
                state = "valid" if one.revoked is None else f"revoked {iso(one.revoked)}"
                write(f"{one.name}: {one.scope}, created {iso(one.created)}, {state}\n")
            return
        with installation.store.transaction():
            if action == "revoke":
                tokens.revoke(installation, str(name))
                note(f"the token {name} is revoked")
                return
            secret = tokens.create(installation, str(name), scope)
    note("the secret is shown this once")
    write(f"{secret}\n")


def forget(
    model: Model,
    id: Annotated[str | None, optional("--id", "ID", "One id. Default: the whole model.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Remove a model, or one id of it, from the store."""
    _require()
    from roclab.monitor.schema import Checker, Refused

    settings = _settings(config, data)
    what = f"the model {model}" if id is None else f"the id {id} of {model}"
    path = f"/v1/models/{model}" + ("" if id is None else f"/ids/{id}")
    if not _exists(settings):
        raise _no_store(settings)
    with _opened(settings, when_used=f"ask it instead: DELETE {path}") as installation:
        _check_model(installation, model)
        if not yes and not _confirmed(f"Remove {what} for ever?"):
            raise typer.Exit(1)
        with installation.store.transaction():
            if id is None:
                installation.forget_model(model)
            else:
                try:
                    known = installation.forget_id(model, Checker(settings.limits).identifier(id))
                except Refused:
                    known = False
                if not known:
                    raise InputError(found="{model} has no id {id}", model=model, id=repr(id))
        installation.committed()
        installation.remove_traces()
    note(f"{what} is removed; backups that were made before still have it")


def _require() -> None:
    with needs_extra("monitor", "The monitor", "msgspec"):
        import msgspec

        del msgspec


def _settings(config: Path | None, data: Path | None) -> Settings:
    from roclab.monitor.settings import Settings

    path = Path("monitor.toml") if config is None else config
    found = Settings.read(path) if config is not None or path.exists() else Settings()
    return found if data is None else replace(found, data=data)


def _exists(settings: Settings) -> bool:
    from roclab.monitor.store.database import FILE

    if settings.data.exists() and not settings.data.is_dir():
        raise InputError(
            found="{path} is no directory",
            needed="--data names the directory of the store",
            fix="Name another one.",
            path=settings.data,
        )
    return (settings.data / FILE).exists()


def _no_store(settings: Settings) -> InputError:
    return InputError(
        found="There is no store in {path}",
        fix="Name its directory by --data; roclab monitor serve and import make one.",
        path=settings.data,
    )


@contextmanager
def _opened(
    settings: Settings, *, shared: bool = False, when_used: str = ""
) -> Iterator[Installation]:
    """The installation of a directory; `when_used` says what to do if a service has it open."""
    from roclab.monitor.installation import Installation
    from roclab.monitor.store.database import StoreError
    from roclab.monitor.store.sqlite import SQLiteStore

    if shared and not _exists(settings):
        raise _no_store(settings)
    try:
        store = SQLiteStore(settings.data, shared=shared)
    except StoreError as error:
        if not error.found.startswith("Another process"):
            raise
        raise InputError(
            found="A service or another command uses {path}",
            needed="one process at a time may write it",
            fix="If it is the service, {what}.",
            path=settings.data,
            what=when_used,
        ) from None
    try:
        yield Installation(settings, store)
    finally:
        store.close()


def _check_model(installation: Installation, name: str) -> None:
    from difflib import get_close_matches

    if name not in installation.models:
        near = get_close_matches(name, installation.models, n=1)
        raise InputError(
            found="There is no model {name}",
            fix="Did you mean {near}?" if near else "roclab monitor status lists all.",
            name=repr(name),
            near=near[0] if near else "",
        )


def _confirmed(question: str) -> bool:
    try:
        return typer.confirm(question, err=True)
    except typer.Abort:
        raise InputError(
            found="The question was not answered, and nothing is removed",
            fix="Pass --yes to remove without a question.",
        ) from None


def _check_name(model: str, settings: Settings) -> None:
    from roclab.monitor.schema import Checker, Refused

    try:
        Checker(settings.limits).model(model)
    except Refused as error:
        raise InputError(found="--model cannot be used: {reason}", reason=error) from None


def _check_zone(name: str) -> None:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InputError(
            found="--time-zone is {name}",
            needed='a time zone such as "UTC" or "Europe/Berlin" is needed',
            name=repr(name),
        ) from None


def _imported(model: str, found: Any) -> dict[str, Any]:
    from roclab.monitor import answers

    return {
        "model": model,
        "rows": found.rows,
        "labels": found.labels,
        "duplicates": found.duplicates,
        "rejected": found.rejected,
        "behind": found.behind,
        "alerts": [answers.alert(one) for one in found.alerts],
    }
