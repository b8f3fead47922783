import numpy as np
import pytest
import reference_clusters
import reference_comparison
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.inference import auc_covariance

ROW = st.tuples(st.booleans(), st.integers(0, 4), st.integers(0, 4), st.integers(0, 3))


@given(st.lists(ROW, min_size=6, max_size=20))
def test_covariances_are_those_of_all_pairs(rows):
    truth, a, b, cluster = (np.array(column) for column in zip(*rows, strict=True))
    if min(len(set(cluster[truth])), len(set(cluster[~truth]))) < 2:
        return
    table = rl.ScoreTable(truth, {"a": a, "b": b}, groups={"patient": cluster})
    found = auc_covariance(table)
    with_clusters = auc_covariance(table, cluster="patient")
    assert found.names == ("a", "b")
    columns = {"a": a, "b": b}
    for i, first in enumerate("ab"):
        for j, second in enumerate("ab"):
            scores = columns[first], columns[second]
            expected = float(reference_comparison.covariance(truth, *scores))
            assert found.covariance[i, j] == pytest.approx(expected, rel=1e-12, abs=1e-15)
            expected = float(reference_clusters.covariance(truth, *scores, cluster))
            assert with_clusters.covariance[i, j] == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_correlations_and_results():
    table = rl.ScoreTable([0, 1, 0, 1], {"a": [1, 4, 4, 8], "b": [4, 3, 2, 1], "c": [0, 1, 0, 1]})
    found = auc_covariance(table)
    assert found.correlation[0] == pytest.approx([1, -1, np.nan], nan_ok=True)
    assert repr(found) == "AUCCovariance(auc of 3 models, 2+ 2-)"
    assert found.to_pandas()["covariance"].tolist()[:2] == [0.03125, -0.0625]
    assert not found.covariance.flags.writeable
    scored = auc_covariance(table, measure="scored_auc")
    assert scored.values.tolist() == [rl.scored_auc(table[name]) for name in table.names]


def test_one_example_of_a_class_has_no_covariance():
    table = rl.ScoreTable([0, 1, 0], {"a": [1, 4, 4], "b": [4, 3, 2]})
    with pytest.warns(rl.UndefinedMeasureWarning, match="a covariance needs two of each"):
        assert np.isnan(auc_covariance(table).covariance).all()


def test_refusals():
    with pytest.raises(rl.InputError):
        auc_covariance([0, 1])
    table = rl.ScoreTable([0, 1, 0, 1], {"a": [1, 4, 4, 8]})
    with pytest.raises(rl.ColumnError):
        auc_covariance(table, cluster="patient")
    with pytest.raises(rl.InputError, match="measure='gini'"):
        auc_covariance(table, measure="gini")
