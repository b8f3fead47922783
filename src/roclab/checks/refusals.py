"""What the compiled core refuses, as errors with a message.

The core names the kind of a refusal and passes the values as they are.
"""

from __future__ import annotations

from typing import Any

from roclab import _core
from roclab.checks.options import shown
from roclab.errors import InputError

INVALID_WEIGHTS = "weights must be finite and not negative"
EXTREME_WEIGHTS = (
    f"weights must be 0 or between {_core.SMALLEST_WEIGHT:g} and {_core.LARGEST_WEIGHT:g}, since "
    "their fourth powers must be finite"
)
RESCALE_WEIGHTS = "Divide all by their mean: the scale of weights does not matter."

# The three parts of each message. The value that was refused replaces {value}.
REFUSALS = {
    "label": (
        "{y_true} is {value}",
        "a label of a stream must be a boolean, 0/1 or -1/1",
        "Compare it with the positive class first: update(label == 'yes', score).",
    ),
    "score": ("{y_score} is {value}", "a real number is needed", ""),
    "infinite or missing score": (
        "{y_score} is {value}",
        "a stream needs finite scores",
        "Clip infinite scores, drop missing ones.",
    ),
    "weight": ("{sample_weight} is {value}", INVALID_WEIGHTS, "A weight of 0 excludes an event."),
    "extreme weight": ("{sample_weight} is {value}", EXTREME_WEIGHTS, RESCALE_WEIGHTS),
    "weight of an unweighted window": (
        "{sample_weight} is {value}",
        "this window counts events and takes no weights",
        "Omit {sample_weight}; for weighted data see compressed_ranking.",
    ),
    "time": (
        "{time} is {value}",
        "a finite number is needed, since the duration of this window is a number",
        "",
    ),
    "position": (
        "{k=}{value} is out of range",
        "the window holds {count} events",
        "Pass a number from 0, the lowest score, to {last}, or a negative one to count from the "
        "highest.",
    ),
    "auc_flipped": (
        "This window keeps no list of negatives, which auc_flipped needs",
        "",
        "Create the window with flipped=True.",
    ),
    "unevaluated objective": (
        "The objective has not been evaluated yet",
        "the Hessian depends on the scores",
        "Call the objective, or its value(), with scores first.",
    ),
    "too many events": (
        "More than 4,294,967,295 events of one class would share a score, and no more can be "
        "counted there",
        "",
        "Round the scores to more digits.",
    ),
    "too many examples": (
        "There are more examples than can be counted exactly, about 4e12 of each class",
        "",
        "Divide the counts by a constant.",
    ),
}


def refusal(kind: str, *values: Any) -> InputError:
    """The error for what the core refused."""
    found, needed, fix = REFUSALS[kind]
    named = dict(zip(("value", "count", "last"), map(shown, values), strict=False))
    return InputError(found=found, needed=needed, fix=fix, **named)


_core.register_refusal(refusal)
