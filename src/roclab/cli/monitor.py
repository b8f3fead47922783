"""``roclab monitor``: a service that watches models in production, and its store."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from roclab.cli.output import note, write
from roclab.cli.progress import reading
from roclab.cli.table import Positive, optional
from roclab.errors import InputError, needs_extra

if TYPE_CHECKING:
    from roclab.monitor.installation import Installation
    from roclab.monitor.settings import Settings

SERVE_EXAMPLE = "Example: roclab monitor serve --data monitor --config monitor.toml"
IMPORT_EXAMPLE = (
    "Example: roclab monitor import scores.parquet --model credit --label default --score p "
    "--time decided_at --segment region"
)
CHECK_EXAMPLE = "Example: roclab monitor check monitor.toml"
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
Format = Annotated[
    Literal["table", "json"], typer.Option("--format", help="Output format: a table or JSON.")
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
        optional("--port", "NUMBER", "Port to listen at. Default: 8711.", min=0, max=65535),
    ] = None,
    demo: Annotated[
        bool,
        typer.Option("--demo", help="Show a living fleet of models, in a directory of its own."),
    ] = False,
) -> None:
    """Watch models in production: take predictions and labels, answer, and alert."""
    _require()
    from dataclasses import replace

    from roclab.monitor.server import run

    settings = _settings(config, data)
    server = settings.server
    server = replace(
        server,
        host=server.host if host is None else host,
        port=server.port if port is None else port,
    )
    run(replace(settings, server=server), demo=demo, say=note)


def import_(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Table of predictions and labels.")],
    model: Model,
    label: Annotated[
        str, typer.Option("--label", metavar="COLUMN", help="Column with the true labels.")
    ],
    score: Annotated[
        str, typer.Option("--score", metavar="COLUMN", help="Column with the scores.")
    ],
    time: Annotated[
        str, typer.Option("--time", metavar="COLUMN", help="Column with the times of predictions.")
    ],
    id: Annotated[
        str | None, optional("--id", "COLUMN", "Column with ids. Default: made from the rows.")
    ] = None,
    segment: Annotated[
        list[str] | None,
        typer.Option("--segment", metavar="COLUMN", help="Column with a segment; may be repeated."),
    ] = None,
    label_time: Annotated[
        str | None,
        optional("--label-time", "COLUMN", "Column with the times at which labels became known."),
    ] = None,
    positive: Positive = None,
    data: Data = None,
    config: Config = None,
    format: Format = "table",
) -> None:
    """Replay history: readings, and what the monitor would have told you, and when."""
    _require()
    from roclab.monitor import history
    from roclab.monitor.schema import Checker

    settings = _settings(config, data)
    with _opened(settings) as installation:
        with reading() as progress:
            predictions, labels, left_out = history.read_history(
                file,
                label=label,
                score=score,
                time=time,
                id=id,
                segments=segment or (),
                label_time=label_time,
                positive=positive,
                now=installation.now(),
                checker=Checker(settings.limits),
            )
            found = history.replay(
                installation, model, predictions, labels, left_out=left_out, progress=progress
            )
        _show_import(installation, model, found, format)


def check(
    config: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="Settings in TOML.", show_default=False)
    ] = None,
    data: Data = None,
    format: Format = "table",
) -> None:
    """Say what is wrong with settings and store, and what the monitor could notice."""
    _require()
    from roclab.monitor import answers

    settings = _settings(config, data)
    found: dict[str, Any] = {"settings": "ok", "store": None, "damage": [], "models": []}
    if (settings.data / "monitor.sqlite").exists():
        with _opened(settings, shared=True) as installation:
            found["store"] = str(settings.data)
            found["damage"] = installation.store.check()
            for state in installation.models.values():
                found["models"].append(
                    {
                        "model": state.record.name,
                        "streams": len(state.streams),
                        "learning": sum(one.rule.learning for one in state.streams.values()),
                        "notice": answers.notice(installation, state, state.whole),
                    }
                )
    if format == "json":
        write(json.dumps(found) + "\n")
    else:
        write("\n".join(_check_lines(settings, found)) + "\n")
    if found["damage"]:
        raise typer.Exit(1)


def status(data: Data = None, config: Config = None, format: Format = "table") -> None:
    """Print the state of all models, trouble first."""
    _require()
    from roclab.monitor import answers

    with _opened(_settings(config, data), shared=True) as installation:
        models = answers.overview(installation)
    if format == "json":
        write(json.dumps(models) + "\n")
        return
    if not models:
        note("there are no models yet")
    for one in models:
        now = one["now"]
        auc = "no AUC now" if now["auc"] is None else f"AUC now {now['auc']:.3f}"
        if now["low"] is not None:
            auc += f" [{now['low']:.3f}, {now['high']:.3f}]"
        write(f"{_SHAPES[one['status']]} {one['model']}: {one['status']}, {auc}\n")
        write(f"  {one['sentence']}\n")


def export(
    model: Model,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Parquet file to write.")
    ],
    data: Data = None,
    config: Config = None,
) -> None:
    """Write the rows of a model to a Parquet file."""
    _require()
    from roclab.monitor import answers, history

    with _opened(_settings(config, data), shared=True) as installation:
        answers.model_state(installation, model)
        count = history.export(installation, model, output)
    note(f"{count:,} rows of {model} are in {output}")


def backup(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Database file to write.")
    ],
    data: Data = None,
    config: Config = None,
) -> None:
    """Copy the store while it is in use."""
    _require()
    with _opened(_settings(config, data), shared=True) as installation:
        installation.store.backup(output)
    note(f"the copy is in {output}; to restore it, put it into a directory as monitor.sqlite")


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
    """Create, list or revoke tokens, also while the service runs."""
    _require()
    from roclab.monitor import tokens
    from roclab.monitor.calendar import iso

    with _opened(_settings(config, data), shared=True) as installation:
        if action == "list":
            for _, one in installation.store.tokens():
                state = "valid" if one.revoked is None else f"revoked {iso(one.revoked)}"
                write(f"{one.name}: {one.scope}, created {iso(one.created)}, {state}\n")
            return
        if name is None:
            raise InputError(found="The token has no name", fix="Name it.")
        with installation.store.transaction():
            if action == "revoke":
                tokens.revoke(installation, name)
                note(f"the token {name} is revoked")
                return
            secret = tokens.create(installation, name, scope)
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
    from roclab.monitor import answers
    from roclab.monitor.schema import Checker

    settings = _settings(config, data)
    what = model if id is None else f"the id {id} of {model}"
    if not yes and not typer.confirm(f"Remove {what} for ever?", err=True):
        raise typer.Exit(1)
    with _opened(settings) as installation:
        answers.model_state(installation, model)
        with installation.store.transaction():
            if id is None:
                installation.forget_model(model)
            elif not installation.forget_id(model, Checker(settings.limits).identifier(id)):
                raise InputError(found="{model} has no id {id}", model=model, id=repr(id))
        installation.committed()
    note(f"{what} is removed; backups that were made before still have it")


_SHAPES = {"firing": "▲", "pending": "◐", "ok": "○", "no data": "\N{EN DASH}", "learning": "◌"}


def _require() -> None:
    with needs_extra("monitor", "The monitor", "msgspec", "fastapi", "uvicorn"):
        import fastapi
        import msgspec
        import uvicorn

        del fastapi, msgspec, uvicorn


def _settings(config: Path | None, data: Path | None) -> Settings:
    from dataclasses import replace

    from roclab.monitor.settings import Settings

    path = Path("monitor.toml") if config is None else config
    found = Settings.read(path) if config is not None or path.exists() else Settings()
    return found if data is None else replace(found, data=data)


class _opened:
    """The installation of a directory, opened and closed."""

    def __init__(self, settings: Settings, *, shared: bool = False) -> None:
        self._settings, self._shared = settings, shared

    def __enter__(self) -> Installation:
        from roclab.monitor.installation import Installation
        from roclab.monitor.store.sqlite import SQLiteStore

        self._store = SQLiteStore(self._settings.data, shared=self._shared)
        return Installation(self._settings, self._store)

    def __exit__(self, *_: object) -> None:
        self._store.close()


def _show_import(installation: Installation, model: str, found: Any, format: str) -> None:
    from roclab.monitor import answers

    if found.left_out is not None:
        note(found.left_out)
    if found.rejected:
        note(f"{found.rejected:,} rows are refused, the first since {found.reason}")
    if format == "json":
        content = {
            "rows": found.rows,
            "labels": found.labels,
            "duplicates": found.duplicates,
            "rejected": found.rejected,
            "alerts": [answers.alert(one) for one in found.alerts],
        }
        write(json.dumps(content) + "\n")
        return
    state = installation.models[model]
    frozen = sum(
        count.frozen is not None for count in installation.store.cohorts(state.record.number)
    )
    write(
        f"{model}: {found.rows:,} predictions and {found.labels:,} labels, {frozen:,} mature "
        f"{state.record.period}s\n"
    )
    if found.duplicates:
        write(f"{found.duplicates:,} rows were known already\n")
    if state.whole.rule.learning:
        why = answers.summary(installation, state, state.whole)["sentence"]
        write(f"Nothing could have been noticed. {why}\n")
    elif not found.alerts:
        write("The monitor would have told you nothing: no change was found.\n")
    else:
        write("What the monitor would have told you, and when:\n")
    for one in found.alerts:
        ended = "" if one.ended is None else f" (until {_day(one.ended)}: {one.content['ended']})"
        write(f"  {_day(one.fired)}  {one.content['sentence']}{ended}\n")
    for one in answers.notice(installation, state, state.whole):
        write(f"{_notice(one, state.record.period)}\n")


def _check_lines(settings: Settings, found: dict[str, Any]) -> list[str]:
    lines = ["The settings are fine."]
    for channel in settings.alerts.channel:
        secret = [name for name in ("url_env", "secret_env") if getattr(channel, name, None)]
        missing = [
            getattr(channel, name) for name in secret if getattr(channel, name) not in os.environ
        ]
        if missing:
            lines.append(f"The channel {channel.name} needs {missing[0]} in the environment.")
    if found["store"] is None:
        lines.append(f"There is no store in {settings.data} yet.")
        return lines
    damage = found["damage"]
    lines.append("The store is whole." if not damage else f"The store is damaged: {damage[0]}")
    for one in found["models"]:
        learning = f", {one['learning']} of them learning" if one["learning"] else ""
        lines.append(f"{one['model']}: {one['streams']} streams{learning}")
        lines += [f"  {_notice(each, 'cohort')}" for each in one["notice"]]
    return lines


def _notice(one: dict[str, Any], period: str) -> str:
    if one["cohorts"] is None:
        return f"A drop of {one['drop']:.2f} could not be noticed within a year."
    return (
        f"A drop of {one['drop']:.2f} would be noticed within {one['cohorts']} "
        f"{period}{'s' * (one['cohorts'] != 1)} in half of the cases."
    )


def _day(time: int) -> str:
    return f"{datetime.fromtimestamp(time / 1e6, UTC):%Y-%m-%d}"
