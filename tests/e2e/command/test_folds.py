"""`roclab evaluate --fold`."""

import json

import pytest

import roclab as rl
from roclab.cli import main

ROWS = [
    (0, 0.1, 0.3, "p", "x"),
    (1, 0.4, 0.2, "p", "x"),
    (0, 0.4, 0.4, "q", "x"),
    (1, 0.8, 0.9, "q", "x"),
    (0, 0.3, 0.1, "p", "x"),
    (1, 0.9, 0.8, "q", "y"),
    (1, 0.2, 0.7, "q", "y"),
    (0, 0.7, 0.7, "p", "y"),
]


@pytest.fixture
def run(tmp_path, capsysbinary):
    path = tmp_path / "scores.csv"
    rows = ((*row, "all", number // 2) for number, row in enumerate(ROWS))
    lines = ["y,s,t,fold,site,whole,pair", *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines))

    def run(*options, code=0):
        scores = ("--score", "s", "--score", "t")
        found = main(["evaluate", str(path), "--label", "y", *scores, "--fold", *options])
        out, err = (stream.decode() for stream in capsysbinary.readouterr())
        assert found == code
        return out, err

    run.path = path
    return run


def test_folds(run):
    table = rl.read_scores(run.path, y_true="y", y_score=["s", "t"], by="fold")
    found = json.loads(run("fold", "--format", "json")[0])
    assert found == rl.evaluate(table, fold="fold").to_dict()
    for row, model in zip(found["rows"], ("s", "t"), strict=True):
        labels, scores, fold = (
            [row[place] for row in ROWS] for place in (0, {"s": 1, "t": 2}[model], 3)
        )
        expected = rl.cross_validated_auc(labels, scores, fold=fold)
        assert (row["value"], row["low"], row["high"]) == (
            expected.averaged.value,
            expected.averaged.low,
            expected.averaged.high,
        )
        assert row["pooled_auc"] == expected.pooled.value
    out, _ = run("fold")
    assert "mean AUC" in out
    assert "pooled_auc" in out
    assert "Mean over the folds in fold: only examples of the same fold" in out


def test_folds_of_clusters(run):
    table = rl.read_scores(run.path, y_true="y", y_score=["s", "t"], by=["fold", "pair"])
    found = json.loads(run("fold", "--cluster", "pair", "--format", "json")[0])
    assert found == rl.evaluate(table, fold="fold", cluster="pair").to_dict()
    labels, scores, fold = ([row[place] for row in ROWS] for place in (0, 1, 3))
    pairs = [number // 2 for number in range(len(ROWS))]
    expected = rl.cross_validated_auc(labels, scores, fold=fold, cluster=pairs).averaged
    assert (found["rows"][0]["low"], found["rows"][0]["high"]) == (expected.low, expected.high)
    out, _ = run("fold", "--cluster", "pair")
    assert "pair" in out.split("Mean over the folds in fold")[1]


def test_a_fold_that_lacks_a_class(run):
    out, err = run("fold", "--by", "site")
    assert (
        "An AUC averaged over folds needs both classes in every fold of `fold`, and one is missing "
        "in 1 of 2 groups of `site` (y): the AUC is nan." in err
    )
    assert "Undefined AUC: a class has no examples in a fold." in out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("fold", "--stratum", "site"), "cannot be combined with --stratum 'site'"),
        (("fold", "--measure", "gini"), "cannot be combined with the measure gini"),
        (("fold", "--interval", "delong"), "cannot be combined with --interval 'delong'"),
        (("site", "--by", "fold", "--measure", "gini"), "compares only examples of the same fold"),
        (("flod",), "No column `flod`"),
        (("whole",), "roclab: --fold has 1 distinct value; an average over folds needs two"),
        (("whole",), "For a single sample compute the AUC without --fold."),
    ],
)
def test_refusals(run, options, said):
    assert said in run(*options, code=2)[1]
