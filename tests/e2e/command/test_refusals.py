"""What is wrong is told in one line, in words of the shell."""

import io
import re
import sys

import pytest
from commands import process

from roclab.cli.app import app
from roclab.cli.messages import commands_of

COMMANDS = commands_of(app)


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
        (["--weight", "ridge"], "Column `ridge` is -0.51 in row 1; weights must be"),
        (["--positive", "yes"], "--positive 'yes' does not fit column"),
        (["--label", "ridge"], "If these are scores, pass the labels as --label."),
        (["--positive", "7"], "--positive 7 is not among the values of --label"),
        (["--confidence", "95"], "For 95 % pass 0.95"),
        (["--confidence", "nan"], "not between 0 and 1"),
        (
            ["--confidence", "high"],
            "--confidence is high; a number is needed. See: roclab",
        ),
        (["--resamples", "ten"], "--resamples is ten; a whole number is needed. See: roclab"),
        (["--resamples", "0"], "--resamples is 0; at least 1 is needed. See: roclab evaluate"),
        (["--format", "xml"], "--format is 'xml', which is not one of table, json, csv, markdown"),
        (["--format", "JSON"], "Did you mean json? See: roclab evaluate --help"),
        (["--format", "jsn"], "Did you mean json?"),
        (["--format", "it's"], "--format is 'it's', which is not one of table"),
        (["--input-format", "xlsx"], "not one of csv, tsv, parquet"),
        (["--input-format", "tsv", "--separator", ":"], "as in --separator ':'"),
        (["--separator", "::"], "--separator '::' is not one character"),
        (["--decimal", ";"], "Pass --decimal '.' or --decimal ','"),
        (["--input-format", "jsonl"], "not a JSON object"),
        (["--input-format", "parquet"], "Parquet"),
        (["--lable", "y"], "No such option --lable. Did you mean --label? See: roclab evaluate"),
        (["--json"], "No such option --json. Did you mean --format json? See: roclab evaluate"),
        (["--measures", "gini"], "No such option --measures. Did you mean --measure? See: roclab"),
        (["--metric", "gini"], "Did you mean --measure?"),
        (["--y-true", "y"], "No such option --y-true. Did you mean --label?"),
        (["--sample-weight", "y"], "Did you mean --weight?"),
        (["--n-resamples", "9"], "Did you mean --resamples?"),
        (["--random-state", "9"], "Did you mean --seed?"),
        (["--bootstrap"], "Did you mean --interval bootstrap?"),
        (["--tsv"], "Did you mean --input-format tsv?"),
        (["--csv"], "Did you mean --format csv?"),
        (["--input_format", "csv"], "No such option --input_format. Did you mean --input-format?"),
        (["--Label", "y"], "Did you mean --label?"),
        (["--sep", ";"], "Did you mean --separator?"),
        (["--method", "delong"], "Did you mean --interval?"),
        (["--xyzzy"], "No such option --xyzzy. See: roclab evaluate --help"),
        (["another.csv"], "another.csv"),
        (["--by"], "Option '--by' requires an argument. See: roclab evaluate --help"),
    ],
)
def test_wrong_options_are_told_in_one_line(refusal, scores, arguments, said):
    assert said in refusal("evaluate", scores, "--label", "outcome", *arguments)


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_programs_formats_are_suggested_where_there_are_some(refusal, command):
    """An option of its own is what other programs have."""
    [formats] = [one for one in COMMANDS[command].params if "--format" in one.opts] or [None]
    message = refusal(*command.split(), "--json")
    suggestion = "json" if command != "watch" else "jsonl"
    assert (f"Did you mean --format {suggestion}?" in message) == (formats is not None)


@pytest.mark.parametrize("command", ["compare", "select", "power"])
def test_where_one_measure_is_needed_a_list_is_refused(refusal, scores, command):
    file = () if command == "power" else (scores, "--label", "outcome")
    numbers = ("--auc", "0.8", "--n-pos", "50", "--n-neg", "50") if command == "power" else ()
    message = refusal(command, *file, *numbers, "--measure", "gini, scored_auc")
    assert "'gini, scored_auc' names 2 measures; one is needed here. Name one of them." in message


def test_labels_that_need_a_positive_one_say_so(refusal, scores):
    message = refusal("evaluate", scores, "--label", "region")
    assert "--label holds 3 values" in message
    assert re.search("--positive '(north|south|east)'", message)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["evaluate", "nowhere.csv", "--label", "y"], "No file `nowhere.csv`"),
        (["evaluate", "~nobody-here/x.csv", "--label", "y"], "No file `~nobody-here/x.csv`"),
        (["evaluate", ".", "--label", "y"], "directory"),
        (["evaluate", "line\nfeed.csv", "--label", "y"], r"line\nfeed.csv"),
        (["evaluate", "nowhere.csv"], "'--label'. See: roclab evaluate --help"),
        (["evalute"], "Did you mean 'evaluate'? See: roclab --help"),
        (["--versoin"], "No such option --versoin. Did you mean --version? See: roclab --help"),
        (["train", "x", "--label", "y", "-o", "m", "--model", "Tre"], "Did you mean tree?"),
        (["watch", "--run-length", "1"], "--run-length is 1; at least 2 is needed."),
        (["watch", "--json"], "No such option --json. Did you mean --format jsonl?"),
        (["watch", "--size", "9"], "No such option --size. Did you mean --window?"),
        (["plot", "--json"], "No such option --json. See: roclab plot --help"),
        (["plot", "--hull"], "No such option --hull. Did you mean --kind hull?"),
        (["plot", "--bands"], "No such option --bands. Did you mean --band?"),
        (["report", "--band"], "No such option --band. Bands are drawn by roclab plot --band"),
        (["repair", "apply", "--sep", ","], "Did you mean --separator? See: roclab repair apply"),
        (["--json"], "No such option --json. See: roclab --help"),
    ],
)
def test_wrong_words_are_told_in_one_line(refusal, arguments, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # a clone may have Parquet files, in environments below build
    assert said in refusal(*arguments)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"\n\n", "empty"),
        (b"y,a\n", "no rows"),
        (b"y\n1\n0\n", "one column"),
        (b"y:a\n1:2\n0:3\n", "one column, `y:a`"),
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


def test_a_method_that_is_not_known(refusal, scores):
    message = refusal("evaluate", scores, "--label", "outcome", "--interval", "delongg")
    assert "--interval is 'delongg', which is not one of auto, delong" in message
    assert "Did you mean delong?" in message
