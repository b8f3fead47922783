"""How the command behaves among other programs: pipes, disks, signals, screens, packages."""

import csv
import io
import os
import signal
import subprocess
import sys

import polars as pl
import pytest
from commands import process, rows_of

import roclab as rl
from roclab.cli import main


def test_hostile_names_arrive_in_every_format(run, tmp_path):
    names = ["[red]x[/red]", "a|b", "c,d", 'e"f', "g\nh", "\x1b[31mi", "ünï 模型", "=1+1"]
    path = tmp_path / "scores.csv"
    pl.DataFrame({"y": [0, 1, 0, 1], **{n: [1, 2, 3, 4] for n in names}}).write_csv(path)
    rows = rows_of(run(path, "--label", "y", "--format", "json"))
    assert [row["model"] for row in rows] == names
    out = run(path, "--label", "y", "--format", "csv")
    assert [row["model"] for row in csv.DictReader(io.StringIO(out, newline=""))] == names
    out = run(path, "--label", "y")
    shown = [line.split("  ")[0] for line in out.splitlines()[2:10]]
    assert shown == ["[red]x[/red]", "a|b", "c,d", 'e"f', r"g\nh", r"\x1b[31mi", "ünï 模型", "=1+1"]
    assert len(run(path, "--label", "y", "--format", "markdown").splitlines()) == 12


@pytest.mark.parametrize("format", ["table", "json", "csv", "markdown", "latex"])
def test_a_reader_that_leaves_is_no_error(scores, format):
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "roclab", "evaluate", scores, "--label", "outcome"]
    done = subprocess.run([*command, "--format", format], stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_told_in_one_line(scores):
    command = [sys.executable, "-m", "roclab", "evaluate", scores, "--label", "outcome"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr.startswith(b"roclab: Standard output cannot be written")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("evaluate", "SCORES", "--label", "outcome"),
        ("evaluate", "SCORES", "--label", "outcome", "--format", "json"),
        ("watch", os.devnull),
        ("watch", os.devnull, "--format", "jsonl"),
        ("--version",),
        ("--help",),
        ("evaluate", "--help"),
    ],
)
def test_a_closed_standard_output_is_an_error(scores, arguments):
    """It was none: results got lost, and scripts went on."""
    command = [
        sys.executable,
        "-m",
        "roclab",
        *(str(scores) if one == "SCORES" else one for one in arguments),
    ]
    done = subprocess.run(
        ["sh", "-c", '"$@" >&-', "sh", *command], stderr=subprocess.PIPE, timeout=120
    )
    assert done.returncode == 2
    assert done.stderr.decode().splitlines()[0].startswith("roclab: ")
    assert done.stderr.count(b"\n") == 1
    assert b"Bad file descriptor" in done.stderr


def test_a_closed_standard_output_is_none_if_nothing_is_printed(scores, tmp_path):
    picture = tmp_path / "roc.svg"
    command = [sys.executable, "-m", "roclab", "plot", str(scores), "--label", "outcome"]
    done = subprocess.run(
        ["sh", "-c", '"$@" >&-', "sh", *command, "-o", str(picture)], stderr=subprocess.PIPE
    )
    assert done.returncode == 0
    assert picture.read_text("utf-8").rstrip().endswith("</svg>")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", [("--help",), ("watch", "--help")])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_help_on_a_full_disk(arguments, unbuffered):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "roclab", *arguments],
            env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
            stdout=full,
            stderr=subprocess.PIPE,
        )
    assert (done.returncode, done.stderr) == (2, b"roclab: No space left on device.\n")


def test_without_docstrings_help_says_what_is_missing():
    done = subprocess.run(
        [sys.executable, "-OO", "-m", "roclab", "--help"], stdout=subprocess.PIPE, timeout=120
    )
    assert done.returncode == 0
    words = " ".join(done.stdout.decode().split())
    assert "Python runs with -OO, which removes the descriptions of commands." in words
    assert "Example: roclab evaluate" in words


def test_an_interrupt_is_told_in_one_line():
    command = [sys.executable, "-c", INTERRUPTED]
    done = subprocess.run(command, capture_output=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"roclab: interrupted\n")


# The command interrupts itself while it waits for its input, so that no time has to be guessed.
INTERRUPTED = f"""
import io, os, sys
import roclab.cli

class Slow(io.RawIOBase):
    def read(self, *_):
        os.kill(os.getpid(), {int(signal.SIGINT)})
        return b""

class Input:
    buffer = Slow()
    isatty = lambda self: False

sys.stdin = Input()
sys.exit(roclab.cli.main(["evaluate", "--label", "y"]))
"""


@pytest.mark.parametrize("package", ["typer", "rich", "polars", "narwhals"])
def test_a_missing_package_is_told_in_one_line(scores, package):
    hide = f"import sys; sys.modules[{package!r}] = None; from roclab.cli import main; "
    call = f"sys.exit(main(['evaluate', {scores!r}, '--label', 'outcome']))"
    done = subprocess.run([sys.executable, "-c", hide + call], capture_output=True)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.count(b"\n") == 1
    assert package.encode() in done.stderr
    assert done.stderr.endswith(b"pip install 'roclab[cli]'\n")


def test_the_version_is_told_without_the_packages_of_the_command():
    script = (
        "import sys; sys.modules.update(dict.fromkeys(['typer', 'click', 'rich', 'polars']))\n"
        "from roclab.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run([*command, "--version"], capture_output=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        f"roclab {rl.__version__}\n".encode(),
        b"",
    )
    done = subprocess.run([*command, "--help"], capture_output=True, timeout=120)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.endswith(b"pip install 'roclab[cli]'\n")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_screens_that_are_not_utf_8(tmp_path, encoding):
    path = tmp_path / "scores.csv"
    path.write_text("y,ü模\n1,2\n0,1\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = process("evaluate", path, "--label", "y", env=environment)
    assert done.returncode == 0, done.stderr
    assert "\\u6a21" in done.stdout.decode(encoding)
    done = process("evaluate", path, "--label", "y", "--format", "csv", env=environment)
    assert "ü模" in done.stdout.decode("utf-8")


def test_no_escape_codes_without_a_terminal(scores):
    done = process("evaluate", scores, "--label", "outcome")
    assert b"\x1b" not in done.stdout + done.stderr


def test_columns_too_few_for_the_numbers_cut_no_number(run, scores, frame, monkeypatch):
    monkeypatch.setenv("COLUMNS", "10")
    i = rl.auc_interval(frame["outcome"], frame["ridge"])
    out = run(scores, "--label", "outcome", "--score", "ridge")
    assert f"{i.value:.3f}  [{i.low:.3f}, {i.high:.3f}]  {i.n_pos}  {i.n_neg}" in out


@pytest.mark.parametrize(
    "command",
    [
        "evaluate FILE --label outcome --measure gini,ks_statistic,average_precision",
        "compare FILE --label outcome",
        "select FILE --label outcome --resamples 20 --seed 0",
        "threshold FILE --label outcome --score forest --resamples 20 --seed 0",
        "power --auc 0.8",
        "measures",
    ],
)
def test_tables_fit_80_columns(scores, capsysbinary, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "80")
    assert main(command.replace("FILE", scores).split()) == 0
    lines = capsysbinary.readouterr().out.decode().splitlines()
    assert [line for line in lines if len(line) > 80] == []
