"""Every file may be a pipe, such as the shell's `<(command)`: it is read once."""

import io
import os
import sys
import threading
from pathlib import Path

import pytest

from roclab.cli import main

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")

LABEL = ("--label", "outcome")
REPAIR = (*LABEL, "--score", "ridge", "--check-on", "region=north", "--format", "json")


@pytest.fixture
def pipe(tmp_path):
    """Make a pipe that gives the bytes of a file, and nothing to who opens it a second time."""
    made = []

    def pipe(path, name="pipe"):
        new = tmp_path / name
        os.mkfifo(new)
        data = Path(path).read_bytes()
        writer = threading.Thread(target=lambda: (new.write_bytes(data), new.write_bytes(b"")))
        writer.start()
        made.append((new, writer))
        return new

    yield pipe
    for path, writer in made:
        readers = []
        while writer.is_alive():  # an open for writing waits for one for reading
            readers.append(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
            writer.join(0.01)
        for reader in readers:
            os.close(reader)


@pytest.fixture
def told(capsysbinary):
    def told(*arguments):
        code = main(list(map(str, arguments)))
        out, err = capsysbinary.readouterr()
        assert code == 0, err
        return out

    return told


@pytest.fixture
def model(told, scores, tmp_path):
    path = tmp_path / "model.skops"
    told("train", scores, "--label", "outcome", "-o", path)
    return path


@pytest.fixture
def repair_map(told, scores, tmp_path):
    path = tmp_path / "map.json"
    told("repair", scores, *REPAIR, "--map", path)
    return path


@pytest.mark.parametrize(
    "command",
    [
        ("evaluate", *LABEL, "--format", "json"),
        ("compare", *LABEL, "--format", "json"),
        ("select", *LABEL, "--format", "json", "--resamples", "20", "--seed", "1"),
        ("repair", *REPAIR),
    ],
    ids=lambda command: command[0],
)
def test_a_table_from_a_pipe(told, pipe, scores, command):
    name, *options = command
    assert told(name, pipe(scores), *options) == told(name, scores, *options)


def test_another_format_from_a_pipe_with_a_name(told, pipe, frame, tmp_path):
    path = tmp_path / "scores.parquet"
    frame.write_parquet(path)
    expected = told("evaluate", path, *LABEL)
    assert told("evaluate", pipe(path, "pipe.parquet"), *LABEL) == expected
    given = pipe(path, "no_name")
    assert told("evaluate", given, *LABEL, "--input-format", "parquet") == expected


def test_repair_with_an_output_reads_a_pipe_once(told, pipe, scores, tmp_path):
    outputs = [tmp_path / "from_file.csv", tmp_path / "from_pipe.csv"]
    for source, output in zip([scores, pipe(scores)], outputs, strict=True):
        told("repair", source, *REPAIR, "-o", output)
    expected, written = (output.read_bytes() for output in outputs)
    assert written == expected
    assert written.count(b"\n") == 121


def test_a_map_and_rows_from_pipes(told, pipe, scores, repair_map):
    expected = told("repair", "apply", repair_map, scores)
    assert expected.count(b"\n") == 121
    from_pipes = told("repair", "apply", pipe(repair_map, "map"), pipe(scores, "rows"))
    assert from_pipes == expected


@pytest.mark.parametrize("kind", ["auctron", "tree"])
def test_training_from_a_pipe(told, pipe, scores, tmp_path, kind):
    train = ("--label", "outcome", "--model", kind, "--seed", "1", "-o", tmp_path / "model")
    assert told("train", pipe(scores), *train) == told("train", scores, *train)


def test_a_model_and_rows_from_pipes(told, pipe, scores, model):
    expected = told("score", model, scores)
    assert expected.count(b"\n") == 121
    assert told("score", pipe(model, "model"), pipe(scores, "rows")) == expected


def test_a_reference_from_a_pipe(told, pipe, scores, monkeypatch):
    options = ("--label", "outcome", "--score", "ridge", "--format", "jsonl")
    options += ("--block", "1", "--reference")
    said = []
    for reference in (scores, pipe(scores)):
        stream = io.TextIOWrapper(io.BytesIO(Path(scores).read_bytes()))
        monkeypatch.setattr(sys, "stdin", stream)
        said.append(told("watch", *options, reference))
    assert said[0] == said[1]
    assert said[0].count(b"\n") > 1


def test_a_reference_without_a_suffix_is_told_what_to_do(refusal, scores, tmp_path):
    other = tmp_path / "reference"
    other.write_bytes(Path(scores).read_bytes())
    said = refusal("watch", "--reference", other)
    assert "and .xlsx. Rename the file" in said
