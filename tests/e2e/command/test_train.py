"""`roclab train` and `roclab score`: from a file to a model, and from a model to scores."""

import csv
import io
import json

import numpy as np
import polars as pl
import pytest
import skops.io
from sklearn.preprocessing import FunctionTransformer

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
    out, err = command("train", scores, "--label", "outcome", "-o", model, "--seed", 0)
    assert "\nAUCtronClassifierCV    120 " in out
    said = "1 of 4 columns left out of the model: region (not numeric). Name all features with"
    assert out.splitlines()[4].startswith(said)
    assert err == ""
    columns = ("ridge", "forest", "weight")
    X = frame.select(columns).to_numpy().astype(float)
    expected = rl.AUCtronClassifierCV().fit(X, frame["outcome"].to_numpy())
    assert f" {expected.alpha_:.6g} " in out
    assert f" {round(expected.best_score_, 4):g}\n" in out

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


def test_columns_left_out_are_told_in_every_format(command, tmp_path, frame, model):
    path = tmp_path / "rows.csv"
    frame.with_row_index("patient_id").write_csv(path)
    train = ("train", path, "--label", "outcome", "-o", model, "--alpha", 0.1)
    said = (
        "2 of 5 columns left out of the model: region (not numeric); patient_id (likely "
        "identifiers). Name all features with --feature to choose others."
    )
    assert said in command(*train)[0]
    assert command(*train, "--format", "json")[1] == f"note: {said}\n"
    named = (*train, "--feature", "ridge,patient_id", "--format", "json")
    out, err = command(*named)
    assert (json.loads(out)["features"], err) == (["ridge", "patient_id"], "")


def test_options_reach_the_model(command, scores, model):
    options = ("--feature", "forest", "--feature", "ridge", "--weight", "weight", "--seed", "3")
    more = ("--gamma", "0.5", "--power", "3", "--alpha", "0.01", "--solver", "newton-cg")
    command("train", scores, "--label", "outcome", "-o", model, *options, *more)
    loaded = load_model(model)
    assert loaded.features == ("forest", "ridge")
    assert loaded.target == "outcome"
    chosen = loaded.model.get_params()
    assert (chosen["gamma"], chosen["p"], chosen["alpha"]) == (0.5, 3, 0.01)
    assert (chosen["solver"], chosen["random_state"]) == ("newton-cg", 3)
    out, _ = command("train", scores, "--label", "outcome", "-o", model, "--alpha", 0)
    assert isinstance(load_model(model).model, rl.AUCtronClassifier)
    assert "cv_auc" not in out
    command("train", scores, "--label", "outcome", "-o", model, "--model", "msetron")
    assert isinstance(load_model(model).model, rl.MSEtronClassifier)


def test_text_labels_and_missing_values(command, tmp_path, frame, model):
    path = tmp_path / "rows.csv"
    named = pl.when(pl.col("outcome") == 1).then(pl.lit("ill")).otherwise(pl.lit("well"))
    with_gaps = pl.when(pl.int_range(120) % 10 == 0).then(None).otherwise(pl.col("ridge"))
    frame.with_columns(outcome=named, ridge=with_gaps).write_csv(path)
    out, _ = command(
        "train", path, "--label", "outcome", "--positive", "ill", "-o", model, "--feature", "ridge"
    )
    assert "\nAUCtronClassifierCV    108 " in out
    assert "12 of 120 rows left out; values missing: ridge 12." in out
    assert load_model(model).model.coef_[0, 0] > 0
    out, err = command("score", model, path)
    assert [row["score"] == "" for row in written(out)] == (np.arange(120) % 10 == 0).tolist()
    assert "12 of 120 rows have no score" in err


@pytest.fixture
def mixed(tmp_path):
    """A table with a number, a text and a code, in each of which some values are missing."""
    rng = np.random.default_rng(0)
    age, region = rng.normal(50, 10, 300).round(1), rng.choice(["north", "south", "east"], 300)
    code = rng.choice([7, 11, 13], 300)
    z = (age - 50) / 10 + 1.5 * (region == "south") + (code == 11) + rng.normal(size=300)
    rows = np.arange(300)
    frame = pl.DataFrame(
        {
            "outcome": np.where(z > 0.8, "ill", "well"),
            "age": pl.Series(age).set(pl.Series(rows % 9 == 0), None),
            "region": pl.Series(region.tolist()).set(pl.Series(rows % 13 == 0), None),
            "code": pl.Series(code).set(pl.Series(rows % 17 == 0), None),
            "name": [f"row {i}" for i in range(300)],
        }
    )
    path = tmp_path / "mixed.csv"
    frame.write_csv(path)
    return path, frame


CHOSEN = ("--feature", "age", "--feature", "region", "--category", "code")


def test_a_tree_takes_categories_and_missing_values(command, mixed, model):
    path, frame = mixed
    out, err = command(
        *("train", path, "--label", "outcome", "--positive", "ill", "-o", model),
        *("--model", "tree", "--max-depth", 3, "--min-leaf", 5, "--prune", 0.001, *CHOSEN),
    )
    assert err == ""
    assert "\nAUCSplitTreeClassifier    300 " in out
    assert "Categories: region, code." in out
    names = ("age", "region", "code")
    X = np.empty((300, 3), object)
    for at, name in enumerate(names):
        text = name != "age"
        X[:, at] = [
            np.nan if value is None else str(value) if text else value for value in frame[name]
        ]
    expected = rl.AUCSplitTreeClassifier(
        max_depth=3, min_samples_leaf=5, ccp_alpha=0.001, categorical_features=[1, 2]
    ).fit(X, frame["outcome"].to_numpy() == "ill")
    loaded = load_model(model)
    assert (loaded.features, loaded.categories) == (names, ("region", "code"))
    assert loaded.model.to_text() == expected.to_text()

    for options in ((), ("--probability",)):
        out, err = command("score", model, path, *options)
        assert err == ""
        rows = written(out)
        assert list(rows[0]) == ["outcome", "name", "score"]
        assert [float(row["score"]) for row in rows] == expected.predict_proba(X)[:, 1].tolist()


def test_what_a_tree_makes_of_values_it_has_not_seen(command, mixed, model, tmp_path):
    path, _ = mixed
    command("train", path, "--label", "outcome", "--positive", "ill", "-o", model,
            "--model", "tree", "--max-depth", 3, *CHOSEN)  # fmt: skip
    new = tmp_path / "new.csv"
    new.write_text("age,region,code\n50,west,7.0\n,,\ninf,north,7\n50,south,07\n50,south,5\n")
    out, err = command("score", model, new)
    scores = [row["score"] for row in written(out)]
    assert [score == "" for score in scores] == [False, False, True, False, False]
    assert "1 of 5 rows have no score: a feature is missing or infinite" in err
    # Codes are texts: 07 is no 7, and so as unknown as 5.
    assert scores[3] == scores[4]


def test_every_column_of_numbers_or_text_is_a_feature_of_a_tree(command, mixed, model):
    path, frame = mixed
    gaps = frame.with_columns(
        weight=pl.when(pl.int_range(300) == 7).then(None).otherwise(1.5),
        outcome=pl.when(pl.int_range(300) == 8).then(None).otherwise(pl.col("outcome")),
        nothing=pl.lit(None),
    )
    gaps.write_csv(path)
    out, err = command(
        *("train", path, "--label", "outcome", "--positive", "ill", "-o", model),
        *("--model", "tree", "--weight", "weight", "--max-depth", 2),
    )
    assert "\nAUCSplitTreeClassifier    298 " in out
    assert "Categories: region, name." in out
    assert "2 of 300 rows left out; values missing: outcome 1, weight 1." in out
    assert "1 of 5 columns left out of the model: nothing (not numeric)." in out
    assert err == ""


def test_a_tampered_model_is_refused(command, refusal, mixed, model):
    path, _ = mixed
    command("train", path, "--label", "outcome", "--positive", "ill", "-o", model,
            "--model", "tree", "--max-depth", 3, *CHOSEN)  # fmt: skip
    content = skops.io.load(model, trusted=skops.io.get_untrusted_types(file=model))
    content["model"].tree_.first_child[0] = 10**9
    skops.io.dump(content, model)
    assert "holds a model that was not written by roclab" in refusal("score", model, path)
    content["model"] = FunctionTransformer(np.load)
    skops.io.dump(content, model)
    assert "needs types that are not trusted" in refusal("score", model, path)
    model.write_bytes(model.read_bytes()[:-100])
    assert "is not a model of roclab" in refusal("score", model, path)


def test_options_of_another_model_are_refused(refusal, scores, model):
    train = ("train", scores, "-o", model, "--label", "outcome")
    said = refusal(*train, "--model", "tree", "--gamma", 0.3)
    assert "--model tree has no option --gamma; it is for --model auctron" in said
    assert "has no option --max-depth" in refusal(*train, "--max-depth", 3)
    assert "has no option --power" in refusal(*train, "--model", "msetron", "--power", 3)
    assert "has no option --category" in refusal(*train, "--category", "region")
    tree = (*train, "--model", "tree")
    assert "No column `regio`" in refusal(*tree, "--category", "regio")
    assert "named twice, in --label and --category" in refusal(*tree, "--category", "outcome")


def test_the_suffix_of_a_model(refusal, command, scores, tmp_path):
    pickle = tmp_path / "model.pkl"
    said = refusal("train", scores, "--label", "outcome", "-o", pickle)
    assert "model.pkl` is not that of a model. Possible suffixes: .skops." in said
    assert not pickle.exists()
    without = tmp_path / "model"
    command("train", scores, "--label", "outcome", "-o", without, "--alpha", 0)
    assert load_model(without).target == "outcome"


def test_an_early_end_is_noted(command, scores, model):
    _, err = command("train", scores, "--label", "outcome", "-o", model, "--max-iter", 1)
    assert "note: Training stopped after 1 iterations: --max-iter 1 was reached" in err
    assert "Increase --max-iter." in err


def test_refusals_in_words_of_the_shell(refusal, command, scores, tmp_path, model):
    train = ("train", scores, "-o", model, "--label")
    assert "No column `outcom`. " in refusal(*train, "outcom")
    assert "--label holds 3 values" in refusal(*train, "region")
    assert "`region` is text, not numeric" in refusal(*train, "outcome", "--feature", "region")
    assert "--feature needs numbers" in refusal(*train, "outcome", "--feature", "region")
    assert "--gamma 0.0 is out of range" in refusal(*train, "outcome", "--gamma", 0)
    assert "--power 4 is not an option. Choose 1, 2 or 3" in refusal(
        *train, "outcome", "--power", 4
    )
    assert "--alpha -1.0 is out of range" in refusal(*train, "outcome", "--alpha", -1)
    assert "Missing option '--label'" in refusal("train", scores, "-o", model)
    assert "at most 4294967295 is needed" in refusal(*train, "outcome", "--seed", 2**32)
    assert "cannot be opened" in refusal("score", model, scores)
    assert "is not a model of roclab" in refusal("score", scores, scores)
    command(*train, "outcome")
    assert "already has a column `region`" in refusal("score", model, scores, "--name", "region")
    other = tmp_path / "other.csv"
    other.write_text("outcome,ridge\n1,2\n")
    assert "No column `forest`" in refusal("score", model, other)
    other.write_text("outcome,ridge,forest,weight\n1,high,1,1\n")
    assert refusal("score", model, other).strip().endswith("numbers. Convert it.")
    other.write_text("ridge\n1\n")
    assert "one column, `ridge`; the table needs `ridge`, `for" in refusal("score", model, other)
    other.write_text("")
    assert "is empty; a table with rows is needed" in refusal("score", model, other)
    other.write_text("ridge,ridge,forest,weight\n1,1,1,1\n")
    assert refusal("score", model, other).strip().endswith("names must differ. Rename them.")


def test_a_file_of_the_one_feature_alone(command, scores, tmp_path, model):
    command("train", scores, "--label", "outcome", "-o", model, "--feature", "ridge")
    path = tmp_path / "rows.csv"
    path.write_text("ridge\n0.5\n\n0.25\n")
    rows = written(command("score", model, path)[0])
    found = load_model(model).scores(np.array([[0.5], [0.25]])).tolist()
    assert [row["score"] for row in rows] == [repr(found[0]), "", repr(found[1])]


def test_columns_that_the_model_does_not_take_stay_as_written(command, scores, tmp_path, model):
    command("train", scores, "--label", "outcome", "-o", model, "--feature", "ridge")
    path = tmp_path / "rows.csv"
    words = ["NA", "null", "nan", "N/A", "NaN", "", "007", "1.50", " x ", "true", '"a,b"']
    path.write_text("id,ridge\n" + "".join(f"{word},0.5\n" for word in words))
    out, _ = command("score", model, path)
    score = repr(load_model(model).scores(np.array([[0.5]])).tolist()[0])
    assert out == "id,score\n" + "".join(f"{word},{score}\n" for word in words)
    frame = pl.DataFrame({"tags": [["a", "b"], None], "ok": [True, None], "ridge": [0.5, 0.5]})
    frame.write_parquet(tmp_path / "rows.parquet")
    out, _ = command("score", model, tmp_path / "rows.parquet")
    assert out == f'tags,ok,score\n"[""a"", ""b""]",true,{score}\n,,{score}\n'


@pytest.mark.parametrize("kind", ["auctron", "msetron", "tree"])
def test_files_that_nothing_can_be_learnt_from(refusal, tmp_path, model, kind):
    path = tmp_path / "rows.csv"
    train = ("train", path, "--label", "y", "-o", model, "--model", kind)
    path.write_text("y,a,b\n1,1,2\n1,2,3\n")
    assert "All 2 rows are positive in column `y`" in refusal(*train)
    path.write_text("y,a,b\n0,1,2\n")
    assert "All 1 rows are negative in column `y`" in refusal(*train)
    path.write_text("y,a,w\n0,1,2\n1,2,0\n")
    weighted = refusal(*train, "--weight", "w")
    assert "All 1 rows of weight above 0 are negative in column `y`" in weighted
    path.write_text("y,a,b\n0,1,2\n1,inf,2\n1,-inf,4\n")
    assert "Column `a` is infinite in 2 rows" in refusal(*train)
    path.write_text("y,a,b\n0,1,2\n1,3,2\n1,2,4\n")
    nowhere = refusal(*train[:4], "-o", tmp_path / "nowhere" / "model.skops", "--model", kind)
    assert "There is no folder" in nowhere
    assert not model.exists()


@pytest.mark.parametrize("kind", ["auctron", "msetron", "tree"])
def test_files_that_little_can_be_learnt_from(command, tmp_path, model, kind):
    path = tmp_path / "rows.csv"
    train = ("train", path, "--label", "y", "-o", model, "--model", kind, "--seed", 0)
    train += ("--alpha", 0.01) if kind == "auctron" else ()
    path.write_text("y,a,b\n1,1,2\n0,1,2\n1,1,2\n0,1,2\n")
    assert "AUC 0.500" in command(*train)[0]
    path.write_text("y,a,b,c,d\n1,1,2,3,4\n0,2,1,3,5\n")
    assert "AUC 1.000" in command(*train)[0]


def test_a_class_of_one_row_cannot_be_cross_validated(refusal, tmp_path, model):
    path = tmp_path / "rows.csv"
    path.write_text("y,a\n1,1\n0,2\n0,3\n0,4\n")
    said = refusal("train", path, "--label", "y", "-o", model)
    assert "1 different positive and 3 negative rows" in said
    assert "--alpha" in said
    assert not model.exists()
