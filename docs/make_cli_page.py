"""Write reference/command_line.md from what ``roclab --help`` prints.

Run it with ``python docs/make_cli_page.py`` after a change of the command line; a test fails while
the page is behind.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

PAGE = Path(__file__).with_name("reference") / "command_line.md"
COMMANDS = (
    "roclab",
    "roclab evaluate",
    "roclab compare",
    "roclab change",
    "roclab select",
    "roclab threshold",
    "roclab plot",
    "roclab report",
    "roclab power",
    "roclab repair",
    "roclab repair apply",
    "roclab measures",
    "roclab watch",
    "roclab train",
    "roclab score",
    "roclab monitor",
    "roclab monitor serve",
    "roclab monitor import",
    "roclab monitor check",
    "roclab monitor status",
    "roclab monitor export",
    "roclab monitor backup",
    "roclab monitor token",
    "roclab monitor forget",
)

TOP = """\
<!-- Written by docs/make_cli_page.py (typer {typer}). Change the command, not this page. -->

# Command line

`roclab` comes with the extra `cli`: `make demo` in a clone brings it, as does
`pip install 'roclab[cli]'`. `python -m roclab` is the same command. [Evaluate a
file](../how_to/evaluate_a_file.md), [watch a stream](../how_to/watch_a_stream.md) and [run the
monitor](../how_to/run_the_monitor.md) show it at work. `roclab monitor` needs the extra `monitor`
as well.
"""

BOTTOM = """
## Where things are written

Results go to standard output. Standard error gets one line for an error (`roclab: ...`), one for
each thing you should know (`note: ...`), and on a terminal a progress bar if reading takes longer
than a second. Formats for reading, `table` and `markdown`, carry their notes in the output itself.
`roclab watch` writes a step as soon as there is one, and ends with its input or with an interrupt.

| exit code | meaning |
|--:|---|
| 0 | done |
| 1 | `monitor check`: something is wrong; `monitor forget`: you said no |
| 2 | an error you can correct: a wrong option, column, file or value |
| 3 | `watch --exit-code`: an alarm |
| 130 | interrupted (`watch` ends with 0); for `monitor serve` the usual end, after all is written |
| 141 | the reader of the output has closed it, as `head` does |
"""


def page() -> str:
    """The page as it should be."""
    parts = [f"## `{command}`\n\n```text\n{_help(command)}\n```\n" for command in COMMANDS]
    return "\n".join([TOP.format(typer=version("typer")), *parts]) + BOTTOM


def _help(command: str) -> str:
    run = subprocess.run(
        [sys.executable, "-m", *command.split(), "--help"],
        env=os.environ | {"COLUMNS": "80", "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return "\n".join(line.rstrip() for line in run.stdout.strip().splitlines())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
