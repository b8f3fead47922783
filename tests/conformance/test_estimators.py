"""All estimators through scikit-learn's own checks."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from roclab.learning import AUCtronClassifier, MSEtronClassifier

ESTIMATORS = [
    AUCtronClassifier(),
    AUCtronClassifier(solver="newton-cg", p=3, calibrate=False),
    AUCtronClassifier(solver="auctron", standardize=False),
    MSEtronClassifier(),
    MSEtronClassifier(solver="newton-cg", alpha=0.01, calibrate=True),
    MSEtronClassifier(solver="auctron", alpha=0.01),
]


# Gradient descent on features as they come is slow, and says so.
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_accepts(estimator, check):
    check(estimator)
