"""`roclab threshold`: what the library chooses, in the shell."""

import json

import pytest

import roclab as rl
from roclab.cli import main


@pytest.fixture
def threshold(capsysbinary):
    def threshold(*arguments):
        code = main(["threshold", *map(str, arguments)])
        return (code, *(stream.decode() for stream in capsysbinary.readouterr()))

    return threshold


def test_the_choice_is_that_of_the_library(scores, frame, threshold):
    options = ("--score", "ridge", "--false-negative-cost", 3, "--prevalence", 0.2, "--seed", 1)
    code, out, err = threshold(scores, "--label", "outcome", *options, "--format", "json")
    assert (code, err) == (0, "")
    expected = rl.choose_threshold(
        frame["outcome"], frame["ridge"], false_negative_cost=3, prevalence=0.2, rng=1
    )
    assert json.loads(out) == expected.to_dict()


def test_the_table_says_what_to_do(scores, frame, threshold):
    chosen = rl.choose_threshold(frame["outcome"], frame["ridge"], max_fpr=0.25, rng=0)
    options = ("--score", "ridge", "--max-fpr", 0.25, "--seed", 0)
    _, out, _ = threshold(scores, "--label", "outcome", *options)
    assert f"Call examples positive if their score is at least {chosen.threshold:.6g}." in out
    assert "highest true positive rate among thresholds with a false positive rate at most" in out


def test_one_model_must_be_named(scores, refusal):
    message = refusal("threshold", scores, "--label", "outcome", "--max-fpr", 0.1)
    assert "Name its column with --score." in message


def test_limits_that_exclude_each_other(scores, refusal):
    options = ("--score", "ridge", "--max-fpr", 0, "--min-tpr", 1)
    message = refusal("threshold", scores, "--label", "outcome", *options)
    assert "--max-fpr allow" in message
    assert "--min-tpr 1.0 is asked for" in message
