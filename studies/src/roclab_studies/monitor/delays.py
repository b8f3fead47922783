"""How soon planted drops are found, against what the monitor says it could notice, and their date.

A stream has its reference, thirty calm cohorts, and then the drop.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from roclab.monitor.streams import blocks_in_a_year, could_notice
from roclab_studies.monitor.false_alarms import SETTINGS
from roclab_studies.monitor.fleets import SEGMENTS, blocks_of, made_rows
from roclab_studies.monitor.judging import judged, reference_blocks

DROPS = (0.02, 0.05, 0.10)
SHAPES = {"sudden": 0, "gradual": 30}  # cohorts until the drop is complete
WHERE = {"all segments": SEGMENTS, "one segment": 1}
KINDS = ("whole", "segment")
STREAMS = (6, 120)  # of the installation, which share the budget
OTHERS = ("no ceiling", "first 90")
# Besides calm days, those where no cohort of a whole model is joined with the next.
ELSEWHERE = ("AUC 0.97 to 0.99", "heavy-tailed days", "weeks", "fresh: spikes, rare positives")
REPETITIONS = 40
_CALM = 30
_NEAR = 3


@dataclass(frozen=True, kw_only=True)
class Question:
    """A drop in one stream, so many times. The method is one of `judging.METHODS`.

    The stream is the whole model, or a segment that has the drop.
    """

    setting: str
    method: str
    drop: float
    shape: str
    where: str
    kind: str
    streams: int
    repetitions: int

    @property
    def cost(self) -> float:
        """Rough time."""
        return self.repetitions

    @property
    def seed(self) -> list[int]:
        """Streams are the same for all methods and budgets."""
        return [34, list(SHAPES).index(self.shape), round(1000 * self.drop)]


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """What was seen.

    Of `calm` streams without an alarm before the change, `found` had one within a year. `delay` is
    the number of cohorts until then, median and 90 %. `foretold` is the median of what
    `could_notice` says of these references for the fall of the stream, and `within` the share of
    streams in which the alarm took at most that long. `dated` is the median difference of the
    stated and the true beginning, in cohorts, `early` and `late` its 10 and 90 %, and `near` the
    share within three cohorts. `fall` is the true fall of the mean AUC of the stream, `stated` the
    mean of what alarms state.
    """

    calm: int
    found: int
    delay: float
    delay_90: float
    foretold: float
    within: float
    dated: float
    early: float
    late: float
    near: float
    fall: float
    stated: float


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked; with `fewer`, so many times fewer streams."""
    count = max(4, REPETITIONS // fewer)

    def ask(
        drop: float,
        *,
        shape: str = "sudden",
        where: str = "all segments",
        kind: str = "whole",
        streams: int = 120,
        setting: str = "calm",
        method: str = "default",
    ) -> Question:
        return Question(
            setting=setting,
            method=method,
            drop=drop,
            shape=shape,
            where=where,
            kind=kind,
            streams=streams,
            repetitions=count,
        )

    asked = [
        ask(drop, shape=shape, where=where, kind=kind)
        for shape in SHAPES
        for where in WHERE
        for kind in KINDS
        for drop in DROPS
        # A segment does not know where else there is a drop.
        if (where, kind) != ("one segment", "segment")
    ]
    asked += [ask(drop, kind=kind, streams=6) for kind in KINDS for drop in DROPS]
    asked += [
        ask(drop, kind=kind, method=method) for method in OTHERS for kind in KINDS for drop in DROPS
    ]
    asked += [
        ask(drop, setting=setting, method=method)
        for setting in ELSEWHERE
        for method in ("default", "no ceiling")
        for drop in DROPS
    ]
    return asked


def answer(question: Question) -> Answer:
    """Plant the drop of a question."""
    setting = SETTINGS[question.setting]
    place = KINDS.index(question.kind)
    most = blocks_in_a_year(setting.per_month)
    learned = reference_blocks(question.method, setting.cohort)
    change_at = learned + _CALM
    run_length = question.streams * setting.per_month
    delays: list[float] = []
    foretold: list[float] = []
    dated, stated, falls = [], [], []
    for number in range(question.repetitions):
        rows = made_rows(
            setting,
            np.random.default_rng([*question.seed, number]),
            change_at + most,
            drop=question.drop,
            change_at=change_at,
            ramp=SHAPES[question.shape],
            segments=WHERE[question.where],
        )
        stream = blocks_of(setting, rows)[place]
        before = stream.last < change_at
        complete = stream.first >= change_at + SHAPES[question.shape]
        falls.append(stream.auc[before].mean() - stream.auc[complete].mean())
        alarms = judged(stream, run_length, cohort=setting.cohort, method=question.method).alarms
        if alarms and before[alarms[0].block]:
            continue
        fall = question.drop / (
            1 if question.kind == "segment" else SEGMENTS / WHERE[question.where]
        )
        # What the page says of this stream, for the fall that the stream will have.
        [notice] = could_notice(stream.auc[:learned], [fall], run_length=run_length, most=most)
        foretold.append(math.inf if notice is None else notice)
        if not alarms:
            delays.append(math.inf)
            continue
        first = alarms[0]
        delays.append(int(stream.last[first.block]) - change_at + 1)
        dated.append(int(stream.first[first.since]) - change_at)
        stated.append(first.reference_mean - first.mean)
    within = [took <= said for took, said in zip(delays, foretold, strict=True)]
    return Answer(
        **asdict(question),
        calm=len(delays),
        found=len(dated),
        delay=_quantile(delays, 0.5),
        delay_90=_quantile(delays, 0.9),
        foretold=_quantile(foretold, 0.5),
        within=float(np.mean(within)),
        dated=_quantile(dated, 0.5),
        early=_quantile(dated, 0.1),
        late=_quantile(dated, 0.9),
        near=float(np.mean(np.abs(dated) <= _NEAR)) if dated else math.nan,
        fall=float(np.mean(falls)),
        stated=float(np.mean(stated)) if stated else math.nan,
    )


def _quantile(values: Sequence[float], share: float) -> float:
    return float(np.quantile(values, share, method="higher")) if len(values) else math.nan
