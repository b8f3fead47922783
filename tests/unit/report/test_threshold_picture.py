"""A chosen threshold, drawn: the cost of all thresholds, and the one that was chosen."""

import itertools

import matplotlib as mpl
import numpy as np
import pytest

import roclab as rl
from roclab.report.document import figure
from roclab.report.figure import Band, Line, Points, Words
from roclab.report.svg import to_svg

mpl.use("agg")

RNG = np.random.default_rng(5)
Y = np.arange(120) % 3 == 0
S = np.round(RNG.normal(size=120) + Y, 1)  # with ties
RANKING = rl.Ranking(Y, S)
CHOICE = rl.choose_threshold(RANKING, false_negative_cost=2, rng=0, n_resamples=50)


def of_type(shown, kind):
    (found,) = (one for one in shown.series if isinstance(one, kind))
    return found


def cost(threshold):
    """Expected cost per example, in the plainest form."""
    called = threshold <= S
    return (2 * np.sum(Y & ~called) + np.sum(~Y & called)) / len(Y)


def test_the_curve_is_the_cost_of_every_threshold():
    line = of_type(figure(CHOICE, ranking=RANKING), Line)
    scores = np.unique(S)
    for low, high in itertools.pairwise(scores):
        between = (low + high) / 2
        inside = np.flatnonzero((line.x[:-1] >= between) & (line.x[1:] < between))
        (place,) = inside
        assert line.y[place] == line.y[place + 1] == pytest.approx(cost(between))
    assert line.y.min() == pytest.approx(CHOICE.expected_cost)


def test_without_examples_it_is_that_of_the_known_thresholds():
    known, chosen = (one for one in figure(CHOICE).series if isinstance(one, Points))
    assert known.y == pytest.approx([cost(one) for one in known.x])
    assert not known.filled.any()
    assert chosen.x.item() == CHOICE.threshold


def test_what_is_drawn_is_what_was_chosen_for():
    limited = rl.choose_threshold(RANKING, capacity=0.3, rng=0, n_resamples=20)
    shown = figure(limited, ranking=RANKING)
    line, point = of_type(shown, Line), of_type(shown, Points)
    assert shown.axes.y == "true positive rate"
    assert point.y.item() == limited.tpr
    at = rl.operating_points(RANKING).at(threshold=line.x[4])
    assert line.y[4] == at.tpr


def test_the_choice_is_marked_and_its_interval_an_area():
    shown = figure(CHOICE, ranking=RANKING)
    point, band, words = (of_type(shown, kind) for kind in (Points, Band, Words))
    assert (point.x.item(), point.y.item()) == (CHOICE.threshold, CHOICE.expected_cost)
    assert band.x.tolist() == [CHOICE.low, CHOICE.high]
    assert (band.low[0], band.high[0]) == shown.axes.y_range
    assert words.lines[1:] == (
        f"expected cost {CHOICE.expected_cost:.4g}",
        f"TPR {CHOICE.tpr:.3f}, FPR {CHOICE.fpr:.3f}",
    )
    ax = rl.plot(CHOICE, ranking=RANKING)
    (written,) = ax.texts
    assert written.get_text() == "\n".join(words.lines)
    assert all(line in to_svg(shown) for line in words.lines)
    mpl.pyplot.close(ax.figure)


def test_limits_are_the_title():
    limited = rl.choose_threshold(RANKING, max_fpr=0.1, rng=0, n_resamples=20)
    assert figure(limited).title == (
        "highest true positive rate with a false positive rate at most 0.1"
    )
    assert figure(CHOICE).title == ""


def test_an_infinite_threshold_is_at_the_end():
    none = rl.choose_threshold([1, 0, 0, 0, 0], [0.1, 0.4, 0.5, 0.6, 0.7], rng=0, n_resamples=20)
    assert none.threshold == np.inf
    point = of_type(figure(none, ranking=rl.Ranking([1, 0, 0], [0.1, 0.4, 0.7])), Points)
    assert point.x.tolist() == [0.7]
