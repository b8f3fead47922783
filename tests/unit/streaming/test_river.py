"""The metric in river's evaluation loop; what does not need river runs without it."""

import math
from collections import Counter, defaultdict
from datetime import datetime, timedelta

import pytest

import roclab as rl


def river():
    return pytest.importorskip("river", reason="river is not installed: pip install river")


def metric(size=100_000, **options):
    return rl.RiverAUC(rl.WindowAUC(size), **options)


def test_values():
    one = metric()
    assert math.isnan(one.get())
    for label, p in [(False, 0.1), (True, 0.4), (False, 0.4), (True, 0.8)]:
        one.update(label, {False: 1 - p, True: p})
    assert one.get() == 0.875
    assert one.interval().value == 0.875
    assert repr(one) == "RiverAUC: 87.50%"
    one.revert(True, {True: 0.8})
    assert one.get() == 0.75


def test_a_probability_that_is_not_given_is_0():
    one = metric()
    one.update(True, {})
    one.update(False, {True: 0.5})
    assert one.get() == 0.0


def test_predictions_may_be_any_dictionary():
    one = metric()
    one.update(True, Counter({True: 2}))
    one.update(False, defaultdict(lambda: 9.0))
    assert one.get() == 1.0
    assert one.window.kth_score(0) == 0.0


def test_other_labels_and_scores():
    one = metric(pos_val="spam")
    one.update("spam", {"spam": 0.7, "ham": 0.3})
    one.update("ham", {"spam": 0.4, "ham": 0.6})
    one.update("ham", 0.9)
    assert one.get() == 0.5


def test_weights_reach_the_window():
    one = metric()
    for label, score, weight in [(1, 0.9, 1), (1, 0.4, 2), (0, 0.4, 3), (0, 0.1, 1)]:
        one.update(label, score, weight)
    assert one.get() == pytest.approx(0.75)
    one.revert(1, 0.4, 2)
    assert one.get() == 1


@pytest.mark.parametrize(
    "make",
    [rl.CumulativeAUC, lambda: rl.DecayedAUC(100), lambda: rl.ApproximateWindowAUC(9, 0.1)],
    ids=["cumulative", "decayed", "approximate"],
)
def test_any_window_without_times_will_do(make):
    window = make()
    one = rl.RiverAUC(window)
    for label, p in [(False, 0.1), (True, 0.4), (False, 0.4), (True, 0.8)]:
        one.update(label, {True: p})
    assert one.get() == window.auc == pytest.approx(0.875, abs=0.01)
    assert one.interval() == window.interval()


class TestTimes:
    def test_reach_a_window_of_time(self):
        one = rl.RiverAUC(rl.TimeWindowAUC(10))
        for label, p, time in [(1, 0.1, 0), (0, 0.4, 5), (1, 0.4, 8), (1, 0.8, 12), (0, 0.3, 12)]:
            one.update(label, {True: p}, time=time)
        assert one.get() == rl.auc([0, 1, 1, 0], [0.4, 0.4, 0.8, 0.3])  # the first has left
        one.update(1, 0.35, 2.0, time=13)
        assert one.window.ranking().weighted
        one.revert(1, 0.35, 2.0, time=13)
        assert one.get() == 0.875
        other = one.clone(include_attributes=True)
        assert other.get() == 0.875
        assert one.clone().window.duration == 10

    def test_dates(self):
        one = rl.RiverAUC(rl.TimeWindowAUC(timedelta(hours=1)))
        for minute, label, score in [(0, 0, 0.9), (50, 1, 0.4), (70, 0, 0.3)]:
            one.update(label, score, time=datetime(2026, 1, 1) + timedelta(minutes=minute))
        assert one.get() == 1.0

    def test_missing_ones_are_named(self):
        one = rl.RiverAUC(rl.TimeWindowAUC(10))
        for call in (one.update, one.revert):
            with pytest.raises(rl.InputError) as error:
                call(True, {True: 0.5})
            assert str(error.value) == (
                "A RiverAUC of a TimeWindowAUC needs the time of each event. Call "
                "update(y_true, y_pred, time=...). The loops of river pass no times: in them use "
                "WindowAUC, DecayedAUC or CumulativeAUC."
            )
        assert len(one.window) == 0

    def test_other_faults_keep_their_messages(self):
        one = rl.RiverAUC(rl.TimeWindowAUC(10))
        for call in (one.update, one.revert):
            with pytest.raises(rl.InputError, match="y_score is nan; a stream needs finite scores"):
                call(True, math.nan, time=1)
            with pytest.raises(rl.InputError, match="sample_weight is -1"):
                call(True, 0.5, -1, time=1)
        with pytest.raises(rl.InputError, match="y_score is nan; a stream needs finite scores"):
            metric().update(True, math.nan)

    def test_other_windows_do_not_mind_them(self):
        one = metric()
        one.update(True, 0.5, time=3)
        assert len(one.window) == 1


def test_better_is_higher():
    good, bad = metric(), metric()
    for label, score in [(0, 0.1), (1, 0.9)]:
        good.update(label, score)
        bad.update(label, -score)
    assert good > bad
    assert good.is_better_than(bad)
    assert not bad.is_better_than(good)
    assert good.bigger_is_better


class TestInRiversLoop:
    def evaluated(self, model, one):
        river()
        from river import datasets, evaluate

        seen = []
        update = one.update

        def recorded(y_true, y_pred):
            seen.append((y_true, y_pred))
            update(y_true, y_pred)

        one.update = recorded
        result = evaluate.progressive_val_score(datasets.Phishing(), model, one)
        assert result is one
        return seen

    def test_probabilities_of_a_pipeline(self):
        river()
        from river import linear_model, preprocessing

        one = metric()
        model = preprocessing.StandardScaler() | linear_model.LogisticRegression()
        seen = self.evaluated(model, one)
        labels = [label for label, _ in seen]
        scores = [given[True] for _, given in seen]
        assert len(labels) == 1250
        assert one.get() == pytest.approx(rl.auc(labels, scores), abs=1e-15)
        assert 0.9 < one.get() < 1

    def test_scores_of_an_anomaly_detector(self):
        river()
        from river import anomaly

        one = metric(300)
        seen = self.evaluated(anomaly.HalfSpaceTrees(seed=1), one)[-300:]
        assert one.get() == pytest.approx(rl.auc(*zip(*seen, strict=True)), abs=1e-15)

    def test_models_without_scores_are_refused(self):
        river()
        from river import datasets, evaluate, linear_model, preprocessing

        model = preprocessing.StandardScaler() | linear_model.LinearRegression()
        assert not metric().works_with(model)
        with pytest.raises(ValueError, match="RiverAUC metric is not compatible"):
            evaluate.progressive_val_score(datasets.TrumpApproval(), model, metric())

    def test_beside_rivers_own_metrics(self):
        river()
        from river import metrics

        both = metrics.base.Metrics([metric(), metrics.LogLoss()])
        both.update(True, {True: 0.7, False: 0.3})
        both.update(False, {True: 0.4, False: 0.6})
        assert both.get()[0] == 1.0


def test_a_clone_has_the_settings_and_an_empty_window():
    one = metric(7, pos_val="spam")
    one.update("spam", 0.7)
    one.update("ham", 0.4)
    other = one.clone()
    assert (other.window.size, other.pos_val, len(other.window)) == (7, "spam", 0)
    assert one.get() == 1
    assert one.clone(include_attributes=True).get() == 1
    assert one.clone({"pos_val": "ham"}).pos_val == "ham"


def test_it_can_be_added_to_river_metrics():
    river()
    from river import datasets, evaluate, linear_model, metrics, preprocessing

    for both in (metrics.Accuracy() + metric(), metric() + metrics.Accuracy()):
        model = preprocessing.StandardScaler() | linear_model.LogisticRegression()
        found = evaluate.progressive_val_score(datasets.Phishing().take(300), model, both)
        by_name = {type(one).__name__: one.get() for one in found}
        assert by_name["Accuracy"] > 0.8
        assert by_name["RiverAUC"] > 0.9
    assert isinstance(metric(), metrics.base.Metric)


def test_it_chooses_models_in_river():
    river()
    from river import bandit, datasets, linear_model, model_selection, optim, preprocessing

    def models():
        return [
            preprocessing.StandardScaler() | linear_model.LogisticRegression(optim.SGD(rate))
            for rate in (0.1, 1e-7)
        ]

    halving = model_selection.SuccessiveHalvingClassifier(
        models(), metric=metric(), budget=400, eta=2
    )
    bandits = model_selection.BanditClassifier(
        models(), metric=metric(), policy=bandit.EpsilonGreedy(0.1, burn_in=20, seed=1)
    )
    for x, y in datasets.Phishing().take(600):
        for chooser in (halving, bandits):
            chooser.learn_one(x, y)
    for chooser in (halving, bandits):
        best = chooser.best_model["LogisticRegression"]
        assert best.optimizer.lr.learning_rate == 0.1
