"""Messages with parts: named by whoever shows them, and safe from what users pass."""

import copy
import pickle
import warnings

import pytest

from roclab.errors import (
    ColumnError,
    DegenerateIntervalWarning,
    FileFormatError,
    InputError,
    MissingExtraError,
    Parameter,
    RenamedWarning,
    SerializationError,
    UndefinedMeasureWarning,
)

PARTS = {
    "found": "{pos_label=}{value} is not among the values of {y_true}: {values}",
    "needed": "one of them is needed",
    "fix": "Name one with {pos_label}, as in {pos_label=}{first}.",
}
OPTIONS = {"pos_label": "--positive", "y_true": "--label"}


def at_the_shell(parameter, value):
    return OPTIONS[parameter] if value is None else f"{OPTIONS[parameter]} {value}"


def refused(value="'c'"):
    return InputError(**PARTS, value=value, values="a, b", first="'a'")


def test_python_names_parameters():
    assert str(refused()) == (
        "pos_label='c' is not among the values of y_true: a, b; one of them is needed. "
        "Name one with pos_label, as in pos_label='a'."
    )


def test_the_shell_names_options():
    assert refused().message(at_the_shell) == (
        "--positive 'c' is not among the values of --label: a, b; one of them is needed. "
        "Name one with --positive, as in --positive 'a'."
    )


def test_parts_and_parameters_can_be_read():
    error = refused()
    assert error.part("needed") == "one of them is needed"
    assert error.part("found", at_the_shell).startswith("--positive 'c'")
    assert error.parameters == ("pos_label", "y_true")


@pytest.mark.parametrize("value", ["{pos_label}", "{y_true=}", "{", "{0}", "{value}", "%s", "{}"])
def test_values_of_users_are_never_formatted(value):
    assert str(refused(value)).startswith(f"pos_label={value} is not among")
    assert refused(value).parameters == ("pos_label", "y_true")


def test_a_value_may_be_a_parameter():
    error = InputError(found="{name} has {rows} rows", name=Parameter("score_a"), rows=3)
    assert str(error) == "score_a has 3 rows."
    assert error.parameters == ("score_a",)


def test_a_message_can_be_about_a_subject():
    error = refused().about("Model '{y_true}'")
    assert type(error) is InputError
    assert str(error) == f"Model '{{y_true}}': {refused()}"
    assert error.message(at_the_shell) == f"Model '{{y_true}}': {refused().message(at_the_shell)}"
    assert error.parameters == ("pos_label", "y_true")


@pytest.mark.parametrize("kind", [InputError, ColumnError, FileFormatError, SerializationError])
def test_errors_are_value_errors_and_can_be_sent_to_another_process(kind):
    error = kind(**PARTS, value="'c'", values="a, b", first="'a'")
    assert isinstance(error, ValueError)
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(again) is kind
        assert str(again) == str(error)
        assert again.message(at_the_shell) == error.message(at_the_shell)


def test_a_missing_package_is_an_import_error():
    error = MissingExtraError("polars", extra="cli", purpose="Reading files")
    assert isinstance(error, ImportError)
    assert str(pickle.loads(pickle.dumps(error))) == (
        "Reading files needs the package polars, which is not installed. "
        "Run: pip install 'roclab[cli]'"
    )


@pytest.mark.parametrize("kind", [UndefinedMeasureWarning, DegenerateIntervalWarning])
def test_warnings_have_parts_too(kind):
    with pytest.warns(kind, match=r"^AUC needs both classes\. Pass y_true with both\.$") as caught:
        warnings.warn(
            kind(found="AUC needs both classes", fix="Pass {y_true} with both."), stacklevel=1
        )
    shown = caught[0].message.message(at_the_shell)
    assert shown == "AUC needs both classes. Pass --label with both."


def test_a_renamed_name_warns_where_it_is_used_with_replacement_and_end():
    with pytest.warns(FutureWarning) as issued:
        RenamedWarning("old", "new", removed_in="0.9.0").issue()
    (one,) = issued
    assert str(one.message) == "old is deprecated and will be removed in roclab 0.9.0. Use new."
    assert one.filename == __file__
    assert str(pickle.loads(pickle.dumps(one.message))) == str(one.message)
