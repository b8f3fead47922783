"""Scorers by word: ``scorers["scored_auc"]``."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

from roclab.errors import InputError
from roclab.measures.measure import MeasureFunction, measures_by_name
from roclab.measures.specification import find_measure
from roclab.ranking import Ranking
from roclab.selection.scorer import RESPONSE_METHODS, MeasureScorer, response_methods

__all__ = ["ScorerRegistry", "scorers"]

_LOSS = "neg_"
_FOUR_ROWS = Ranking([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])


class ScorerRegistry:
    """Measures by word, as scorers for `cross_val_score`, `GridSearchCV` and their like.

    There is one, `roclab.scorers`. Words are those of `find_measure`, options included:
    ``scorers["partial_auc(max_fpr=0.1)"]``. Iterating gives the words that need no options.
    Losses are negated, so that higher is better, and named like scikit-learn's:
    ``"neg_brier_score"``; the name of the measure alone finds the same scorer.

    Each lookup makes a new scorer, so that ``set_score_request`` of one changes no other.

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
        *measures: str | MeasureFunction[..., Any],
        response_method: str | Sequence[str] | None = None,
        pos_label: Any = None,
    ) -> dict[str, MeasureScorer]:
        """Several scorers by their names, for a search with several metrics.

        Parameters
        ----------
        *measures, response_method, pos_label
            As in `make`.

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
        measure: str | MeasureFunction[..., Any],
        /,
        *,
        response_method: str | Sequence[str] | None = None,
        pos_label: Any = None,
        **options: Any,
    ) -> MeasureScorer:
        """One scorer, where its word does not say all.

        Parameters
        ----------
        measure : str or callable
            A word or a measure, as in `find_measure`; losses with or without ``neg_``.
        response_method : {"decision_function", "predict_proba"} or sequence of these, optional
            What of the estimator gives the scores; of several, the first that it has. By default
            ``("decision_function", "predict_proba")`` for measures of ranks, as in scikit-learn's
            ``"roc_auc"``, and ``"predict_proba"`` alone where the scale of the scores counts.
        pos_label : optional
            The positive class; by default the last of the estimator's ``classes_``.
        **options
            Options of the measure.

        Raises
        ------
        InputError
            As in `find_measure`, or the measure is no single number.

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
                f"{found.name} is no loss: higher is better as it is. Ask for {found.name!r}."
            )
        if not found.single:
            raise InputError(
                f"{found.name} has several numbers ({', '.join(found.parts)}); a scorer gives one. "
                "Choose a measure of one number; list(scorers) has them."
            )
        if not given:
            found.value_of(_FOUR_ROWS)  # refused here if it takes an option of several
        methods = response_methods(found, given)
        if response_method is not None:
            methods = _checked_methods(response_method)
        return MeasureScorer(found, given, methods, pos_label)


def _checked_methods(response_method: str | Sequence[str]) -> tuple[str, ...]:
    one = isinstance(response_method, str)
    methods = (str(response_method),) if one else tuple(response_method)
    if not methods or not set(methods) <= set(RESPONSE_METHODS):
        raise InputError(
            f"response_method={response_method!r} gives no scores. "
            f"Name {' or '.join(RESPONSE_METHODS)}, or both in order of preference."
        )
    return methods


scorers = ScorerRegistry()
