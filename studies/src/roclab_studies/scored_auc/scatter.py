"""Wu, Flach and Ferri's figure 3: models of credit-a, on validation rows and on test rows.

The models are those of the first repetitions of `scored_selection` and of `scored_few`.
"""

from __future__ import annotations

import itertools
from dataclasses import asdict, dataclass
from functools import lru_cache

from roclab_studies.scored_auc.few_rows import FEW_SHARE
from roclab_studies.scored_auc.selection import MODELS, SHARE, Trial, trials
from roclab_studies.subset_learners import LEARNERS

DATA = "credit-a"
REPETITIONS = 50


@dataclass(frozen=True, kw_only=True)
class Question:
    """A model: how many rows validate, a learner, a repetition and which of the ten."""

    share: float
    learner: str
    repetition: int
    model: int

    @property
    def method(self) -> str:
        """What ``--methods`` chooses by."""
        return self.learner

    @property
    def cost(self) -> float:
        """Such that models of the same repetition follow one another."""
        return float(-self.repetition)

    def __str__(self) -> str:
        return f"{self.share:.0%}, {self.learner}, repetition {self.repetition}, model {self.model}"


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """A point.

    Attributes
    ----------
    auc, scored, brier : float
        AUC, scored AUC and Brier score on the validation rows.
    test_auc : float
        AUC on the test rows.
    """

    auc: float
    scored: float
    brier: float
    test_auc: float


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of repetitions divided by `fewer`."""
    return [
        Question(share=share, learner=learner, repetition=repetition, model=model)
        for share, learner, repetition, model in itertools.product(
            (SHARE, FEW_SHARE), LEARNERS, range(max(1, REPETITIONS // fewer)), range(MODELS)
        )
    ]


@lru_cache(maxsize=6)
def points(learner: str, share: float) -> list[Trial]:
    """Everything about a learner: to train ten models is as quick as to train one."""
    return list(trials(DATA, learner, range(REPETITIONS), share))


def answer(question: Question) -> Answer:
    """Look one model up."""
    trial = points(question.learner, question.share)[question.repetition]
    values = {
        "auc": trial.auc[question.model],
        "scored": trial.scored[question.model],
        "brier": -trial.brier[question.model],
        "test_auc": trial.test_auc[question.model],
    }
    short = {name: float(f"{value:.5g}") for name, value in values.items()}
    return Answer(**asdict(question), **short)
