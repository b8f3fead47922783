"""Specifications of measures: ``"scored_auc"``, or with options ``"margin_auc(margin=0.2)"``.

The only place that parses them. Values are written as in Python: numbers, True, False, None, text
in quotation marks, and pairs such as ``(0, 0.1)``.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from roclab.checks.options import shown
from roclab.errors import InputError
from roclab.measures.measure import Measure, measures_by_name

Found = tuple[Measure, dict[str, Any]]

_OF_GROUPED_ROWS = ("gauc", "stratified_auc")  # the AUC within groups of rows
# Names and options of other packages, and what they are called here.
_ELSEWHERE = {
    "max_fpr": "scikit-learn's max_fpr=0.1 is partial_auc(fpr_range=(0, 0.1), standardize=True). ",
    "youden": "Youden's J is ks_statistic; operating_points(...).best() has its threshold. ",
    "f1": "F1 needs a threshold: operating_points(...) has it at every one. ",
}


def find_measure(measure: str | Callable[..., Any], /, **options: Any) -> Found:
    """Find a measure and its options by specification or function.

    Parameters
    ----------
    measure : str or callable
        A specification, such as ``"auc"`` or ``"partial_auc(fpr_range=(0, 0.1))"``, or a measure,
        such as `partial_auc`. Aliases are names too: ``"roc_auc"`` finds `auc`.
    **options
        Options of the measure, such as ``fpr_range=(0, 0.1)``, in addition to those of the
        specification.

    Returns
    -------
    tuple of Measure and dict
        The value is ``measure.value_of(ranking, **options)``.

    Raises
    ------
    InputError
        The measure is unknown, the specification cannot be parsed, an option is unknown, missing,
        given twice or of the wrong type. The message lists what is allowed.

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
        raise InputError(
            found="{option} is given twice, in {word} and as an argument",
            fix="Pass it once.",
            option=name,
            word=shown(measure),
        )
    return entry, _checked(entry, given | options)


def single_measure(measure: str | Callable[..., Any], needs_it: str, /, **options: Any) -> Found:
    """As `find_measure`, for what needs a measure of one number, such as "an interval"."""
    entry, chosen = find_measure(measure, **options)
    if not entry.single:
        raise InputError(
            found="{named} has several parts ({parts})",
            needed="{needs_it} needs a measure that returns one number",
            fix="Choose one from list_measures().",
            named=entry.name,
            parts=", ".join(entry.parts),
            needs_it=needs_it,
        )
    return entry, chosen


def find_measures(measures: str | Iterable[str | Callable[..., Any]]) -> dict[str, Found]:
    """Measures with their options by specification, without duplicates.

    A text may hold several, separated by commas; commas inside brackets do not count.
    """
    if not isinstance(measures, Iterable):
        raise InputError(
            found="{measures} is {value}",
            needed="names of measures are needed",
            fix="Pass for example {measures=}'gini, ks_statistic'.",
            value=shown(measures),
        )
    words = _split(measures) if isinstance(measures, str) else measures
    found = [find_measure(word) for word in words]
    return {word_of(entry, options): (entry, options) for entry, options in found}


def word_of(measure: Measure, options: Mapping[str, Any]) -> str:
    """The specification of a measure with options, in a normal form."""
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


def _entry_of(function: Any) -> Measure:
    for entry in measures_by_name().values():
        if entry.function is function:
            return entry
    raise InputError(
        found="{function} is not a measure of a ranking",
        fix="Pass a measure, such as partial_auc, or a specification, such as "
        "'partial_auc(fpr_range=(0, 0.1))'; list_measures() lists all.",
        function=shown(function),
    )


def _read(word: str) -> Found:
    name, *rest = (part.strip() for part in word.split("(", 1))
    known = measures_by_name()
    by_any_name = dict(known)
    by_any_name |= {alias: entry for entry in known.values() for alias in entry.aliases}
    if name in _OF_GROUPED_ROWS:
        raise InputError(
            found="{name} needs the group of each row, such as its user",
            needed="a measure here is a number of labels and scores alone",
            fix="Call evaluate or stratified_auc with {stratum}, for the GAUC of advertising also "
            "with {weighting=}'rows'.",
            name=shown(name),
        )
    several = _split(word)
    if name not in by_any_name and len(several) > 1:
        raise InputError(
            found="{word} names {number} measures",
            needed="one is needed here",
            fix="Name one of them.",
            word=shown(word),
            number=len(several),
        )
    if name not in by_any_name:
        near = difflib.get_close_matches(name, by_any_name, n=1)
        meant = "Did you mean {near}? " if near else _ELSEWHERE.get(name.lower(), "")
        raise InputError(
            found="No measure {name}",
            fix=meant + "Measures: {measures}.",
            name=shown(name),
            near=repr(near[0]) if near else "",
            measures=", ".join(known),
        )
    entry = by_any_name[name]
    if not rest:
        return entry, {}
    try:
        call = ast.parse(f"_({rest[0]}", mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        call = None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise _error("{word} cannot be parsed", entry, word=shown(word))
    if call.args or not all(keyword.arg for keyword in call.keywords):
        raise _error("{word} has an option without a name", entry, word=shown(word))
    options: dict[str, Any] = {}
    for keyword in call.keywords:
        option = str(keyword.arg)
        if option in options:
            raise InputError(
                found="{word} gives {option} twice",
                fix="Pass it once.",
                word=shown(word),
                option=option,
            )
        try:
            options[option] = ast.literal_eval(keyword.value)
        except (ValueError, TypeError, MemoryError, RecursionError):
            raise _error(
                "{word}: {option}={value} is not a value",
                entry,
                needed="a number, True, False, None, text in quotation marks or a pair is needed",
                word=shown(word),
                option=option,
                value=ast.unparse(keyword.value),
            ) from None
    return entry, options


def _checked(entry: Measure, given: dict[str, Any]) -> dict[str, Any]:
    known = {option.name: option for option in entry.options}
    for name, value in given.items():
        if name not in known:
            raise _error(
                "{measure} has no option {option}",
                entry,
                instead=_ELSEWHERE.get(name, ""),
                option=shown(name),
            )
        if not known[name].accepts(value):
            raise _error(
                "{measure} takes {kind} as {option}, not {value}",
                entry,
                kind=known[name].kind,
                option=name,
                value=shown(value),
            )
    missing = [name for name, option in known.items() if option.required and name not in given]
    if missing:
        raise _error("{measure} needs {missing}", entry, missing=" and ".join(missing))
    return given


def _error(
    found: str, entry: Measure, needed: str = "", instead: str = "", **values: str
) -> InputError:
    """An error about a specification, with the options of the measure."""
    options = "Its options: {options}. For example: {example}."
    return InputError(
        found=found,
        needed=needed,
        fix=instead + (options if entry.options else "{measure} takes no options."),
        measure=entry.name,
        options="; ".join(f"{option} ({option.kind})" for option in entry.options),
        example=entry.example,
        **values,
    )
