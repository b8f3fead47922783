"""False alarms of simulated installations against the budget: the change rule on their cohorts."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

import numpy as np

from roclab.streaming.drift.reference import DriftReference
from roclab_studies.monitor.fleets import (
    MODELS,
    SEGMENTS,
    STREAMS,
    Setting,
    StreamBlocks,
    blocks_of,
    made_fleet,
)
from roclab_studies.monitor.judging import Policy, may_alarm, told

SETTINGS = {
    "calm": Setting(),
    "all labels at once": Setting(complete=True),
    "tied scores, 5 levels": Setting(levels=5),
    "few events": Setting(rows=50, rate=0.2),
    "AUC 0.97 to 0.99": Setting(aucs=(0.97, 0.99), rows=300),
    "heavy-tailed days": Setting(heavy=0.015),
    "week, 0.02": Setting(week=0.02),
    "year, 0.01": Setting(year=0.01),
    "year, 0.02": Setting(year=0.02),
    "week and year, 0.02 each": Setting(week=0.02, year=0.02),
    "wandering, 0.015": Setting(wandering=0.015),
    "hours": Setting(cohort="hour", rows=100),
    "hours, day and week, 0.02 each": Setting(cohort="hour", rows=100, day=0.02, week=0.02),
    "weeks": Setting(cohort="week", rows=1200),
    "weeks, year, 0.02": Setting(cohort="week", rows=1200, year=0.02),
}
# Where the mean of a cohort, given the past, is that of the reference, at least over a week.
KEPT = (
    *("calm", "all labels at once", "tied scores, 5 levels", "few events", "AUC 0.97 to 0.99"),
    *("heavy-tailed days", "week, 0.02", "hours", "weeks"),
)
# Months after the reference, besides which those of the first thirty cohorts are simulated.
MONTHS = {"hour": 2, "day": 12, "week": 24}
LONG = 60  # months
INSTALLATIONS = 16
POLICIES = {
    "first 30": Policy(),
    "first 90": Policy(first=90),
    "first 168": Policy(first=168),
    "first 365": Policy(first=365),
    "margin 0.02": Policy(margin=0.02),
    "margin 0.05": Policy(margin=0.05),
    "confidence 0.99": Policy(confidence=0.99),
    "confidence 0.999": Policy(confidence=0.999),
    "ceiling": Policy(ceiling=2.0),
    "ceiling, margin 0.02": Policy(ceiling=2.0, margin=0.02),
}
# Other references and margins, where the default does not keep the budget.
_OTHERS = {
    "calm": ("ceiling",),
    "heavy-tailed days": ("ceiling",),
    "week and year, 0.02 each": (
        *("first 90", "first 365", "margin 0.02", "margin 0.05", "ceiling, margin 0.02"),
    ),
    "wandering, 0.015": ("first 90", "margin 0.02"),
    "hours": ("first 168", "confidence 0.99", "confidence 0.999", "ceiling"),
    "hours, day and week, 0.02 each": ("first 168", "margin 0.02"),
}


@dataclass(frozen=True, kw_only=True)
class Question:
    """Installations of one kind, for so many months after the reference.

    The method is the reference, of so many first blocks, or the margin that is subtracted from its
    bound.
    """

    setting: str
    method: str
    months: int
    installations: int

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        setting = SETTINGS[self.setting]
        cohorts = self.months * setting.per_month + POLICIES[self.method].first
        return self.installations * cohorts * setting.rows

    @property
    def seed(self) -> int:
        """Installations are the same for all methods."""
        return list(SETTINGS).index(self.setting)


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """What was seen.

    `whole_months` and `segment_months` are those of all streams of the kind after their reference,
    with `whole_alarms` and `segment_alarms` false alarms. `rate` is the number of false alarms a
    month of an installation whose streams all have a reference, with its standard error between
    installations, of which `alarmed` have any. Of all streams, `slow` have a reference that says
    that the AUC varies slowly, and `high` one whose bound is above the mean of the later blocks.
    """

    whole_months: float
    segment_months: float
    whole_alarms: int
    segment_alarms: int
    rate: float
    rate_error: float
    alarmed: int
    slow: float
    high: float


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked; with `fewer`, of so many times fewer installations."""
    asked = []
    for name, setting in SETTINGS.items():
        for method in ("first 30", *_OTHERS.get(name, ())):
            months = MONTHS[setting.cohort]
            count = max(2, INSTALLATIONS // fewer)
            asked.append(Question(setting=name, method=method, months=months, installations=count))
    asked += [
        Question(setting="calm", method=method, months=LONG, installations=max(2, 6 // fewer))
        for method in ("first 30", "first 90", "confidence 0.99")
    ]
    return asked


def answer(question: Question) -> Answer:
    """Run the installations of a question."""
    setting = SETTINGS[question.setting]
    policy = POLICIES[question.method]
    first = policy.first
    cohorts = first + round(question.months * setting.per_month)
    sums = {"whole_months": 0.0, "segment_months": 0.0}
    alarms = {"whole_alarms": 0, "segment_alarms": 0}
    rates, slow, high = [], [], []
    for number in range(question.installations):
        count, months = 0, 0.0
        streams = [
            stream
            for rows in made_fleet(setting, [33, question.seed, number], cohorts)
            for stream in blocks_of(setting, rows)
        ]
        suspects = may_alarm(streams, setting.run_length, policy)
        for place, (stream, suspect) in enumerate(zip(streams, suspects, strict=True)):
            kind = "segment" if place % (1 + SEGMENTS) else "whole"
            live = _live_months(setting, stream, first)
            found = 0
            if suspect:
                found = len(told(stream, setting.run_length, cohort=setting.cohort, policy=policy))
            sums[f"{kind}_months"] += live
            alarms[f"{kind}_alarms"] += found
            count, months = count + found, months + live
            if live:
                reference = DriftReference.from_blocks(stream.auc[:first])
                slow.append(reference.varies_slowly)
                bound = policy.detector(reference, setting.run_length).bounds[0]
                high.append(bound > stream.auc[first:].mean())
        rates.append(STREAMS * count / months if months else 0.0)
    return Answer(
        **asdict(question),
        **sums,
        **alarms,
        rate=float(np.mean(rates)),
        rate_error=float(np.std(rates, ddof=1) / math.sqrt(len(rates))),
        alarmed=sum(rate > 0 for rate in rates),
        slow=float(np.mean(slow)),
        high=float(np.mean(high)),
    )


def _live_months(setting: Setting, stream: StreamBlocks, first: int) -> float:
    if len(stream.auc) <= first:
        return 0.0
    return float(stream.last[-1] - stream.last[first - 1]) / setting.per_month


def promised(kind: str) -> float:
    """False alarms a month that the budget allows to all streams of a kind."""
    return {"whole": MODELS / STREAMS, "segment": MODELS * SEGMENTS / STREAMS}[kind]
