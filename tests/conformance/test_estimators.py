"""Every estimator through scikit-learn's own checks."""

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
REPAIRED = [
    rl.RepairedClassifierCV(LogisticRegression(), cv=2),
    rl.RepairedClassifierCV(LinearSVC(), cv=2, keep="every_fold", sections="all"),
    rl.RepairedClassifierCV(cv="train", calibrate=True, method="flatten"),
    rl.PointRepairedClassifier(*(LogisticRegression() for _ in range(3))),
]


@parametrize_with_checks(
    REPAIRED,
    expected_failed_checks=lambda one: FOLDS if isinstance(one, rl.RepairedClassifierCV) else {},
)
def test_keeps_the_contract_of_scikit_learn(estimator, check):
    check(estimator)
