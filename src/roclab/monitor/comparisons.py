"""Champion and challenger: two models on the same ids, compared at any time."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from roclab.errors import RoclabError
from roclab.formatting import plain_value
from roclab.monitor.state import ModelState
from roclab.monitor.store.sqlite import SQLiteStore
from roclab.streaming.sequences.sequential_comparison import SequentialComparison

NAMES = ("champion", "challenger")

log = logging.getLogger("roclab.monitor")


class Comparisons:
    """The comparisons of an installation; written inside transactions.

    A mature cohort of the challenger is added once, in the order of time, with the labels as known
    then. The sequence and the reading after each cohort are written in the same transaction.

    Parameters
    ----------
    store : SQLiteStore
        The store.
    models : mapping of str to ModelState
        The models.
    """

    def __init__(self, store: SQLiteStore, models: Mapping[str, ModelState]) -> None:
        self._store, self._models = store, models

    def add_cohort(self, state: ModelState, cohort: int, boundary: int) -> None:
        """Add a mature cohort of a model, if it is a challenger."""
        champion = self._models.get(state.settings.challenger_of or "")
        if champion is None:
            return
        numbers = state.record.number, champion.record.number
        rows = self._store.rows(numbers[0], [cohort], as_of=boundary)
        scores = self._store.scores_by_id(*numbers, cohort, boundary)
        pairs = [
            (label, scores[number], score, time)
            for number, label, score, time in zip(
                rows.number.tolist(),
                rows.label.tolist(),
                rows.score.tolist(),
                rows.time.tolist(),
                strict=True,
            )
            if label >= 0 and number in scores
        ]
        if not pairs:
            return
        sequence = self.sequence(state, champion)
        labels, of_champion, of_challenger, times = zip(*pairs, strict=True)
        sequence.update_many(
            labels, of_champion, of_challenger, time=np.array(times, "datetime64[us]")
        )
        self._store.add_comparison(*numbers, cohort, _shown(sequence), sequence.to_bytes())

    def sequence(self, state: ModelState, champion: ModelState) -> SequentialComparison:
        """The sequence so far."""
        kept = self._store.comparison_state(state.record.number, champion.record.number)
        if kept is not None:
            try:
                return SequentialComparison.from_bytes(kept)
            except RoclabError as error:
                # A verdict at any time cannot be revised, so this comparison begins again.
                log.warning("a comparison begins again", extra={"reason": str(error)})
        return SequentialComparison(names=NAMES, margin=state.settings.margin)


def _shown(sequence: SequentialComparison) -> dict[str, Any]:
    found = sequence.interval()
    return {
        "difference": _finite(found.difference),
        "low": _finite(found.low),
        "high": _finite(found.high),
        "auc_champion": _finite(found.auc_a),
        "auc_challenger": _finite(found.auc_b),
        "confidence_level": found.confidence_level,
        "margin": found.margin,
        "n_blocks": found.n_blocks,
        "n_events": found.n_events,
        "decided": found.decided,
        "decided_time": plain_value(found.decided_time),
        "changed": found.changed_event is not None,
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
