"""Errors in words of the shell: the library speaks of arguments, its commands have options.

Only whole phrases are replaced, since a column may well be called `y_true`.
"""

from __future__ import annotations

import re

from roclab.errors import Message, MissingExtraError, RoclabError

__all__ = ["for_the_shell", "shell_message", "usage_error"]

_OPTIONS = {
    "y_true": "--label",
    "y_score": "--score",
    "sample_weight": "--weight",
    "by": "--by",
    "categories": "--category",
}
_PHRASES = {
    r"\bpos_label=": "--positive ",
    r"`pos_label` is": "--positive is",
    r"^y_true holds": "The label column holds",
    r"\bthe values of y_true\b": "the values of the label column",
    r"\by_true holds\b": "the label column holds",
    r"^sample_weight must": "Weights must",
    r"\bwith `y_score`": "with --score",
    r"`y_score` needs": "--score needs",
    r"`sample_weight` needs": "--weight needs",
    r"\bformat='(\w+)'": r"--input-format \1",
    r"\bwith `format=`": "with --input-format",
    r"\buse BlockDriftTest\b": "use --detector test",
    r"\bsee alternative\b": "see --change",
    r"^The stream\b": "Standard input",
    r"^p is\b": "--power is",
    r"^(gamma|alpha) is\b": r"--\1 is",
    r"`features` needs": "The model needs",
    r"\bload it with pyarrow or polars and pass the frame": "save it as Parquet or CSV",
}
# Words of one command; of two that begin or end alike the longer comes first.
_OTHER_NAMES = {
    "evaluate": {
        "stratum=": "--stratum ",
        "cluster=": "--cluster ",
        "fold=": "--fold ",
        "method=": "--interval ",
        "weighting=": "--weighting ",
        "`stratum`": "--stratum",
        "fold holds": "--fold holds",
        "For one sample see auc_interval": "For one sample leave out --fold",
        "--by; a column has": "--by, --cluster, --stratum or --fold; a column has",
    },
    "compare": {"--by; a column has": "--by or --cluster; a column has"},
    "power": {
        "paired=False": "--unpaired",
        "alpha=None": "--alpha ?",
        "null_value=": "--null-value ",
        "other_auc=": "--other-auc ",
        "estimate_correlation=": "--estimate-correlation ",
        "correlation=": "--correlation ",
        "sample_ratio=": "--sample-ratio ",
        "ratio=": "--ratio ",
        "n_pos=": "--n-pos ",
        "n_neg=": "--n-neg ",
        "power=": "--power ",
        "width=": "--width ",
        "alpha=": "--alpha ",
        "auc=": "--auc ",
        "alternative=": "--alternative ",
        "`correlation`": "--correlation",
        "`estimate_correlation`": "--estimate-correlation",
        "`other_auc`": "--other-auc",
        "`simulate`": "--simulate",
        "null_value": "--null-value",
        "other_auc": "--other-auc",
    },
    "score": {
        "a label and a score": "the columns of the model",
        ", or name other columns with --score": "",
        ", or name another column": "",
    },
    "watch": {"Say the format with --input-format": "Rename the file"},
    "train": {
        "--label": "--target",
        "--score": "--feature",
        "the label column": "the target column",
        "The label column": "The target column",
        "for the scores": "for the features",
        "A score must": "A feature must",
        "a label and a score": "a target and a feature",
        "Allow more with max_iter, or go on from here with warm_start=True": "Allow more with "
        "--max-iter",
        "max_iter=": "--max-iter ",
        "take another solver, p of 2 or 3, or alpha above 0": "take another --solver, --power 2 or "
        "3, or --alpha above 0",
    },
}


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
}
_NAMES_IN = {
    "evaluate": {"method": "--interval"},
    "train": {
        "y_true": "--target",
        "y_score": "--feature",
        "features": "--feature",
        "categories": "--category",
        "p": "--power",
        "min_samples_leaf": "--min-leaf",
        "ccp_alpha": "--prune",
    },
    "watch": {
        "alternative": "--change",
        "average_run_length": "--run-length",
        "per_class": "--block",
        "size": "--window",
    },
}


def shell_message(error: RoclabError | Warning | str, command: str) -> str:
    """The message of an error or a warning, with the options of a command for parameters."""
    if not isinstance(error, Message) or not error.found:
        text = " ".join(str(error).split()) if isinstance(error, Warning) else str(error)
        return for_the_shell(text, command)
    if isinstance(error, MissingExtraError):
        return str(error)
    names = _NAMES | _NAMES_IN.get(command, {})
    known = _options_of(command)

    def named(parameter: str, assigned: bool) -> str:
        option = names.get(parameter, "--" + parameter.replace("_", "-"))
        if option in known:
            return option + " " * assigned
        return parameter + "=" * assigned

    return error.message(named)


def _options_of(command: str) -> set[str]:
    from typer.main import get_command

    from roclab.cli.app import app

    found = getattr(get_command(app), "commands", {}).get(command)
    return {option for parameter in getattr(found, "params", ()) for option in parameter.opts}


def for_the_shell(message: str, command: str = "") -> str:
    """The message of a library error, with a command's options where it names arguments."""
    message = _with_options(message)
    for phrase, words in _OTHER_NAMES.get(command, {}).items():
        message = message.replace(phrase, words)
    return message


def _with_options(message: str) -> str:
    for phrase, words in _PHRASES.items():
        message = re.sub(phrase, words, message)
    return re.sub(r"(?<= is named twice, in ).*(?=; a column has one role)", _as_options, message)


def _as_options(roles: re.Match[str]) -> str:
    return re.sub(r"`(\w+)`", lambda role: _OPTIONS.get(role[1], role[0]), roles[0])


def usage_error(error: Exception) -> str | None:
    """The message of a usage error in one line; None for any other error.

    typer's usage errors have had several homes (click's, then its own), so they are known by what
    they can do.
    """
    format_message = getattr(error, "format_message", None)
    if format_message is None:
        return None
    message = " ".join(str(format_message()).split())
    command = getattr(getattr(error, "ctx", None), "command_path", "roclab")
    stop = "" if message.endswith((".", "?", "!")) else "."
    return f"{message}{stop} See: {command} --help"
