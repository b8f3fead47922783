"""Bootstrap replicates of the AUC or any measure.

Models are ranked once; a replicate draws how often each row is taken, and makes one pass over these
counts. Only the current replicate is in memory, and replicate i does not depend on the number of
threads.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.checks.choices import EstimatedMeasure
from roclab.checks.options import Progress, RandomState, check_resamples, seed_of
from roclab.curves.score_differences import comparable_scores
from roclab.data.ranking import Ranking
from roclab.data.row_groups import Membership
from roclab.data.summary import RangeSummary
from roclab.errors import InputError

_Values = npt.NDArray[np.float64]

# Rows times models in a chunk of replicates: some tens of milliseconds, after which an interrupt is
# handled and progress is reported.
_CHUNK = 3e7
# Most numbers, of 8 bytes each, in the curves of all replicates.
_MOST_RATES = 2**28


@dataclass(frozen=True, kw_only=True, eq=False)
class Draws:
    """Options of resampling.

    Attributes
    ----------
    n_resamples : int
        Number of replicates.
    seed : int
        64-bit seed of all draws.
    stratified : bool
        Whether the classes are resampled separately, so that all replicates have the same number of
        positives.
    clusters : Membership or None
        Cluster of each row of the input; if given, clusters are resampled with all their rows.
    progress : callable or None
        Called as ``progress(done, n_resamples)``.
    """

    n_resamples: int
    seed: int
    stratified: bool = True
    clusters: Membership | None = None
    progress: Progress | None = None

    @classmethod
    def of(
        cls,
        n_resamples: int = 2000,
        rng: RandomState = None,
        stratified: bool = True,
        cluster: npt.ArrayLike | None = None,
        progress: Progress | None = None,
    ) -> Draws:
        """Check the options of a public function."""
        return cls(
            n_resamples=check_resamples(n_resamples),
            seed=seed_of(rng),
            stratified=bool(stratified),
            clusters=None if cluster is None else Membership.of(cluster),
            progress=progress,
        )

    def need_rows(self, rankings: Sequence[Ranking]) -> bool:
        """Whether resampling needs rows; those of equal score and class are interchangeable."""
        return len(rankings) > 1 or rankings[0].weighted or self.clusters is not None

    def prepare(self, *rankings: Ranking) -> None:
        """Sort rankings as these draws need them, before anything else is computed from them."""
        for ranking in rankings:
            if ranking.has_rows:
                ranking.prepare(rows=self.need_rows(rankings))

    def chunks(self, rows: int) -> Iterator[tuple[int, int]]:
        """First replicate and number of replicates of each chunk; reports progress in between."""
        size = max(1, int(_CHUNK / max(rows, 1)))
        for first in range(0, self.n_resamples, size):
            count = min(size, self.n_resamples - first)
            yield first, count
            if self.progress is not None:
                self.progress(first + count, self.n_resamples)


def with_examples(sample: Any, method: str, instead: str) -> Any:
    """The sample, unless it is a summary, which has no examples to resample."""
    if not isinstance(sample, RangeSummary):
        return sample
    raise InputError(
        found="{method=}{value} resamples examples, and a RangeSummary has none",
        fix="Pass a Ranking, or choose {method=}{instead}.",
        value=repr(method),
        instead=repr(instead),
    )


def resample_values(
    rankings: Sequence[Ranking], draws: Draws, *, measure: EstimatedMeasure = "auc"
) -> _Values:
    """AUC or scored AUC of several models on the same rows, an array of replicates by models.

    All models share the same draws. nan where a replicate lacks a class.
    """
    sample = Sample.of(rankings, draws, measure)
    values = np.full((draws.n_resamples, len(rankings)), np.nan)
    if sample.in_one_cluster:
        return values
    for first, count in draws.chunks(sample.rows * len(rankings)):
        values[first : first + count] = sample.values(draws.seed, first, count)
    return values


def resample_moments(
    ranking: Ranking, draws: Draws, *, measure: EstimatedMeasure = "auc"
) -> tuple[_Values, _Values]:
    """AUC or scored AUC of one model in each replicate, with DeLong's variance."""
    sample = Sample.of([ranking], draws, measure)
    values, variances = np.full((2, draws.n_resamples), np.nan)
    if sample.in_one_cluster:
        return values, variances
    threads = _core.thread_count()
    for first, count in draws.chunks(4 * sample.rows):
        found = sample.resampler.moments(draws.seed, first, count, threads)
        values[first : first + count], variances[first : first + count] = found
    unit = float(sample.units[0])
    return unit * values, unit * (unit * variances)


def resample_rates(
    ranking: Ranking, draws: Draws, places: _Values, *, across: float, up: float
) -> _Values:
    """Points of the ROC curve of each replicate, an array of replicates by places.

    A place w is the point with ``across * fpr + up * tpr == w``; places ascend. The result is its
    TPR, the highest if there are several, or with ``across=0`` its FPR, the lowest. nan where a
    replicate lacks a class.
    """
    most = _MOST_RATES // len(places)
    if draws.n_resamples > most:
        raise InputError(
            found="{n_resamples=}{value} curves of {points} points each need {size} GB of memory",
            needed="at most {n_resamples=}{most} is allowed",
            fix="2,000 are usual.",
            value=draws.n_resamples,
            points=f"{len(places):,}",
            size=f"{8 * draws.n_resamples * len(places) / 1e9:,.0f}",
            most=most,
        )
    sample = Sample.of([ranking], draws, "curve")
    rates = np.full((draws.n_resamples, len(places)), np.nan)
    if sample.in_one_cluster:
        return rates
    threads = _core.thread_count()
    for first, count in draws.chunks(sample.rows):
        part = sample.resampler.rates(draws.seed, first, count, threads, across, up, places)
        rates[first : first + count] = part.reshape(count, -1)
    return rates


def resample_measure(
    value_of: Callable[[Ranking], float], rankings: Sequence[Ranking], draws: Draws
) -> _Values:
    """Any function of a ranking in each replicate, an array of replicates by models.

    All models share the same draws. nan where a replicate lacks a class.
    """
    sample = Sample.of(rankings, draws, "auc")
    drawn = (sample.resampler.draw(draws.seed, number) for number in range(draws.n_resamples))
    return _values_on(value_of, rankings, sample, drawn, draws)


def half_samples(
    value_of: Callable[[Ranking], float], rankings: Sequence[Ranking], draws: Draws
) -> _Values:
    """Any function of a ranking on random halves of the sample, an array of halves by models.

    Halves come in pairs without a common example, so that a mean over the examples has no bias.
    Each example counts twice, since some measures have a number of examples as option. nan where a
    half lacks a class.
    """
    sample = Sample.of(rankings, draws, "auc")

    def halves() -> Iterator[npt.NDArray[np.uint8]]:
        rng = np.random.default_rng(draws.seed)
        half = np.zeros(sample.rows, dtype=np.uint8)
        for number in range(draws.n_resamples):
            half = sample.half(rng, draws) if number % 2 == 0 else 2 - half
            yield half

    return _values_on(value_of, rankings, sample, halves(), draws)


def _values_on(
    value_of: Callable[[Ranking], float],
    rankings: Sequence[Ranking],
    sample: Sample,
    drawn: Iterator[npt.NDArray[np.uint8]],
    draws: Draws,
) -> _Values:
    """Value of each model with each of the drawn counts of the rows."""
    values = np.full((draws.n_resamples, len(rankings)), np.nan)
    if sample.in_one_cluster:
        return values
    for first, count in draws.chunks(100 * sample.rows * len(rankings)):
        for number in range(first, first + count):
            counts = next(drawn)
            for model, ranking in enumerate(rankings):
                one = sample.replicate(ranking, counts, model)
                values[number, model] = value_of(one) if one.n_pos and one.n_neg else np.nan
    return values


@dataclass(frozen=True, kw_only=True, eq=False)
class Sample:
    """Models on the same rows, in the order that the core needs: positives first, ascending.

    Attributes
    ----------
    resampler : Resampler
        Resampler of the core.
    n_pos, rows : int
        Number of positive examples, and of all.
    groups : tuple of ndarray
        For each model the index of each row's score among the distinct scores.
    weights : ndarray or None
        Weights of the rows.
    clusters : ndarray or None
        Cluster of each row.
    units : ndarray
        For each model the factor for results of the core: scores are scaled to a range of one, so
        that their squares do not overflow.
    in_one_cluster : bool
        Whether all examples of a class are in the same cluster: then all replicates are undefined.
    """

    resampler: _core.Resampler
    n_pos: int
    rows: int
    groups: tuple[npt.NDArray[np.uint32], ...]
    weights: _Values | None
    clusters: npt.NDArray[np.uint32] | None
    units: _Values
    in_one_cluster: bool

    @classmethod
    def of(
        cls,
        rankings: Sequence[Ranking],
        draws: Draws,
        wanted: EstimatedMeasure | Literal["curve"],
    ) -> Sample:
        """From rankings of the same rows."""
        first = rankings[0]
        if len(first) >= 2**32:
            raise InputError(
                found="There are {rows} rows",
                needed="resampling needs fewer than 2^32",
                fix="Choose a method without resampling.",
                rows=f"{len(first):,}",
            )
        weights: _Values | None = None
        clusters: npt.NDArray[np.uint32] | None = None
        n_clusters = 0
        if not draws.need_rows(rankings):
            places = np.arange(len(first.scores), dtype=np.uint32)
            columns = [np.concatenate([places.repeat(first.pos), places.repeat(first.neg)])]
        else:
            ranked = [ranking.rows() for ranking in rankings]
            order, labels = ranked[0].order, ranked[0].labels.view(np.bool_)
            rows = np.concatenate([order[labels[order]], order[~labels[order]]])
            columns = [one.groups[rows] for one in ranked]
            if ranked[0].weights is not None:
                weights = ranked[0].weights[rows]
            if draws.clusters is not None:
                kept = draws.clusters.among(ranked[0].numbers, len(labels))
                clusters, n_clusters = kept.numbers[rows], kept.count
        resampler = _core.Resampler(
            first.n_pos, first.n_neg, draws.stratified, clusters, n_clusters
        )
        if weights is not None:
            resampler.weigh(weights)
        units = np.ones(len(rankings))
        for model, (ranking, groups) in enumerate(zip(rankings, columns, strict=True)):
            if wanted == "curve":
                resampler.add_curve(groups, len(ranking.scores))
                continue
            scores = None
            if wanted == "scored_auc":
                distinct, units[model] = _centred(ranking)
                scores = distinct[groups]
            resampler.add(groups, len(ranking.scores), scores)
        return cls(
            resampler=resampler,
            n_pos=first.n_pos,
            rows=len(first),
            groups=tuple(columns),
            weights=weights,
            clusters=clusters,
            units=units,
            in_one_cluster=clusters is not None
            and any(
                len(of_class) > 0 and bool(np.all(of_class == of_class[0]))
                for of_class in (clusters[: first.n_pos], clusters[first.n_pos :])
            ),
        )

    def values(self, seed: int, first: int, count: int) -> _Values:
        """Value of each model in some replicates, an array of replicates by models."""
        found = self.resampler.aucs(seed, first, count, _core.thread_count())
        return np.asarray(found.reshape(count, -1) * self.units)

    def half(self, rng: np.random.Generator, draws: Draws) -> npt.NDArray[np.uint8]:
        """2 for a random half of the rows or clusters, of each class if draws are stratified."""
        if self.clusters is not None:
            return _random_half(rng, int(self.clusters.max()) + 1)[self.clusters]
        if not draws.stratified:
            return _random_half(rng, self.rows)
        sizes = (self.n_pos, self.rows - self.n_pos)
        return np.concatenate([_random_half(rng, size) for size in sizes])

    def replicate(self, ranking: Ranking, counts: npt.NDArray[np.uint8], model: int = 0) -> Ranking:
        """Ranking of a model with these counts of its rows."""
        classes = (slice(None, self.n_pos), slice(self.n_pos, None))
        n_pos, n_neg = (int(counts[rows].sum(dtype=np.int64)) for rows in classes)

        def masses(of_rows: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
            size = len(ranking.scores)
            return [np.bincount(self.groups[model][rows], of_rows[rows], size) for rows in classes]

        if self.weights is None:
            found = [mass.astype(np.int64) for mass in masses(counts)]
        else:
            once = counts * self.weights
            found = masses(once) + masses(once * self.weights)
        return Ranking._of_masses(ranking.scores, found, n_pos, n_neg)


def _random_half(rng: np.random.Generator, size: int) -> npt.NDArray[np.uint8]:
    """2 for half of the places and 0 for the others; an odd size is rounded by chance."""
    half = np.zeros(size, dtype=np.uint8)
    half[rng.permutation(size)[: (size + int(rng.integers(2))) // 2]] = 2
    return half


def _centred(ranking: Ranking) -> tuple[_Values, float]:
    """Distinct scores centred at 0, where sums round the least, and their unit.

    The unit is a power of two, so that scaling is exact.
    """
    numbers, span = comparable_scores(ranking, "scored_auc")
    # Powers of two beyond these could overflow or underflow.
    exponent = min(max(math.frexp(span)[1], -1000), 1000)
    return np.ldexp(numbers - (numbers[0] + span / 2), -exponent), math.ldexp(1.0, exponent)
