"""Every estimator through scikit-learn's own checks."""

import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

import roclab as rl

# Not promised by scikit-learn's own estimators with folds either: which rows fall into which fold
# depends on how many rows there are.
FOLDS = {
    "check_sample_weight_equivalence_on_dense_data": "rows fall into other folds when repeated",
    "check_sample_weight_equivalence_on_sparse_data": "rows fall into other folds when repeated",
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
@parametrize_with_checks(
    ESTIMATORS,
    expected_failed_checks=lambda one: FOLDS if isinstance(one, rl.RepairedClassifierCV) else {},
)
def test_keeps_the_contract_of_scikit_learn(estimator, check):
    check(estimator)
