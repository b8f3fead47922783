"""Three classifiers made into a fourth."""

import pickle

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier

import roclab as rl


def data():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(500, 2))
    return x, x[:, 0] + rng.normal(size=500) > 0


def thresholds(values=(0.7, 0.3, 0.5)):
    x, y = data()
    base = LogisticRegression()
    return [FixedThresholdClassifier(base, threshold=at).fit(x, y) for at in values]


def test_predictions_in_every_spelling():
    expected = [True, False, True, False]
    bits = ([1, 0, 0, 0], [1, 1, 1, 0], [1, 1, 0, 0])
    assert rl.repair_point(*bits).tolist() == expected
    assert rl.repair_point(*(np.array(one, bool) for one in bits)).tolist() == expected
    assert rl.repair_point(*([2 * b - 1 for b in one] for one in bits)).tolist() == expected


def test_fitted_classifiers_are_combined_as_they_are():
    x, y = data()
    models = thresholds()
    combined = rl.repair_point(*models)
    votes = [model.predict(x) for model in models]
    assert combined.predict(x).tolist() == rl.repair_point(*votes).tolist()
    assert combined.models_[0] is models[0]
    rates = [
        tuple((vote[rows]).mean() for rows in (y, ~y)) for vote in (*votes, combined.predict(x))
    ]
    for at in (0, 1):
        assert rates[3][at] == pytest.approx(rates[0][at] + rates[1][at] - rates[2][at])


def test_can_be_trained_and_pickled():
    x, y = data()
    words = np.where(y, "up", "down")
    bases = [
        FixedThresholdClassifier(LogisticRegression(), threshold=at, pos_label="up")
        for at in (0.7, 0.3, 0.5)
    ]
    model = rl.repair.PointRepairedClassifier(*bases).fit(x, words)
    assert model.classes_.tolist() == ["down", "up"]
    copy = pickle.loads(pickle.dumps(model))
    assert copy.predict(x).tolist() == model.predict(x).tolist()
    assert set(model.predict(x)) == {"up", "down"}


@pytest.mark.parametrize(
    ("models", "message"),
    [
        (([1, 0], [1, 1], [1, 0, 1]), "model_3 has 3"),
        (([1, 0], [1, 1, 1], [1, 0]), "model_2 has 3"),
        (([0.2, 0.9], [1, 1], [1, 0]), "model_1 holds two .*predictions of two classes"),
    ],
)
def test_refuses_predictions(models, message):
    with pytest.raises(rl.InputError, match=message):
        rl.repair_point(*models)


def test_messages_name_the_model():
    with pytest.raises(rl.InputError) as caught:
        rl.repair_point([1, 0], [1, 1], [2, 3])
    assert caught.value.parameters == ("model_3",)


def test_refuses_mixtures_and_other_classes():
    models = thresholds()
    with pytest.raises(rl.InputError, match="Only some of model_1, model_2 and model_3"):
        rl.repair_point(models[0], models[1], [1, 0])
    x, y = data()
    other = LogisticRegression().fit(x, np.where(y, "a", "b"))
    with pytest.raises(rl.InputError, match="same two classes"):
        rl.repair_point(models[0], models[1], other)
    with pytest.raises(rl.InputError, match="multiclass"):
        rl.repair.PointRepairedClassifier(*models).fit(x, np.arange(500) % 3)
