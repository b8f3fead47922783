"""False alarms of simulated installations against the budget: the change rule on their cohorts."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace

import numpy as np

from roclab_studies.monitor.fleets import (
    STREAMS,
    Setting,
    StreamBlocks,
    blocks_of,
    made_fleet,
)
from roclab_studies.monitor.judging import judged, reference_blocks

_HOURS = Setting(cohort="hour", rows=100)
_WEEKS = Setting(cohort="week", rows=1200)
SETTINGS = {
    "calm": Setting(),
    "all labels at once": Setting(complete=True),
    "tied scores, 5 levels": Setting(levels=5),
    "few events": Setting(rows=50, rate=0.2),
    "AUC 0.97 to 0.99": Setting(aucs=(0.97, 0.99)),
    "heavy-tailed days": Setting(heavy=0.015),
    "week, 0.02": Setting(week=0.02),
    "year, 0.01": Setting(year=0.01),
    "year, 0.02": Setting(year=0.02),
    "week and year, 0.02 each": Setting(week=0.02, year=0.02),
    "wandering, 0.015": Setting(wandering=0.015),
    "hours": _HOURS,
    "hours, day and week, 0.02 each": replace(_HOURS, day=0.02, week=0.02),
    "weeks": _WEEKS,
    "weeks, year, 0.02": replace(_WEEKS, year=0.02),
    # Nothing was chosen by looking at this one.
    "fresh: spikes, rare positives": Setting(
        rows=800, rate=0.05, aucs=(0.65, 0.95), heavy=0.01, spikes=0.03, wider=2.0, levels=12
    ),
}
# Where the expected AUC of a cohort, given the past, is not that of the reference.
NOT_PROMISED = (
    *("week, 0.02", "year, 0.01", "year, 0.02", "week and year, 0.02 each", "wandering, 0.015"),
    *("hours, day and week, 0.02 each", "weeks, year, 0.02"),
)
# Months after the reference.
MONTHS = {"hour": 2, "day": 12, "week": 24}
LONG = 60  # months
INSTALLATIONS = 6
_OTHERS = {
    "calm": ("no ceiling",),
    "AUC 0.97 to 0.99": ("no ceiling",),
    "heavy-tailed days": ("no ceiling",),
    "year, 0.02": ("no ceiling", "first 90", "first 365"),
    "week and year, 0.02 each": ("first 90", "first 365"),
    "wandering, 0.015": ("no ceiling", "first 90"),
    "hours": ("no ceiling", "first 30"),
    "hours, day and week, 0.02 each": ("first 30",),
    "fresh: spikes, rare positives": ("no ceiling",),
}


@dataclass(frozen=True, kw_only=True)
class Question:
    """Installations of one kind, for so many months after the reference.

    The method is one of `judging.METHODS`.
    """

    setting: str
    method: str
    months: int
    installations: int

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        setting = SETTINGS[self.setting]
        return self.installations * _cohorts(self) * setting.rows

    @property
    def seed(self) -> int:
        """Installations are the same for all methods."""
        return list(SETTINGS).index(self.setting)


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """What was seen.

    `whole_months` and `segment_months` are those of all streams of the kind after their reference,
    with `whole_alarms` and `segment_alarms` false alarms, of which `worse` took the place of an
    open one. `rate` is the number of false alarms a month of an installation whose streams all have
    a reference, with its standard error between installations, of which `alarmed` have any. Of all
    streams that have a reference, `high` have a bound above the mean of the later blocks.
    """

    whole_months: float
    segment_months: float
    whole_alarms: int
    segment_alarms: int
    worse: int
    rate: float
    rate_error: float
    alarmed: int
    high: float


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked; with `fewer`, of so many times fewer installations."""
    count = max(2, INSTALLATIONS // fewer)
    asked = [
        Question(setting=name, method=method, months=MONTHS[setting.cohort], installations=count)
        for name, setting in SETTINGS.items()
        for method in ("default", *_OTHERS.get(name, ()))
    ]
    asked += [
        Question(setting="calm", method=method, months=LONG, installations=max(2, 4 // fewer))
        for method in ("default", "no ceiling")
    ]
    return asked


def _cohorts(question: Question) -> int:
    setting = SETTINGS[question.setting]
    first = reference_blocks(question.method, setting.cohort)
    return first + round(question.months * setting.per_month)


def answer(question: Question) -> Answer:
    """Run the installations of a question."""
    setting = SETTINGS[question.setting]
    first = reference_blocks(question.method, setting.cohort)
    sums = {"whole_months": 0.0, "segment_months": 0.0}
    alarms = {"whole_alarms": 0, "segment_alarms": 0, "worse": 0}
    rates, high = [], []
    for number in range(question.installations):
        count, months = 0, 0.0
        for rows in made_fleet(setting, [33, question.seed, number], _cohorts(question)):
            for place, stream in enumerate(blocks_of(setting, rows)):
                kind = "segment" if place else "whole"
                found = judged(
                    stream, setting.run_length, cohort=setting.cohort, method=question.method
                )
                live = _live_months(setting, stream, first)
                sums[f"{kind}_months"] += live
                alarms[f"{kind}_alarms"] += len(found.alarms)
                alarms["worse"] += sum(one.worse for one in found.alarms)
                count, months = count + len(found.alarms), months + live
                if live and found.bound is not None:
                    high.append(found.bound > stream.auc[first:].mean())
        rates.append(STREAMS * count / months if months else 0.0)
    return Answer(
        **asdict(question),
        **sums,
        **alarms,
        rate=float(np.mean(rates)),
        rate_error=float(np.std(rates, ddof=1) / math.sqrt(len(rates))),
        alarmed=sum(rate > 0 for rate in rates),
        high=float(np.mean(high)),
    )


def _live_months(setting: Setting, stream: StreamBlocks, first: int) -> float:
    if len(stream.auc) <= first:
        return 0.0
    return float(stream.last[-1] - stream.last[first - 1]) / setting.per_month
