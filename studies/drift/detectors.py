"""How often drift detectors raise false alarms, and how soon they find a change.

Streams of independent events with normal scores, of the same spread in both classes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy.special import ndtri

import roclab as rl
from roclab.streaming import Alarm
from roclab.streaming.drift.blocks import BlockCutter, BlockRule

CALM_EVENTS = 1_000_000
CHANGE_AT = 20_000
LONGEST = 200_000
CHUNK = 10_000
KNOWN = 0  # a reference without error
# By kind, and whether it is the test: charts take a second each to make.
STREAMS = {
    ("calm", True): 200,
    ("calm", False): 40,
    ("change", True): 100,
    ("change", False): 40,
    ("naive", True): 400,
    ("naive", False): 400,
}


@dataclass(frozen=True, kw_only=True)
class Question:
    """A detector on streams of one kind.

    `reference` is in events, drawn anew for every stream; 0 stands for a known AUC, which for a
    CUSUM is a reference of a million evenly spaced quantiles. `drop` is 0 in calm streams.
    """

    kind: str
    method: str
    auc: float
    rate: float
    drop: float
    per_class: int
    reference: int
    streams: int

    @property
    def file(self) -> str:
        """Where its answer is kept."""
        return self.kind

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.streams * (CALM_EVENTS if self.kind == "calm" else CHANGE_AT)

    @property
    def seed(self) -> int:
        """Streams are the same for all methods."""
        return round(1000 * self.auc) * 1_000_000 + round(1000 * self.rate)


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """What was seen.

    `events` are those without a change, `alarms` the false alarms in them, `alarmed` the streams
    that had any. Of streams with a change that had none: `found` in time, how many events it took
    (`delay`: median and 90 %), the mean difference that alarms report and how many of their
    intervals hold the true one.
    """

    events: int
    alarms: int
    alarmed: int
    calm: int
    found: int
    delay: float
    delay_90: float
    difference: float
    covered: int


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked; with `fewer`, of so many times fewer streams."""

    def ask(kind: str, method: str, auc: float, rate: float, **more: Any) -> Question:
        streams = max(2, STREAMS[kind, method == "test"] // fewer)
        settings = {"drop": 0.0, "per_class": 5, "reference": 10_000} | more
        return Question(kind=kind, method=method, auc=auc, rate=rate, streams=streams, **settings)

    asked = []
    for auc in (0.75, 0.9):
        for rate in (0.5, 0.05):
            for method in ("test", "cusum"):
                asked += [
                    ask("calm", method, auc, rate, reference=reference)
                    for reference in (KNOWN, 10_000)
                ]
                asked += [
                    ask("change", method, auc, rate, drop=drop, reference=reference)
                    for drop in (0.02, 0.05, 0.1)
                    for reference in (KNOWN, 10_000)
                ]
                asked += [
                    ask("change", method, auc, rate, drop=0.05, per_class=size, reference=KNOWN)
                    for size in (1, 2, 10, 20, 50)
                ]
            asked.append(ask("calm", "cusum_at_estimate", auc, rate))
            asked += [
                ask("naive", method, auc, rate, per_class=size, reference=reference)
                for method in ("each_block", "normal", "test")
                for size in (5, 50)
                for reference in (KNOWN, 1_000)
            ]
    return asked


def answer(question: Question) -> Answer:
    """Run the streams of a question."""
    counts = {"events": 0, "alarms": 0, "alarmed": 0, "calm": 0, "found": 0, "covered": 0}
    delays, differences = [], []
    shared = _shared_chart(question)
    for number in range(question.streams):
        rng = np.random.default_rng([question.seed, number])
        detector = _detector(question, rng, shared)
        calm = CALM_EVENTS if question.kind == "calm" else CHANGE_AT
        alarms = [alarm for chunk in _calm(question, rng, calm) for alarm in detector(*chunk)]
        counts["events"] += calm
        counts["alarms"] += len(alarms)
        counts["alarmed"] += bool(alarms)
        if alarms or not question.drop:
            continue
        counts["calm"] += 1
        found = _first_alarm(question, rng, detector)
        if found is None:
            delays.append(math.inf)
            continue
        counts["found"] += 1
        delays.append(found.event - CHANGE_AT)
        differences.append(found.difference)
        counts["covered"] += found.low <= -question.drop <= found.high
    return Answer(
        **asdict(question),
        **counts,
        delay=_quantile(delays, 0.5),
        delay_90=_quantile(delays, 0.9),
        difference=float(np.mean(differences)) if differences else math.nan,
    )


def stream(
    rng: np.random.Generator, auc: float, rate: float, events: int
) -> tuple[np.ndarray, np.ndarray]:
    """Labels and scores with this AUC."""
    labels = rng.random(events) < rate
    return labels, rng.normal(size=events) + labels * math.sqrt(2) * ndtri(auc)


def _calm(question: Question, rng: np.random.Generator, events: int) -> Iterator[Any]:
    for _ in range(0, events, CHUNK):
        yield stream(rng, question.auc, question.rate, CHUNK)


def _first_alarm(question: Question, rng: np.random.Generator, detector: Any) -> Alarm | None:
    for _ in range(0, LONGEST, CHUNK):
        chunk = stream(rng, question.auc - question.drop, question.rate, CHUNK)
        alarms = detector(*chunk)
        if alarms:
            return alarms[0]
    return None


def _shared_chart(question: Question) -> rl.BlockCUSUM | None:
    """The chart for an AUC that is known, which is the same for all streams."""
    if question.method != "cusum" or question.reference != KNOWN:
        return None
    shift = math.sqrt(2) * ndtri(question.auc)
    n_pos = round(question.rate * 1_000_000)
    pos, neg = (ndtri((np.arange(n) + 0.5) / n) for n in (n_pos, 1_000_000 - n_pos))
    labels = np.arange(1_000_000) < n_pos
    reference = rl.Ranking(labels, np.concatenate([pos + shift, neg]))
    return rl.BlockCUSUM(reference, per_class=question.per_class, reference_confidence=0.5)


def _detector(question: Question, rng: np.random.Generator, shared: rl.BlockCUSUM | None) -> Any:
    """Something to call with labels and scores, that gives alarms."""
    if shared is not None:
        shared.reset()
        return shared.update_many
    reference: Any = question.auc
    if question.reference != KNOWN:
        reference = rl.Ranking(*stream(rng, question.auc, question.rate, question.reference))
    size = question.per_class
    if question.method == "test":
        return rl.BlockDriftTest(reference, per_class=size).update_many
    if question.method.startswith("cusum"):
        confidence = 0.5 if question.method == "cusum_at_estimate" else 0.9
        chart = rl.BlockCUSUM(reference, per_class=size, reference_confidence=confidence)
        return chart.update_many
    return _Naive(reference, question.method, size).update_many


class _Naive:
    """What one might do instead, for comparison: it raises at most one alarm.

    "each_block" tests each block against the reference at 5 %, one-sided, as if it were the only
    one; "normal" is the e-process of a normal mean for differences in units of their estimated
    standard errors, as if these were known and the differences independent.
    """

    steps = np.array([1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0])

    def __init__(self, reference: rl.Ranking | float, method: str, per_class: int) -> None:
        known = isinstance(reference, float)
        self.method = method
        self.auc = reference if known else reference.summary.auc
        self.variance = 0.0 if known else reference.summary.auc_variance
        self.capitals = np.ones(len(self.steps))
        self.cutter = BlockCutter(BlockRule.of(per_class, None))
        self.done = False

    def update_many(self, labels: np.ndarray, scores: np.ndarray) -> list[str]:
        """The alarm, once."""
        if self.done:
            return []
        for block in self.cutter.add_many(labels, scores):
            variance = rl.Ranking(block.labels, block.scores).summary.auc_variance + self.variance
            if variance <= 0:
                continue
            z = (self.auc - block.auc) / math.sqrt(variance)
            self.capitals *= np.exp(self.steps * z - self.steps**2 / 2)
            self.done = (
                z > ndtri(0.95) if self.method == "each_block" else (self.capitals.mean() >= 20)
            )
            if self.done:
                return ["alarm"]
        return []


def _quantile(delays: Sequence[float], share: float) -> float:
    return float(np.quantile(delays, share, method="higher")) if delays else math.nan
