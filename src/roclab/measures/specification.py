"""Measures by word: ``"scored_auc"``, or with options ``"partial_auc(max_fpr=0.1)"``.

The one place where such words are read. Values are written as in Python: numbers, True, False,
None, text in quotation marks, and pairs such as ``(0, 0.1)``.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterable, Mapping
from typing import Any

from roclab.errors import InputError
from roclab.measures.measure import Measure, MeasureFunction, measures_by_name

__all__ = ["find_measure", "find_measures", "word_of"]

Found = tuple[Measure[Any], dict[str, Any]]


def find_measure(measure: str | MeasureFunction[..., Any], /, **options: Any) -> Found:
    """A measure and its options, by word or by function.

    Parameters
    ----------
    measure : str or callable
        A word, such as ``"auc"`` or ``"partial_auc(max_fpr=0.1)"``, or a measure, such as
        `partial_auc`.
    **options
        Options of the measure, beside those in the word.

    Returns
    -------
    tuple of Measure and dict
        So that ``measure.value_of(ranking, **options)`` is the value.

    Raises
    ------
    InputError
        There is no such measure, the word cannot be read, an option is unknown, missing, given
        twice or of another kind than the measure takes. The message says what is allowed.

    Examples
    --------
    >>> from roclab import Ranking
    >>> measure, options = find_measure("margin_auc(margin=0.25)")
    >>> options
    {'margin': 0.25}
    >>> measure.value_of(Ranking([0, 1, 0, 1], [0.0, 0.5, 0.5, 1.0]), **options)
    0.75
    """
    if isinstance(measure, str):
        entry, given = _read(measure)
    else:
        entry, given = _entry_of(measure), {}
    for name in given.keys() & options:
        raise InputError(f"{name} is given twice, in {measure!r} and beside it. Give it once.")
    return entry, _checked(entry, given | options)


def find_measures(measures: str | Iterable[str | MeasureFunction[..., Any]]) -> dict[str, Found]:
    """Measures with their options by the word for them, each once.

    A text may hold several words with commas between them; commas inside brackets do not count.
    """
    if not isinstance(measures, Iterable):
        raise InputError(
            f"measures is {measures!r:.60}; names of measures are needed, such as "
            "'gini, ks_statistic'."
        )
    words = _split(measures) if isinstance(measures, str) else measures
    found = [find_measure(word) for word in words]
    return {word_of(entry, options): (entry, options) for entry, options in found}


def word_of(measure: Measure[Any], options: Mapping[str, Any]) -> str:
    """The word for a measure with options: always the same for the same ones."""
    names = [option.name for option in measure.options if option.name in options]
    given = [f"{name}={options[name]!r}" for name in names]
    return f"{measure.name}({', '.join(given)})" if given else measure.name


def _split(text: str) -> list[str]:
    words, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth <= 0:
            words.append("")
        else:
            words[-1] += letter
    return [word.strip() for word in words if word.strip()]


def _entry_of(function: Any) -> Measure[Any]:
    for entry in measures_by_name().values():
        if entry.function is function:
            return entry
    raise InputError(
        f"{function!r} is no measure of a ranking. Pass one, such as partial_auc, or a word, such "
        "as 'partial_auc(max_fpr=0.1)'; list_measures() has them all."
    )


def _read(word: str) -> Found:
    name, *rest = (part.strip() for part in word.split("(", 1))
    known = measures_by_name()
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise InputError(f"No measure {name!r}.{hint} Measures: {', '.join(known)}.")
    entry = known[name]
    if not rest:
        return entry, {}
    try:
        call = ast.parse(f"_({rest[0]}", mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        call = None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise InputError(f"{word!r} cannot be read. {_help(entry)}")
    if call.args or not all(keyword.arg for keyword in call.keywords):
        raise InputError(f"{word!r} has an option without its name. {_help(entry)}")
    options: dict[str, Any] = {}
    for keyword in call.keywords:
        option = str(keyword.arg)
        if option in options:
            raise InputError(f"{word!r} gives {option} twice. Give it once.")
        try:
            options[option] = ast.literal_eval(keyword.value)
        except (ValueError, TypeError, MemoryError, RecursionError):
            raise InputError(
                f"{word!r}: {option}={ast.unparse(keyword.value)} is no value; it may be a number, "
                f"True, False, None, a text in quotation marks or a pair. {_help(entry)}"
            ) from None
    return entry, options


def _checked(entry: Measure[Any], given: dict[str, Any]) -> dict[str, Any]:
    known = {option.name: option for option in entry.options}
    for name, value in given.items():
        if name not in known:
            raise InputError(f"{entry.name} has no option {name!r}. {_help(entry)}")
        if not known[name].accepts(value):
            raise InputError(
                f"{entry.name} takes {known[name].kind} as {name}, not {value!r}. {_help(entry)}"
            )
    missing = [name for name, option in known.items() if option.required and name not in given]
    if missing:
        raise InputError(f"{entry.name} needs {' and '.join(missing)}. {_help(entry)}")
    return given


def _help(entry: Measure[Any]) -> str:
    if not entry.options:
        return f"{entry.name} takes no options."
    options = "; ".join(f"{option} ({option.kind})" for option in entry.options)
    return f"Its options: {options}. For example: {entry.example}."
