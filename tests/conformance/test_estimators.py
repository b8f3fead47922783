"""Every estimator through scikit-learn's own checks."""

from contextlib import nullcontext

import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

import roclab as rl

# Which rows are held out depends on how many rows there are, and the calibration on which they are.
# So weights and repeated rows give other probabilities; nothing else may fail.
CALIBRATED = (
    "Comparing the output of RepairedClassifierCV.predict_proba revealed that fitting with "
    "`sample_weight` is not equivalent"
)
EXPECTED = {
    "check_sample_weight_equivalence_on_dense_data": CALIBRATED,
    "check_sample_weight_equivalence_on_sparse_data": CALIBRATED,
}
ESTIMATORS = [
    rl.AUCtronClassifier(),
    rl.AUCtronClassifier(solver="newton-cg", p=3, calibrate=False),
    rl.AUCtronClassifier(solver="auctron", standardize=False),
    rl.AUCtronClassifierCV(),
    rl.AUCtronClassifierCV(alphas=3, cv=2, scoring="neg_log_loss", standardize=False),
    rl.MSEtronClassifier(),
    rl.MSEtronClassifier(solver="newton-cg", alpha=0.01, calibrate=True),
    rl.MSEtronClassifier(solver="auctron", alpha=0.01),
    rl.RepairedClassifierCV(LogisticRegression(), cv=2),
    rl.RepairedClassifierCV(LinearSVC(), cv=2, keep="every_fold", sections="all"),
    rl.RepairedClassifierCV(cv="train", calibrate=True, method="flatten"),
    rl.repair.PointRepairedClassifier(*(LogisticRegression() for _ in range(3))),
]


# Gradient descent on features as they come is slow, and says so.
@pytest.mark.filterwarnings("ignore:Training stopped:sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(ESTIMATORS)
def test_keeps_the_contract_of_scikit_learn(estimator, check):
    repaired = isinstance(estimator, rl.RepairedClassifierCV) and estimator.calibrate
    words = EXPECTED.get(check.func.__name__) if repaired else None
    with pytest.raises(AssertionError, match=words) if words else nullcontext():
        check(estimator)
