"""The command line: arguments in, exit code out; the only room that prints.

A module for each command (`evaluate`, `compare`, `plot` and so on), and for what they share: `app`
(the commands together), `table` (options that name a table, and reading it), `output` (standard
output and standard error), `screens` (where a stream is shown), `progress` (the bar on long work),
`messages` (errors that name options) and `usage` (words that no command knows).
typer, rich and polars are optional, so none of them is imported before `main` runs: without them it
says what to install.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence

from roclab.cli.messages import called, shell_message
from roclab.cli.output import (
    OutputClosed,
    complain,
    give_up_output,
    note,
    os_message,
    refused_if_closed,
    write_version,
)
from roclab.cli.usage import usage_error
from roclab.errors import RoclabError, RoclabWarning, needs_extra

_OPTIONAL = {"click", "narwhals", "polars", "rich", "typer"}
_USER_ERROR = 2
_INTERRUPTED = 130  # 128 + SIGINT, as shells count
_OUTPUT_CLOSED = 141  # 128 + SIGPIPE


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments : sequence of str, optional
        What follows the command's name; by default what the shell passed.

    Returns
    -------
    int
        The exit code: 0; 2 after an error of the user, reported in one line on standard error; 3
        after an alarm of ``watch --exit-code``; 130 after an interrupt; 141 if the reader of the
        output is gone.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with warnings.catch_warnings(), refused_if_closed():
            # Even where the environment turns warnings into errors, a note is no error.
            warnings.simplefilter("always", RoclabWarning)
            warnings.showwarning = _noted_once(given)
            code = _run(given)
    except RoclabError as error:
        complain(shell_message(error, called(given)))
        return _USER_ERROR
    except OutputClosed:
        return _OUTPUT_CLOSED
    except KeyboardInterrupt:
        code = _INTERRUPTED
    except OSError as error:
        give_up_output()  # help is printed by others, who leave it there
        complain(os_message(error))
        return _USER_ERROR
    except Exception as error:
        message = usage_error(error, called(given))
        if message is None:
            raise
        complain(message)
        return _USER_ERROR
    if code == _INTERRUPTED:
        complain("interrupted")
    return code


def _noted_once(given: Sequence[str]) -> Callable[..., None]:
    """Show each warning as a note, once: several models often have the same to say."""
    noted = set()

    def show(message: Warning | str, *_: object, **__: object) -> None:
        text = shell_message(message, called(given))
        if text not in noted:
            noted.add(text)
            note(text)

    return show


def _run(arguments: list[str]) -> int:
    if arguments == ["--version"]:  # also where the extra is missing, and before it is loaded
        write_version()
        return 0
    with needs_extra("cli", "The command roclab", *_OPTIONAL):
        from roclab.cli.app import app

        # typer returns the code of an early exit, which is 130 after an interrupt.
        return app(args=arguments, prog_name="roclab", standalone_mode=False) or 0
