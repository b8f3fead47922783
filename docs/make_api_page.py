"""Write reference/api.md from the stubs, which list the public names.

Run it with ``python docs/make_api_page.py`` after a change of a stub; a test fails while the page
is out of date.
"""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path

import roclab

PAGE = Path(__file__).with_name("reference") / "api.md"

TOP = """\
<!-- Written by docs/make_api_page.py. Change the stubs, not this page. -->

# Python names

Functions, estimators, windows and detectors are at the top level: `import roclab as rl`. Results
are documented with the room that makes them, and are imported from there: `from roclab.inference
import Interval`.

The same rules hold for all parameters. A function that starts with `y_true, y_score` also takes one
`Ranking` in their place; a measure also takes a `ScoreTable`, and then gives one value per model.
A function that starts with `table` takes a `ScoreTable`. Everything else has to be named. `by`
names group columns of a table, `measure` a measure, `sort_by` what to sort by. `cluster`, `stratum`
and `fold` are names of columns with a table, and arrays with one value per row with arrays.
Probabilities and levels are fractions (`confidence_level=0.95`); `rng` is an int, a NumPy generator
or None; costs are `false_positive_cost` and `false_negative_cost`. A function refuses what it does
not take, and says what to pass.

| to | use |
|---|---|
| compute one number | [`auc`](#measures) |
| compute it with a confidence interval | [`auc_interval`](#inference) |
| draw a curve | [`roc_curve`](#curves) |
| evaluate a cross-validation | [`cross_validated_auc`](#inference) |
| draw a curve with a confidence band | [`roc_band`](#inference) |
| choose a threshold | [`operating_points`](#curves) |
| ask several things of the same scores | [`Ranking`](#data) |
| read a file or a data frame | [`read_scores`](#data) |
| plan a study: sample size and power | [`auc_sample_size`](#inference) |
| compare within queries or sites only | [`stratified_auc_interval`](#inference) |
| evaluate many models, or groups | [`evaluate`](#inference) |
| choose one of many models | [`select_model`](#selection) |
| combine partial results | [`RangeSummary`](#data) |
| train a tree that ranks | [`AUCSplitTreeClassifier`](#learning) |
| follow a stream, detect a change | [`WindowAUC`, `BlockEDetector`](#streams) |
| repair scores that rank in reverse | [`RepairedClassifierCV`](#repair) |
| train a model to rank | [`AUCtronClassifierCV`](#learning) |
| search with scikit-learn | [`scorers`, `SimplestContender`](#selection) |
| draw a result | [`plot`](#pictures) |
| load a known data set | [`datasets.load`](#data-sets) |
"""

# Title, rooms, and an introduction.
SECTIONS = (
    ("Measures", ("measures",), ""),
    ("Curves", ("curves",), ""),
    ("Inference", ("inference",), ""),
    ("Streams", ("streaming",), ""),
    (
        "Selection",
        ("selection",),
        "[Choose a model](../how_to/choose_a_model.md) and\n"
        "[search with scikit-learn](../how_to/search_with_scikit_learn.md) show examples;\n"
        "[selection](../explanation/selection.md) explains the numbers.",
    ),
    ("Repair", ("repair",), "[Repair](../explanation/repair.md) explains when to use these."),
    ("Learning", ("learning",), "Losses and model files are in `rl.learning`."),
    ("Pictures", ("report",), ""),
    ("Data", ("ranking", "table", "summary", "readers"), ""),
    (
        "Data sets",
        ("datasets",),
        "In `rl.datasets`; [load data sets](../how_to/load_data_sets.md) shows their use.",
    ),
)
# Rooms that are modules, of which a stub lists no names.
DATA = {
    "ranking": ("Ranking",),
    "table": ("ScoreTable", "MissingValues"),
    "summary": ("RangeSummary",),
}
# Beyond what autodoc shows of an object by itself.
OPTIONS = {
    "PairwiseObjective": ("   :special-members: __call__",),
    "ScoreTable": ("   :special-members: __getitem__",),
    "scorers": ("   :no-value:",),
}


def page() -> str:
    """The page as it should be."""
    parts = [TOP]
    for title, rooms, introduction in SECTIONS:
        parts += [f"## {title}\n", *([f"{introduction}\n"] if introduction else ())]
        parts.append("```{eval-rst}")
        for room in rooms:
            parts += [f".. currentmodule:: roclab.{room}\n", *map(_entry(room), _names(room))]
        parts.append("```\n")
    return "\n".join([*parts, "Errors and warnings have [their own page](errors.md).\n"])


def _names(room: str) -> list[str]:
    """Public names of a room: those at the top level first, then its results."""
    module = importlib.import_module(f"roclab.{room}")
    names = DATA.get(room) or module.__all__
    top = [name for name in names if name in roclab.__all__]
    return top if room == "readers" else top + [name for name in names if name not in top]


def _entry(room: str):
    module = importlib.import_module(f"roclab.{room}")

    def entry(name: str) -> str:
        value = getattr(module, name)
        if inspect.isclass(value):
            lines = [f".. autoclass:: {name}", "   :members:"]
            own = value.__mro__[1].__module__.startswith("roclab")
            if hasattr(value, "fit"):  # scikit-learn makes or describes the rest
                lines.append("   :exclude-members: set_fit_request, set_score_request")
            elif own:
                lines.append("   :inherited-members:")
        else:
            lines = [f".. {'autofunction' if callable(value) else 'autodata'}:: {name}"]
        return "\n".join([*lines, *OPTIONS.get(name, ()), ""])

    return entry


def documented() -> set[str]:
    """The names that the page has an entry for."""
    return set(re.findall(r"^\.\. auto\w+:: (\w+)$", PAGE.read_text("utf-8"), re.MULTILINE))


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
