"""All commands together."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer
import typer.core

from roclab.cli import change as change_command
from roclab.cli import compare as compare_command
from roclab.cli import evaluate as evaluate_command
from roclab.cli import monitor as monitor_command
from roclab.cli import plot as plot_command
from roclab.cli import power as power_command
from roclab.cli import repair as repair_command
from roclab.cli import report as report_command
from roclab.cli import score as score_command
from roclab.cli import select as select_command
from roclab.cli import threshold as threshold_command
from roclab.cli import train as train_command
from roclab.cli import watch as watch_command
from roclab.cli.messages import register_commands
from roclab.cli.output import quietly, write, write_version


class Commands(typer.core.TyperGroup):
    """Commands whose names are one word or two, as `repair` and `repair apply`."""

    def resolve_command(self, ctx: typer.Context, args: list[str]) -> Any:  # type: ignore[override]
        """Read two words as a name if there is such a command, otherwise one."""
        two = " ".join(args[:2])
        return super().resolve_command(ctx, [two, *args[2:]] if two in self.commands else args)


_EXAMPLE = "Example: roclab evaluate scores.csv --label outcome"
# What commands do is said by their docstrings.
_UNDESCRIBED = "Python runs with -OO, which removes the descriptions of commands."

app = typer.Typer(
    cls=Commands,
    help="ROC analysis for people who ship classifiers: exact, with error bars.",
    epilog=_EXAMPLE if __doc__ else f"{_UNDESCRIBED} {_EXAMPLE}",
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet",
        "-q",
        help="Print no notes and no progress on standard error. Notes below a table stay.",
    ),
]


monitor = typer.Typer(
    help="Watch models in production: a service, and its store.",
    epilog=monitor_command.EXAMPLE,
    rich_markup_mode=None,
)
app.add_typer(monitor, name="monitor")


def _print_version(asked: bool) -> None:
    if asked:
        write_version()
        raise typer.Exit


@app.callback(invoke_without_command=True)
def roclab(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001, read by the callback
        bool,
        typer.Option(
            "--version", help="Print the version and exit.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """ROC analysis for people who ship classifiers: exact, with error bars."""
    if context.invoked_subcommand is None:
        write(f"{context.get_help()}\n")


@monitor.callback(invoke_without_command=True)
def _monitor(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        write(f"{context.get_help()}\n")


def _add(
    function: Callable[..., None],
    epilog: str | None = None,
    name: str | None = None,
    *,
    to: typer.Typer = app,
) -> None:
    """Add a command, with the option that all of them have."""
    signature = inspect.signature(function, eval_str=True)

    @wraps(function)
    def command(*arguments: Any, quiet: bool, **options: Any) -> None:
        with quietly(quiet):
            function(*arguments, **options)

    option = inspect.Parameter(
        "quiet", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Quiet
    )
    parameters = [*signature.parameters.values(), option]
    command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    to.command(name, epilog=epilog)(command)


_add(evaluate_command.evaluate, evaluate_command.EXAMPLE)
_add(compare_command.compare, compare_command.EXAMPLE)
_add(change_command.change, change_command.EXAMPLE)
_add(select_command.select, select_command.EXAMPLE)
_add(threshold_command.threshold, threshold_command.EXAMPLE)
_add(plot_command.plot, plot_command.EXAMPLE)
_add(report_command.report, report_command.EXAMPLE)
_add(repair_command.repair, repair_command.EXAMPLE)
_add(repair_command.apply, repair_command.APPLY_EXAMPLE, "repair apply")
_add(power_command.power, power_command.EXAMPLE)
_add(evaluate_command.measures)
_add(watch_command.watch, watch_command.EXAMPLE)
_add(train_command.train, train_command.EXAMPLE)
_add(score_command.score, score_command.EXAMPLE)
_add(monitor_command.serve, monitor_command.SERVE_EXAMPLE, to=monitor)
_add(monitor_command.import_, monitor_command.IMPORT_EXAMPLE, "import", to=monitor)
_add(monitor_command.check, monitor_command.CHECK_EXAMPLE, to=monitor)
_add(monitor_command.status, monitor_command.STATUS_EXAMPLE, to=monitor)
_add(monitor_command.export, monitor_command.EXPORT_EXAMPLE, to=monitor)
_add(monitor_command.backup, monitor_command.BACKUP_EXAMPLE, to=monitor)
_add(monitor_command.token, monitor_command.TOKEN_EXAMPLE, to=monitor)
_add(monitor_command.forget, monitor_command.FORGET_EXAMPLE, to=monitor)
register_commands(app)
