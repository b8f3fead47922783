"""Errors at the shell: they name the options of a command, not the parameters of the library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from roclab.errors import Message

_registered: list[Any] = []

# Parameters whose options have other names; `n_pos` is `--n-pos` without being listed.
_NAMES = {
    "y_true": "--label",
    "y_score": "--score",
    "sample_weight": "--weight",
    "pos_label": "--positive",
    "confidence_level": "--confidence",
    "n_resamples": "--resamples",
    "rng": "--seed",
    "format": "--input-format",
    "measures": "--measure",
}
# Settings that a command expresses otherwise.
_SETTINGS = {"paired=False": "--unpaired", "alpha=None": "--alpha '?'"}
_NAMES_IN = {
    "change": {"model": "--score"},
    "evaluate": {"method": "--interval", "memory_limit": "--memory"},
    "train": {
        "y": "--label",
        "categorical_features": "--category",
        "y_score": "--feature",
        "features": "--feature",
        "categories": "--category",
        "p": "--power",
        "min_samples_leaf": "--min-leaf",
        "ccp_alpha": "--prune",
    },
    "monitor import": {"by": "--time", "segments": "--segment", "version": "--model-version"},
    "watch": {
        "alternative": "--change",
        "average_run_length": "--run-length",
        "per_class": "--block",
        "size": "--window",
    },
}


def shell_message(error: Exception | str, command: str) -> str:
    """The message of an error or a warning, with a command's options in place of parameters."""
    if not isinstance(error, Message):
        return str(error)
    names = options_of(command)
    known = _options_of(command)

    def named(parameter: str, value: str | None) -> str:
        setting = parameter if value is None else f"{parameter}={value}"
        option = names.get(parameter, "--" + parameter.replace("_", "-"))
        if option in known:
            setting = option if value is None else f"{option} {value}"
        return _SETTINGS.get(f"{parameter}={value}", setting)

    return error.message(named)


def options_of(command: str) -> dict[str, str]:
    """The options of parameters that have other names at the shell."""
    return _NAMES | _NAMES_IN.get(command, {})


def register_commands(app: Any) -> None:
    """Say where the options of commands are found."""
    _registered.append(app)


def commands_of(app: Any) -> dict[str, Any]:
    """All commands by their names, those of groups with the name of the group before theirs."""
    from typer.main import get_command

    found: dict[str, Any] = {}
    for name, one in getattr(get_command(app), "commands", {}).items():
        inner = getattr(one, "commands", None)
        found |= (
            {name: one} if inner is None else {f"{name} {own}": of for own, of in inner.items()}
        )
    return found


def called(arguments: Sequence[str]) -> str:
    """The command that is called: two words if there is such a command, otherwise the first."""
    two = " ".join(arguments[:2])
    known = commands_of(_registered[-1]) if _registered else {}
    return two if two in known else " ".join(arguments[:1])


def _options_of(command: str) -> set[str]:
    if not _registered:  # typer is not installed
        return set()
    found = commands_of(_registered[-1]).get(command)
    return {option for parameter in getattr(found, "params", ()) for option in parameter.opts}
