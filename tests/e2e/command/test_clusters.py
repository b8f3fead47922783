"""`roclab evaluate` and `compare` with rows that belong together."""

import json

import pytest

import roclab as rl
from roclab.cli import main

LINES = "y,s,t,patient,site\n" + "\n".join(
    f"{y},{s},{t},{patient},{site}"
    for y, s, t, patient, site in [
        (0, 0.1, 0.3, "p", "x"),
        (1, 0.4, 0.2, "p", "x"),
        (0, 0.4, 0.4, "q", "x"),
        (1, 0.8, 0.9, "q", "x"),
        (0, 0.3, 0.1, "r", "y"),
        (1, 0.9, 0.8, "r", "y"),
        (1, 0.2, 0.7, "s", "z"),
    ]
)


@pytest.fixture
def run(tmp_path, capsysbinary):
    path = tmp_path / "scores.csv"
    path.write_text(LINES)

    def run(command, *options, code=0):
        found = main([command, str(path), "--label", "y", "--score", "s", "--score", "t", *options])
        out, err = (stream.decode() for stream in capsysbinary.readouterr())
        assert found == code
        return out if code == 0 else err

    run.path = path
    return run


def test_clusters_in_evaluate(run):
    table = rl.read_scores(run.path, y_true="y", y_score=["s", "t"], by="patient")
    found = json.loads(run("evaluate", "--cluster", "patient", "--format", "json"))
    assert found == rl.evaluate(table, cluster="patient").to_dict()
    assert "Rows with the same patient form one cluster." in run("evaluate", "--cluster", "patient")


def test_clusters_in_compare(run):
    table = rl.read_scores(run.path, y_true="y", y_score=["s", "t"], by="patient")
    found = json.loads(run("compare", "--cluster", "patient", "--format", "json"))
    assert found["pairs"] == rl.compare(table, cluster="patient").to_dict()["pairs"]
    assert found["cluster"] == "patient"
    assert "Rows with the same patient form one cluster." in run("compare", "--cluster", "patient")
    assert "taken for one cluster" not in run("compare")


def test_warnings_are_in_words_of_the_shell(tmp_path, capsys):
    path = tmp_path / "apart.csv"
    path.write_text("y,s\n0,1\n0,2\n1,3\n1,4")
    assert main(["evaluate", str(path), "--label", "y", "--interval", "bootstrap"]) == 0
    assert "not certainty. Choose --interval 'auto' for an interval." in capsys.readouterr().err


@pytest.mark.parametrize("weighting", ["pairs", "equal"])
def test_strata(run, weighting):
    table = rl.read_scores(run.path, y_true="y", y_score=["s", "t"], by="site")
    options = ("--stratum", "site", "--weighting", weighting)
    found = json.loads(run("evaluate", *options, "--format", "json"))
    assert found == rl.evaluate(table, stratum="site", weighting=weighting).to_dict()
    out = run("evaluate", *options)
    assert "stratified AUC" in out
    assert "Only examples with the same site are compared" in out
    assert "1 of 3 values of site left out for lack of a class, with 1 row." in out
    assert (
        "weighted by their number of pairs." if weighting == "pairs" else "weighted equally."
    ) in out
    header = run("evaluate", *options, "--format", "csv").splitlines()[0]
    assert header.endswith("n_strata,n_strata_left_out,n_rows_left_out,weighting")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--stratum", "site", "--cluster", "patient"), "roclab: --stratum 'site' cannot be"),
        (("--stratum", "site", "--interval", "delong"), "combined with --interval 'delong'"),
        (("--stratum", "city"), "No column `city`"),
        (("--cluster", "s"), "in --score and --by; a column has"),
        (("--weighting", "equal"), "roclab: --weighting 'equal' has no effect without --stratum"),
    ],
)
def test_refusals(run, options, message):
    err = run("evaluate", *options, code=2)
    assert message in err
    assert err.count("\n") == 1
