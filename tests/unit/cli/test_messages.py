"""Library errors at the shell."""

import pytest

from roclab.cli.app import app
from roclab.cli.messages import called, commands_of, register_commands, shell_message
from roclab.errors import InputError, MissingExtraError

register_commands(app)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("evaluate", "--positive 'a' is not in --label; pass it with --positive and --interval."),
        ("train", "--positive 'a' is not in --label; pass it with --positive and method."),
        ("power", "--positive 'a' is not in --label; pass it with --positive and --method."),
        ("measures", "pos_label='a' is not in y_true; pass it with pos_label and method."),
    ],
)
def test_parameters_become_options_of_the_command(command, expected):
    error = InputError(
        found="{pos_label=}{value} is not in {y_true}",
        needed="pass it with {pos_label} and {method}",
        value="'a'",
    )
    assert shell_message(error, command) == expected


def test_columns_with_the_names_of_parameters_stay():
    error = InputError(
        found="No column `{column}`", fix="Columns: {all}.", column="{y_true}", all="`y_true`"
    )
    assert shell_message(error, "evaluate") == "No column `{y_true}`. Columns: `y_true`."


def test_a_missing_package_is_named_without_the_command_line():
    error = MissingExtraError("typer", extra="cli", purpose="The command roclab")
    assert shell_message(error, "evaluate") == str(error)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("power", "Pass --unpaired, or --alpha '?' for --alpha 0.05."),
        (None, "Pass paired=False, or alpha=None for alpha=0.05."),
    ],
)
def test_settings_that_a_command_expresses_otherwise(command, expected):
    error = InputError(found="Pass {paired=False}, or {alpha=None} for {alpha=}0.05")
    assert (str(error) if command is None else shell_message(error, command)) == expected
    assert error.parameters == ("paired", "alpha")


def test_commands_of_groups_have_two_words():
    known = commands_of(app)
    assert {"evaluate", "repair", "repair apply", "monitor serve"} <= {*known}
    assert "monitor" not in known


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ([], ""),
        (["evaluate", "scores.csv"], "evaluate"),
        (["repair", "apply", "x"], "repair apply"),
        (["monitor", "import", "x"], "monitor import"),
        (["monitor"], "monitor"),
    ],
)
def test_the_command_that_is_called(words, command):
    assert called(words) == command
