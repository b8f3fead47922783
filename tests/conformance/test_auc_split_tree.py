"""The tree through scikit-learn's own checks."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from roclab.learning import AUCSplitTreeClassifier

ESTIMATORS = [
    AUCSplitTreeClassifier(),
    AUCSplitTreeClassifier(max_depth=3, leaf_score="prior", ccp_alpha=0.001),
    AUCSplitTreeClassifier(max_features="sqrt", max_leaf_nodes=8, leaf_score="share"),
    AUCSplitTreeClassifier(categorical_features=[0]),
]


@pytest.mark.filterwarnings("error")
@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_accepts(estimator, check):
    check(estimator)
