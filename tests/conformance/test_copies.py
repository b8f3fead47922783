"""Whatever users get in hand can be pickled, copied and deep-copied, and comes back equal."""

import copy
import inspect
import pickle
import warnings
from collections import deque

import numpy as np
import pytest

import roclab as rl
from roclab.data.table import MissingValues
from roclab.decisions import calibration_summary, population_stability_index
from roclab.learning import pairwise_loss
from roclab.streaming import LabelledScore

_random = np.random.default_rng(19)
TRUTH = _random.integers(0, 2, 80).astype(bool)
SCORES = np.round(TRUTH + _random.normal(size=80), 1)
SCORES[TRUTH] -= 2 * (SCORES[TRUTH] > 1)  # a concavity
SCORES = np.round(SCORES, 1)
WEIGHTS = _random.integers(1, 4, 80).astype(float)
PROBABILITIES = 1 / (1 + np.exp(-SCORES))
GROUPS = _random.integers(0, 3, 80)
DRAWN = {"rng": 0, "n_resamples": 20}


def table():
    columns = {"a": PROBABILITIES, "b": PROBABILITIES[::-1]}
    return rl.ScoreTable(TRUTH, columns, sample_weight=WEIGHTS, groups={"g": GROUPS})


def fed(window):
    more = {"time": range(80)} if isinstance(window, rl.TimeWindowAUC) else {}
    window.update_many(TRUTH, SCORES, **more)
    return window


def one_by_one(detector):
    for label, score in zip(TRUTH[::-1], SCORES, strict=True):
        detector.update(label, score)
    return detector


def compared(comparison):
    comparison.update_many(TRUTH, SCORES, SCORES[::-1])
    return comparison


def segmented():
    window = rl.SegmentedWindow(rl.WindowAUC(20), max_keys=5)
    for key, label, score in zip(GROUPS, TRUTH, SCORES, strict=True):
        window.update(str(key), label, score)
    return window


def pending():
    labels = rl.PendingLabels(50)
    for key, score in enumerate(SCORES.tolist()):
        labels.add_prediction(key, score)
    labels.add_label(79, True)
    return labels


def fitted(model, **more):
    return model.fit(np.column_stack([SCORES, GROUPS]), TRUTH, **more)


def fold_scores():
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_validate

    results = cross_validate(
        LogisticRegression(),
        SCORES[:, None],
        TRUTH,
        cv=3,
        return_estimator=True,
        return_indices=True,
    )
    return rl.fold_scores(results, SCORES[:, None], TRUTH)


def point_repaired():
    from sklearn.linear_model import LogisticRegression

    models = [LogisticRegression(C=c).fit(SCORES[:, None], TRUTH) for c in (0.01, 1, 100)]
    return rl.repair.PointRepairedClassifier(*models).fit(SCORES[:, None], TRUTH)


def comparison():
    return rl.compare(table())


def selection():
    return rl.select_model(table(), **DRAWN)


def repair():
    return rl.checked_repair(
        rl.Ranking(TRUTH[:40], SCORES[:40]), rl.Ranking(TRUTH[40:], SCORES[40:])
    )


RANKING = rl.Ranking(TRUTH, SCORES)
WEIGHTED = rl.Ranking(TRUTH, SCORES, sample_weight=WEIGHTS)
MADE = {
    "AUCBounds": lambda: fed(rl.ApproximateWindowAUC(20, 0.1)).auc_bounds,
    "AUCComparison": lambda: rl.compare_auc(TRUTH, SCORES, -SCORES),
    "AUCGivenErrors": lambda: rl.auc_given_errors(9, 9, 2),
    "AUCPlan": lambda: rl.plan_auc_study(0.8, width=0.1),
    "AUCSplitTreeClassifier": lambda: fitted(rl.AUCSplitTreeClassifier(categorical_features=[1])),
    "AUCtronClassifier": lambda: fitted(rl.AUCtronClassifier()),
    "AUCtronClassifierCV": lambda: fitted(rl.AUCtronClassifierCV(cv=2)),
    "Alarm": lambda: rl.BlockEDetector(0.99, per_class=1).update_many(
        [True, False] * 40, [0.0, 1.0] * 40
    )[0],
    "ApproximateWindowAUC": lambda: fed(rl.ApproximateWindowAUC(20, 0.1)),
    "AverageROC": lambda: rl.average_roc(fold_scores()),
    "BinormalFit": lambda: rl.binormal_fit(TRUTH, SCORES),
    "BlockCUSUM": lambda: one_by_one(rl.BlockCUSUM(rl.Ranking(TRUTH, SCORES), rng=0)),
    "BlockConfidenceSequence": lambda: one_by_one(rl.BlockConfidenceSequence(per_class=1)),
    "BlockEDetector": lambda: one_by_one(rl.BlockEDetector(0.8)),
    "SequentialComparison": lambda: compared(rl.SequentialComparison(per_class=1)),
    "BrierParts": lambda: rl.measures.brier_parts(TRUTH, PROBABILITIES),
    "DetectorSettings": lambda: rl.streaming.DetectorSettings(per_class=3),
    "DriftReference": lambda: rl.DriftReference(TRUTH, SCORES, per_class=1),
    "CalibrationCurve": lambda: rl.calibration_curve(TRUTH, PROBABILITIES),
    "CalibrationSummary": lambda: calibration_summary(TRUTH, PROBABILITIES),
    "CalibrationError": lambda: rl.calibration_error(TRUTH, PROBABILITIES),
    "CheckedRepair": repair,
    "Comparison": comparison,
    "CompressedRanking": lambda: rl.streaming.compressed_ranking(TRUTH, SCORES, eps=0.1),
    "Concavity": lambda: rl.roc_hull(RANKING).concavities[0],
    "CostCurve": lambda: rl.cost_curve(RANKING),
    "CrossValidatedAUC": lambda: rl.cross_validated_auc(fold_scores()),
    "CumulativeAUC": lambda: fed(rl.CumulativeAUC()),
    "DETCurve": lambda: rl.det_curve(RANKING),
    "DecayedAUC": lambda: fed(rl.DecayedAUC(5)),
    "DecisionCurve": lambda: rl.decision_curve(TRUTH, PROBABILITIES),
    "DecisionCurves": lambda: rl.decision_curve(table()),
    "Evaluation": lambda: rl.evaluate(table(), by="g"),
    "EvaluationRow": lambda: rl.evaluate(table()).rows[0],
    "FoldAUC": lambda: rl.cross_validated_auc(fold_scores()).folds[0],
    "FoldScores": fold_scores,
    "GainsTable": lambda: rl.measures.gains_table(RANKING),
    "GranularAUC": lambda: rl.granular_auc(TRUTH, SCORES),
    "GranularParts": lambda: rl.measures.granular_parts(TRUTH, PROBABILITIES),
    "GranularROC": lambda: rl.granular_roc(TRUTH, SCORES, granularity=0.1),
    "GroupedComparison": lambda: rl.compare(table(), by="g"),
    "Interval": lambda: rl.auc_interval(TRUTH, SCORES, method="bca", **DRAWN),
    "JoinCounts": lambda: pending().counts,
    "LabelledScore": lambda: LabelledScore(y_true=True, y_score=0.5),
    "MSEtronClassifier": lambda: fitted(rl.MSEtronClassifier()),
    "MarginCurve": lambda: rl.margin_curve(TRUTH, SCORES, decimals=1),
    "Measure": lambda: rl.find_measure("auc")[0],
    "MeasureList": rl.list_measures,
    "MeasureOption": lambda: rl.find_measure("partial_auc(fpr_range=(0, 0.1))")[0].options[0],
    "MeasureScorer": lambda: rl.scorers["auc"],
    "MissingValues": lambda: MissingValues(rows_read=3, by_column={"a": 1}),
    "ModelPair": lambda: comparison().pairs[0],
    "ModelSelection": selection,
    "ModelStanding": lambda: selection().models[0],
    "ModelValue": lambda: comparison().models[0],
    "NetBenefitDifference": lambda: rl.decision_curve(table()).differences[0],
    "Omnibus": lambda: comparison().omnibus,
    "OperatingPoint": lambda: rl.operating_points(RANKING).best(),
    "OperatingPointInterval": lambda: rl.operating_point_interval(RANKING, threshold=0.5),
    "OperatingPoints": lambda: rl.operating_points(WEIGHTED),
    "PendingLabels": pending,
    "PointRepairedClassifier": point_repaired,
    "PopulationStability": lambda: population_stability_index(SCORES[:40], SCORES[40:]),
    "PowerSimulation": lambda: (
        rl.plan_auc_study(0.8, n_pos=20, n_neg=20, simulate=20, rng=0).simulation
    ),
    "PrecisionRecallCurve": lambda: rl.precision_recall_curve(RANKING),
    "PrecisionRecallGainCurve": lambda: rl.curves.precision_recall_gain_curve(RANKING),
    "ROCBand": lambda: rl.roc_band(RANKING, **DRAWN),
    "ROCCurve": lambda: rl.roc_curve(RANKING),
    "ROCHull": lambda: rl.roc_hull(RANKING),
    "RangeSummary": lambda: WEIGHTED.summary,
    "Ranking": lambda: WEIGHTED,
    "RepairDecision": lambda: repair().decisions[0],
    "RepairExplanation": lambda: rl.repair_section(RANKING).explain(),
    "RepairedClassifierCV": lambda: fitted(rl.RepairedClassifierCV(random_state=0)),
    "RepairedSection": lambda: rl.repair_section(RANKING).sections[0],
    "RiverAUC": lambda: rl.RiverAUC(fed(rl.WindowAUC(20))),
    "ScoreRepair": lambda: rl.repair_section(RANKING),
    "ScoreTable": table,
    "ScoredParts": lambda: rl.measures.scored_parts(TRUTH, SCORES),
    "ScorerRegistry": lambda: rl.scorers,
    "SectionEffect": lambda: rl.repair_section(RANKING).explain().sections[0],
    "SegmentInterval": lambda: segmented().worst(count=1)[0],
    "SegmentedWindow": segmented,
    "StreamWatcher": lambda: one_by_one(
        rl.StreamWatcher(rl.WindowAUC(9), every=3, detector=rl.BlockEDetector(0.9))
    ),
    "SimplestContender": lambda: rl.SimplestContender("max_depth"),
    "StratifiedInterval": lambda: rl.stratified_auc_interval(TRUTH, SCORES, stratum=GROUPS),
    "TimeWindowAUC": lambda: fed(rl.TimeWindowAUC(20)),
    "WindowAUC": lambda: fed(rl.WindowAUC(20)),
    "ColumnError": lambda: rl.ColumnError(found="No column"),
    "EventNotFoundError": lambda: rl.errors.EventNotFoundError(found="nothing"),
    "ShortReferenceError": lambda: rl.errors.ShortReferenceError(
        found="{events_needed} are needed", events_needed="1,234"
    ),
    "FileFormatError": lambda: rl.FileFormatError(found="No table"),
    "InputError": lambda: rl.InputError(found="No number"),
    "MissingExtraError": lambda: rl.MissingExtraError("polars", "cli", "Reading files"),
    "RoclabError": lambda: rl.RoclabError(found="No"),
    "SerializationError": lambda: rl.SerializationError(found="No window"),
    "DegenerateIntervalWarning": lambda: rl.DegenerateIntervalWarning(found="No width"),
    "MaxErrorWarning": lambda: rl.MaxErrorWarning(found="Coarse bins"),
    "SmallSampleWarning": lambda: rl.SmallSampleWarning(found="Few examples"),
    "RoclabWarning": lambda: rl.RoclabWarning(found="No class"),
    "UndefinedMeasureWarning": lambda: rl.UndefinedMeasureWarning(found="No class"),
    # without a name at the top
    "PairwiseLoss": lambda: pairwise_loss(TRUTH, SCORES),
}
PROTOCOLS = {"StreamingAUC"}  # have no instances
WAYS = {
    **{
        f"pickle {number}": lambda one, number=number: pickle.loads(pickle.dumps(one, number))
        for number in range(2, pickle.HIGHEST_PROTOCOL + 1)
    },
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


def alike(first, second):
    """Whether two objects hold the same, down to arrays."""
    if type(first) is not type(second):
        return False
    if isinstance(first, np.ndarray):
        same = np.array_equal(first, second, equal_nan=first.dtype.kind == "f")
        writeable = first.flags.writeable or not second.flags.writeable
        return first.dtype == second.dtype and same and writeable
    if hasattr(first, "to_bytes") and not isinstance(first, int):
        return first.to_bytes() == second.to_bytes()
    if isinstance(first, float):
        return first == second or (np.isnan(first) and np.isnan(second))
    if isinstance(first, (list, tuple, deque)):
        return len(first) == len(second) and all(map(alike, first, second))
    if isinstance(first, BaseException):
        return first.args == second.args
    if hasattr(first, "keys") and hasattr(first, "__getitem__"):
        return list(first) == list(second) and all(alike(first[key], second[key]) for key in first)
    held = {**getattr(first, "__dict__", {}), **_slots(first)}
    if not held or inspect.isroutine(first):
        return bool(first == second) or repr(first) == repr(second)
    other = {**getattr(second, "__dict__", {}), **_slots(second)}
    return held.keys() == other.keys() and all(alike(held[key], other[key]) for key in held)


def _slots(one):
    names = [name for kind in type(one).__mro__ for name in getattr(kind, "__slots__", ())]
    return {name: getattr(one, name) for name in names if hasattr(one, name)}


def test_every_public_class_is_here():
    classes = {name for name in rl.__all__ if inspect.isclass(getattr(rl, name))}
    assert classes - PROTOCOLS <= set(MADE)


@pytest.mark.parametrize("name", MADE)
def test_a_copy_is_equal(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rl.UndefinedMeasureWarning)
        one = MADE[name]()
    assert type(one).__name__ == name
    for way, made in WAYS.items():
        again = made(one)
        assert alike(one, again), way
        assert repr(again) == repr(one), way
        if hasattr(one, "to_dict"):
            assert alike(again.to_dict(), one.to_dict()), way


@pytest.mark.parametrize("name", [one.name for one in rl.list_measures().measures])
def test_every_measure_comes_back_as_itself(name):
    measure = next(one for one in rl.list_measures().measures if one.name == name)
    for made in WAYS.values():
        assert made(measure) is measure
        assert made(measure.function) is measure.function
        assert made(measure.options) == measure.options
        for option, again in zip(measure.options, made(measure.options), strict=True):
            for value in (None, True, 1, 0.5, "x", (0.1, 0.2)):
                assert option.accepts(value) == again.accepts(value)


@pytest.mark.parametrize(
    "name", ["WindowAUC", "SegmentedWindow", "BlockEDetector", "PendingLabels"]
)
def test_a_copy_goes_its_own_way(name):
    one = MADE[name]()
    before = repr(one)
    for made in WAYS.values():
        other = made(one)
        if name == "PendingLabels":
            other.add_label(78, False)
        elif name == "SegmentedWindow":
            other.update("0", True, 9.0)
        else:
            for label in (True, False) * 9:
                other.update(label, 9.0)
        assert repr(one) == before
