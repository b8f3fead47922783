"""How often each test rejects a hypothesis that is true, and one that is false.

Tests are made at the level 0.05. All methods of a test see the same samples, drawn from seeds that
belong to the cell. A p-value of nan rejects nothing.

The tests whose names end in "_other" are the default ones on populations of other shapes, also
one-sided; in "kinds_other" the two models are of different kinds.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

import roclab as rl
from roclab.inference.comparison.alternatives import decide
from roclab.inference.comparison.evidence import Evidence
from roclab.inference.comparison.multiplicity import adjusted_pvalues
from roclab.inference.comparison.omnibus import omnibus_test
from roclab.inference.comparison.paired import difference_of
from roclab.inference.comparison.small_samples import Mover, Shrunken
from roclab.inference.estimation.joint_estimate import JointEstimate
from roclab_studies.comparison.many_samples import joint_estimates
from roclab_studies.comparison.other_populations import (
    EXTREMES,
    FIVE_KINDS,
    KINDS,
    OTHERS,
    OtherPopulation,
)
from roclab_studies.populations import FAMILIES, Labels, Population, Scores, labels_of

ERROR = 0.05
SIZES = ((10, 10), (10, 100), (30, 30), (100, 100))
AUCS = (0.6, 0.8, 0.95)
# The higher AUC that a test should tell from a lower one.
HIGHER = {0.5: 0.7, 0.6: 0.75, 0.8: 0.9, 0.95: 0.99}
CORRELATIONS = (0.0, 0.5)  # of the noise of two models in a row
MARGIN = 0.1
MODELS = 5
_ONE_SIDED = ("auto less", "auto greater")
METHODS = {
    "paired": ("auto", "delong", "bootstrap", "permutation"),
    "independent": ("auto", "delong", "bootstrap", "permutation"),
    "value": ("auto", "delong", "score", "bootstrap", "permutation"),
    "noninferior": ("auto", "delong", "bootstrap"),
    "equivalent": ("auto", "delong", "bootstrap"),
    "all_models": ("holm", "omnibus", "delong holm", "delong omnibus"),
    "paired_other": ("auto", *_ONE_SIDED),
    "independent_other": ("auto",),
    "value_other": ("auto", *_ONE_SIDED),
    "kinds_other": ("auto", "delong"),
    "all_models_other": ("holm", "omnibus", "delong holm", "delong omnibus"),
}
RESAMPLING = ("bootstrap", "permutation")
RUNS, RESAMPLING_RUNS, OTHER_RUNS = 2000, 1000, 500
RESAMPLES = 999
SEED = 20_240_705
KINDS_SIZES = ((30, 30), (45, 60))
_FAMILIES = (*FAMILIES, "mixed", *OTHERS, *EXTREMES, *KINDS, FIVE_KINDS)


@dataclass(frozen=True, kw_only=True)
class Question:
    """A test, and the samples it is tried on.

    Attributes
    ----------
    test : str
        A key of METHODS.
    method : str
        How it is made, and on which side if it is one-sided; with all models, which of its answers
        counts: a difference after Holm's correction, or the test of all at once, with the default
        test of the pairs or DeLong's.
    family : str
        Of the scores; "mixed" are two models of equal AUC, one "equal" and one "wide".
    correlation : float
        Of the noise of the models in a row.
    n_pos, n_neg : int
        Examples; of independent samples, in each.
    auc : float
        That of all models but the first, or the value.
    auc_a : float
        That of the first model.
    """

    test: str
    method: str
    family: str
    correlation: float
    n_pos: int
    n_neg: int
    auc: float
    auc_a: float
    runs: int

    @property
    def true(self) -> bool:
        """Whether the hypothesis is, so that rejecting it is an error."""
        if self.test in ("noninferior", "equivalent"):
            return self.auc_a != self.auc
        return self.auc_a == self.auc

    @property
    def exchanges(self) -> bool:
        """Whether the default test may be a permutation test, which needs more than estimates."""
        two_aucs = ("paired", "independent", "kinds", "all_models")
        exchanged = self.test.removesuffix("_other") in two_aucs
        return exchanged and (self.n_pos, self.n_neg) in KINDS_SIZES

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.runs * (RESAMPLES if self.method in RESAMPLING else 400) * self.n_neg

    def __str__(self) -> str:
        aucs = f"{self.auc_a:g} against {self.auc:g}"
        size = f"{self.n_pos}+{self.n_neg}"
        return f"{self.test} {self.method} {self.family} {self.correlation:g} {size} {aucs}"


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """What was found, in numbers of samples.

    Attributes
    ----------
    rejected : int
        The p-value is below 0.05.
    undefined : int
        It is nan.
    """

    rejected: int
    undefined: int

    @property
    def rate(self) -> float:
        """Share of samples in which the hypothesis is rejected."""
        return self.rejected / self.runs

    @property
    def standard_error(self) -> float:
        """That of the rate, from the number of runs."""
        return math.sqrt(self.rate * (1 - self.rate) / self.runs)


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of runs divided by `fewer`."""
    asked = []
    for test, methods in METHODS.items():
        for family, correlation, (auc_a, auc) in _cells(test):
            other = test.endswith("_other")
            sizes = SIZES[:3] + ((10, 500),) * (test == "value_other") if other else SIZES
            sizes = KINDS_SIZES if test in ("kinds_other", "all_models_other") else sizes
            for (n_pos, n_neg), method in itertools.product(sizes, methods):
                if test == "value" and method == "permutation" and auc != 0.5:
                    continue
                slow = method in RESAMPLING or method in ("holm", "omnibus")
                runs = OTHER_RUNS if other else RESAMPLING_RUNS if slow else RUNS
                asked.append(
                    Question(
                        test=test,
                        method=method,
                        family=family,
                        correlation=correlation,
                        n_pos=n_pos,
                        n_neg=n_neg,
                        auc=auc,
                        auc_a=auc_a,
                        runs=runs // fewer,
                    )
                )
    return asked


def _cells(test: str) -> Iterator[tuple[str, float, tuple[float, float]]]:
    """Families, correlations and pairs of AUCs, first of true and then of false hypotheses."""
    same, higher = ([(auc, auc) for auc in AUCS], [(HIGHER[auc], auc) for auc in AUCS])
    if test == "kinds_other":
        yield from itertools.product(KINDS, [0.5], same[1:])
    elif test == "all_models_other":
        shapes = ("spike", "failing", "heavy_neg", FIVE_KINDS)
        yield from itertools.product(shapes, [0.5], same[1:])
    elif test.endswith("_other"):
        yield from itertools.product(OTHERS, [0.5 * (test == "paired_other")], same)
    elif test == "value":
        same, higher = [(0.5, 0.5), *same], [(HIGHER[0.5], 0.5), *higher]
        yield from itertools.product(FAMILIES, [0.0], same)
        yield from itertools.product(["equal"], [0.0], higher)
    elif test in ("noninferior", "equivalent"):
        lower = [(round(auc - MARGIN, 2), auc) for auc in AUCS]
        yield from itertools.product(["equal", "ordinal"], [0.5], [*lower, *same])
    elif test == "all_models":
        yield from itertools.product(["equal", "ordinal"], [0.5], same)
        yield from itertools.product(["equal"], [0.5], higher)
    else:
        correlations = [0.0] if test == "independent" else CORRELATIONS
        yield from itertools.product(["equal", "ordinal", "mixed"], correlations, same)
        yield from itertools.product(["equal"], correlations, higher)


def samples(question: Question) -> Iterator[list[Scores]]:
    """The scores of the models in one sample after another, positives first."""
    of_all = question.test.startswith("all_models")
    models = MODELS if of_all else 1 if question.test.startswith("value") else 2
    cell = (list(METHODS).index(question.test), _FAMILIES.index(question.family))
    numbers = (question.correlation, question.auc, question.auc_a)
    rng = np.random.default_rng(
        [SEED, *cell, question.n_pos, question.n_neg, *(round(1000 * one) for one in numbers)]
    )
    kinds = "equal, wide" if question.family == "mixed" else question.family
    families = kinds.split(", ") if ", " in kinds else [kinds] * models
    populations = [
        (Population if family in FAMILIES else OtherPopulation)(family=family, auc=auc)
        for family, auc in zip(families, [question.auc_a] + [question.auc] * models, strict=False)
    ]
    labels = labels_of(question.n_pos, question.n_neg)
    common, own = math.sqrt(question.correlation), math.sqrt(1 - question.correlation)
    for _ in range(question.runs):
        noise = own * rng.standard_normal((models, len(labels)))
        noise += common * rng.standard_normal(len(labels))
        yield [one.scores(row, labels) for one, row in zip(populations, noise, strict=True)]


def answer(question: Question) -> Answer:
    """Make the tests and count."""
    if question.method.split()[0] in ("auto", "holm", "omnibus") and not question.exchanges:
        return _of_defaults(question)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rl.UndefinedMeasureWarning)
        warnings.simplefilter("ignore", rl.DegenerateIntervalWarning)
        if question.test.startswith("all_models"):
            *delong, kind = question.method.split()
            method = "delong" if delong else "auto"
            pvalues = _of_all_models(replace(question, method=method))[kind]
        else:
            labels = labels_of(question.n_pos, question.n_neg)
            pvalue_of = _TESTS[question.test]
            pvalues = np.array(
                [
                    pvalue_of(question, labels, scores, run)
                    for run, scores in enumerate(samples(question))
                ]
            )
    return Answer(
        **asdict(question),
        rejected=int(np.count_nonzero(pvalues < ERROR)),
        undefined=int(np.count_nonzero(np.isnan(pvalues))),
    )


def _of_defaults(question: Question) -> Answer:
    """The same for default tests that need only DeLong's estimates."""
    scores = np.array([np.array(one, np.float64) for one in samples(question)])
    pvalues = [pvalue_of_estimate(question, one) for one in joint_estimates(scores, question.n_pos)]
    return Answer(**asdict(question), rejected=sum(p < ERROR for p in pvalues), undefined=0)


def pvalue_of_estimate(question: Question, joint: JointEstimate) -> float:
    """p-value of a default test, given the estimates of all models."""
    if question.test.startswith("all_models"):
        numbers = itertools.combinations(range(MODELS), 2)
        pairs = [
            decide(difference_of(joint, a, b).auto("two-sided"), confidence_level=0.95).pvalue
            for a, b in numbers
        ]
        if question.method == "omnibus":
            return omnibus_test(joint, "auto", pairs).pvalue
        return min(adjusted_pvalues(pairs, "holm"))
    _, side = _method_and_side(question)
    two_sided = side == "two-sided"
    evidence: Evidence
    if question.test.startswith("value"):
        evidence = Shrunken(estimate=joint.of(0), value=question.auc, two_sided=two_sided)
    elif question.test.startswith("independent"):
        first, second = joint.of(0), joint.of(1)
        evidence = Mover(
            first=first,
            second=second,
            variance=first.variance + second.variance,
            two_sided=two_sided,
        )
    else:
        with_margin = question.test in ("noninferior", "equivalent")
        evidence = difference_of(joint, 0, 1).auto(question.test if with_margin else side)
        if with_margin:
            return decide(
                evidence, alternative=question.test, margin=MARGIN, confidence_level=0.95
            ).pvalue
    return decide(evidence, alternative=side, confidence_level=0.95).pvalue


def _method_and_side(question: Question) -> tuple[str, str]:
    method, _, side = question.method.partition(" ")
    return method, side or "two-sided"


def _paired(question: Question, labels: Labels, scores: list[Scores], run: int) -> float:
    with_margin = question.test in ("noninferior", "equivalent")
    method, side = _method_and_side(question)
    return rl.compare_auc(
        labels,
        *scores,
        method=method,
        alternative=question.test if with_margin else side,
        margin=MARGIN if with_margin else None,
        n_resamples=RESAMPLES,
        rng=run,
    ).pvalue


def _independent(question: Question, labels: Labels, scores: list[Scores], run: int) -> float:
    first, second = (rl.Ranking(labels, one) for one in scores)
    return rl.compare_independent_auc(
        first, second, method=question.method, n_resamples=RESAMPLES, rng=run
    ).pvalue


def _value(question: Question, labels: Labels, scores: list[Scores], run: int) -> float:
    method, side = _method_and_side(question)
    return rl.compare_to_value(
        labels,
        scores[0],
        value=question.auc,
        method=method,
        alternative=side,
        n_resamples=RESAMPLES,
        rng=run,
    ).pvalue


@lru_cache(maxsize=1)
def _of_all_models(question: Question) -> dict[str, npt.NDArray[np.float64]]:
    """p-values of both answers of a comparison, which are asked for one after the other."""
    labels = labels_of(question.n_pos, question.n_neg)
    found: dict[str, list[float]] = {"holm": [], "omnibus": []}
    for scores in samples(question):
        table = rl.ScoreTable(labels, {f"model {number}": one for number, one in enumerate(scores)})
        comparison = rl.compare(table, method=question.method)
        found["holm"].append(min(pair.adjusted_pvalue for pair in comparison.pairs))
        found["omnibus"].append(comparison.omnibus.pvalue)
    return {kind: np.array(pvalues) for kind, pvalues in found.items()}


_TESTS: dict[str, Callable[[Question, Labels, list[Scores], int], float]] = {
    "paired": _paired,
    "independent": _independent,
    "value": _value,
    "noninferior": _paired,
    "equivalent": _paired,
    "paired_other": _paired,
    "independent_other": _independent,
    "value_other": _value,
    "kinds_other": _paired,
}
