"""`roclab evaluate` as a user meets it: options, formats, pipes, exit codes, one-line errors.

Most tests call `main` in this process; those on pipes, signals and missing packages run a new one.
"""

import csv
import dataclasses
import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import roclab as rl
from roclab.cli import main

PRINTED = Path(__file__).parents[1] / "golden" / "printed"
NUMBERS = ("value", "low", "high", "standard_error")
# Words of the Python interface that mean nothing in a shell.
ARGUMENTS = re.compile(r"y_true|y_score|pos_label|sample_weight|format=|confidence_level|stream")


@pytest.fixture
def frame():
    rng = np.random.default_rng(7)
    y = (rng.random(120) < 0.4).astype(int)
    return pl.DataFrame(
        {
            "outcome": y,
            "region": rng.choice(["north", "south", "east"], size=120),
            "ridge": np.round(y + rng.normal(size=120), 2),
            "forest": np.round(rng.random(120) + y / 3, 1),
            "weight": rng.integers(0, 4, size=120),
        }
    )


@pytest.fixture
def scores(tmp_path, frame):
    path = tmp_path / "scores.csv"
    frame.write_csv(path)
    return str(path)


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch):
    for name in ("COLUMNS", "FORCE_COLOR", "NO_COLOR", "PYTHONIOENCODING", "PYTHONWARNINGS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def run(capsysbinary):
    """Run the command; gives its standard output, after checking code and standard error."""

    def run(*arguments, notes=0):
        code = main(["evaluate", *map(str, arguments)])
        out, err = (stream.decode() for stream in capsysbinary.readouterr())
        assert code == 0, err
        assert [line[:6] for line in err.splitlines()] == ["note: "] * notes, err
        return out

    return run


@pytest.fixture
def refusal(capsysbinary):
    """Run the command with something wrong; gives the one line that says what."""

    def refusal(*arguments):
        code = main(list(map(str, arguments)))
        out, err = (stream.decode() for stream in capsysbinary.readouterr())
        assert (code, out) == (2, "")
        assert err.count("\n") == 1
        assert err.startswith("roclab: ")
        assert not ARGUMENTS.search(err), err
        return err

    return refusal


def process(*arguments, **options):
    command = [sys.executable, "-m", "roclab", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, timeout=120, **options)


def rows_of(text):
    return json.loads(text)["rows"]


def numbers(row):
    return {field.name: row[field.name] for field in dataclasses.fields(rl.Interval)}


def expected(frame, model, **options):
    return rl.auc_interval(frame["outcome"], frame[model], **options).to_dict()


# What it says


def test_table_matches_the_golden_output(run, monkeypatch):
    monkeypatch.chdir(PRINTED)
    assert run("scores.csv", "--label", "sick") == Path("evaluate.txt").read_text("utf-8")


def test_table_by_groups_matches_the_golden_output(run, monkeypatch):
    monkeypatch.chdir(PRINTED)
    out = run("scores.csv", "--label", "sick", "--by", "clinic", notes=1)
    assert out == Path("evaluate_by.txt").read_text("utf-8")


def test_narrow_table_matches_the_golden_output(run, monkeypatch):
    monkeypatch.chdir(PRINTED)
    monkeypatch.setenv("COLUMNS", "44")
    out = run("scores.csv", "--label", "sick", "--score", "expert panel, second reading")
    assert out == Path("evaluate_narrow.txt").read_text("utf-8")


def test_markdown_matches_the_golden_output(run, monkeypatch):
    monkeypatch.chdir(PRINTED)
    out = run("scores.csv", "--label", "sick", "--format", "markdown")
    assert out == Path("evaluate.md").read_text("utf-8")


def test_json_has_every_digit(run, scores, frame):
    rows = rows_of(run(scores, "--label", "outcome", "--weight", "weight", "--format", "json"))
    assert [row["model"] for row in rows] == ["ridge", "forest"]
    for row in rows:
        weighted = expected(frame, row["model"], sample_weight=frame["weight"])
        assert numbers(row) == weighted


def test_csv_has_every_digit(run, scores, frame):
    out = run(scores, "--label", "outcome", "--score", "ridge", "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(out))
    interval = expected(frame, "ridge")
    assert {key: float(row[key]) for key in NUMBERS} == {key: interval[key] for key in NUMBERS}
    assert (int(row["n_pos"]), int(row["n_neg"])) == (interval["n_pos"], interval["n_neg"])


@pytest.mark.parametrize("format", ["table", "markdown"])
def test_readers_get_rounded_numbers(run, scores, frame, format):
    out = run(scores, "--label", "outcome", "--score", "ridge", "--format", format)
    i = rl.auc_interval(frame["outcome"], frame["ridge"])
    assert f"{i.value:.3f}" in out
    assert f"[{i.low:.3f}, {i.high:.3f}]" in out


def test_every_numeric_column_without_another_role_is_a_model(run, scores):
    rows = rows_of(run(scores, "--label", "outcome", "--format", "json"))
    assert [row["model"] for row in rows] == ["ridge", "forest", "weight"]


def test_score_may_be_repeated_and_keeps_its_order(run, scores):
    chosen = ["--score", "forest", "--score", "ridge"]
    rows = rows_of(run(scores, "--label", "outcome", *chosen, "--format", "json"))
    assert [row["model"] for row in rows] == ["forest", "ridge"]


def test_by(run, scores, frame):
    out = run(
        scores, "--label", "outcome", "--score", "ridge", "--by", "region", "--format", "json"
    )
    assert json.loads(out)["by"] == "region"
    regions = frame["region"].unique(maintain_order=True).to_list()
    assert [row["group"] for row in rows_of(out)] == regions
    for row in rows_of(out):
        part = frame.filter(pl.col("region") == row["group"])
        assert numbers(row) == expected(part, "ridge")


def test_confidence(run, scores, frame):
    options = ("--label", "outcome", "--score", "ridge", "--confidence", 0.8)
    (row,) = rows_of(run(scores, *options, "--format", "json"))
    assert numbers(row) == expected(frame, "ridge", confidence_level=0.8)
    assert "80 % interval" in run(scores, *options)


@pytest.mark.parametrize(
    ("labels", "positive"),
    [(["no", "yes"], "yes"), ([1, 2], "2"), ([-1, 1], "-1"), ([False, True], "true")],
)
def test_positive(run, tmp_path, frame, labels, positive):
    path = tmp_path / "scores.csv"
    named = [labels[y] for y in frame["outcome"]]
    frame.with_columns(pl.Series("outcome", named)).write_csv(path)
    options = ("--label", "outcome", "--score", "ridge", "--positive", positive)
    reversed_hint = int(positive == "-1")
    out = run(path, *options, "--format", "json", notes=reversed_hint)
    truth = frame["outcome"] if positive != "-1" else 1 - frame["outcome"]
    assert numbers(rows_of(out)[0]) == rl.auc_interval(truth, frame["ridge"]).to_dict()


# What it reads


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet", "jsonl", "csv.gz"])
def test_formats_by_name(run, tmp_path, frame, suffix):
    path = tmp_path / f"scores.{suffix}"
    write(frame, path, suffix)
    out = run(path, "--label", "outcome", "--score", "ridge", "--format", "json")
    assert numbers(rows_of(out)[0]) == expected(frame, "ridge")


@pytest.mark.parametrize("format", ["csv", "tsv", "parquet", "jsonl"])
def test_formats_by_option(run, tmp_path, frame, format):
    path = tmp_path / "scores.data"
    write(frame, path, format)
    out = run(
        path, "--input-format", format, "--label", "outcome", "--score", "ridge", "--format", "json"
    )
    assert numbers(rows_of(out)[0]) == expected(frame, "ridge")


def write(frame, path, format):
    if format == "parquet":
        frame.write_parquet(path)
    elif format == "jsonl":
        frame.write_ndjson(path)
    elif format == "csv.gz":
        import gzip

        path.write_bytes(gzip.compress(frame.write_csv().encode()))
    else:
        frame.write_csv(path, separator="\t" if format == "tsv" else ",")


@pytest.mark.parametrize("file", [["-"], []])
def test_standard_input(scores, frame, file):
    with open(scores, "rb") as stream:
        done = process("evaluate", *file, "--label", "outcome", "--format", "json", stdin=stream)
    assert (done.returncode, done.stderr) == (0, b"")
    assert numbers(rows_of(done.stdout)[0]) == expected(frame, "ridge")


def test_standard_input_in_another_format(frame):
    options = ("--label", "outcome", "--input-format", "jsonl", "--format", "json")
    done = process("evaluate", *options, input=frame.write_ndjson().encode())
    assert numbers(rows_of(done.stdout)[0]) == expected(frame, "ridge")


def test_missing_values_are_told_in_every_format(run, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("y,a\n1,0.9\n1,0.4\n0,0.4\n0,NA\n,0.3\n0,0.1\n")
    told = "2 of 6 rows left out; values missing: y 1, a 1."
    assert told in run(path, "--label", "y")
    assert told in run(path, "--label", "y", "--format", "markdown")
    run(path, "--label", "y", "--format", "csv", notes=1)
    data = json.loads(run(path, "--label", "y", "--format", "json", notes=1))
    assert data["missing"] == {
        "rows_read": 6,
        "rows_dropped": 2,
        "by_column": {"y": 1, "a": 1},
        "columns_skipped": [],
    }
    interval = rl.auc_interval([1, 1, 0, 0], [0.9, 0.4, 0.4, 0.1]).to_dict()
    assert numbers(data["rows"][0]) == interval


# What is undefined


@pytest.fixture
def one_class(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("y,g,a,b\n1,p,2,1\n0,p,1,3\n1,q,1,1\n1,q,2,1\n0,r,1,1\n")
    return path


def test_groups_of_one_class_get_one_note(one_class, capsys):
    assert main(["evaluate", str(one_class), "--label", "y", "--by", "g"]) == 0
    out, err = capsys.readouterr()
    assert err == (
        "note: An AUC needs both classes; 2 of 3 groups of `g` (q, r) have only one, so the AUC is "
        "nan there.\n"
    )
    assert [line.split()[2] for line in out.splitlines() if line[:1] in "qr" and line] == [
        "undefined"
    ] * 4


def test_undefined_numbers_are_null_in_json_and_empty_in_csv(run, one_class):
    rows = rows_of(run(one_class, "--label", "y", "--by", "g", "--format", "json", notes=1))
    assert [row["value"] for row in rows] == [1, 0, None, None, None, None]
    out = run(one_class, "--label", "y", "--by", "g", "--format", "csv", notes=1)
    assert [row["value"] for row in csv.DictReader(io.StringIO(out))] == ["1.0", "0.0"] + [""] * 4


def test_a_single_row(run, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("y,a\n1,0.5\n")
    assert "undefined" in run(path, "--label", "y", notes=1)


def test_warnings_made_errors_by_the_environment_stay_notes(one_class):
    environment = {**os.environ, "PYTHONWARNINGS": "error::UserWarning"}
    done = process("evaluate", one_class, "--label", "y", "--by", "g", env=environment)
    assert done.returncode == 0
    assert done.stderr.startswith(b"note: ")


# What is wrong


def test_a_wrong_column_suggests_the_nearest(refusal, scores):
    assert "Did you mean `outcome`?" in refusal("evaluate", scores, "--label", "outcom")
    base = ("evaluate", scores, "--label", "outcome")
    assert "Did you mean `ridge`?" in refusal(*base, "--score", "rigde")
    assert "Did you mean `weight`?" in refusal(*base, "--weight", "wieght")
    assert "Did you mean `region`?" in refusal(*base, "--by", "Region")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--score", "outcome"], "--label and --score"),
        (["--score", "ridge", "--score", "ridge"], "named twice, in --score"),
        (["--score", "region"], "--score needs numbers"),
        (["--weight", "region"], "--weight needs numbers"),
        (["--weight", "ridge"], "Weights must be finite and not negative"),
        (["--positive", "yes"], "--positive is `yes`"),
        (["--positive", "7"], "--positive 7 is not among the values of the label column"),
        (["--confidence", "95"], "For 95 % give 0.95"),
        (["--confidence", "nan"], "not between 0 and 1"),
        (["--confidence", "high"], "--confidence"),
        (["--format", "xml"], "'markdown'"),
        (["--input-format", "xlsx"], "'parquet'"),
        (["--input-format", "tsv"], "say --input-format csv"),
        (["--input-format", "jsonl"], "not a JSON object"),
        (["--input-format", "parquet"], "Parquet"),
        (["--lable", "y"], "--label"),
        (["another.csv"], "another.csv"),
        (["--by"], "--by"),
    ],
)
def test_wrong_options_are_told_in_one_line(refusal, scores, arguments, said):
    assert said in refusal("evaluate", scores, "--label", "outcome", *arguments)


def test_labels_that_need_a_positive_one_say_so(refusal, scores):
    message = refusal("evaluate", scores, "--label", "region")
    assert "The label column holds 3 values" in message
    assert re.search("--positive '(north|south|east)'", message)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["evaluate", "nowhere.csv", "--label", "y"], "No file `nowhere.csv`"),
        (["evaluate", ".", "--label", "y"], "directory"),
        (["evaluate", "line\nfeed.csv", "--label", "y"], r"line\nfeed.csv"),
        (["evaluate", "nowhere.csv"], "'--label'. See: roclab evaluate --help"),
        (["evalute"], "Did you mean 'evaluate'? See: roclab --help"),
        (["--versoin"], "--version"),
    ],
)
def test_wrong_words_are_told_in_one_line(refusal, arguments, said):
    assert said in refusal(*arguments)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"\n\n", "empty"),
        (b"y,a\n", "no rows"),
        (b"y\n1\n0\n", "one column"),
        (b"y;a\n1;2\n0;3\n", "separated by `;`"),
        (b"y,a\n1,2\n0,3,4\n", "line 3"),
        (b'y,a\n1,2\n0,"3\n', "quote"),
        (b"y,a\n1,\xff\n", "UTF-8"),
        (bytes(range(256)) * 20, ""),
        (b"\x00" * 100, ""),
        (b"PK\x03\x04" + bytes(100), "Excel"),
        (b"\x1f\x8b\x08\x00garbage", ""),
        (b"y,a\n1,x\n0,y\n", "No numeric column"),
        (b"y,a\n1,\n0,\n", "numeric"),
        (b"y,a,a\n1,2,3\n0,1,2\n", "2 columns are called `a`"),
    ],
)
def test_files_that_are_no_tables_are_told_in_one_line(refusal, tmp_path, content, said):
    path = tmp_path / "scores.csv"
    path.write_bytes(content)
    assert said in refusal("evaluate", path, "--label", "y")


def test_an_empty_pipe_is_told_in_one_line():
    done = process("evaluate", "--label", "y", input=b"")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"roclab: Standard input is empty")


def test_no_file_at_a_terminal_is_told_in_one_line(refusal, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(sys, "stdin", Terminal())
    assert "nothing is piped in" in refusal("evaluate", "--label", "y")
    monkeypatch.setattr(sys, "stdin", None)
    assert "nothing is piped in" in refusal("evaluate", "--label", "y")


# How it behaves among other programs


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


@pytest.mark.parametrize("format", ["table", "json", "csv", "markdown"])
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
    assert f"{i.value:.3f}   [{i.low:.3f}, {i.high:.3f}]   {i.n_pos}   {i.n_neg}" in out


# Help


def test_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"roclab {rl.__version__}\n"


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_help(capsys, arguments):
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert "Example: roclab evaluate scores.csv --label outcome" in out
    assert "completion" not in out


def test_help_of_evaluate_names_every_option(capsys):
    assert main(["evaluate", "--help"]) == 0
    out = capsys.readouterr().out
    for word in ("FILE", "--label", "--score", "--positive", "--weight", "--by", "--confidence"):
        assert word in out
    for word in ("--format", "--input-format", "standard input", "Example: roclab evaluate"):
        assert word in out
    assert "completion" not in out


def test_python_m_roclab_is_the_command():
    done = process("--version")
    assert (done.returncode, done.stdout) == (0, f"roclab {rl.__version__}\n".encode())


def test_further_measures_in_every_format(run, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("y,a\n1,0.9\n1,0.4\n0,0.4\n0,0.1\n")
    options = (path, "--label", "y", "--measures", "gini, auc")
    assert "n-    gini\n" in run(*options)
    assert "| 0.750 |" in run(*options, "--format", "markdown")
    assert json.loads(run(*options, "--format", "json"))["rows"][0]["gini"] == 0.75
    header, row = run(*options, "--format", "csv").splitlines()
    assert (header.split(",")[-1], row.split(",")[-1]) == ("gini", "0.75")


def test_measures_are_listed_in_every_format():
    names = sorted(measure.name for measure in rl.list_measures().measures)
    listed = process("measures").stdout.decode()
    assert all(f"\n{name} " in listed for name in names)
    as_json = json.loads(process("measures", "--format", "json").stdout)
    assert [measure["name"] for measure in as_json["measures"]] == names
    assert len(process("measures", "--format", "csv").stdout.splitlines()) == len(names) + 1
    assert process("measures", "--format", "markdown").stdout.startswith(b"| measure")


def test_measures_with_options_and_parts_in_every_format(run, scores, frame):
    words = "partial_auc(fpr_range=(0,0.2),standardize=True),granular_auc(granularity=0.1)"
    options = (scores, "--label", "outcome", "--score", "ridge", "--measures", words)
    ranking = rl.Ranking(frame["outcome"], frame["ridge"])
    area = rl.granular_auc(ranking, granularity=0.1).to_dict()
    expected = {
        "partial_auc(fpr_range=(0, 0.2), standardize=True)": rl.partial_auc(
            ranking, fpr_range=(0, 0.2), standardize=True
        )
    } | {f"granular_auc(granularity=0.1).{p}": area[p] for p in ("low", "auc", "up", "lambda")}
    (row,) = rows_of(run(*options, "--format", "json"))
    assert {name: row[name] for name in expected} == expected
    (row,) = csv.DictReader(io.StringIO(run(*options, "--format", "csv")))
    assert {name: float(row[name]) for name in expected} == expected
    rounded = [f"{value:.3f}" for value in expected.values()]
    assert run(*options).splitlines()[4].split()[-5:] == rounded
    cells = run(*options, "--format", "markdown").splitlines()[2].split("|")
    assert [cell.strip() for cell in cells[-6:-1]] == rounded


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("gini,scored-auc", "Did you mean 'scored_auc'?"),
        ("margin_auc", "needs margin. Its options: margin (a number)"),
        ("gini,margin_auc(margin=0.2", "For example: margin_auc(margin=0.2)."),
        ("margin_auc(margn=0.2)", "no option 'margn'"),
        ("margin_auc(margin=high)", "margin=high is no value"),
    ],
)
def test_wrong_measures_are_told_before_the_file_is_read(refusal, words, said):
    assert said in refusal("evaluate", "nowhere.csv", "--label", "y", "--measures", words)


@pytest.mark.parametrize("method", ["delong", "logit", "score", "newcombe", "bca", "bootstrap_t"])
def test_intervals_by_other_methods(run, frame, scores, method):
    options = ("--interval", method, "--seed", "3", "--resamples", "150", "--confidence", "0.9")
    out = run(scores, "--label", "outcome", "--score", "ridge", "--format", "json", *options)
    assert numbers(rows_of(out)[0]) == expected(
        frame, "ridge", method=method, rng=3, n_resamples=150, confidence_level=0.9
    )


def test_a_method_that_is_not_known(refusal, scores):
    message = refusal("evaluate", scores, "--label", "outcome", "--interval", "delongg")
    assert "'delongg' is not one of" in message
