"""Condition rules: what they say, and their states over time."""

from datetime import timedelta

import pytest

from roclab.errors import InputError
from roclab.monitor.rules import Condition, RuleState, next_state, parse_condition

HOUR = 3_600_000_000


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("auc.low < 0.70", Condition("auc.low", "<", 0.7)),
        ("auc<=.7", Condition("auc", "<=", 0.7)),
        ("  volume >= 100 ", Condition("volume", ">=", 100)),
        ("mean_score < -2", Condition("mean_score", "<", -2)),
        ("silence > 90 m", Condition("silence", ">", 5400)),
        ("label_delay > 1.5d", Condition("label_delay", ">", 129_600)),
    ],
)
def test_conditions(text, expected):
    found = parse_condition(text)
    assert found == expected
    assert parse_condition(str(found)) == found


@pytest.mark.parametrize(
    "text", ["", "auc", "auc < ", "auc == 1", "AUC < 1", "auc < 1e-3", "auc < nan", "auc < 1 < 2"]
)
def test_what_is_no_condition(text):
    with pytest.raises(InputError, match="is no condition"):
        parse_condition(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("silence > 92h", "silence > 92h"),
        ("silence > 100000000s", "silence > 100000000s"),
        ("silence > 1000w", "silence > 1000w"),
        ("label_delay > .1s", "label_delay > 0.1s"),
        ("auc < 0.70000001", "auc < 0.70000001"),
        ("psi.pvalue < .0000001", "psi.pvalue < 0.0000001"),
        ("volume < 123456789", "volume < 123456789"),
        ("auc < -0", "auc < -0"),
    ],
)
def test_a_level_is_said_without_rounding(text, said):
    """It is the name of the rule, by default."""
    assert str(parse_condition(text)) == said
    assert parse_condition(said) == parse_condition(text)


def test_a_level_that_no_number_has():
    with pytest.raises(InputError, match=r"has a level that is too large; a number below"):
        parse_condition("volume > " + "9" * 400)


def test_a_quantity_that_is_like_no_other():
    with pytest.raises(InputError, match=r"There is no quantity 'zmpe'; [^?]*more\."):
        parse_condition("zmpe >= 0")


@pytest.mark.parametrize(
    ("comparison", "held"),
    [("<", {0.1}), ("<=", {0.1, 0.2}), (">", {0.3}), (">=", {0.2, 0.3})],
)
def test_comparisons(comparison, held):
    condition = Condition("psi", comparison, 0.2)
    assert {one for one in (0.1, 0.2, 0.3) if condition.holds(one)} == held


@pytest.mark.parametrize(
    ("quantity", "value", "shown"),
    [
        ("auc", 0.71234, "0.712"),
        ("volume", 12_345.0, "12,345"),
        ("psi.pvalue", 0.00012345, "0.00012"),
        ("silence", 5400.0, "90m"),
        ("silence", 172_800.0, "2d"),
        ("silence", 0.0, "0s"),
    ],
)
def test_values_in_their_unit(quantity, value, shown):
    assert Condition(quantity, "<", 1).shown(value) == shown


def states(values, *, lasting=0, keep_firing_for=0, cohort=True):
    """States after values of one an hour, as a letter each."""
    state, found = RuleState(), []
    for place, value in enumerate(values):
        state = next_state(
            state,
            Condition("auc", "<", 0.5),
            value,
            now=place * HOUR,
            cohort=cohort,
            lasting=lasting,
            keep_firing_for=keep_firing_for,
        )
        found.append(state.state[0])
    return "".join(found)


LOW, HIGH = 0.4, 0.6


def test_without_times_it_fires_and_recovers_at_once():
    assert states([HIGH, LOW, LOW, HIGH, LOW]) == "offof"


def test_it_fires_after_so_many_cohorts():
    assert states([LOW, LOW, LOW, HIGH, LOW, LOW], lasting=3) == "ppfopp"


def test_it_fires_after_so_long():
    assert states([LOW, LOW, LOW, HIGH, LOW], lasting=timedelta(hours=2), cohort=False) == "ppfop"


def test_it_fires_on_for_so_many_cohorts():
    assert states([LOW, HIGH, LOW, HIGH, HIGH, HIGH], keep_firing_for=2) == "ffffoo"


def test_it_fires_on_for_so_long():
    found = states([LOW, HIGH, HIGH, HIGH], keep_firing_for=timedelta(hours=2), cohort=False)
    assert found == "fffo"


def test_missing_data_neither_prove_nor_refute():
    assert states([None, LOW, None, LOW, LOW, None, HIGH], lasting=2) == "npnpffo"
