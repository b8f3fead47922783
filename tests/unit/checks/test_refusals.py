"""Every refusal of the compiled core has its message."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

import roclab as rl
from roclab import _core
from roclab.checks import refusals
from roclab.checks.labels_and_scores import as_weights

CORE = Path(__file__).parents[3] / "core"
TRIGGERS = {
    "label": lambda: rl.WindowAUC(4).update("yes", 0.5),
    "score": lambda: rl.WindowAUC(4).update(1, None),
    "infinite or missing score": lambda: rl.WindowAUC(4).update(1, math.inf),
    "weight": lambda: rl.WindowAUC(4).update(1, 0.5, sample_weight=-1),
    "extreme weight": lambda: rl.WindowAUC(4).update(1, 0.5, sample_weight=1e61),
    "weight of an unweighted window": lambda: rl.ApproximateWindowAUC(4, 0.1).update(
        1, 0.5, sample_weight=2
    ),
    "time": lambda: _core.TimeWindow(1.0, 0.0)._update(1, 0.5, "noon", None),
    "position": lambda: rl.WindowAUC(4).kth_score(-1),
    "auc_flipped": lambda: rl.ApproximateWindowAUC(4, 0.1, flipped=False).auc_flipped,
    "unevaluated objective": lambda: _core.LogisticLoss(
        np.array([0, 1], np.uint8), None, 1.0
    ).hessian_product(np.zeros(2), 1),
}
MESSAGES = {
    "label": "y_true is 'yes'; a label of a stream must be a boolean, 0/1 or -1/1. Compare it with "
    "the positive class first: update(label == 'yes', score).",
    "score": "y_score is None; a real number is needed.",
    "infinite or missing score": "y_score is inf; a stream needs finite scores. Clip infinite "
    "scores, drop missing ones.",
    "weight": "sample_weight is -1; weights must be finite and not negative. A weight of 0 "
    "excludes an event.",
    "extreme weight": "sample_weight is 1e+61; weights must be 0 or between 1e-60 and 1e+60, since "
    "their fourth powers must be finite. Divide all by their mean: the scale of weights does not "
    "matter.",
    "weight of an unweighted window": "sample_weight is 2; this window counts events and takes no "
    "weights. Omit sample_weight; for weighted data see compressed_ranking.",
    "time": "time is 'noon'; a finite number is needed, since the duration of this window is a "
    "number.",
    "position": "k=-1 is out of range; the window holds 0 events. Pass a number from 0, the lowest "
    "score, to -1, or a negative one to count from the highest.",
    "auc_flipped": "This window keeps no list of negatives, which auc_flipped needs. Create the "
    "window with flipped=True.",
    "unevaluated objective": "The objective has not been evaluated yet; the Hessian depends on the "
    "scores. Call the objective, or its value(), with scores first.",
    "too many events": "More than 4,294,967,295 events of one class would share a score, and no "
    "more can be counted there. Round the scores to more digits.",
    "too many examples": "There are more examples than can be counted exactly, about 4e12 of each "
    "class. Divide the counts by a constant.",
}


def test_the_core_and_the_messages_have_the_same_kinds():
    sources = "".join(file.read_text("utf-8") for file in sorted(CORE.glob("*.[ch]pp")))
    calls = re.findall(r"\b(?:refuse|set_refusal)\(([^;]*);", sources)
    named = {kind for call in calls for kind in re.findall(r'"([^"]+)"', call)}
    assert named == set(refusals.REFUSALS) == set(MESSAGES)


@pytest.mark.parametrize("kind", TRIGGERS)
def test_what_the_core_refuses_has_its_message(kind):
    with pytest.raises(rl.InputError) as caught:
        TRIGGERS[kind]()
    assert str(caught.value) == MESSAGES[kind]


@pytest.mark.parametrize("kind", sorted(set(MESSAGES) - set(TRIGGERS)))
def test_what_takes_billions_of_events_has_its_message(kind):
    assert str(refusals.refusal(kind)) == MESSAGES[kind]


def test_an_error_while_a_value_is_shown_is_raised():
    class Unshown:
        def __repr__(self):
            raise LookupError("no text")

    with pytest.raises(LookupError, match="no text"):
        rl.WindowAUC(4).update(1, Unshown())


@pytest.mark.parametrize("limit", [_core.SMALLEST_WEIGHT, _core.LARGEST_WEIGHT])
def test_one_weight_and_an_array_of_weights_have_the_same_limits(limit):
    def is_taken(weight):
        found = []
        for take in (
            lambda: rl.WindowAUC(4).update(1, 0.5, sample_weight=weight),
            lambda: as_weights([weight], 1),
        ):
            try:
                take()
                found.append(True)
            except rl.InputError:
                found.append(False)
        assert found[0] == found[1]
        return found[0]

    slack = _core.WEIGHT_SLACK
    edge = limit * slack if limit > 1 else limit / slack
    beyond = np.nextafter(edge, math.inf if limit > 1 else 0.0)
    assert is_taken(limit)
    assert is_taken(edge)
    assert not is_taken(beyond)
