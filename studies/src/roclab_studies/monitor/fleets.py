"""Simulated installations: rows of 20 models with 5 segments each, and their cohorts.

Scores are normal within the classes, so that the AUC of each cohort is known. Labels come late,
those of positives and of low scores later, and one in ten never: more where scores are high, and of
negatives.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit, ndtri

from roclab.monitor.cohorts import FEWEST
from roclab.streaming.calendar import Calendar
from roclab_studies.drift.streams import wandering

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

MODELS, SEGMENTS = 20, 5
STREAMS = MODELS * (1 + SEGMENTS)
BUDGET = 1.0  # false alarms a month, of all streams together
DAY = 86_400_000_000
START = 19_723 * DAY  # 2024-01-01, a Monday
LENGTHS = {"hour": DAY // 24, "day": DAY, "week": 7 * DAY}
HORIZON = 21  # days until a cohort is mature
_DELAY = 4.0  # days, mean of negatives in the middle
_SLOWER = 1.5  # positives
_SPIKE = 0.1


@dataclass(frozen=True, kw_only=True)
class Setting:
    """How the models of an installation behave; nothing of it is a lasting change.

    Attributes
    ----------
    cohort : str
        Period of a cohort.
    rows : int
        Mean number of rows of a model in a cohort.
    rate : float
        Share of positives.
    aucs : tuple of float
        Range of the AUCs of models.
    day, week, year : float
        Amplitude of the waves of the AUC with these periods, each model with a phase of its own.
    wandering : float
        Standard deviation of an autoregressive series of the AUC, with a correlation of 0.9 from
        cohort to cohort.
    heavy : float
        Scale of effects of single cohorts on the AUC: Student's t with 3 degrees of freedom.
    spikes : float
        Share of cohorts with an AUC that is 0.1 lower.
    wider : float
        Standard deviation of the scores of positives, where that of negatives is 1.
    levels : int
        Number of different scores; 0: all are different.
    complete : bool
        Whether all labels come at once.
    """

    cohort: str = "day"
    rows: int = 300
    rate: float = 0.3
    aucs: tuple[float, float] = (0.7, 0.9)
    day: float = 0.0
    week: float = 0.0
    year: float = 0.0
    wandering: float = 0.0
    heavy: float = 0.0
    spikes: float = 0.0
    wider: float = 1.0
    levels: int = 0
    complete: bool = False

    @property
    def per_month(self) -> float:
        """Number of cohorts in a month."""
        return Calendar(self.cohort, "UTC").per_month

    @property
    def run_length(self) -> float:
        """Average number of cohorts to a false alarm of a stream, by the budget."""
        return STREAMS * self.per_month / BUDGET


@dataclass(frozen=True)
class Rows:
    """Rows of a model, in the order of their cohorts.

    `time` and `arrival` of the label are microseconds since the first cohort began; labels that
    never come arrive at the largest time there is.
    """

    cohort: Integers
    time: Integers
    segment: Integers
    label: Flags
    score: Floats
    arrival: Integers


NEVER = np.iinfo(np.int64).max


def made_rows(
    setting: Setting,
    rng: np.random.Generator,
    cohorts: int,
    *,
    drop: float = 0.0,
    change_at: int = 0,
    ramp: int = 0,
    segments: int = SEGMENTS,
) -> Rows:
    """Rows of one model, whose AUC falls by `drop` in some segments from a cohort on.

    With `ramp`, the drop grows over so many cohorts.
    """
    length = LENGTHS[setting.cohort]
    sizes = rng.poisson(setting.rows, cohorts)
    cohort = np.repeat(np.arange(cohorts), sizes)
    count = len(cohort)
    segment = rng.integers(0, SEGMENTS, count)
    label = rng.random(count) < setting.rate
    auc = true_aucs(setting, rng, cohorts)
    fallen = np.clip((np.arange(cohorts) - change_at + 1) / max(ramp, 1), 0, 1) * drop
    of_row = auc[cohort, segment] - fallen[cohort] * (segment < segments)
    distance = math.sqrt(1 + setting.wider**2) * ndtri(of_row)
    noise = rng.normal(size=count) * np.where(label, setting.wider, 1.0)
    score = expit(noise + distance * label - 1.0)
    if setting.levels:
        score = np.floor(score * setting.levels) / setting.levels
    time = cohort * length + (rng.random(count) * length).astype(np.int64)
    if setting.complete:
        arrival = time
    else:
        slower = np.where(label, _SLOWER, 1.0) * (1.6 - 1.2 * score)
        delay = rng.exponential(slower * _DELAY * DAY)
        gone = rng.random(count) < 0.05 + 0.2 * score * np.where(label, 0.5, 1.0)
        arrival = np.where(gone, NEVER, time + delay.astype(np.int64))
    return Rows(cohort, time, segment, label, score, arrival)


def true_aucs(setting: Setting, rng: np.random.Generator, cohorts: int) -> Floats:
    """AUC of each cohort and segment of a model: around one value, without a lasting change."""
    days = np.arange(cohorts) * LENGTHS[setting.cohort] / DAY
    level = rng.uniform(*setting.aucs)
    common = np.full(cohorts, level)
    for amplitude, period in ((setting.day, 1.0), (setting.week, 7.0), (setting.year, 365.2425)):
        phase = rng.random()
        common += amplitude * np.sin(2 * math.pi * (days / period + phase))
    if setting.wandering:
        common += setting.wandering * wandering(rng, cohorts, 0.9)
    if setting.heavy:
        common += setting.heavy * rng.standard_t(3, cohorts)
    if setting.spikes:
        common -= _SPIKE * (rng.random(cohorts) < setting.spikes)
    spread = min(0.02, (0.995 - level) / 2)
    found: Floats = np.clip(common[:, None] + rng.uniform(-spread, spread, SEGMENTS), 0.35, 0.999)
    return found


@dataclass(frozen=True)
class StreamBlocks:
    """The blocks of a stream: AUC of each, its first cohort, and the last cohort that it joins."""

    auc: Floats
    first: Integers
    last: Integers


def blocks_of(setting: Setting, rows: Rows) -> list[StreamBlocks]:
    """Blocks of the whole model and of each segment, as an installation makes them.

    A cohort is frozen `HORIZON` days after its end, with the labels that came before. Those with
    fewer than ten labels of a class are joined with the next, with the labels known by then.
    """
    length = LENGTHS[setting.cohort]
    wait = 0 if setting.complete else -(-HORIZON * DAY // length) * length
    cohorts = int(rows.cohort[-1]) + 1
    # The end of the cohort by which the label had come, had that been the one to be frozen.
    frozen = np.maximum(rows.cohort, -(-np.maximum(rows.arrival - wait + 1, 0) // length) - 1)
    return [
        joined_blocks(
            *(one[chosen] for one in (rows.cohort, frozen, rows.label, rows.score)), cohorts
        )
        for chosen in (slice(None), *(rows.segment == one for one in range(SEGMENTS)))
    ]


def joined_blocks(
    cohort: Integers, frozen: Integers, label: Flags, score: Floats, cohorts: int
) -> StreamBlocks:
    """Blocks of a stream; labels are known when the cohort `frozen`, or a later one, is mature."""
    known = frozen == cohort
    n_pos = np.bincount(cohort[known & label], minlength=cohorts)
    n_neg = np.bincount(cohort[known & ~label], minlength=cohorts)
    first, last = [], []
    block = np.full(cohorts, -1)
    begun, pos, neg = 0, 0, 0
    for place, (more_pos, more_neg) in enumerate(zip(n_pos.tolist(), n_neg.tolist(), strict=True)):
        pos, neg = pos + more_pos, neg + more_neg
        if min(pos, neg) >= FEWEST:
            block[begun : place + 1] = len(first)
            first.append(begun)
            last.append(place)
            begun, pos, neg = place + 1, 0, 0
    of_row = block[cohort]
    ends = np.append(last, -1)  # the last for cohorts of no block
    kept = (of_row >= 0) & (frozen <= ends[of_row])
    aucs = grouped_auc(of_row[kept], label[kept], score[kept], len(first))
    return StreamBlocks(aucs, np.array(first, np.int64), np.array(last, np.int64))


def grouped_auc(group: Integers, label: Flags, score: Floats, groups: int) -> Floats:
    """AUC of each group of rows, with half of the credit for ties; all groups have both classes."""
    order = np.lexsort((score, group))
    group, label, score = group[order], label[order], score[order]
    negative = np.cumsum(~label)
    new = np.append(True, (np.diff(group) != 0) | (np.diff(score) != 0))
    run = np.cumsum(new) - 1
    ends = np.append(np.flatnonzero(new)[1:], len(group)) - 1
    before = np.append(0, negative[ends][:-1])  # negatives before each run of ties
    credit = (before + (negative[ends] - before) / 2)[run]
    n_pos = np.bincount(group[label], minlength=groups)
    n_neg = np.bincount(group[~label], minlength=groups)
    earlier = np.append(0, np.cumsum(n_neg)[:-1])  # negatives of earlier groups
    above = np.bincount(group[label], weights=credit[label], minlength=groups) - earlier * n_pos
    found: Floats = above / (n_pos * n_neg)
    return found


def made_fleet(setting: Setting, seed: list[int], cohorts: int) -> Iterator[Rows]:
    """Rows of all models of an installation, one after the other."""
    for model in range(MODELS):
        yield made_rows(setting, np.random.default_rng([*seed, model]), cohorts)
