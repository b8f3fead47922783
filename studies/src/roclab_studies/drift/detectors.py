"""How often drift detectors raise false alarms on made streams, and how soon they find a change."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

import roclab as rl
from roclab.streaming.drift.blocks import BlockCutter, BlockRule
from roclab.streaming.drift.cusum import _average_run_length
from roclab_studies.drift.streams import MADE, made

METHODS = ("e_detector", "cusum", "pooled")
REFERENCE = 10_000
CALM_EVENTS = 200_000
CHANGE_AT = 20_000
LONGEST = 100_000
CHUNK = 10_000
RUN_LENGTH = 1_000_000
CONFIDENCE = 0.9
_AUCS = (0.75, 0.9, 0.98)
STREAMS = {"calm": 50, "change": 20, "confidence": 60}
CONFIDENCE_OF = [
    *((population, auc) for population in ("independent", "autocorrelated") for auc in _AUCS),
    *(("mixture", auc) for auc in _AUCS[:2]),  # it cannot have more
]
_TRUTH = 600_000


@dataclass(frozen=True, kw_only=True)
class Question:
    """A detector on streams of one population, each with a reference of its own.

    "calm": streams without a change. "change": with one after 20,000 events. "confidence": no
    stream, but how many references have a bound below the true mean of blocks, and a true run
    length that is as long as stated. The method "pooled" is the e-detector with the AUC over all
    pairs of the reference, as if events were independent.
    """

    kind: str
    method: str
    population: str
    auc: float
    drop: float
    streams: int

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.streams * (CALM_EVENTS if self.kind == "calm" else CHANGE_AT)

    @property
    def seed(self) -> list[int]:
        """Streams are the same for all methods."""
        return [MADE.index(self.population), round(1000 * self.auc)]


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """What was seen.

    `refused` references had no uncorrelated blocks, `slow` ones say that their AUC varies slowly,
    and `per_class` is the median length of the blocks of all that were not refused. `events` are
    those without a change, `alarms` the false alarms in them, `alarmed` the streams that had any.
    Of streams with a change that had none: `found` in time, after how many events (`delay`: median
    and 90 %), and the mean differences that alarms report and that blocks have. Of references:
    `bounded` have a bound below the truth, `kept` a run length as long as stated.
    """

    refused: int
    slow: int
    per_class: float
    events: int
    alarms: int
    alarmed: int
    calm: int
    found: int
    delay: float
    delay_90: float
    difference: float
    true_difference: float
    bounded: int
    kept: int


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked; with `fewer`, of so many times fewer streams."""

    def ask(kind: str, method: str, population: str, auc: float, drop: float = 0.0) -> Question:
        streams = max(2, STREAMS[kind] // fewer)
        return Question(
            kind=kind, method=method, population=population, auc=auc, drop=drop, streams=streams
        )

    asked = []
    for population in MADE:
        for auc in (0.75, 0.9):
            for method in METHODS:
                asked.append(ask("calm", method, population, auc))
                asked += [ask("change", method, population, auc, drop) for drop in (0.05, 0.1)]
        asked += [
            ask("confidence", method, population, auc)
            for method in ("e_detector", "cusum")
            for auc in _AUCS
            if (population, auc) in CONFIDENCE_OF
        ]
    return asked


def answer(question: Question) -> Answer:
    """Run the streams of a question."""
    counts = dict.fromkeys(
        ("refused", "slow", "events", "alarms", "alarmed", "calm", "found", "bounded", "kept"), 0
    )
    delays, differences, lengths = [], [], []
    for number in range(question.streams):
        rng = np.random.default_rng([*question.seed, number])
        events = made(question.population, rng, question.auc, REFERENCE)
        try:
            reference = rl.DriftReference(*events)
        except rl.InputError:
            counts["refused"] += 1
            continue
        lengths.append(reference.per_class)
        counts["slow"] += reference.varies_slowly
        if question.kind == "confidence":
            bounded, kept = _promise(question, reference)
            counts["bounded"] += bounded
            counts["kept"] += kept
            continue
        detector = detector_of(question.method, reference, events)
        calm = CALM_EVENTS if question.kind == "calm" else CHANGE_AT
        alarms = detector.update_many(*made(question.population, rng, question.auc, calm))
        counts["events"] += calm
        counts["alarms"] += len(alarms)
        counts["alarmed"] += bool(alarms)
        if alarms or not question.drop:
            continue
        counts["calm"] += 1
        changed = made(question.population, rng, question.auc, LONGEST, question.drop)
        found = _first_alarm(detector, changed)
        if found is None:
            delays.append(math.inf)
            continue
        counts["found"] += 1
        delays.append(found.event - CHANGE_AT)
        differences.append(found.difference)
    true_difference = math.nan
    if question.drop and differences:
        least = round(float(np.median(lengths)))
        means = [
            _block_aucs(question.population, question.auc, least, drop).mean()
            for drop in (0.0, question.drop)
        ]
        true_difference = float(means[1] - means[0])
    return Answer(
        **asdict(question),
        **counts,
        per_class=float(np.median(lengths)) if lengths else math.nan,
        delay=quantile(delays, 0.5),
        delay_90=quantile(delays, 0.9),
        difference=float(np.mean(differences)) if differences else math.nan,
        true_difference=true_difference,
    )


def detector_of(method: str, reference: rl.DriftReference, events: Any) -> Any:
    """Return the detector, with its reference."""
    if method == "cusum":
        return rl.BlockCUSUM(reference)
    return rl.BlockEDetector(rl.Ranking(*events) if method == "pooled" else reference)


def quantile(delays: Sequence[float], share: float) -> float:
    """Return a quantile that is one of the delays."""
    return float(np.quantile(delays, share, method="higher")) if len(delays) else math.nan


def _first_alarm(detector: Any, events: tuple[np.ndarray, np.ndarray]) -> Any:
    for first in range(0, LONGEST, CHUNK):
        alarms = detector.update_many(*(column[first : first + CHUNK] for column in events))
        if alarms:
            return alarms[0]
    return None


def _promise(question: Question, reference: rl.DriftReference) -> tuple[bool, bool]:
    """Return whether the bound holds, and the run length of the chart."""
    # Run lengths depend on the rarest blocks, so more of them are needed than for a mean.
    least, events = reference.per_class, 5 * _TRUTH
    aucs = _block_aucs(question.population, question.auc, least, events=events)
    if question.method == "e_detector":
        bound = rl.BlockEDetector(reference, reference_confidence=CONFIDENCE).bounds[0]
        return bool(bound <= aucs.mean()), False
    chart = rl.BlockCUSUM(reference, reference_confidence=CONFIDENCE)
    blocks = _average_run_length(chart.bounds[0] - 0.025 - aucs, chart.limits["drop"])
    return (
        bool(chart.bounds[0] <= aucs.mean()),
        bool(blocks * reference.block_events >= RUN_LENGTH),
    )


_known: dict[tuple[str, float, int, float, int], np.ndarray] = {}


def _block_aucs(
    population: str, auc: float, least: int, drop: float = 0.0, events: int = _TRUTH
) -> np.ndarray:
    """Return the AUCs of so many blocks that their distribution is known."""
    key = (population, auc, least, drop, events)
    if key not in _known:
        rng = np.random.default_rng([99, MADE.index(population)])
        cut = BlockCutter(BlockRule.of(least, None))
        blocks = cut.add_many(*made(population, rng, auc, events, drop))
        _known[key] = np.array([block.auc for block in blocks])
    return _known[key]
