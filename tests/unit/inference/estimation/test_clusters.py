"""Clusters in intervals and tests: what few of them mean, and what is refused."""

import math

import numpy as np
import pytest

import roclab as rl

Y = [0, 1, 0, 1, 0, 1, 1, 0]
A = [0.1, 0.4, 0.4, 0.8, 0.3, 0.9, 0.2, 0.5]
B = [0.2, 0.1, 0.4, 0.8, 0.3, 0.9, 0.7, 0.5]


@pytest.fixture
def repeated():
    """Sixty rows, each three times: they are worth sixty."""
    rng = np.random.default_rng(8)
    y = np.arange(60) % 2 == 0
    a, b = rng.normal(size=(2, 60)) + y
    rows = np.repeat(np.arange(60), 3)
    return (y, a, b), (y[rows], a[rows], b[rows]), rows


@pytest.mark.parametrize("method", ["auto", "delong", "logit", "score", "newcombe"])
def test_repeated_rows_are_worth_those_they_repeat(repeated, method):
    (y, a, _), (yy, aa, _), rows = repeated
    once = rl.auc_interval(y, a, method=method)
    found = rl.auc_interval(yy, aa, method=method, cluster=rows)
    naive = rl.auc_interval(yy, aa, method=method)
    assert found.standard_error == pytest.approx(once.standard_error, rel=1e-12)
    # Student's quantile in place of the normal one makes "auto" a little wider; others count
    # examples, which n / (n - 1) makes a little fewer.
    wider = 1 + 1e-9 if method in ("delong", "logit") else 1.03
    assert 1 - 1e-9 <= (found.high - found.low) / (once.high - once.low) < wider
    assert naive.high - naive.low < 0.7 * (found.high - found.low)
    assert (found.n_pos, found.n_neg) == (90, 90)


def test_repeated_rows_in_a_comparison(repeated):
    (y, a, b), (yy, aa, bb), rows = repeated
    once = rl.compare_auc(y, a, b, method="delong")
    found = rl.compare_auc(yy, aa, bb, cluster=rows, method="delong")
    assert found.standard_error == pytest.approx(once.standard_error, rel=1e-12)
    assert (once.df, found.df) == (None, 59)
    assert found.pvalue > once.pvalue > rl.compare_auc(yy, aa, bb, method="delong").pvalue
    value = rl.compare_to_value(yy, aa, value=0.6, cluster=rows)
    assert value.standard_error == pytest.approx(
        rl.compare_to_value(y, a, value=0.6).standard_error, rel=1e-12
    )
    assert value.df == 59
    drawn = rl.compare_to_value(yy, aa, value=0.6, cluster=rows, method="bootstrap", rng=0)
    assert drawn.standard_error == pytest.approx(value.standard_error, rel=0.15)
    scored = rl.scored_auc_interval(yy, aa, cluster=rows)
    assert scored.standard_error == pytest.approx(rl.scored_auc_interval(y, a).standard_error)


@pytest.mark.parametrize("weight", [None, 1.0, 0.1])
def test_clusters_that_cancel_leave_no_variance(weight):
    """Two clusters, in which what positives win is what negatives lose."""
    y = np.repeat([0, 1], 10)
    scores = np.array([0, 0.5, *[0] * 8, *[0] * 5, 0.5, *[0.75] * 4])
    cluster = [1, 2, *[1] * 8, 1, *[2] * 9]
    weights = None if weight is None else np.full(20, weight)
    found = rl.auc_interval(y, scores, cluster=cluster, sample_weight=weights)
    assert found.standard_error == pytest.approx(0, abs=1e-15)


def test_score_method_against_a_value_knows_clusters(repeated):
    (y, a, _), (yy, aa, _), rows = repeated
    found = rl.compare_to_value(yy, aa, value=0.6, cluster=rows, method="score")
    once = rl.compare_to_value(y, a, value=0.6, method="score")
    assert found.statistic == pytest.approx(once.statistic, rel=0.02)


def test_one_cluster_says_nothing():
    interval = rl.auc_interval(Y, A, cluster=["x"] * 8)
    assert (interval.low, interval.high) == (0, 1)
    assert math.isnan(interval.standard_error)
    for method in ("delong", "logit"):
        with pytest.warns(rl.UndefinedMeasureWarning, match="two clusters with each"):
            found = rl.auc_interval(Y, A, cluster=["x"] * 8, method=method)
        assert math.isnan(found.low + found.high)
    with pytest.warns(rl.UndefinedMeasureWarning, match="two clusters with each"):
        found = rl.compare_auc(Y, A, B, cluster=["x"] * 8)
    assert math.isnan(found.pvalue)
    assert found.difference == rl.compare_auc(Y, A, B).difference


@pytest.mark.parametrize("method", ["bootstrap", "bca", "bootstrap_t"])
def test_a_class_in_one_cluster_is_not_drawn_from(method):
    """Its spread would be that of the other class alone: an interval much too short."""
    alone = np.where(Y, -1, np.arange(len(Y)))
    for function in (rl.auc_interval, rl.scored_auc_interval):
        if method == "bootstrap_t" and function is rl.scored_auc_interval:
            continue
        with pytest.warns(
            rl.UndefinedMeasureWarning, match="with clusters: two clusters with each"
        ):
            found = function(Y, A, cluster=alone, method=method, rng=0)
        assert np.isnan([found.low, found.high]).all()
        assert found.value > 0
    with pytest.warns(rl.UndefinedMeasureWarning, match="with clusters: two clusters with each"):
        gini = rl.interval(Y, A, measure="gini", cluster=alone, rng=0, method="half_sampling")
    assert np.isnan([gini.low, gini.high, gini.standard_error]).all()


def test_class_in_one_cluster_only_has_no_variance():
    clusters = ["x", "y", "x", "y", "x", "y", "y", "x"]  # all negatives in x, all positives in y
    with pytest.warns(rl.UndefinedMeasureWarning, match="two clusters with each"):
        assert math.isnan(rl.auc_interval(Y, A, cluster=clusters, method="delong").low)
    interval = rl.auc_interval(Y, A, cluster=clusters)
    assert 0 <= interval.low < 0.05 < 0.95 < interval.high


def test_bounds_at_variance_zero_count_clusters():
    """A perfect model over ten rows of two clusters each is no better known than over two."""
    y = np.repeat([0, 0, 1, 1], 10)
    s = np.repeat([1.0, 2.0, 3.0, 4.0], 10)
    clusters = np.repeat(np.arange(4), 10)
    two = rl.auc_interval([0, 0, 1, 1], [1, 2, 3, 4])
    found = rl.auc_interval(y, s, cluster=clusters)
    assert found.value == 1
    assert found.low <= two.low < rl.auc_interval(y, s).low
    with pytest.warns(rl.DegenerateIntervalWarning):
        naive = rl.compare_auc(y, s, -s, method="delong")
    with pytest.warns(rl.DegenerateIntervalWarning):
        bound = rl.compare_auc(y, s, -s, method="delong", cluster=clusters)
    with pytest.warns(rl.DegenerateIntervalWarning):
        small = rl.compare_auc([0, 0, 1, 1], [1, 2, 3, 4], [-1, -2, -3, -4], method="delong")
    assert (bound.low, bound.pvalue) == pytest.approx((small.low, small.pvalue))
    assert naive.low > bound.low
    assert rl.compare_auc(y, s, -s).low > rl.compare_auc(y, s, -s, cluster=clusters).low
    alike = rl.compare_auc(y, s, 2 * s, cluster=clusters)
    assert (alike.difference, alike.pvalue) == (0, 1)
    assert alike.high == pytest.approx(1 - 0.025 ** (1 / 2))


def test_models_whose_clusters_cancel_are_not_identical():
    """Placements differ within clusters only: no spread between them, but no agreement either."""
    y = [1, 1, 0, 0, 1, 1, 0, 0]
    a, b = [1, 3, 2, 2, 1, 3, 2, 2], [3, 1, 2, 2, 3, 1, 2, 2]
    clusters = [0, 0, 1, 1, 2, 2, 3, 3]
    with pytest.warns(rl.DegenerateIntervalWarning, match="difference 0 is 0"):
        found = rl.compare_auc(y, a, b, method="delong", cluster=clusters)
    assert found.method == "score"
    assert found.low < -0.5 < 0.5 < found.high
    auto = rl.compare_auc(y, a, b, cluster=clusters)
    assert (auto.method, auto.pvalue) == ("mover", 1)
    assert auto.low < -0.5 < 0.5 < auto.high


def test_clusters_that_are_refused():
    with pytest.raises(rl.InputError, match="cluster has 3 values and there are 8 rows"):
        rl.auc_interval(Y, A, cluster=[1, 2, 3])
    with pytest.raises(rl.InputError, match="cluster has 3 values and there are 8 rows"):
        rl.compare_auc(Y, A, B, cluster=[1, 2, 3])
    with pytest.raises(rl.InputError, match="cluster has no value in row 1"):
        rl.auc_interval(Y, A, cluster=["x", None, *"abcdef"])
    with pytest.raises(rl.InputError, match="RangeSummary has no rows, so cluster"):
        rl.auc_interval(rl.Ranking(Y, A).summary, cluster=range(8))
    of_counts = rl.Ranking(Y, A).between(0.0, 0.5)
    with pytest.raises(rl.InputError, match="has no rows"):
        rl.auc_interval(of_counts, cluster=range(8))


def test_table_without_the_column():
    table = rl.ScoreTable(Y, {"a": A, "b": B}, groups={"patient": list("xxyyzzww")})
    for function in (rl.evaluate, rl.compare):
        with pytest.raises(rl.ColumnError, match="No group column 'doctor'"):
            function(table, cluster="doctor")
    with pytest.raises(rl.ColumnError, match="No group column 'doctor'"):
        rl.evaluate(table, stratum="doctor")


@pytest.mark.parametrize("method", ["delong", "bootstrap"])
def test_evaluation_of_one_cluster_says_what_it_needs(method):
    table = rl.ScoreTable(Y, {"a": A}, groups={"patient": ["x"] * 8})
    with pytest.warns(
        rl.UndefinedMeasureWarning, match="needs two clusters with each class, is nan"
    ):
        found = rl.evaluate(table, cluster="patient", method=method)
    assert math.isnan(found.rows[0].interval.low)


def test_evaluation_of_clusters_by_bootstrap():
    table = rl.ScoreTable(Y, {"a": A}, groups={"patient": list("xxyyzzww")})
    found = rl.evaluate(table, cluster="patient", method="bootstrap", rng=3)
    same = rl.auc_interval(Y, A, cluster=list("xxyyzzww"), method="bootstrap", rng=3)
    assert found.rows[0].interval == same
    assert found.to_dict()["cluster"] == "patient"


def test_covariance_tells_of_clusters():
    from roclab.data.row_groups import Membership
    from roclab.inference.estimation.delong import joint_estimate
    from roclab.inference.estimation.joint_estimate import ClusterCounts

    joint = joint_estimate(rl.ScoreTable(Y, {"a": A}), clusters=Membership.of(list("xxyyzzww")))
    assert joint.clusters == ClusterCounts(total=4, with_pos=4.0, with_neg=4.0, df=3.0)
    assert joint.df == 3
    assert joint.independent_pairs == 2


def test_clusters_of_unequal_size_are_worth_fewer():
    """Ten clusters, of which one has half of the rows."""
    sizes = np.array([18, *[2] * 9])
    cluster, y = np.repeat(np.arange(10), sizes), np.arange(36) % 2
    found = rl.compare_to_value(y, np.sin(np.arange(36)), value=0.5, cluster=cluster)
    rows = sizes / 2  # of each class
    variances = rows * (1 + 0.1 * (rows - 1))
    assert found.df == pytest.approx(variances.sum() ** 2 / (variances**2).sum() - 1, rel=1e-9)
    assert found.df < 3


def test_clusters_of_unequal_size_are_covered():
    """With as many degrees of freedom as clusters the interval covered 86 to 89 % of samples."""
    rng = np.random.default_rng(11)
    held = 0
    for _ in range(300):
        sizes = rng.geometric(0.1, 10)
        cluster = np.repeat(np.arange(10), sizes)
        y = np.resize([True, False], 10)[cluster]
        s = rng.normal(size=10)[cluster] + rng.normal(size=len(y)) + 1.0487 * y
        found = rl.auc_interval(y, s, cluster=cluster)
        held += found.low <= 0.7 <= found.high
    assert held / 300 >= 0.93
