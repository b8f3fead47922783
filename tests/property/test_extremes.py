"""Scores and weights of any size, and samples of any: right, or refused in our own words."""

import contextlib
import math
import warnings
from datetime import timedelta
from fractions import Fraction

import numpy as np
import pytest
import reference
import reference_hull
import reference_probability
import reference_retrieval
from questions import OF_ROWS

import roclab as rl

SIZES = (1e-320, 1e-300, 1e-162, 1e-150, 1e100, 1e150, 1e154, 1e300, 1e307)


def window(make):
    """What can be read off a window that has seen the rows."""

    def ask(truth, scores, weights):
        made = make()
        more = {"time": np.arange(len(truth))} if isinstance(made, rl.TimeWindowAUC) else {}
        made.update_many(truth, scores, sample_weight=weights, **more)
        again = type(made).from_bytes(made.to_bytes())
        assert again.auc == made.auc or math.isnan(made.auc)
        return made.auc, made.auc_variance, made.interval(), made.ranking(), made.scored_auc

    return ask


QUESTIONS = OF_ROWS | {
    **{
        f"{function.__name__}, {method}": lambda t, s, w, function=function, method=method: (
            function(t, s, sample_weight=w, method=method, rng=0, n_resamples=20)
        )
        for function, methods in (
            (rl.auc_interval, ("logit", "bootstrap_t")),
            (rl.scored_auc_interval, ("log", "delong", "bootstrap", "bca")),
        )
        for method in methods
    },
    "evaluate, bca": lambda t, s, w: rl.evaluate(
        rl.ScoreTable(t, {"a": s}, sample_weight=w), method="bca", n_resamples=20, rng=0
    ),
    **{
        name: lambda t, s, w, name=name: getattr(rl, name)().fit(s[:, None], t, sample_weight=w)
        for name in (
            "AUCtronClassifier",
            "AUCtronClassifierCV",
            "MSEtronClassifier",
            "AUCSplitTreeClassifier",
        )
    },
    "WindowAUC": window(lambda: rl.WindowAUC(9)),
    "TimeWindowAUC": window(lambda: rl.TimeWindowAUC(9)),
    "DecayedAUC": window(lambda: rl.DecayedAUC(3)),
    "CumulativeAUC": window(rl.CumulativeAUC),
}


def weights_of(kind, random, size):
    if kind == "any":
        return 10.0 ** random.integers(-60, 61, size)
    if kind == "two":
        return 10.0 ** random.choice([-60, 60], size)
    return np.full(size, {"large": 1e60, "small": 1e-60}[kind])


def samples(count, *, scores, weights):
    random = np.random.default_rng(17)
    for number in range(count):
        size = int(random.integers(2, 7) if number % 2 else random.integers(6, 20))
        truth = random.integers(0, 2, size).astype(bool)
        if number % 5:
            truth[:2] = [True, False]
        values = random.integers(-3, 4, size) / 3 if number % 3 else random.normal(size=size)
        if scores:
            values = values * SIZES[number % len(SIZES)]
        weight = None
        if weights:
            weight = weights_of(("any", "two", "large", "small")[number % 4], random, size)
        yield truth, values, weight


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize(
    ("scores", "weights"), [(True, False), (False, True), (True, True)], ids=["s", "w", "sw"]
)
def test_nothing_but_our_own_errors_and_warnings(name, scores, weights):
    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings():
        for own in (
            rl.UndefinedMeasureWarning,
            rl.DegenerateIntervalWarning,
            rl.SmallSampleWarning,
            ConvergenceWarning,
        ):
            warnings.simplefilter("ignore", own)
        for sample in samples(18, scores=scores, weights=weights):
            with contextlib.suppress(rl.InputError):
                QUESTIONS[name](*sample)


EXACT = {
    "auc": (rl.auc, reference.auc),
    "average_precision": (rl.average_precision, reference_retrieval.average_precision),
    "average_precision_gain": (
        rl.measures.average_precision_gain,
        reference_retrieval.average_precision_gain,
    ),
    "ks_statistic": (rl.ks_statistic, reference_hull.ks_statistic),
    "partial_auc": (
        lambda t, s, sample_weight: rl.partial_auc(
            t, s, sample_weight=sample_weight, fpr_range=(0.25, 0.5)
        ),
        lambda t, s, w: reference_hull.partial_auc(
            t, s, (Fraction(1, 4), Fraction(1, 2)), (0, 1), w
        ),
    ),
    "hull": (
        lambda t, s, sample_weight: rl.roc_hull(t, s, sample_weight=sample_weight).auc,
        reference_hull.hull_auc,
    ),
}
OF_PROBABILITIES = {
    "brier_score": (rl.brier_score, reference_probability.brier_score),
    "accuracy": (rl.measures.accuracy, reference_probability.accuracy),
    "calibration_error": (
        lambda t, s, sample_weight: rl.calibration_error(t, s, sample_weight=sample_weight).value,
        lambda t, s, w: reference_probability.calibration_error(t, s, w, bins=10),
    ),
}


@pytest.mark.parametrize("name", EXACT)
def test_measures_of_ranks_are_exact(name):
    ask, twin = EXACT[name]
    # Steps between recall gains next to 1, times precision gains far below 0, lose digits.
    near = 1e-4 if name == "average_precision_gain" else 1e-11
    for truth, scores, weights in samples(60, scores=True, weights=True):
        if truth.all() or not truth.any():
            continue
        expected = float(twin(truth, scores, weights))
        assert ask(truth, scores, sample_weight=weights) == pytest.approx(
            expected, rel=near, abs=near
        )


@pytest.mark.parametrize("name", OF_PROBABILITIES)
def test_measures_of_probabilities_are_exact(name):
    ask, twin = OF_PROBABILITIES[name]
    random = np.random.default_rng(5)
    for truth, _, weights in samples(60, scores=False, weights=True):
        scores = random.integers(0, 11, len(truth)) / 10
        expected = float(twin(truth, scores, weights))
        assert ask(truth, scores, sample_weight=weights) == pytest.approx(expected, rel=1e-11)


def test_bca_intervals_do_not_depend_on_the_unit_of_scores():
    truth = np.array([0, 1, 0, 1, 1, 0, 1, 0, 1, 1])
    scores = np.array([-3, 2, 1, 4, -1, 0, 3, 2, 2, 5]) / 4
    plain = rl.scored_auc_interval(truth, scores, method="bca", rng=0, n_resamples=200)
    for exponent in (-500, 490):
        unit = 2.0**exponent
        found = rl.scored_auc_interval(truth, unit * scores, method="bca", rng=0, n_resamples=200)
        assert (found.low, found.high) == (unit * plain.low, unit * plain.high)


def test_a_curve_of_gains_of_few_negatives():
    """The recall gain runs from 0 to 1 among the last part in 1e17 of the positives."""
    weights = [1.5462274227374558e-06, 109382602826.28021]
    assert rl.measures.average_precision_gain(
        [0, 1], [2, 1], sample_weight=weights
    ) == pytest.approx(0)
    truth, scores, weights = [1, 1, 0, 1], [4, 3, 2, 1], [1e11, 4e-7, 1e-6, 1e-7]
    curve = rl.curves.precision_recall_gain_curve(truth, scores, sample_weight=weights)
    assert curve.recall_gain == pytest.approx([0, 0.5, 0.9, 0.9, 1])
    exact = reference_retrieval.average_precision_gain(truth, scores, weights)
    assert curve.area() == pytest.approx(float(exact), rel=1e-12)


HUGE = 10**400
OPTIONS = {
    "confidence_level": lambda v: rl.auc_interval([0, 1], [1, 2], confidence_level=v),
    "specificity": lambda v: rl.sensitivity_at([0, 1], [1, 2], specificity=v),
    "value": lambda v: rl.compare_to_value([0, 1], [1, 2], value=v),
    "auc": lambda v: rl.auc_power(v, 10, 10),
    "n_pos": lambda v: rl.auc_power(0.8, v, 10),
    "n_errors": lambda v: rl.auc_given_errors(v, 10, 2),
    "margin": lambda v: rl.margin_auc([0, 1], [1, 2], margin=v),
    "slope": lambda v: rl.soft_auc([0, 1], [1, 2], slope=v),
    "severity_ratio": lambda v: rl.h_measure([0, 1], [1, 2], severity_ratio=v),
    "level of bins": lambda v: rl.calibration_error([0, 1], [0, 1], confidence_level=v),
    "grid": lambda v: rl.rho_auc([0, 1], [0, 1], grid=v),
    "granularity": lambda v: rl.granular_auc([0, 1], [0, 1], granularity=v),
    "duration": rl.TimeWindowAUC,
    "half_life": rl.DecayedAUC,
    "eps": lambda v: rl.ApproximateWindowAUC(5, v),
    "per_class": lambda v: rl.BlockEDetector(0.8, per_class=v),
    "max_pending": rl.PendingLabels,
    "groups": lambda v: rl.ScoreTable([0, 1], {"a": [1, 2]}, groups=v),
    "measures": lambda v: rl.evaluate(rl.ScoreTable([0, 1], {"a": [1, 2]}), measures=v),
    "labels": lambda v: rl.multiclass_auc([0, 1], np.eye(2), labels=v),
    "cluster": lambda v: rl.select_model(rl.ScoreTable([0, 1], {"a": [1, 2]}), cluster=v),
}


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("value", [HUGE, -HUGE, Fraction(HUGE), 1j, object(), timedelta(-1)])
def test_options_that_are_refused(name, value):
    if (name, value) in (("margin", HUGE), ("margin", -HUGE), ("margin", Fraction(HUGE))):
        pytest.skip("infinite margins are allowed")
    with pytest.raises(rl.InputError) as caught:
        OPTIONS[name](value)
    assert len(str(caught.value)) < 400
