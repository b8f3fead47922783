"""The arguments that all curves share."""

import inspect
import json
import pickle
import typing
import warnings

import pytest

import roclab as rl

Y = [0, 1, 0, 1, 1]
S = [0.1, 0.4, 0.4, 0.8, 0.2]
DATA = "(y_true: 'npt.ArrayLike | Ranking', y_score: 'npt.ArrayLike | None' = None, *, "
CURVES = [
    rl.roc_curve,
    rl.roc_hull,
    rl.cost_curve,
    rl.operating_points,
    rl.granular_roc,
    rl.margin_curve,
    rl.precision_recall_curve,
    rl.curves.precision_recall_gain_curve,
]


def written(result):
    return json.dumps(result.to_dict())  # in which nan equals nan


@pytest.mark.parametrize("function", CURVES, ids=lambda function: function.__name__)
class TestEveryCurve:
    def test_shows_its_signature_and_parameters(self, function):
        signature = inspect.signature(function)
        assert str(signature).startswith(DATA)
        assert list(signature.parameters)[-2:] == ["sample_weight", "pos_label"]
        described = inspect.getdoc(function)
        assert all(f"\n{name} :" in described for name in signature.parameters)
        result = typing.get_type_hints(function)["return"]
        assert signature.return_annotation == result.__name__
        assert isinstance(function(Y, S), result)

    def test_takes_arrays_and_rankings(self, function):
        weights = [1, 2, 1, 0.5, 3]
        names = ["no", "yes", "no", "yes", "yes"]
        expected = written(function(rl.Ranking(Y, S, sample_weight=weights)))
        assert written(function(Y, S, sample_weight=weights)) == expected
        assert written(function(names, S, sample_weight=weights, pos_label="yes")) == expected
        assert written(function(Y, S)) != expected
        with pytest.raises(rl.InputError, match="a Ranking already has"):
            function(rl.Ranking(Y, S), S)
        with pytest.raises(TypeError, match="unknown"):
            function(Y, S, unknown=1)

    @pytest.mark.parametrize("labels", [[1, 1], [0, 0], []])
    def test_warns_once_of_what_is_missing(self, function, labels):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            function(labels, [1, 2][: len(labels)])
        enough = function is rl.precision_recall_curve and any(labels)
        assert [w.category for w in caught] == [rl.UndefinedMeasureWarning] * (not enough)
        assert all(w.filename == __file__ for w in caught)
        assert all(" needs " in str(w.message) for w in caught)

    def test_can_be_pickled(self, function):
        assert pickle.loads(pickle.dumps(function)) is function


@pytest.mark.parametrize(
    ("function", "options"),
    [
        (rl.operating_points, {"prevalence": 2}),
        (rl.granular_roc, {"granularity": -1}),
        (rl.margin_curve, {"decimals": -1}),
        (rl.curves.kernel_roc, {"bandwidth": 0}),
        (rl.measures.gains_table, {"n_bins": 0}),
        (rl.decisions.calibration_curve, {"n_bins": 0}),
        (rl.decisions.calibration_summary, {"clip": 1}),
    ],
)
def test_wrong_options_are_refused_before_missing_classes_are_reported(function, options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with pytest.raises(rl.InputError):
            function([1, 1], [0.1, 0.2], **options)
    assert not caught


@pytest.mark.parametrize("thin", [False, True])
def test_a_roc_curve_unpacks_and_has_its_area(thin):
    curve = rl.roc_curve(Y, S, thin=thin)
    fpr, tpr, thresholds = curve
    assert (fpr is curve.fpr, tpr is curve.tpr, thresholds is curve.thresholds) == (True,) * 3
    assert curve.auc == pytest.approx(rl.auc(Y, S), rel=1e-15)


def test_both_ends_of_the_thresholds_are_rounded_alike():
    scores = [3.2923978901752575, 1.25, 0.5, -3.0801823456789]
    curve = rl.roc_curve([1, 0, 1, 0], scores)
    assert repr(curve) == "ROCCurve(5 points, thresholds 3.29239 to -3.08019)"
    close = rl.roc_curve([1, 0], [0.123456789, 0.123456788])
    assert repr(close) == "ROCCurve(3 points, thresholds 0.123456789 to 0.123456)"
