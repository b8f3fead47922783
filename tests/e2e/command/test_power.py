"""`roclab power`: plans in the shell."""

import csv
import io
import json

import pytest

import roclab as rl
from roclab.cli import main


@pytest.fixture
def power(capsysbinary):
    def power(*arguments, code=0):
        found = main(["power", *map(str, arguments)])
        out, err = (stream.decode() for stream in capsysbinary.readouterr())
        assert found == code
        return out if code == 0 else err

    return power


@pytest.mark.parametrize(
    ("arguments", "auc", "options"),
    [
        ("--auc .73 --n-pos 41 --n-neg 72", 0.73, {"n_pos": 41, "n_neg": 72}),
        ("--auc .7 --ratio 2 --power .8 --method delong", 0.7, {"ratio": 2, "power": 0.8}),
        ("--n-pos 41 --n-neg 72", None, {"n_pos": 41, "n_neg": 72}),
        ("--auc .8 --width .1", 0.8, {"width": 0.1}),
        ("--auc .8 --n-pos 9 --n-neg 9 --alpha ?", 0.8, {"n_pos": 9, "n_neg": 9, "alpha": None}),
        (
            "--auc .8 --other-auc .7 --unpaired --sample-ratio 2 --alternative greater",
            0.8,
            {"other_auc": 0.7, "paired": False, "sample_ratio": 2, "alternative": "greater"},
        ),
        (
            "--auc .8 --other-auc .7 --correlation .4 --alpha .01 --simulate 9 --seed 3",
            0.8,
            {"other_auc": 0.7, "correlation": 0.4, "alpha": 0.01, "simulate": 9, "rng": 3},
        ),
        (
            "--auc .8 --other-auc .7 --estimate-correlation .4",
            0.8,
            {"other_auc": 0.7, "estimate_correlation": 0.4},
        ),
        ("--auc .8 --null-value .7", 0.8, {"null_value": 0.7}),
    ],
)
def test_json_is_what_the_library_finds(power, arguments, auc, options):
    if "delong" in arguments:
        options["method"] = "delong"
    found = json.loads(power(*arguments.split(), "--format", "json"))
    assert found == rl.plan_auc_study(auc, **options).to_dict()


def test_table_rounds_sizes_up_and_says_what_was_found(power):
    out = power("--auc", 0.7, "--ratio", 2, "--simulate", 50, "--seed", 0)
    lines = dict(line.rsplit(maxsplit=1) for line in out.splitlines()[2:] if line[:1].strip())
    assert (lines["n+, solved for"], lines["n-, solved for"], lines["total"]) == ("31", "62", "93")
    assert lines["95 % interval width of the AUC"] == "0.238"
    said = "With 31 positive and 62 negative examples (93 in all) a two-sided test of AUC 0.7"
    assert said in " ".join(out.split())
    assert "of 50 simulated studies" in out


def test_table_of_two_models(power):
    out = power("--auc", 0.8, "--other-auc", 0.7, "--unpaired", "--alternative", "greater")
    assert "other n+" in out
    assert "in all), a one-sided test" in " ".join(out.split())
    assert "interval width" not in out
    assert "against that of another model with 0.7" in out
    out = power("--auc", 0.8, "--other-auc", 0.7, "--correlation", 0.5, "--format", "markdown")
    assert "| correlation of AUCs" in out


def test_csv_is_one_line(power):
    arguments = "--auc .8 --other-auc .7 --correlation .4 --simulate 9 --seed 3 --format csv"
    out = power(*arguments.split())
    (row,) = csv.DictReader(io.StringIO(out))
    plan = rl.plan_auc_study(0.8, other_auc=0.7, correlation=0.4, simulate=9, rng=3)
    assert float(row["n_pos"]) == plan.n_pos
    assert row["correlation"] == "0.4 0.4"
    assert float(row["simulated_power"]) == plan.simulation.power
    assert (row["null_value"], row["n_simulations"]) == ("", "9")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--auc .5", "roclab: --auc 0.5 is the same as --null-value; no sample size detects"),
        ("--auc .8 --power .01", "roclab: --power 0.01 is not above --alpha 0.05"),
        ("--auc .8 --other-auc .7", "Pass --correlation of the scores"),
        ("--auc .8 --alpha x", "roclab: --alpha x is not a number. Pass one such as 0.05, or ?"),
        ("--auc .8 --n-pos 0", "roclab: --n-pos 0 is out of range; a positive"),
        ("--auc .8 --n-pos 40.5", "roclab: --n-pos is 40.5; a whole number is needed"),
        ("", "the AUC and the sizes were left out"),
        (
            "--auc .5001 --simulate 9",
            "too large to simulate; at most 30,000,000 examples",
        ),
    ],
)
def test_impossible_requests_are_told_in_one_line(power, arguments, message):
    err = power(*arguments.split(), code=2)
    assert message in err
    assert err.count("\n") == 1


class TestPilot:
    @pytest.fixture
    def file(self, tmp_path):
        rows = [(i % 2, i * 7 % 11 + 2 * (i % 2), i * 5 % 13 + (i % 2)) for i in range(40)]
        rows.append(("", 1, 1))
        path = tmp_path / "pilot.csv"
        path.write_text("y,a,b\n" + "".join(f"{y},{a},{b}\n" for y, a, b in rows))
        return path

    def test_two_models(self, power, file):
        out = power(
            "--pilot", file, "--label", "y", "--n-pos", 50, "--n-neg", 60, "--format", "json"
        )
        table = rl.read_scores(file, y_true="y")
        assert json.loads(out) == rl.plan_auc_study(pilot=table, n_pos=50, n_neg=60).to_dict()

    def test_one_model_and_a_partial_auc(self, power, file):
        word = "partial_auc(fpr_range=(0, 0.5))"
        options = ("--pilot", file, "--label", "y", "--score", "a", "--measure", word)
        out = json.loads(power(*options, "--power", 0.8, "--format", "json"))
        pilot = rl.read_scores(file, y_true="y")["a"]
        assert out == rl.plan_auc_study(pilot=pilot, power=0.8, measure=word).to_dict()
        assert f"{word} " in power(*options, "--power", 0.8)

    def test_rows_left_out_are_reported(self, file, capsys):
        main(["power", "--pilot", str(file), "--label", "y", "--n-pos", "50", "--n-neg", "60"])
        assert "note: 1 of 41 rows left out" in capsys.readouterr().err

    def test_a_pilot_needs_labels(self, power, file):
        said = power("--pilot", file, "--n-pos", 50, "--n-neg", 60, code=2)
        assert "--pilot and --label were not both passed" in said
        said = power("--label", "y", "--auc", 0.8, code=2)
        assert "--pilot and --label were not both passed" in said
