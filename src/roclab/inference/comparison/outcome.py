"""The outcome of a comparison in one sentence for people."""

from __future__ import annotations

import math
from collections.abc import Sequence

from roclab.formatting import one_line
from roclab.inference.comparison.results import ModelPair, ModelValue
from roclab.inference.intervals.interval import TITLES

__all__ = ["outcome_sentence"]

_SHOWN_NAMES = 5


def outcome_sentence(
    models: Sequence[ModelValue], pairs: Sequence[ModelPair], *, correction: str, error: float
) -> str:
    """Who is best, from whom it cannot be told apart, and than whom it is better.

    Parameters
    ----------
    models, pairs : sequence
        All of a comparison.
    correction : str
        How p-values were adjusted.
    error : float
        Models are told apart where the adjusted p-value is below this.
    """
    values = {one.model: one.interval.value for one in models}
    first = models[0].interval
    title = TITLES[first.measure]
    if math.isnan(first.value):
        return (
            f"The {title} is not defined: there are {first.n_pos:,} positive and {first.n_neg:,} "
            "negative examples."
        )
    if len(models) == 1:
        return (
            f"{one_line(models[0].model)} has the {title} {first.value:.3f} [{first.low:.2f}, "
            f"{first.high:.2f}]; there is no other model to compare it with."
        )
    if all(pair.difference == 0 and pair.standard_error == 0 for pair in pairs):
        return f"{_names(values)} are identical as far as the {title} goes ({first.value:.3f})."
    best = max(values.values())
    leaders = [model for model, value in values.items() if value == best]
    several = len(leaders) > 1
    lead = f"{_names(leaders)} {'share' if several else 'has'} the highest {title} ({best:.3f})"
    if all(math.isnan(pair.pvalue) for pair in pairs):
        few = min(first.n_pos, first.n_neg) < 2
        why = "a class has fewer than two examples" if few else "the differences have no spread"
        return f"{lead}, but nothing can be tested: {why}."
    found = {frozenset((pair.model_a, pair.model_b)): pair.adjusted_pvalue for pair in pairs}
    # Of a model the hardest to reject of its tests against those in the lead.
    against = {
        model: [found[frozenset((model, leader))] for leader in leaders]
        for model in sorted(values, key=lambda model: -values[model])
        if model not in leaders
    }
    worse = {model: max(tests) for model, tests in against.items() if max(tests) < error}
    near = [model for model in against if model not in worse]
    if not against:
        return f"{lead} and cannot be told apart."
    if not worse:
        return f"{lead}, but cannot be told apart from {_names(near)}."
    better = f"better than {_names(worse)} ({_written(list(worse.values()), correction)})"
    if not near:
        return f"{lead} and {'are' if several else 'is'} {better}."
    subject, verb = ("they", "are") if several else ("it", "is")
    return f"{lead}; {subject} cannot be told apart from {_names(near)}, and {verb} {better}."


def _written(pvalues: Sequence[float], correction: str) -> str:
    name = "p" if correction == "none" else "adjusted p"
    largest = max(pvalues)
    if largest < 0.001:
        return f"{name} < 0.001"
    return f"{name} {'at most' if len(pvalues) > 1 else '='} {largest:.3f}"


def _names(models: Sequence[str] | dict[str, float]) -> str:
    """Say "a, b and c", and of many only the first ones."""
    shown = [one_line(model) for model in models]
    if len(shown) > _SHOWN_NAMES + 1:
        shown = [*shown[:_SHOWN_NAMES], f"{len(shown) - _SHOWN_NAMES} more"]
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
