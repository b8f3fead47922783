"""One vocabulary of parameters: the rules of the page "Python names", held by every signature."""

import importlib
import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import roclab as rl
from roclab.result import Result
from tests.architecture.test_public_names import ROOMS

Y = np.array([1, 0] * 10)
S = np.linspace(0, 1, 20) ** 2
GROUP = np.repeat(["a", "b"], 10)
RANKING = rl.Ranking(Y, S)
TABLE = rl.ScoreTable(Y, {"first": S, "second": S[::-1]}, groups={"site": GROUP})

# Data, which may be passed by position although they have a default.
DATA = {"y_score", "score_b", "ranking", "auc", "estimator", "token"}
# Methods that scikit-learn and river call, with their signatures.
FOREIGN = {"fit", "cost_complexity_pruning_path"}
# What parameters with these names are called here.
SYNONYMS = {
    "level": "confidence_level",
    "ci": "confidence_level",
    "conf_level": "confidence_level",
    "seed": "rng",
    "n_boot": "n_resamples",
    "n_bootstrap": "n_resamples",
    "weight": "sample_weight",
    "weights": "sample_weight",
    "clusters": "cluster",
    "groups": "by",
    "strata": "stratum",
    "folds": "fold",
    "max_fpr": "fpr_range",
    "cost_fp": "false_positive_cost",
    "cost_fn": "false_negative_cost",
    "sort": "sort_by",
}
# A limit of a decision is no range of a curve.
NOT_SYNONYMS = {
    ("ScoreTable.__init__", "groups"),
    ("UnlabelledRows.__init__", "groups"),
    ("choose_threshold", "max_fpr"),
}


def callables() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Public functions, and the public methods of public classes."""
    for room in ROOMS:
        module = importlib.import_module(room)
        for name in module.__all__:
            value = getattr(module, name)
            if not inspect.isclass(value):
                if callable(value):
                    yield name, value
            elif value.__module__.startswith("roclab") and not issubclass(value, BaseException):
                for method, found in inspect.getmembers(value, callable):
                    own = str(getattr(found, "__module__", "")).startswith("roclab")
                    made = method == "__init__" and not issubclass(value, Result)  # by users
                    if made or (own and not method.startswith("_")):
                        yield f"{name}.{method}", found


def parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    try:
        found = list(inspect.signature(function).parameters.values())
    except ValueError:  # compiled: its docstring starts with the signature
        return []
    return [one for one in found if one.name not in ("self", "cls")]


CALLABLES = sorted(dict(callables()).items())
FUNCTIONS = [(name, found) for name, found in CALLABLES if name in rl.__all__]


def test_there_are_callables_to_check() -> None:
    assert len(FUNCTIONS) > 50
    assert {"auc", "compare_to_value", "OperatingPoints.best"} <= dict(CALLABLES).keys()


@pytest.mark.parametrize(("name", "function"), CALLABLES, ids=[name for name, _ in CALLABLES])
def test_options_are_keyword_only(name: str, function: Callable[..., Any]) -> None:
    if name.split(".")[-1] in FOREIGN or name.startswith("RiverAUC."):
        pytest.skip("another library calls it")
    for one in parameters(function):
        if one.kind is one.POSITIONAL_OR_KEYWORD and one.default is not one.empty:
            assert one.name in DATA, one


@pytest.mark.parametrize(("name", "function"), CALLABLES, ids=[name for name, _ in CALLABLES])
def test_a_parameter_has_one_name(name: str, function: Callable[..., Any]) -> None:
    for one in parameters(function):
        assert one.name not in SYNONYMS or (name, one.name) in NOT_SYNONYMS
        if one.name == "random_state":  # scikit-learn's word, for its estimators
            assert name.endswith(("CV.__init__", "Classifier.__init__"))


@pytest.mark.parametrize(("name", "function"), FUNCTIONS, ids=[name for name, _ in FUNCTIONS])
def test_groups_are_columns_of_a_table_and_arrays_beside_arrays(
    name: str, function: Callable[..., Any]
) -> None:
    for one in parameters(function):
        if one.name == "by":
            assert "str" in str(one.annotation)
        if one.name in ("cluster", "stratum", "fold"):
            column = "str" in str(one.annotation)
            assert column == (parameters(function)[0].name == "table"), name


NEEDED = {
    "average_roc": {"fold": GROUP},
    "capture_at": {"k": 5},
    "compressed_ranking": {"eps": 0.1},
    "cross_validated_auc": {"fold": GROUP},
    "expected_cost": {"false_positive_cost": 1, "false_negative_cost": 5},
    "interval": {"measure": "ks_statistic", "rng": 0},
    "lift_at": {"k": 5},
    "margin_auc": {"margin": 0.1},
    "operating_point_interval": {"threshold": 0.5},
    "partial_auc": {"fpr_range": (0, 0.1)},
    "precision_at": {"k": 5},
    "choose_threshold": {"rng": 0},
    "roc_band": {"rng": 0},
    "sensitivity_at": {"specificity": 0.8, "rng": 0},
    "specificity_at": {"sensitivity": 0.8, "rng": 0},
    "stratified_auc": {"stratum": GROUP},
    "stratified_auc_interval": {"stratum": GROUP},
}
OF_A_RANKING = [
    (name, found)
    for name, found in FUNCTIONS
    if [one.name for one in parameters(found)][:2] == ["y_true", "y_score"]
    and name not in ("multiclass_auc", "auc_bounds")  # more classes, labels that are missing
]
OF_A_TABLE = [(name, found) for name, found in FUNCTIONS if parameters(found)[:1]]
OF_A_TABLE = [(name, found) for name, found in OF_A_TABLE if parameters(found)[0].name == "table"]


@pytest.mark.filterwarnings("ignore::roclab.RoclabWarning")
@pytest.mark.parametrize(("name", "function"), OF_A_RANKING, ids=[name for name, _ in OF_A_RANKING])
def test_functions_of_a_ranking_take_a_table_or_say_what_to_pass(
    name: str, function: Callable[..., Any]
) -> None:
    needed = NEEDED.get(name, {})
    found = function(Y, S, **needed)
    if "fold" in needed:
        assert repr(function(RANKING, **needed)) == repr(found)
        with pytest.raises(rl.InputError, match=r"A ScoreTable.*evaluate\(table, fold="):
            function(TABLE, **needed)
        return
    assert repr(function(RANKING, **needed)) == repr(found)
    if name == "decision_curve":
        assert repr(function(TABLE, **needed)["first"]) == repr(found)
    else:
        with pytest.raises(rl.InputError, match=r"A ScoreTable was passed.*Pass table\['first'\]"):
            function(TABLE, **needed)
    if "RangeSummary" not in str(inspect.signature(function)):
        with pytest.raises(rl.InputError, match="A RangeSummary was passed, which has no examples"):
            function(RANKING.summary, **needed)


@pytest.mark.parametrize("function", dict(OF_A_TABLE).values(), ids=dict(OF_A_TABLE).keys())
def test_functions_of_a_table_say_how_to_make_one(function: Callable[..., Any]) -> None:
    assert function(TABLE)
    for other in (RANKING, RANKING.summary, Y):
        with pytest.raises(rl.InputError, match="a ScoreTable is needed"):
            function(other)
    with pytest.raises(rl.ColumnError, match="No group column 'hospital'"):
        function(TABLE, cluster="hospital")
