"""One meaning of revert: the newest event that was added with these arguments is removed."""

import numpy as np
import pytest

import roclab as rl

MADE = {
    "WindowAUC": lambda: rl.WindowAUC(9),
    "TimeWindowAUC": lambda: rl.TimeWindowAUC(9),
    "DecayedAUC": lambda: rl.DecayedAUC(3),
    "CumulativeAUC": rl.CumulativeAUC,
    "ApproximateWindowAUC": lambda: rl.ApproximateWindowAUC(9, 0),
}
WEIGHTED = [name for name in MADE if name != "ApproximateWindowAUC"]
EVENTS = [(0, 0.1), (1, 0.4), (0, 0.4), (1, 0.8), (1, 0.4)]


def filled(name, weights=(None,) * 5):
    window = MADE[name]()
    for time, (event, weight) in enumerate(zip(EVENTS, weights, strict=True)):
        window.update(*event, time=time, sample_weight=weight)
    return window


def content(window):
    ranking = window.ranking()
    return len(window), window.auc, ranking.scores.tolist(), ranking.pos.tolist()


@pytest.mark.parametrize("name", MADE)
def test_revert_undoes_the_last_update(name):
    window = filled(name)
    before = content(window)
    for weight in (None,) if name == "ApproximateWindowAUC" else (None, 2.5):
        for event in [(1, 0.3), (0, 0.4)]:
            window.update(*event, time=5, sample_weight=weight)
            assert content(window) != before
            window.revert(*event, time=5, sample_weight=weight)
            np.testing.assert_equal(content(window), before)


@pytest.mark.parametrize("name", MADE)
def test_every_event_can_be_reverted(name):
    window = filled(name)
    for place in (2, 0, 4, 1, 3):
        window.revert(*EVENTS[place], time=place)
    assert len(window) == 0


@pytest.mark.parametrize("name", MADE)
def test_an_event_that_the_window_does_not_hold(name):
    window = filled(name)
    before = window.to_bytes()
    wrong = {"no such score": (1, 0.5), "no such label": (1, 0.1)}
    for label, score in wrong.values():
        with pytest.raises(rl.InputError) as caught:
            window.revert(label, score, time=0)
        assert str(caught.value) == (
            f"No event with y_true={label}, y_score={score}, time=0 is in the window. "
            "Revert only events that the window holds."
        )
        assert caught.value.parameters == ("y_true", "y_score", "time")
    assert window.to_bytes() == before


@pytest.mark.parametrize("name", WEIGHTED)
def test_the_weight_belongs_to_the_event(name):
    window = filled(name, (1, 2, 0.5, None, 3))
    before = window.to_bytes()
    for event, weight in [((0, 0.1), 2), ((1, 0.8), 0.5), ((1, 0.8), 0), ((0, 0.4), None)]:
        with pytest.raises(rl.InputError, match="is in the window"):
            window.revert(*event, time=EVENTS.index(event), sample_weight=weight)
    assert window.to_bytes() == before
    window.revert(0, 0.4, time=2, sample_weight=0.5)
    window.revert(1, 0.4, time=1, sample_weight=2)
    window.revert(1, 0.4, time=4, sample_weight=3.0)
    assert window.ranking().scores.tolist() == [0.1, 0.8]


@pytest.mark.parametrize("name", MADE)
def test_arguments_are_checked_as_those_of_update(name):
    window = filled(name)
    with pytest.raises(rl.InputError, match=r"y_true is 'yes'; a label of a stream"):
        window.revert("yes", 0.4, time=1)
    with pytest.raises(rl.InputError, match=r"y_score is nan; a stream needs finite scores"):
        window.revert(1, float("nan"), time=1)
    with pytest.raises(rl.InputError, match=r"sample_weight is -1"):
        window.revert(1, 0.4, time=1, sample_weight=-1)
    assert len(window) == 5


@pytest.mark.parametrize("make", [lambda: rl.WindowAUC(3), lambda: rl.ApproximateWindowAUC(3, 0)])
def test_the_newest_of_equal_events_is_removed(make):
    window = make()
    for event in ((1, 5.0), (0, 4.0), (1, 5.0)):
        window.update(*event)
    window.revert(1, 5.0)
    window.update(0, 6.0)
    window.update(0, 7.0)  # removes the oldest event, at 5
    assert window.ranking().scores.tolist() == [4, 6, 7]


@pytest.mark.parametrize("name", MADE)
def test_options_are_keywords(name):
    window = MADE[name]()
    for call in (window.update, window.revert, window.update_many):
        with pytest.raises(TypeError):
            call(1, 0.5, 1.0)


def test_only_windows_of_a_duration_need_a_time():
    for name in MADE:
        window = MADE[name]()
        if name == "TimeWindowAUC":
            with pytest.raises(rl.InputError, match="time is None; a finite number is needed"):
                window.update(1, 0.5)
        else:
            window.update(1, 0.5)
            window.update_many([0], [0.5], time=[7])
            assert window.auc == 0.5
