"""Every error and warning that roclab raises, with its parts.

::

    RoclabError
    ├── InputError (ValueError)              data or options that cannot be used as given
    │   ├── ColumnError                      a named column is not in the table
    │   ├── EventNotFoundError               an event to revert that is not there
    │   ├── FileFormatError                  a file that cannot be read as a table
    │   └── ShortReferenceError              a reference with too few events for a drift detector
    ├── SerializationError (ValueError)      bytes that hold no roclab object of a known version
    └── MissingExtraError (ImportError)      an optional package is not installed

    RoclabWarning (UserWarning)
    ├── UndefinedMeasureWarning              the data do not define the measure: the result is nan
    ├── DegenerateIntervalWarning            an interval of zero width, which is not certainty
    ├── SmallSampleWarning                   too few examples for the nominal confidence level
    └── RenamedWarning (FutureWarning)       a name or option that a later version removes

A message has three parts: what was found, what is needed, what to do. In each part a placeholder
stands for a parameter (``{pos_label}``), or for a value that is passed beside the text. Values of
users are inserted as they are, control characters as escapes; braces in them mean nothing. Whoever
shows the message names the parameters: ``pos_label`` in Python, ``--positive`` at the shell.
"""

from __future__ import annotations

import copyreg
import inspect
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Self

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_PLACEHOLDER = re.compile(r"\{([a-z_][a-z0-9_]*)(?:=(\w*))?\}")


class Parameter(str):
    """The name of a parameter, where a value of a message is one."""

    __slots__ = ()


def _in_python(parameter: str, value: str | None) -> str:
    return parameter if value is None else f"{parameter}={value}"


class Message(Exception):
    """A text of three parts, in which parameters have no fixed names.

    Parameters
    ----------
    found : str
        What was found, as a clause without a full stop: ``"{n_resamples} is {value}"``.
    needed : str
        What is needed, as a clause without a full stop.
    fix : str
        What to do, in full sentences: ``"Pass {n_resamples=}2000."`` or ``"{paired=False}"``.
    **values
        What takes the place of other placeholders; a `Parameter` is named like any other.
    """

    def __init__(self, *, found: str, needed: str = "", fix: str = "", **values: Any):
        self.found, self.needed, self.fix = found, needed, fix
        self.values = {name: _text(value) for name, value in values.items()}
        super().__init__(self.message())

    def message(self, named: Callable[[str, str | None], str] = _in_python) -> str:
        """The whole text, with the names that `named` gives to parameters.

        It is called with the parameter and with the value that is assigned to it: ``"False"`` by
        ``{paired=False}``, nothing by ``{pos_label=}``, which precedes a value, and else None.
        """
        found, needed, fix = (self.part(part, named) for part in ("found", "needed", "fix"))
        first = "; ".join(filter(None, (found, needed)))
        return " ".join(filter(None, (first + "." * (first[-1] not in ".?!:"), fix)))

    def part(self, part: str, named: Callable[[str, str | None], str] = _in_python) -> str:
        """One part of the text: ``"found"``, ``"needed"`` or ``"fix"``."""

        def shown(placeholder: re.Match[str]) -> str:
            value = self.values.get(placeholder[1], Parameter(placeholder[1]))
            return named(value, placeholder[2]) if isinstance(value, Parameter) else value

        return _PLACEHOLDER.sub(shown, getattr(self, part))

    def about(self, subject: str) -> Self:
        """The same message, after what it is about: ``"Model 'a': …"``."""
        values = self.values | {"subject": subject}
        return type(self)(
            found="{subject}: " + self.found, needed=self.needed, fix=self.fix, **values
        )

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters that the text is about, in the order of their mention."""
        texts = self.found + self.needed + self.fix
        names = (self.values.get(name, Parameter(name)) for name, _ in _PLACEHOLDER.findall(texts))
        return tuple(dict.fromkeys(str(name) for name in names if isinstance(name, Parameter)))

    def __reduce__(self) -> tuple[Any, ...]:
        # Without __init__, which has keywords: exceptions are unpickled from their arguments.
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


def _text(value: Any) -> str:
    """A value in one line: line ends and other control characters are shown as escapes."""
    if isinstance(value, Parameter):
        return value
    return _CONTROL.sub(lambda found: repr(found[0])[1:-1], str(value))


class RoclabError(Message):
    """The root of every error that roclab raises on purpose."""


class InputError(RoclabError, ValueError):
    """Data or options that cannot be used as given."""


class ColumnError(InputError):
    """A column that was named is not in the table."""


class EventNotFoundError(InputError):
    """An event to revert that is not there: it was not added, or it has been dropped."""


class FileFormatError(InputError):
    """A file that cannot be read as a table."""


class ShortReferenceError(InputError):
    """A reference with too few events for a drift detector; the value `events_needed` is known."""

    @property
    def events_needed(self) -> int:
        """Number of events that are about enough."""
        return int(self.values["events_needed"].replace(",", ""))


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
            found="{purpose} needs the package {package}, which is not installed",
            fix="Run: pip install 'roclab[{extra}]'",
            package=package,
            extra=extra,
            purpose=purpose,
        )


class RoclabWarning(Message, UserWarning):
    """The root of every warning that roclab issues."""

    def issue(self) -> None:
        """Warn at the line that called roclab."""
        level, frame = 1, inspect.currentframe()
        while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] == "roclab":
            level, frame = level + 1, frame.f_back
        warnings.warn(self, stacklevel=level)


@contextmanager
def needs_extra(extra: str, purpose: str, *packages: str) -> Iterator[None]:
    """Imports inside that fail for lack of one of the packages name the extra that brings it."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").split(".")[0]
        if package not in packages:
            raise
        raise MissingExtraError(package, extra=extra, purpose=purpose) from None


class UndefinedMeasureWarning(RoclabWarning):
    """The data do not define the measure, so the result is nan."""


class DegenerateIntervalWarning(RoclabWarning):
    """An interval has zero width, which must not be read as certainty."""


class SmallSampleWarning(RoclabWarning):
    """The sample is too small for the interval to be informative or to hold its nominal level."""


class MaxErrorWarning(RoclabWarning):
    """The error of an AUC from bins of scores may be larger than was asked."""


class RenamedWarning(RoclabWarning, FutureWarning):
    """A name or option is deprecated: it works until the version that the message names.

    Parameters
    ----------
    old, new : str
        The name as callers wrote it, and what to write instead.
    removed_in : str
        The first version without the old name.
    """

    def __init__(self, old: str, new: str, removed_in: str) -> None:
        super().__init__(
            found="{old} is deprecated and will be removed in roclab {removed_in}",
            fix="Use {new}.",
            old=old,
            new=new,
            removed_in=removed_in,
        )
