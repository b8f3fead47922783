"""Files that commands write: never over what they read, whole or not at all, one line if not."""

import io
import os
import sys

import pytest

from roclab.cli import main

ROWS = "y,s,fold\n" + "".join(
    f"{int(at % 3 == 0)},{at * 37 % 11},{'ab'[at % 2]}\n" for at in range(60)
)
MAP = "map.json"
# The command up to the output, and what it reads.
COMMANDS = {
    "train": ("train rows.csv --label y --feature s -o", ["rows.csv"]),
    "train a tree": ("train rows.csv --label y --model tree -o", ["rows.csv"]),
    "repair": ("repair rows.csv --label y --check-on fold=b -o", ["rows.csv"]),
    "repair map": ("repair rows.csv --label y --check-on fold=b --map", ["rows.csv"]),
    "apply": (f"repair apply {MAP} rows.csv --score s -o", ["rows.csv", MAP]),
}
TABLES = ["repair", "apply"]
SUFFIXES = ["csv", "csv.gz", "tsv.zst", "jsonl", "jsonl.gz", "parquet"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch, capsysbinary):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.csv").write_text(ROWS)
    assert main(f"repair rows.csv --label y --check-on fold=b --map {MAP}".split()) == 0
    capsysbinary.readouterr()
    return tmp_path


@pytest.fixture
def refused(refusal, folder):
    """Run a command with an output that it must refuse, and see that no file has changed."""

    def contents():
        return {
            name: (folder / name).read_bytes() if (folder / name).is_file() else None
            for name in sorted(os.listdir(folder))
        }

    def refused(command, output):
        before = contents()
        said = refusal(*COMMANDS[command][0].split(), output)
        assert contents() == before
        return said

    return refused


READ = [(command, name) for command, (_, names) in COMMANDS.items() for name in names]


@pytest.mark.parametrize(("command", "name"), READ)
@pytest.mark.parametrize("link", ["same", "symbolic", "hard", "dotted"])
def test_what_is_read_is_not_overwritten(refused, command, name, link):
    output = f"./{name}" if link == "dotted" else name
    if link in ("symbolic", "hard"):
        output = "link.csv"
        make = os.symlink if link == "symbolic" else os.link
        make(name, output)
    said = refused(command, output)
    assert said == (
        f"roclab: Output `{output}` and `{name}` are the same file, which would be overwritten. "
        "Name another output.\n"
    )


def test_what_is_read_under_a_link_is_not_overwritten(refusal, folder):
    os.symlink("rows.csv", "link.csv")
    for name in ("rows.csv", "link.csv"):
        said = refusal("train", "link.csv", "--label", "y", "-o", name)
        assert "are the same file" in said
    assert (folder / "rows.csv").read_text() == ROWS


@pytest.mark.parametrize("command", ["train", "train a tree", "repair", "repair map", "apply"])
def test_standard_input_is_not_overwritten(refused, monkeypatch, command):
    words, reads = COMMANDS[command]
    monkeypatch.setitem(COMMANDS, command, (words.replace(" rows.csv", ""), reads))
    with open("rows.csv", "rb") as stream:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream))
        said = refused(command, "rows.csv")
    assert "Output `rows.csv` and standard input are the same file" in said


def test_two_outputs_are_two_files(refusal):
    command = "repair rows.csv --label y --check-on fold=b -o new.csv --map"
    assert "`new.csv` and `new.csv` are the same file" in refusal(*command.split(), "new.csv")
    assert not os.path.exists("new.csv")


def test_the_map_beside_an_output_is_no_input(refusal, folder):
    (folder / "rows.json").write_text('{"y": 1, "s": 2, "fold": "b"}\n')
    command = "repair rows.json --input-format jsonl --label y --check-on fold=b -o rows.parquet"
    assert "Output `rows.json` and `rows.json` are the same file" in refusal(*command.split())


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("", "The name of the output file is empty"),
        (".", "`.` is a directory"),
        ("none/new.csv", "There is no folder `none` to write to"),
        ("new.csv/", "There is no folder `new.csv` to write to"),
        ("rows.csv/new.csv", "There is no folder `rows.csv` to write to"),
    ],
)
def test_places_where_nothing_can_be_written(refused, command, output, said):
    assert said in refused(command, output)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_that_may_not_be_written_to(refused, command, monkeypatch):
    # Asked for, since whoever runs the tests may be allowed to write everywhere.
    monkeypatch.setattr(os, "access", lambda place, mode: (place, mode) != (".", os.W_OK))
    assert "`new.csv` cannot be written: Permission denied." in refused(command, "new.csv")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device here")
@pytest.mark.parametrize(
    ("command", "suffix"),
    [
        ("train", "skops"),
        ("repair map", "json"),
        *((name, suffix) for name in TABLES for suffix in SUFFIXES),
    ],
)
def test_a_device_without_room(refused, command, suffix):
    os.symlink("/dev/full", f"full.{suffix}")
    said = refused(command, f"full.{suffix}")
    assert f"`full.{suffix}` cannot be written: " in said
    assert "No space left on device" in said


@pytest.mark.parametrize("command", TABLES)
@pytest.mark.parametrize("output", ["new", "new.doc", "new.gz", "new.parquet.gz", "new.csv.bz2"])
def test_endings_that_say_no_format(refused, command, output):
    said = refused(command, output)
    assert f"The suffix of `{output}` is not that of a known format" in said
    assert said.endswith("and .arrow. Name the output with one of these suffixes.\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_inputs_that_are_directories(refusal, command):
    words = COMMANDS[command][0].replace("rows.csv", ".")
    output = "new.skops" if command.startswith("train") else "new.csv"
    assert "`.` is a directory without .parquet files." in refusal(*words.split(), output)
    assert not os.path.exists(output)


def test_models_and_maps_that_are_directories(refusal):
    assert "`.` cannot be opened: Is a directory" in refusal("score", ".", "rows.csv")
    assert "`.` cannot be read: Is a directory." in refusal("repair", "apply", ".", "rows.csv")


def test_inputs_without_a_name(refusal):
    for command in ("evaluate", "compare", "select"):
        said = refusal(command, "", "--label", "y")
        assert said == "roclab: The name of the file is empty. Name a file.\n"
    assert "name of the file is empty" in refusal("repair", "apply", MAP, "", "--score", "s")
    assert "name of the file is empty" in refusal("train", "", "--label", "y", "-o", "x.skops")
    assert "`` cannot be read: No such file" in refusal("repair", "apply", "", "rows.csv")
    assert "`` cannot be opened: No such file" in refusal("score", "", "rows.csv")
