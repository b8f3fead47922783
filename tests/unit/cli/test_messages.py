"""Library errors in words of the shell."""

import pytest

from roclab.cli.messages import for_the_shell, usage_error


@pytest.mark.parametrize(
    ("message", "translated"),
    [
        ("Name it: pos_label='yes'.", "Name it: --positive 'yes'."),
        ("y_true holds 3 values", "The label column holds 3 values"),
        ("sample_weight must be finite", "Weights must be finite"),
        ("It looks like TSV: say format='tsv'.", "It looks like TSV: say --input-format tsv."),
        ("The stream is empty", "Standard input is empty"),
        (
            "Column `y_true` is named twice, in `y_true` and `by`; a column has one role.",
            "Column `y_true` is named twice, in --label and --by; a column has one role.",
        ),
    ],
)
def test_arguments_become_options(message, translated):
    assert for_the_shell(message) == translated


def test_columns_with_the_names_of_arguments_stay():
    message = "No column `y_tru`. Columns: `y_true`, `y_score`, `by`. Did you mean `y_true`?"
    assert for_the_shell(message) == message


def test_other_errors_are_no_usage_errors():
    assert usage_error(ValueError("x")) is None
