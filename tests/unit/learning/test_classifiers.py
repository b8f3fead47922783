"""AUCtron and MSEtron: what they minimise, where they end, and what they make of bad input."""

import signal
import subprocess
import sys
import warnings

import numpy as np
import pytest
import reference_learning
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from roclab import AUCtronClassifier, MSEtronClassifier, auc
from roclab.errors import InputError
from roclab.learning.calibration import platt_curve
from roclab.learning.descent import golden_section
from roclab.learning.objective import PairLoss, SquaredError, UnitObjective
from roclab.learning.unit import LinearUnit, Scaling

CLASSIFIERS = (AUCtronClassifier, MSEtronClassifier)
SOLVERS = ("lbfgs", "newton-cg", "auctron")


def drawn(n=400, features=4, seed=0, share=0.3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, features)) * [1, 10, 0.1, 3][:features] + [0, 5, -2, 100][:features]
    z = X @ np.array([1.0, 0.05, 3.0, 0.0][:features]) + rng.normal(size=n)
    return X, (z > np.quantile(z, 1 - share)).astype(int), rng.random(n) + 0.1


def objective_of(X, y, weights, *, p=2, alpha=0.1, mse=False):
    labels = y.astype(np.uint8)
    loss = SquaredError(labels, weights) if mse else PairLoss(labels, weights, 0.3, p)
    return UnitObjective(loss, LinearUnit(X, Scaling.of(X, weights, standardize=True)), alpha)


@pytest.mark.parametrize("kind", ["dense", "sparse", "far from zero"])
@pytest.mark.parametrize("mse", [False, True])
def test_the_objective_and_its_derivatives(mse, kind):
    X, y, weights = drawn(60)
    X = X + 1e5 if kind == "far from zero" else X
    objective = objective_of(sparse.csr_array(X) if kind == "sparse" else X, y, weights, mse=mse)
    rng = np.random.default_rng(1)
    theta, vector = rng.normal(size=5), rng.normal(size=5)
    value, gradient = objective.with_gradient(theta)

    mean = weights @ X / weights.sum()
    Z = (X - mean) / np.sqrt(weights @ (X - mean) ** 2 / weights.sum())
    o = 1 / (1 + np.exp(-(Z @ theta[:-1] + theta[-1])))
    if mse:
        expected = weights @ (o - y) ** 2 / weights.sum()
    else:
        expected, _, _ = reference_learning.pair_loss(y == 1, o, weights=weights)
    assert value == pytest.approx(float(expected + 0.05 * theta[:-1] @ theta[:-1]), rel=1e-9)

    def numeric(of, x, h=1e-5):
        steps = h * np.eye(len(x))
        return np.array([(of(x + s) - of(x - s)) / (2 * h) for s in steps])

    assert gradient == pytest.approx(numeric(lambda t: objective.with_gradient(t)[0], theta), 1e-6)
    hessian = numeric(lambda t: objective.with_gradient(t)[1], theta)
    assert objective.hessian_product(theta, vector) == pytest.approx(hessian.T @ vector, 1e-3, 1e-5)


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_all_solvers_end_in_the_same_place(classifier):
    X, y, weights = drawn()
    found = [
        classifier(solver=solver, alpha=1e-3, tol=1e-7, max_iter=5000, random_state=0).fit(
            X, y, weights
        )
        for solver in SOLVERS
    ]
    for model in found:
        assert model.converged_
        assert model.gradient_norm_ < 1e-5
        assert model.loss_curve_[-1] == pytest.approx(found[0].loss_curve_[-1], rel=1e-6)
        assert np.all(np.diff(model.loss_curve_) <= 1e-15)
        assert len(model.loss_curve_) == model.n_iter_ + 1
        assert model.coef_ == pytest.approx(found[0].coef_, rel=0.02, abs=0.02)


def test_training_lowers_the_loss_it_names():
    X, y, _ = drawn()
    model = AUCtronClassifier(gamma=0.5, p=3, alpha=0, random_state=0, calibrate=False).fit(X, y)
    outputs = model.predict_proba(X)[:, 1]
    expected, _, _ = reference_learning.pair_loss(y == 1, outputs, gamma=0.5, p=3)
    assert model.loss_curve_[-1] == pytest.approx(float(expected), rel=1e-9)
    mse = MSEtronClassifier(random_state=0).fit(X, y)
    assert mse.loss_curve_[-1] == pytest.approx(
        np.mean((mse.predict_proba(X)[:, 1] - y) ** 2), rel=1e-9
    )


def test_ranks_at_least_as_well_as_logistic_regression_where_that_is_right():
    X, y, _ = drawn(3000)
    peer = LogisticRegression(max_iter=1000).fit(X / X.std(axis=0), y)
    ours = AUCtronClassifier(random_state=0).fit(X, y)
    difference = auc(y, ours.decision_function(X)) - auc(
        y, peer.decision_function(X / X.std(axis=0))
    )
    assert difference > -0.002


def test_the_default_ranks_as_well_as_that_of_logistic_regression():
    """Few rows and many features: without a penalty AUCtron follows noise."""
    aucs = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(2120, 30)) * np.geomspace(0.1, 10, 30)
        y = (X / X.std(axis=0))[:, :5].sum(axis=1) + rng.logistic(size=len(X)) > 1.5
        train, test = slice(0, 120), slice(120, None)
        scaled = X / X[train].std(axis=0)
        models = [
            (LogisticRegression(), scaled),
            (AUCtronClassifier(random_state=0), X),
            (AUCtronClassifier(alpha=0, random_state=0), X),
        ]
        aucs.append(
            [auc(y[test], m.fit(F[train], y[train]).decision_function(F[test])) for m, F in models]
        )
    theirs, ours, no_penalty = np.mean(aucs, axis=0)
    print(theirs, ours, no_penalty)
    assert ours > theirs - 0.005
    assert ours > no_penalty + 0.01


def test_steps_of_comparable_size_save_iterations(monkeypatch):
    """The pairwise loss depends little on the bias: in its own units solvers move it slowly."""
    found = []
    for step in (PairLoss.bias_step, 1.0):
        monkeypatch.setattr(PairLoss, "bias_step", step)
        models = [
            AUCtronClassifier(tol=1e-6, random_state=0).fit(*drawn(seed=seed)[:2])
            for seed in range(5)
        ]
        found.append((sum(m.n_iter_ for m in models), [m.loss_curve_[-1] for m in models]))
    (scaled, losses), (plain, same) = found
    assert scaled < plain
    assert losses == pytest.approx(same, rel=1e-8)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_weights_are_repetitions_to_the_last_digit_and_zero_leaves_out(classifier, solver, form):
    X, y, _ = drawn(150)
    X, y = np.concatenate([X, X[:20]]), np.concatenate([y, 1 - y[:20]])  # equal but for the label
    times = np.random.default_rng(3).integers(0, 4, len(y))
    rows = np.random.default_rng(4).permutation(np.repeat(np.arange(len(y)), times))
    options = {"solver": solver, "random_state": 0, "alpha": 0.01, "max_iter": 5000}
    weighted = classifier(**options).fit(form(X), y, sample_weight=times)
    repeated = classifier(**options).fit(form(X[rows]), y[rows])
    assert weighted.coef_.tolist() == repeated.coef_.tolist()
    assert weighted.intercept_.tolist() == repeated.intercept_.tolist()
    assert weighted.loss_curve_ == repeated.loss_curve_


@pytest.mark.parametrize("kind", ["dense", "sparse", "weighted", "tied", "far from zero"])
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_the_order_of_the_rows_changes_no_digit(classifier, solver, kind):
    X, y, weights = drawn(1001)
    weights = weights if kind == "weighted" else np.ones(len(y))
    if kind == "tied":
        X = (X / [1, 10, 0.1, 3]).round(0)
        assert len(np.unique(X, axis=0)) < len(X) / 2
    X = X + 1e6 if kind == "far from zero" else X
    if kind == "sparse":
        X = sparse.csr_array(np.where(np.random.default_rng(0).random(X.shape) < 0.6, 0.0, X))
    options = {"solver": solver, "random_state": 0, "max_iter": 20}

    def fitted(rows):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            return classifier(**options).fit(X[rows], y[rows], weights[rows])

    found = fitted(np.arange(len(y)))
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(y))
        other = fitted(order)
        assert other.coef_.tolist() == found.coef_.tolist()
        assert other.intercept_.tolist() == found.intercept_.tolist()
        assert other.loss_curve_ == found.loss_curve_
        assert other.gradient_norm_ == found.gradient_norm_
        scores = found.decision_function(X)
        assert other.decision_function(X[order]).tolist() == scores[order].tolist()


@pytest.mark.parametrize("rows", [1, 2, 5, 7, 103, 1003])
@pytest.mark.parametrize("features", [1, 3, 8, 17, 50])
def test_equal_rows_have_equal_scores(rows, features):
    rng = np.random.default_rng(features)
    X = rng.normal(size=(60, features))
    model = AUCtronClassifier(random_state=0, max_iter=500).fit(X, np.arange(60) % 2)
    same = np.tile(rng.normal(size=features), (rows, 1))
    for form in (same, np.asfortranarray(same), sparse.csr_array(same)):
        assert len(set(model.decision_function(form).tolist())) == 1


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_sparse_data_give_what_dense_data_give(classifier):
    X, y, weights = drawn()
    X = np.where(np.random.default_rng(0).random(X.shape) < 0.6, 0.0, X)
    options = {"random_state": 0, "alpha": 0.01, "tol": 1e-8}
    dense = classifier(**options).fit(X, y, weights)
    for form in (sparse.csr_matrix, sparse.csc_array):
        model = classifier(**options).fit(form(X), y, weights)
        assert model.coef_ == pytest.approx(dense.coef_, rel=1e-4, abs=1e-6)
        assert model.decision_function(form(X)) == pytest.approx(model.decision_function(X))


def test_features_moved_and_scaled_give_the_same_scores():
    X, y, _ = drawn()
    options = {"random_state": 0, "alpha": 0.01, "tol": 1e-8}
    found = AUCtronClassifier(**options).fit(X, y).decision_function(X)
    moved = X * [1e3, 1e-3, 7, 1] + [1e6, -50, 0, 1e4]
    other = AUCtronClassifier(**options).fit(moved, y).decision_function(moved)
    assert other == pytest.approx(found, rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("scale", [1e-290, 1e-200, 1e200, 1e300])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_features_whose_squares_leave_the_doubles(form, scale):
    X, y, weights = drawn()
    options = {"random_state": 0, "alpha": 0.01, "tol": 1e-8}
    found = AUCtronClassifier(**options).fit(form(X), y, weights).decision_function(form(X))
    columns = np.array([1, scale, 1, scale])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = AUCtronClassifier(**options).fit(form(X * columns), y, weights)
    assert model.decision_function(form(X * columns)) == pytest.approx(found, rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_denormal_features_say_nothing(classifier, form):
    X, y, _ = drawn()
    model = classifier(random_state=0, alpha=0.01).fit(form(X * [1, 1e-310, 1, 1e-320]), y)
    assert model.coef_[0, [1, 3]].tolist() == [0, 0]
    assert model.coef_[0, [0, 2]] == pytest.approx(
        classifier(random_state=0, alpha=0.01).fit(form(X[:, [0, 2]]), y).coef_[0], rel=1e-2
    )


def test_the_layout_of_the_features_changes_no_digit_of_a_score():
    X, y, _ = drawn()
    model = AUCtronClassifier(random_state=0).fit(X, y)
    found = model.decision_function(X).tolist()
    assert model.decision_function(np.asfortranarray(X)).tolist() == found
    assert [model.decision_function(row[np.newaxis])[0] for row in X] == found


def test_a_solver_that_gets_stuck_does_not_ask_for_more_iterations():
    X, y, _ = drawn()
    with pytest.warns(ConvergenceWarning, match="no further step decreases .* use another solver"):
        AUCtronClassifier(random_state=0, tol=0, solver="newton-cg").fit(X, y)


def test_constant_features_say_nothing():
    X, y, _ = drawn()
    X = np.column_stack([X, np.full(len(y), 7.0), np.zeros(len(y))])
    for standardize in (True, False):
        model = AUCtronClassifier(random_state=0, standardize=standardize, max_iter=500).fit(X, y)
        assert model.coef_[0, 4:].tolist() == [0.0, 0.0]
    with_none = AUCtronClassifier(random_state=0).fit(np.ones((4, 2)), [0, 1, 0, 1])
    assert with_none.decision_function(np.ones((2, 2))).tolist() == pytest.approx([0, 0], abs=1e-9)


def test_more_features_than_rows():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 200)), np.arange(20) % 2
    model = AUCtronClassifier(alpha=0, random_state=0).fit(X, y)
    assert model.loss_curve_[-1] < 1e-6
    assert auc(y, model.decision_function(X)) == 1


def test_calibration_makes_probabilities_and_raw_outputs_do_not():
    X, y, _ = drawn(5000, share=0.1)
    calibrated = AUCtronClassifier(random_state=0).fit(X, y)
    raw = AUCtronClassifier(random_state=0, calibrate=False).fit(X, y)
    assert calibrated.predict_proba(X)[:, 1].mean() == pytest.approx(y.mean(), rel=1e-2)
    assert raw.predict_proba(X)[:, 1].mean() > 0.2
    assert auc(y, raw.decision_function(X)) == auc(y, calibrated.decision_function(X))
    ratio = calibrated.coef_ / raw.coef_
    assert ratio == pytest.approx(np.full_like(ratio, ratio[0, 0]))


def test_platt_finds_the_curve_that_made_the_labels():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=50_000) * 100 + 3
    labels = (rng.random(50_000) < 1 / (1 + np.exp(-(0.02 * scores - 1)))).astype(np.uint8)
    slope, intercept = platt_curve(scores, labels, np.ones(50_000))
    assert slope == pytest.approx(0.02, rel=0.03)
    assert intercept == pytest.approx(-1, rel=0.03)


def test_platt_stays_finite_on_separable_scores_and_refuses_to_turn_them_round():
    labels = np.array([0, 0, 1, 1], np.uint8)
    slope, intercept = platt_curve(np.array([1.0, 2.0, 3.0, 4.0]), labels, np.ones(4))
    assert 0 < slope < 10
    assert slope * 2.5 + intercept == pytest.approx(0, abs=1e-9)
    assert platt_curve(np.array([4.0, 3.0, 2.0, 1.0]), labels, np.ones(4)) == (1.0, -2.5)


def test_a_warm_start_goes_on_where_the_last_fit_ended():
    X, y, _ = drawn()
    model = AUCtronClassifier(max_iter=2, warm_start=True, random_state=0)
    with pytest.warns(ConvergenceWarning, match="max_iter=2 was reached"):
        model.fit(X, y)
    reached = model.loss_curve_[-1]
    model.set_params(max_iter=200).fit(X, y)
    assert model.loss_curve_[0] == pytest.approx(reached, rel=1e-12)
    assert model.loss_curve_[-1] < reached
    with pytest.raises(InputError, match="trained on 4 features and X has 3"):
        model.fit(X[:, :3], y)


@pytest.mark.parametrize("solver", SOLVERS)
def test_an_interrupt_leaves_a_usable_model(solver, monkeypatch):
    X, y, _ = drawn()
    asked = 0
    original = UnitObjective.with_gradient

    def interrupted(self, parameters):
        nonlocal asked
        asked += 1
        if asked == 7:
            raise KeyboardInterrupt
        return original(self, parameters)

    model = AUCtronClassifier(solver=solver, warm_start=True, random_state=0, max_iter=1000)
    monkeypatch.setattr(UnitObjective, "with_gradient", interrupted)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert not model.converged_
    assert 0 < model.n_iter_ < 7
    assert auc(y, model.decision_function(X)) > 0.5
    reached = model.loss_curve_[-1]
    assert model.fit(X, y).loss_curve_[0] == pytest.approx(reached, rel=1e-12)
    assert model.converged_


INTERRUPTED = """
import numpy as np
from roclab import AUCtronClassifier, auc

rng = np.random.default_rng(0)
X = rng.normal(size=(200_000, 20))
y = X[:, 0] + rng.normal(size=200_000) > 1
ranker = AUCtronClassifier(solver=SOLVER, tol=0, max_iter=10**6, warm_start=True, verbose=1)
try:
    while True:  # a solver may find nothing left to do
        ranker.fit(X, y)
except KeyboardInterrupt:
    reached = ranker.loss_curve_[-1]
    ranked = auc(y, ranker.decision_function(X))
    ranker.set_params(max_iter=1, verbose=0, tol=1.0).fit(X, y)
    print(ranked > 0.7, abs(ranker.loss_curve_[0] - reached) <= 1e-12 * reached)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are another thing there")
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_real_interrupt_leaves_a_warm_start(solver):
    script = INTERRUPTED.replace("SOLVER", repr(solver))
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=-1, stderr=-1, text=True
    ) as training:
        for line in training.stderr:
            if line.startswith("iteration    4"):
                break
        training.send_signal(signal.SIGINT)
        out, err = training.communicate(timeout=120)
    assert out.split() == ["True", "True"], err


def test_progress_is_told_on_standard_error_when_asked_for(capsys):
    X, y, _ = drawn()
    AUCtronClassifier(random_state=0).fit(X, y)
    assert capsys.readouterr() == ("", "")
    model = AUCtronClassifier(random_state=0, verbose=1).fit(X, y)
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == model.n_iter_ + 1
    assert err.startswith("iteration    0  loss 0.0")


def test_the_start_depends_on_the_seed_alone():
    X, y, _ = drawn()
    first, again, other = (
        AUCtronClassifier(random_state=seed).fit(X, y).loss_curve_[0] for seed in (0, 0, 1)
    )
    assert first == again != other


def test_golden_section_finds_the_bottom_and_keeps_only_a_step_that_helps():
    for bottom in (1e-6, 0.3, 1.0, 1e5):
        step = golden_section(lambda t, b=bottom: (t - b) ** 2, bottom**2, first=1.0)
        assert step == pytest.approx(bottom, rel=2e-4)
    assert golden_section(lambda t: t, 0.0, first=1.0) is None

    def two_valleys(t):
        return min((t - 1) ** 2, (t - 20) ** 2 - 1)

    assert two_valleys(golden_section(two_valleys, 1.0, first=0.1)) < 1.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gamma": 0}, "gamma=0 is out of range"),
        ({"p": 4}, "p=4 is not an option"),
        ({"alpha": -1}, "alpha=-1 is out of range; a finite number of at least 0"),
        ({"tol": float("nan")}, "tol=nan is out of range"),
        ({"max_iter": 0}, "max_iter=0 is out of range"),
        ({"solver": "sgd"}, "'sgd' is not an option. Choose 'auctron', 'lbfgs' or 'newton-cg'"),
        ({"solver": ["lbfgs"]}, r"solver=\['lbfgs'\] is not an option"),
        ({"solver": "newton-cg", "p": 1}, "needs a second derivative"),
    ],
)
def test_bad_parameters_are_refused(options, message):
    X, y, _ = drawn(20)
    with pytest.raises(InputError, match=message):
        AUCtronClassifier(**options).fit(X, y)


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_bad_data_are_refused(classifier):
    X, y, _ = drawn(20)
    with pytest.raises(InputError, match="one class only"):
        classifier().fit(X, np.zeros(20))
    with pytest.raises(InputError, match="Rows of zero weight are ignored"):
        classifier().fit(X, y, sample_weight=1 - y)
    with pytest.raises(InputError, match="Only binary classification"):
        classifier().fit(X, np.arange(20) % 3)
    with pytest.raises(InputError, match="labels that cannot be sorted"):
        classifier().fit(X, np.array(["a", 1] * 10, object))
    with pytest.raises(ValueError, match="NaN"):
        classifier().fit(np.where(X > 5, np.nan, X), y)


def test_scikit_learn_stays_unloaded_until_a_classifier_is_asked_for():
    probe = "import roclab, sys; roclab.auc([0, 1], [1, 2]); print('sklearn' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
