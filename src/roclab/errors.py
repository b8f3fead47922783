"""Everything roclab raises or warns with.

::

    RoclabError
    ├── InputError (ValueError)              data that cannot be used as given
    │   ├── ColumnError                      a named column is not in the table
    │   └── FileFormatError                  a file that cannot be read as a table
    ├── SerializationError (ValueError)      bytes that hold no roclab object of a known version
    └── MissingExtraError (ImportError)      an optional package is not installed

    UserWarning
    ├── UndefinedMeasureWarning              the data do not define the measure: the result is nan
    └── DegenerateIntervalWarning            an interval without width, which is not certainty

Each message says what arrived, what is needed and what to do next.
"""

__all__ = [
    "ColumnError",
    "DegenerateIntervalWarning",
    "FileFormatError",
    "InputError",
    "MissingExtraError",
    "RoclabError",
    "SerializationError",
    "UndefinedMeasureWarning",
]


class RoclabError(Exception):
    """The root of every error that roclab raises on purpose."""


class InputError(RoclabError, ValueError):
    """Data that cannot be used as given."""


class ColumnError(InputError):
    """A column that was named is not in the table."""


class FileFormatError(InputError):
    """A file that cannot be read as a table."""


class SerializationError(RoclabError, ValueError):
    """Bytes that hold no roclab object of a known version."""


class MissingExtraError(RoclabError, ImportError):
    """An optional package is not installed.

    Parameters
    ----------
    package : str
        The package that is missing.
    extra : str
        The extra of roclab that brings it.
    purpose : str
        What it is needed for, as the subject of a sentence.
    """

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(
            f"{purpose} needs the package {package}, which is not installed: "
            f"pip install 'roclab[{extra}]'"
        )
        self._made_of = package, extra, purpose

    def __reduce__(self) -> tuple[type, tuple[str, str, str]]:
        # An exception is made anew from its message, of which there is but one part.
        return type(self), self._made_of


class UndefinedMeasureWarning(UserWarning):
    """The data do not define the measure, so the result is nan."""


class DegenerateIntervalWarning(UserWarning):
    """An interval came out without width, which must not be read as certainty."""
