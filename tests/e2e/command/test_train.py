"""`roclab train` and `roclab score`: from a file to a model, and from a model to scores."""

import csv
import io

import numpy as np
import polars as pl
import pytest

import roclab as rl
from roclab.cli import main
from roclab.learning import load_model


@pytest.fixture
def command(capsysbinary):
    def command(*arguments):
        code = main(list(map(str, arguments)))
        out, err = (stream.decode() for stream in capsysbinary.readouterr())
        assert code == 0, err
        return out, err

    return command


@pytest.fixture
def model(tmp_path):
    return tmp_path / "model.skops"


def written(out):
    return list(csv.DictReader(io.StringIO(out)))


def test_a_model_is_trained_and_scores_new_rows(command, scores, frame, model):
    out, err = command("train", scores, "--target", "outcome", "-o", model, "--seed", 0)
    assert "AUCtronClassifier trained on 120 rows" in out
    assert err == "note: no numbers, so no features: region\n"
    columns = ("ridge", "forest", "weight")
    X = frame.select(columns).to_numpy().astype(float)
    expected = rl.AUCtronClassifier(random_state=0).fit(X, frame["outcome"].to_numpy())

    out, err = command("score", model, scores)
    rows = written(out)
    assert err == ""
    assert list(rows[0]) == ["outcome", "region", "score"]
    assert [row["region"] for row in rows] == frame["region"].to_list()
    assert [float(row["score"]) for row in rows] == pytest.approx(
        expected.decision_function(X).tolist(), rel=1e-9
    )
    out, _ = command("score", model, scores, "--probability", "--name", "chance")
    assert [float(row["chance"]) for row in written(out)] == pytest.approx(
        expected.predict_proba(X)[:, 1].tolist(), rel=1e-9
    )


def test_options_reach_the_model(command, scores, model):
    options = ("--feature", "forest", "--feature", "ridge", "--weight", "weight", "--seed", "3")
    more = ("--gamma", "0.5", "--power", "3", "--alpha", "0.01", "--solver", "newton-cg")
    command("train", scores, "--target", "outcome", "-o", model, *options, *more)
    loaded = load_model(model)
    assert loaded.features == ("forest", "ridge")
    assert loaded.target == "outcome"
    chosen = loaded.model.get_params()
    assert (chosen["gamma"], chosen["p"], chosen["alpha"]) == (0.5, 3, 0.01)
    assert (chosen["solver"], chosen["random_state"]) == ("newton-cg", 3)
    command("train", scores, "--target", "outcome", "-o", model, "--model", "msetron")
    assert isinstance(load_model(model).model, rl.MSEtronClassifier)


def test_text_labels_and_missing_values(command, tmp_path, frame, model):
    path = tmp_path / "rows.csv"
    named = pl.when(pl.col("outcome") == 1).then(pl.lit("ill")).otherwise(pl.lit("well"))
    with_gaps = pl.when(pl.int_range(120) % 10 == 0).then(None).otherwise(pl.col("ridge"))
    frame.with_columns(outcome=named, ridge=with_gaps).write_csv(path)
    out, err = command(
        "train", path, "--target", "outcome", "--positive", "ill", "-o", model, "--feature", "ridge"
    )
    assert "trained on 108 rows" in out
    assert "12 of 120 rows left out, values missing: ridge 12" in err
    assert load_model(model).model.coef_[0, 0] > 0
    out, err = command("score", model, path)
    assert [row["score"] == "" for row in written(out)] == (np.arange(120) % 10 == 0).tolist()
    assert "12 of 120 rows have no score" in err


def test_an_early_end_is_noted(command, scores, model):
    _, err = command("train", scores, "--target", "outcome", "-o", model, "--max-iter", 1)
    assert "note: Training stopped after 1 iterations, since max_iter=1 was reached" in err


def test_refusals_in_words_of_the_shell(refusal, command, scores, tmp_path, model):
    train = ("train", scores, "-o", model, "--target")
    assert "No column `outcom`. " in refusal(*train, "outcom")
    assert "The target column holds 3 values" in refusal(*train, "region")
    assert "`region` is text, not numeric" in refusal(*train, "outcome", "--feature", "region")
    assert "--feature needs numbers" in refusal(*train, "outcome", "--feature", "region")
    assert "gamma is 0" in refusal(*train, "outcome", "--gamma", 0)
    assert "Missing option '--target'" in refusal("train", scores, "-o", model)
    assert "cannot be opened" in refusal("score", model, scores)
    assert "is no model of roclab" in refusal("score", scores, scores)
    command(*train, "outcome")
    assert "has a column `region` already" in refusal("score", model, scores, "--name", "region")
    other = tmp_path / "other.csv"
    other.write_text("outcome,ridge\n1,2\n")
    assert "No column `forest`" in refusal("score", model, other)
    other.write_text("outcome,ridge,forest,weight\n1,high,1,1\n")
    assert "The model needs numbers" in refusal("score", model, other)
