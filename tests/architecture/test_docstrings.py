"""What the source says is what users call: docstrings describe every parameter, in order."""

import importlib
import inspect
import pkgutil
import re
from dataclasses import is_dataclass
from typing import Any

import pytest

import roclab
from tests.architecture.signatures import (
    Entry,
    Public,
    docstring_of,
    entries,
    field_names,
    first_line,
    public,
    without_literals,
)

PUBLIC = list(public())
IDS = [one.path for one in PUBLIC]
EMPTY = inspect.Parameter.empty


def all_modules() -> list[Any]:
    names = [one.name for one in pkgutil.walk_packages(roclab.__path__, "roclab.")]
    kept = [name for name in names if not name.endswith(("__main__", "_native"))]
    return [importlib.import_module(name) for name in kept]


def own_objects() -> dict[str, Any]:
    """Every function, class and method of the package, also private ones."""
    found = {}
    for module in all_modules():
        for name, value in vars(module).items():
            if getattr(value, "__module__", None) != module.__name__:
                continue
            if inspect.isfunction(value) or inspect.isclass(value):
                found[f"{module.__name__}.{name}"] = value
            if inspect.isclass(value):
                for method, member in vars(value).items():
                    function = getattr(member, "__func__", member)
                    if inspect.isfunction(function):
                        found[f"{module.__name__}.{name}.{method}"] = function
    return found


OWN = own_objects()


def parameter_names(value: Any) -> list[str]:
    found = inspect.signature(value).parameters
    return [name for name in found if name not in ("self", "cls")]


def test_there_are_callables_to_check() -> None:
    assert len(PUBLIC) > 250
    assert {"roclab.measures.auc", "roclab.streaming.WindowAUC.update"} <= set(IDS)
    assert "roclab.data.RangeSummary.join" in IDS
    assert len(OWN) > 1500


@pytest.mark.parametrize("one", PUBLIC, ids=IDS)
def test_a_docstring_describes_every_parameter_in_the_order_of_the_signature(one: Public) -> None:
    described = entries(one.docstring)
    assert [entry.name for entry in described] == [each.name for each in one.parameters]
    for entry in described:
        assert entry.text.endswith("."), entry
    assert first_line(one.docstring).endswith((".", "::"))


@pytest.mark.parametrize("one", PUBLIC, ids=IDS)
def test_a_docstring_says_which_parameters_are_optional(one: Public) -> None:
    types = {entry.name: entry.type for entry in entries(one.docstring)}
    for each in one.parameters:
        if each.kind in (each.VAR_KEYWORD, each.VAR_POSITIONAL):
            continue
        assert types[each.name], each.name
        stated = re.search(r"(?:, |^)(?:default .*|optional)$", types[each.name])
        text = next(entry.text for entry in entries(one.docstring) if entry.name == each.name)
        if each.default is EMPTY:
            assert not stated, each.name
        elif types[each.name] != "None" and "required" not in text:
            assert stated or "default" in text, each.name


def test_classes_describe_their_fields_in_order() -> None:
    """All dataclasses with a section of attributes, also private ones."""
    for path, kind in OWN.items():
        docstring = docstring_of(kind)
        if is_dataclass(kind) and "\nAttributes\n---" in docstring:
            if "\nParameters\n---" in docstring:  # users create it: its fields are parameters
                continue
            described = [entry.name for entry in entries(docstring, "Attributes")]
            wanted = field_names(kind)
            assert described[: len(wanted)] == wanted, path


def test_every_result_describes_its_fields() -> None:
    """All that users receive, also if it inherits fields."""
    for room in {one.room for one in PUBLIC}:
        module = importlib.import_module(room)
        for name in module.__all__:
            kind = getattr(module, name)
            if inspect.isclass(kind) and is_dataclass(kind) and field_names(kind):
                docstring = docstring_of(kind)
                described = entries(docstring, "Attributes") or entries(docstring)
                assert {entry.name for entry in described} >= set(field_names(kind)), name


def test_sections_of_parameters_have_those_of_the_signature() -> None:
    """Of all functions and classes that have one, also private ones."""
    for path, value in OWN.items():
        docstring = docstring_of(value)
        if "\nParameters\n---" in docstring:
            assert [entry.name for entry in entries(docstring)] == parameter_names(value), path


def test_docstrings_are_complete_where_they_stand() -> None:
    """No entry refers to another docstring, and none is put in by code."""
    for path, value in OWN.items():
        docstring = docstring_of(value)
        for entry in [*entries(docstring), *entries(docstring, "Attributes")]:
            assert entry.text, (path, entry)
            assert not re.match(r"[Aa]s (for|in) `", entry.text), (path, entry)
        assert not re.search(r"\{\w*=?\}", without_literals(docstring)), path


# The first sentence on an option that several functions have, by its type. Further sentences say
# where a function differs.
SHARED = {
    ("y_true", "array-like or Ranking"): "Target labels (see `Ranking`), or a ranking.",
    ("y_true", "array-like"): "Target labels (see `Ranking`).",
    ("y_true", "array-like, Ranking or RangeSummary"): (
        "Target labels (see `Ranking`), a ranking, or the summary of one, which suffices for "
        "methods without resampling."
    ),
    ("y_true", "str"): "Name of the label column.",
    ("y_true", "bool or int"): "Target label: a boolean, 0/1 or -1/1.",
    ("y_score", "array-like, optional"): (
        "Scores, higher for the positive class; not with a ranking."
    ),
    ("y_score", "float"): "Finite score, higher for the positive class.",
    ("y_score", "str or list of str, optional"): "Names of the score columns.",
    ("score_a", "array-like"): "Scores of the two models, higher for the positive class.",
    ("sample_weight", "array-like, optional"): "Sample weights; not with a ranking.",
    ("sample_weight", "str, optional"): "Name of the weight column.",
    ("sample_weight", "float, optional"): "Weight of the event.",
    ("sample_weight", "None"): "Weights are refused: blocks count events.",
    ("pos_label", "object, optional"): "Positive class label; not with a ranking.",
    ("confidence_level", "float, default 0.95"): "Confidence level, between 0 and 1.",
    ("confidence_level", "float, optional"): "Confidence level, between 0 and 1.",
    ("alternative", '{"two-sided", "less", "greater"}, default "two-sided"'): (
        "Two-sided or one-sided interval."
    ),
    (
        "alternative",
        '{"two-sided", "less", "greater", "noninferior", "equivalent"}, default "two-sided"',
    ): "Alternative hypothesis.",
    ("margin", "float, optional"): (
        'Largest difference that does not matter, for ``"noninferior"`` and ``"equivalent"``.'
    ),
    ("n_resamples", "int, default 2000"): (
        "Number of resamples, such as bootstrap replicates or permutations."
    ),
    ("rng", "None, int or numpy.random.Generator, optional"): "Random state.",
    ("stratified", "bool, default True"): "Resample positives and negatives separately.",
    ("cluster", "array-like, optional"): "Cluster of each row, such as a patient.",
    ("cluster", "str, optional"): (
        "Group column of the table with the cluster of each row, such as a patient."
    ),
    ("progress", "callable, optional"): (
        "Called as ``progress(done, total)`` during the computation."
    ),
    ("table", "ScoreTable"): "Labels and scores, from `read_scores` or from arrays.",
}
DEFAULTS = {
    "confidence_level": 0.95,
    "alternative": "two-sided",
    "n_resamples": 2000,
    "rng": None,
    "stratified": True,
    "cluster": None,
    "progress": None,
    "sample_weight": None,
    "pos_label": None,
    "margin": None,
}
# Where an option has another meaning, type or default, and why.
_ROWS = "it takes arrays alone, so nothing about a ranking"
_EVENTS = "events of a stream, whose labels are 0/1, -1/1 or booleans"
_COLUMNS = "the positive class of a column of any type"
_CLASSES = "more than two classes"
_MODEL = "the classes of a trained model"
EXCEPTIONS = {
    ("Ranking", "y_true"): "the place that describes labels",
    ("Ranking", "y_score"): "the place that describes scores",
    ("Ranking", "sample_weight"): "the place that describes weights",
    ("Ranking", "pos_label"): "the place that describes the positive class",
    ("RangeSummary.from_arrays", "*"): "the rows of a Ranking",
    ("ScoreHistogram.update", "*"): "the rows of a Ranking",
    ("ScoreHistogram.from_sample", "y_score"): "a sample of scores, without labels",
    ("ScoreTable", "sample_weight"): _ROWS,
    ("ScoreTable", "pos_label"): _ROWS,
    ("PairwiseObjective", "*"): _ROWS,
    ("PairwiseObjective.value", "y_score"): _ROWS,
    ("auc_bounds", "*"): "labels may be missing",
    ("expected_auc", "*"): "labels may be missing",
    ("compare_auc", "*"): "two models, so two rankings",
    ("compare_measure", "sample_weight"): _ROWS,
    ("compare_measure", "pos_label"): _ROWS,
    ("compare_roc", "pos_label"): _ROWS,
    ("cross_validated_auc", "*"): "folds, also as FoldScores",
    ("average_roc", "*"): "folds, also as FoldScores",
    ("fold_scores", "pos_label"): _MODEL,
    ("decision_curve", "y_true"): "it also takes a table",
    ("decision_curve", "y_score"): "probabilities, not any scores",
    ("multiclass_auc", "*"): _CLASSES,
    ("multiclass_auc_interval", "*"): _CLASSES,
    ("multiclass_brier_score", "*"): _CLASSES,
    ("multiclass_log_loss", "*"): _CLASSES,
    ("read_scores", "pos_label"): _COLUMNS,
    ("read_examples", "pos_label"): _COLUMNS,
    ("scale.evaluate", "pos_label"): _COLUMNS,
    ("scale.compare", "pos_label"): _COLUMNS,
    ("score_histograms", "pos_label"): _COLUMNS,
    ("cohort_summaries", "pos_label"): _COLUMNS,
    ("cohort_summaries", "y_score"): "one score column",
    ("window_auc", "y_score"): "one score column",
    ("ScorerRegistry.make", "pos_label"): _MODEL,
    ("ScorerRegistry.of", "pos_label"): _MODEL,
    ("MeasureScorer", "pos_label"): _MODEL,
    ("select_model", "cluster"): "a column of the table or an array",
    ("choose_threshold", "n_resamples"): "a bootstrap whose replicates cost more",
    ("plan_auc_study", "alternative"): "a test, not an interval",
    ("auc_power", "alternative"): "a test, not an interval",
    ("auc_sample_size", "alternative"): "a test, not an interval",
    ("BlockCUSUM", "alternative"): "drift is usually a drop",
    ("BlockEDetector", "alternative"): "drift is usually a drop",
    ("DetectorSettings", "alternative"): "drift is usually a drop",
    ("DetectorSettings", "margin"): "a change, not a difference between models",
    ("DetectorSettings.make_reference", "*"): _EVENTS,
    ("BlockCUSUM", "rng"): "two detectors of the same reference agree",
    ("BlockEDetector", "margin"): "a change, not a difference between models",
    ("SequentialComparison", "margin"): "it decides about equivalence at any time",
    ("SequentialComparison.update", "score_a"): _EVENTS,
    ("SequentialComparison.update_many", "*"): _EVENTS,
    ("BlockCUSUM.update_many", "*"): _EVENTS,
    ("BlockEDetector.update_many", "*"): _EVENTS,
    ("BlockConfidenceSequence.update_many", "*"): _EVENTS,
    ("DriftReference", "*"): _EVENTS,
    ("PendingLabels.add_label", "y_true"): "any label, which it returns unchanged",
    ("PendingLabels.add_prediction", "y_score"): "any finite score",
    ("RiverAUC.update", "y_true"): "labels of river, of any type",
    ("RiverAUC.revert", "y_true"): "labels of river, of any type",
    ("margin_auc", "margin"): "a margin of scores, not of AUCs",
}


def is_exception(one: Public, parameter: str) -> bool:
    names = {one.name, one.path.removeprefix("roclab.")}
    if any((name, key) in EXCEPTIONS for name in names for key in (parameter, "*")):
        return True
    kind, _, method = one.name.partition(".")
    # scikit-learn's methods, and batches of events.
    return (kind.endswith(("Classifier", "ClassifierCV")) and method != "") or (
        kind.endswith("AUC") and method == "update_many"
    )


@pytest.mark.parametrize("one", PUBLIC, ids=IDS)
def test_shared_options_have_one_description_and_one_default(one: Public) -> None:
    shared = {name for name, _ in SHARED}
    defaults = {each.name: each.default for each in one.parameters}
    for entry in entries(one.docstring):
        if entry.name not in shared or is_exception(one, entry.name):
            continue
        assert (entry.name, entry.type) in SHARED, entry
        assert starts_with(entry, SHARED[entry.name, entry.type]), entry
        if entry.name in DEFAULTS:
            assert defaults[entry.name] == DEFAULTS[entry.name], entry


def starts_with(entry: Entry, sentence: str) -> bool:
    return entry.text == sentence or entry.text.startswith(f"{sentence} ")


def test_every_exception_is_needed() -> None:
    """Each names a function and a parameter that exist and differ."""
    known = {}
    for one in PUBLIC:
        for name in {one.name, one.path.removeprefix("roclab.")}:
            known.setdefault(name, []).extend(entries(one.docstring))
    for name, parameter in EXCEPTIONS:
        found = [entry for entry in known[name] if parameter in ("*", entry.name)]
        assert found, (name, parameter)
        odd = [
            entry
            for entry in found
            if (entry.name, entry.type) not in SHARED
            or not starts_with(entry, SHARED[entry.name, entry.type])
        ]
        assert odd, (name, parameter)


ORDER = (
    *("method", "confidence_level", "alternative", "margin"),
    *("n_resamples", "rng", "stratified", "cluster", "progress", "sample_weight", "pos_label"),
)
RESAMPLING = ("n_resamples", "rng", "stratified", "cluster", "progress")
LAST = ("sample_weight", "pos_label")
# Where weights and the positive class belong to the data and stand with them.
DATA_TOGETHER = {
    "read_scores": "names of columns",
    "read_examples": "names of columns",
    "scale.evaluate": "names of columns",
    "scale.compare": "names of columns",
    "score_histograms": "names of columns",
    "cohort_summaries": "names of columns",
}


@pytest.mark.parametrize("one", PUBLIC, ids=IDS)
def test_shared_options_have_one_order(one: Public) -> None:
    """Data, options of the function, options of resampling, weights and positive class."""
    names = [each.name for each in one.parameters if each.kind is each.KEYWORD_ONLY]
    if {one.name, one.path.removeprefix("roclab.")} & DATA_TOGETHER.keys():
        return
    if one.room == "roclab.streaming" and "." in one.name:
        return  # an event is a label, a score, a time and a weight
    assert [name for name in names if name in ORDER] == [name for name in ORDER if name in names]
    ends = [name for name in names if name in RESAMPLING + LAST]
    assert names[len(names) - len(ends) :] == ends
