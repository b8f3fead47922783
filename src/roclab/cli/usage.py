"""Wrong words at the shell: what they are, what is needed, and the word that was probably meant."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, Literal, get_args, get_origin

from roclab.cli.messages import options_of

_CHOICE = re.compile(
    r"^(?:Value error, )?(?P<quote>['\"])(?P<given>.*)(?P=quote) is not one of (?P<known>'.*')\.?$"
)
# What a number must be, by the beginning of the validating library's word for the error.
_NEEDED = {"int": "a whole number", "float": "a number"}
_LIMITS = {
    "greater_than_equal": ("ge", "at least"),
    "greater_than": ("gt", "more than"),
    "less_than_equal": ("le", "at most"),
    "less_than": ("lt", "less than"),
}


_SYNONYMS = {
    "--by": ("--group", "--groups", "--group-by", "--segment"),
    "--confidence": ("--ci", "--level"),
    "--format": ("--output-format",),
    "--kind": ("--type",),
    "--label": ("--class", "--labels", "--outcome", "--target", "--truth", "--y"),
    "--measure": ("--measures", "--metric", "--metrics"),
    "--output": ("--out",),
    "--positive": ("--pos", "--positive-class", "--positive-label"),
    "--resamples": ("--bootstraps", "--n-bootstrap", "--replicates"),
    "--score": ("--model", "--models", "--prediction", "--predictions", "--scores"),
    "--seed": ("--random-seed", "--random-state"),
    "--separator": ("--delimiter", "--sep"),
    "--weight": ("--weights",),
}
_BANDS = "Bands are drawn by roclab plot --band, and in Python: rl.plot(rl.roc_band(y, scores))."
_ELSEWHERE = {("report", option): _BANDS for option in ("--band", "--bands")}
_RENAMED = {("--kind", "gain"): "pr-gain (of precision and recall) or gains (the gains table)"}


def usage_error(error: Exception, command: str) -> str | None:
    """The message of a usage error in one line; None for any other error.

    typer's usage errors have had several homes (click's, then its own), so they are known by what
    they can do. `command` is what was called, for errors that do not know it.
    """
    format_message = getattr(error, "format_message", None)
    if format_message is None:
        return None
    said = " ".join(str(format_message()).split())
    message = _wrong_option(error) or _wrong_value(error) or said
    stop = "" if message.endswith((".", "?", "!")) else "."
    path = getattr(getattr(error, "ctx", None), "command_path", None)
    path = path or ("roclab" if command.startswith("-") else f"roclab {command}")
    return f"{message}{stop} See: {path} --help"


def _wrong_option(error: Any) -> str | None:
    if not hasattr(error, "possibilities"):
        return None
    given = str(error.option_name)
    said = f"No such option {given}."
    command = getattr(getattr(error, "ctx", None), "command", None)
    if command is None:
        return said + _meant(given, error.possibilities)
    if (command.name, given) in _ELSEWHERE:
        return f"{said} {_ELSEWHERE[command.name, given]}"
    meant = _other_words(command).get(given.lower().replace("_", "-"))
    if meant is not None:
        return f"{said} Did you mean {meant}?"
    options = [option for one in command.params for option in one.opts if option[:2] == "--"]
    # Without the hyphens, which make any two short words alike.
    near = _meant(given.strip("-"), [option.strip("-") for option in options], "--")
    return said + near


def _other_words(command: Any) -> dict[str, str]:
    """What people write for the options of a command, and what to write instead."""
    named = {one.name: one.opts[0] for one in command.params if one.opts[0].startswith("--")}
    signature = inspect.signature(command.callback).parameters
    words = {
        f"--{choice}".replace("_", "-"): f"{option} {choice}"
        for name, option in reversed(named.items())
        if name in signature
        for choice in _choices(signature[name].annotation)
    }
    others = options_of(command.name or "")
    if words.get("--jsonl") == "--format jsonl":
        words["--json"] = "--format jsonl"
    words |= {f"--{name}".replace("_", "-"): option for name, option in others.items()}
    words |= {word: option for option, meant in _SYNONYMS.items() for word in meant}
    words |= {option: option for option in named.values()}  # in capitals, or with underscores
    return {word: meant for word, meant in words.items() if meant.split()[0] in named.values()}


def _choices(annotation: Any) -> list[str]:
    """The words that an option accepts, if these are all that it accepts."""
    if get_origin(annotation) is Literal:
        return [*map(str, get_args(annotation))]
    return [word for one in get_args(annotation) for word in _choices(one)]


def _wrong_value(error: Any) -> str | None:
    """An option with a value that it cannot have."""
    names = getattr(getattr(error, "param", None), "opts", None)
    if not names:
        return None
    choice = _CHOICE.search(str(error.message))
    if choice:
        known = re.findall("'([^']*)'", choice["known"])
        found = f"{names[0]} is '{choice['given']}', which is not one of {', '.join(known)}."
        given = choice["given"].casefold()
        renamed = _RENAMED.get((names[0], given))
        return f"{found} Did you mean {renamed}?" if renamed else found + _meant(given, known)
    errors = getattr(error.__cause__, "errors", None)
    if errors is None:
        return None
    first = errors()[0]
    return f"{names[0]} is {first['input']}; {_needed(first)} is needed."


def _needed(first: dict[str, Any]) -> str:
    kind = str(first["type"])
    if kind in _LIMITS:
        limit, word = _LIMITS[kind]
        return f"{word} {first['ctx'][limit]:.12g}"
    return _NEEDED.get(kind.split("_")[0], "another value")


def _meant(given: str, known: Iterable[str] | None, sign: str = "") -> str:
    near = get_close_matches(given, list(known or ()), n=1)
    return f" Did you mean {sign}{near[0]}?" if near else ""
