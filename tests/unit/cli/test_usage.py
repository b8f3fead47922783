"""Usage errors in one line, whichever library raised them."""

from types import SimpleNamespace

from roclab.cli.usage import usage_error


class Wrong(Exception):
    """A usage error as click makes it."""

    def __init__(self, message, **attributes):
        super().__init__(message)
        self.message = message
        self.__dict__.update(attributes)

    def format_message(self):
        return self.message


def test_other_errors_are_no_usage_errors():
    assert usage_error(ValueError("x"), "evaluate") is None


def test_an_error_without_a_context_names_the_command_that_was_called():
    error = Wrong("Option '--by' requires an argument.\n")
    said = "Option '--by' requires an argument. See: roclab"
    assert usage_error(error, "evaluate") == f"{said} evaluate --help"
    assert usage_error(error, "--by") == f"{said} --help"


def test_a_choice_that_click_refuses():
    error = Wrong("'jsn' is not one of 'table', 'json'.", param=SimpleNamespace(opts=["--format"]))
    assert usage_error(error, "evaluate") == (
        "--format is 'jsn', which is not one of table, json. Did you mean json? "
        "See: roclab evaluate --help"
    )


def test_what_is_not_like_anything_gets_no_suggestion():
    error = Wrong("", option_name="--xyz", possibilities=[])
    assert usage_error(error, "evaluate") == "No such option --xyz. See: roclab evaluate --help"
