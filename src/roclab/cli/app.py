"""All commands together."""

from __future__ import annotations

from typing import Annotated, Any

import typer
import typer.core

from roclab import __version__
from roclab.cli import change as change_command
from roclab.cli import compare as compare_command
from roclab.cli import evaluate as evaluate_command
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
from roclab.cli.output import write


class Commands(typer.core.TyperGroup):
    """Commands whose names are one word or two, as `repair` and `repair apply`."""

    def resolve_command(self, ctx: typer.Context, args: list[str]) -> Any:  # type: ignore[override]
        """Read two words as a name if there is such a command, otherwise one."""
        two = " ".join(args[:2])
        return super().resolve_command(ctx, [two, *args[2:]] if two in self.commands else args)


app = typer.Typer(
    cls=Commands,
    help="ROC analysis for people who ship classifiers: exact, with error bars.",
    epilog="Example: roclab evaluate scores.csv --label outcome",
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(asked: bool) -> None:
    if asked:
        write(f"roclab {__version__}\n")
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


app.command(epilog=evaluate_command.EXAMPLE)(evaluate_command.evaluate)
app.command(epilog=compare_command.EXAMPLE)(compare_command.compare)
app.command(epilog=change_command.EXAMPLE)(change_command.change)
app.command(epilog=select_command.EXAMPLE)(select_command.select)
app.command(epilog=threshold_command.EXAMPLE)(threshold_command.threshold)
app.command(epilog=plot_command.EXAMPLE)(plot_command.plot)
app.command(epilog=report_command.EXAMPLE)(report_command.report)
app.command(epilog=repair_command.EXAMPLE)(repair_command.repair)
app.command("repair apply", epilog=repair_command.APPLY_EXAMPLE)(repair_command.apply)
app.command(epilog=power_command.EXAMPLE)(power_command.power)
app.command()(evaluate_command.measures)
app.command(epilog=watch_command.EXAMPLE)(watch_command.watch)
app.command(epilog=train_command.EXAMPLE)(train_command.train)
app.command(epilog=score_command.EXAMPLE)(score_command.score)
register_commands(app)
