"""How far the approximate window is from the AUC, and how long its list is, on real streams.

The form of Figure 1 and of the lower half of Figure 2 of Tatti (2018): windows of 1,000 events,
every one of them while the stream goes by. The list and the estimate are those of the paper; the
estimate with labels flipped is taken along.
"""

from __future__ import annotations

import itertools
from dataclasses import asdict, dataclass

import numpy as np

import roclab as rl
from roclab_studies.sliding_window.streams import SOURCES, scored

SIZE = 1000
EPS = (0.003, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0)


@dataclass(frozen=True, kw_only=True)
class Question:
    """A window, and the first so many events of a stream."""

    stream: str
    size: int
    eps: float
    events: int

    @property
    def method(self) -> str:
        """What ``--methods`` chooses by."""
        return self.stream

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.events * (1 + 0.01 / self.eps)

    def __str__(self) -> str:
        return f"{self.stream} {self.size} eps {self.eps:g}"


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """What was found in all full windows that hold both classes.

    Attributes
    ----------
    windows : int
        How many there were.
    mean_auc : float
        Mean of the exact AUC.
    mean_error, largest_error : float
        Of the estimate, relative to the exact AUC.
    mean_flipped_error, largest_flipped_error : float
        The same of the estimate with labels flipped.
    mean_list : float
        Mean number of scores in the list, its two ends at infinity included.
    largest_list : int
        The longest one.
    """

    windows: int
    mean_auc: float
    mean_error: float
    largest_error: float
    mean_flipped_error: float
    largest_flipped_error: float
    mean_list: float
    largest_list: int

    @property
    def guarantee(self) -> float:
        """What no error may exceed."""
        return self.eps / 2


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of events divided by `fewer`."""
    return [
        Question(stream=stream, size=SIZE, eps=eps, events=source.events // fewer)
        for (stream, source), eps in itertools.product(SOURCES.items(), EPS)
    ]


def answer(question: Question) -> Answer:
    """Let the stream go by."""
    labels, scores = (column[: question.events] for column in scored(question.stream))
    exact = rl.WindowAUC(question.size).update_many(labels, scores, return_auc=True)
    window = rl.ApproximateWindowAUC(question.size, question.eps)
    estimates, lengths = np.empty((2, len(labels))), np.empty(len(labels), dtype=np.int64)
    for i, (label, score) in enumerate(zip(labels.tolist(), scores.tolist(), strict=True)):
        window.update(label, score)
        estimates[:, i] = window.auc, window.auc_flipped
        lengths[i] = window.compressed_size
    full = np.flatnonzero(~np.isnan(exact[question.size - 1 :])) + question.size - 1
    errors, flipped = np.abs(estimates[:, full] - exact[full]) / exact[full]
    return Answer(
        **asdict(question),
        windows=len(full),
        mean_auc=_rounded(exact[full].mean()),
        mean_error=_rounded(errors.mean()),
        largest_error=_rounded(errors.max()),
        mean_flipped_error=_rounded(flipped.mean()),
        largest_flipped_error=_rounded(flipped.max()),
        mean_list=_rounded(lengths[full].mean()),
        largest_list=int(lengths[full].max()),
    )


def _rounded(value: float) -> float:
    return float(f"{value:.4g}")
