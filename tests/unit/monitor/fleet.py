"""A made-up model that tests feed to an installation, with its rows to compute by hand."""

import uuid
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from roclab.monitor.installation import Installation
from roclab.monitor.schema import Label, Prediction
from roclab.monitor.settings import Settings
from roclab.monitor.store.sqlite import SQLiteStore

HOUR = 3_600_000_000
DAY = 24 * HOUR
START = 20_000 * DAY  # 2024-10-04


@dataclass
class World:
    """An installation with a clock that tests set."""

    directory: Path
    settings: Settings
    now: int = START
    store: SQLiteStore = field(init=False)
    installation: Installation = field(init=False)

    def __post_init__(self) -> None:
        self.open()

    def open(self) -> None:
        self.store = SQLiteStore(self.directory)
        self.installation = Installation(self.settings, self.store, lambda: self.now)

    def reopen(self) -> None:
        self.store.close()
        self.open()

    def predict(self, model, rows, now=None):
        with self.store.transaction():
            found = self.installation.predictions(model, rows, self.now if now is None else now)
        self.installation.committed()
        return found

    def label(self, model, rows, now=None):
        with self.store.transaction():
            found = self.installation.labels(model, rows, self.now if now is None else now)
        self.installation.committed()
        return found

    def tick(self, now):
        self.now = now
        with self.store.transaction():
            self.installation.tick()
        self.installation.committed()
        with self.store.transaction():
            self.installation.refresh(10.0)

    def live(self, model, days, make, *, delay=HOUR, first=0):
        """Feed days one by one: predictions, their labels after `delay`, and a tick a day."""
        waiting = []
        for day in range(first, first + days):
            rows, labels = make(day)
            for row, label in zip(rows, labels, strict=True):
                self.predict(model, [row], row.time) if len(rows) < 5 else None
                waiting.append(Label(row.id, bool(label), row.time + delay))
            if len(rows) >= 5:
                self.predict(model, rows, START + day * DAY + DAY - 1)
            end = START + (day + 1) * DAY
            due = [one for one in waiting if one.time < end]
            waiting = [one for one in waiting if one.time >= end]
            if due:
                self.label(model, due, end - 1)
            self.tick(end + 5)
        return waiting


def maker(seed=0, *, count=200, broken_from=10**9, regions=("north", "south"), share=0.3):
    """Days of predictions; from a day on one region is ranked by chance."""
    rng = np.random.default_rng(seed)

    def make(day):
        labels = rng.random(count) < share
        region = rng.choice(regions, count)
        bad = (day >= broken_from) & (region == "north")
        score = 1 / (1 + np.exp(-(rng.normal(size=count) + 1.6 * (labels & ~bad) - 0.5)))
        time = START + day * DAY + np.array(sorted(rng.integers(0, DAY - 2 * HOUR, count).tolist()))
        rows = [
            Prediction(
                uuid.UUID(bytes=rng.bytes(16)).bytes,
                float(s),
                int(t),
                "v1",
                (("region", str(r)),),
                None,
                None,
            )
            for s, t, r in zip(score, time, region, strict=True)
        ]
        return rows, labels

    return make
