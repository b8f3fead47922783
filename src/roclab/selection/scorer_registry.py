"""Scorers by name: ``scorers["scored_auc"]``."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from roclab.checks.options import shown
from roclab.data.ranking import Ranking
from roclab.errors import InputError
from roclab.measures.measure import measures_by_name
from roclab.measures.specification import find_measure
from roclab.selection.scorer import RESPONSE_METHODS, MeasureScorer, response_methods

_LOSS = "neg_"
_FOUR_ROWS = Ranking([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])


class ScorerRegistry:
    """Measures as scorers for `cross_val_score`, `GridSearchCV` and similar functions.

    `roclab.scorers` is the only instance. Keys are specifications as for `find_measure`, with
    options: ``scorers["partial_auc(fpr_range=(0, 0.1))"]``. Iterating gives those that need no
    options. Losses are negated, so that higher is better, and named like scikit-learn's:
    ``"neg_brier_score"``; the name of the measure alone finds the same scorer.

    Each lookup creates a new scorer, so that ``set_score_request`` of one does not change others.

    Examples
    --------
    >>> from roclab.selection import scorers
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_val_score
    >>> X, y = [[1], [2], [2], [3]], [0, 1, 0, 1]
    >>> cross_val_score(LogisticRegression(), X, y, cv=2, scoring=scorers["auc"])
    array([1., 1.])
    >>> list(scorers.of("auc", "brier_score", "margin_auc(margin=0.2)"))
    ['auc', 'neg_brier_score', 'margin_auc(margin=0.2)']
    """

    def __getitem__(self, word: str) -> MeasureScorer:
        return self.make(word)

    def __iter__(self) -> Iterator[str]:
        for name in measures_by_name():
            with contextlib.suppress(InputError):
                yield self.make(name).name

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"ScorerRegistry({', '.join(self)})"

    def of(
        self,
        *measures: str | Callable[..., Any],
        response_method: str | Sequence[str] | None = None,
        pos_label: Any = None,
    ) -> dict[str, MeasureScorer]:
        """Create several scorers, by name, for a search with several metrics.

        Parameters
        ----------
        *measures : str or callable
            Specifications, such as ``"auc"``, or measures; losses with or without ``neg_``.
        response_method : {"decision_function", "predict_proba"} or sequence of these, optional
            Method of the estimator that gives the scores; the first available one if several. By
            default ``("decision_function", "predict_proba")`` for rank-based measures, as in
            scikit-learn's ``"roc_auc"``, and ``"predict_proba"`` alone if the scale of the scores
            matters.
        pos_label : object, optional
            Positive class label; by default the last of the estimator's ``classes_``.

        Examples
        --------
        >>> from roclab.selection import scorers
        >>> scorers.of("gini", "log_loss")["neg_log_loss"]
        MeasureScorer('neg_log_loss', response_method=('predict_proba',))
        """
        made = [
            self.make(measure, response_method=response_method, pos_label=pos_label)
            for measure in measures
        ]
        return {scorer.name: scorer for scorer in made}

    def make(
        self,
        measure: str | Callable[..., Any],
        /,
        *,
        response_method: str | Sequence[str] | None = None,
        pos_label: Any = None,
        **options: Any,
    ) -> MeasureScorer:
        """Create one scorer with further options.

        Parameters
        ----------
        measure : str or callable
            A specification, such as ``"auc"`` or ``"partial_auc(fpr_range=(0, 0.1))"``, or a
            measure, such as `partial_auc`; losses with or without ``neg_``.
        response_method : {"decision_function", "predict_proba"} or sequence of these, optional
            Method of the estimator that gives the scores; the first available one if several. By
            default ``("decision_function", "predict_proba")`` for rank-based measures, as in
            scikit-learn's ``"roc_auc"``, and ``"predict_proba"`` alone if the scale of the scores
            matters.
        pos_label : object, optional
            Positive class label; by default the last of the estimator's ``classes_``.
        **options
            Options of the measure, such as ``fpr_range=(0, 0.1)``.

        Raises
        ------
        InputError
            As for `find_measure`, or the measure does not return a single number.

        Examples
        --------
        >>> from roclab.selection import scorers
        >>> scorers.make("scored_auc", response_method="decision_function", pos_label="bad")
        MeasureScorer('scored_auc', response_method=('decision_function',), pos_label='bad')
        """
        negated = isinstance(measure, str) and measure.startswith(_LOSS)
        found, given = find_measure(
            measure.removeprefix(_LOSS) if isinstance(measure, str) else measure, **options
        )
        if negated and found.better == "higher":
            raise InputError(
                found="{named} is not a loss: higher is better",
                fix="Ask for {quoted}.",
                named=found.name,
                quoted=repr(found.name),
            )
        if not found.single:
            raise InputError(
                found="{named} has several parts ({parts})",
                needed="a scorer needs a measure that returns one number",
                fix="Choose one from list(scorers).",
                named=found.name,
                parts=", ".join(found.parts),
            )
        if not given:
            found.value_of(_FOUR_ROWS)  # raises if the measure needs an option
        methods = response_methods(found, given)
        if response_method is not None:
            methods = _check_methods(response_method)
        return MeasureScorer(found, given, methods, pos_label=pos_label)


def _check_methods(response_method: str | Sequence[str]) -> tuple[str, ...]:
    one = isinstance(response_method, str)
    methods = (str(response_method),) if one else tuple(response_method)
    if not methods or not set(methods) <= set(RESPONSE_METHODS):
        raise InputError(
            found="{response_method=}{value} is not an option",
            fix=f"Choose {' or '.join(map(repr, RESPONSE_METHODS))}, or both in order of "
            "preference.",
            value=shown(response_method),
        )
    return methods


scorers = ScorerRegistry()
