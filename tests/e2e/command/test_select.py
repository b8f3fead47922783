"""`roclab select`: what the library finds, in the shell."""

import csv
import io
import json

import pytest

import roclab as rl
from roclab.cli import main
from roclab.report.documents.selection import outcome

MODELS = ("--score", "ridge", "--score", "forest")


@pytest.fixture
def select(capsysbinary):
    def select(*arguments, code=0):
        found = main(["select", *map(str, arguments)])
        out, err = (stream.decode() for stream in capsysbinary.readouterr())
        assert found == code
        return out if code == 0 else err

    return select


def expected(frame, **options):
    table = rl.ScoreTable(frame["outcome"], {name: frame[name] for name in ("ridge", "forest")})
    return rl.select_model(table, rng=7, n_resamples=100, **options)


@pytest.mark.parametrize(
    ("options", "keywords"),
    [
        ((), {}),
        (("--measure", "scored_auc"), {"measure": "scored_auc"}),
        (
            ("--measure", "partial_auc(fpr_range=(0, 0.5), standardize=True)"),
            {"measure": "partial_auc(fpr_range=(0, 0.5), standardize=True)"},
        ),
        (("--confidence", "0.8"), {"confidence_level": 0.8}),
    ],
)
def test_json_is_what_the_library_finds(select, scores, frame, options, keywords):
    words = ("--label", "outcome", *MODELS, "--seed", 7, "--resamples", 100, "--format", "json")
    found = json.loads(select(scores, *words, *options))
    wanted = expected(frame, **keywords).to_dict()
    assert found["models"] == wanted["models"]
    assert (found["best"], found["contenders"]) == (wanted["best"], wanted["contenders"])
    assert found["optimism"] == wanted["optimism"]


def test_table_and_csv_have_every_model_and_the_table_the_sentence(select, scores, frame):
    words = ("--label", "outcome", *MODELS, "--seed", 7, "--resamples", 100)
    chosen = expected(frame)
    text = select(scores, *words)
    assert outcome(chosen) in text
    assert [line.split()[0] for line in text.splitlines()[2:4]] == [
        one.model for one in chosen.models
    ]
    rows = list(csv.DictReader(io.StringIO(select(scores, *words, "--format", "csv"))))
    assert [float(row["value"]) for row in rows] == [one.value for one in chosen.models]
    assert {row["measure"] for row in rows} == {"auc"}


def test_a_wrong_measure_is_told_before_the_file_is_read(select, tmp_path):
    message = select(tmp_path / "no.csv", "--label", "y", "--measure", "scored_acu", code=2)
    assert "Did you mean 'scored_auc'?" in message
