"""A living fleet to look at: healthy, broken for one region, late, and silent."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta

import numpy as np

from roclab.monitor.history import replay
from roclab.monitor.installation import Installation
from roclab.monitor.schema import Label, Prediction
from roclab.monitor.service import Service
from roclab.monitor.settings import ModelSettings, Settings

_DAY = 86_400_000_000
_DAYS = 75
_REGIONS = ("north", "south", "west")


@dataclass(frozen=True)
class _Made:
    """How a model of the fleet behaves."""

    a_day: int
    quality: float  # difference of the means of scores of both classes
    delay_days: float = 0.05
    drop_days: int = 0  # for how long one region has been ranked badly
    silent_days: float = 0


_FLEET = {
    "credit": _Made(220, 1.6),
    "fraud": _Made(260, 1.9, drop_days=9),
    "churn": _Made(160, 1.2, delay_days=12),
    "delivery": _Made(180, 1.4, silent_days=3),
}


class Demo:
    """Makes the history of a fleet, and goes on with it."""

    def __init__(self, seed: int = 7) -> None:
        self._rng = np.random.default_rng(seed)
        self._number = 0

    def settings(self, settings: Settings) -> Settings:
        """The settings of the fleet."""
        late = ModelSettings(horizon=timedelta(days=30))
        return replace(settings, model={**settings.model, "churn": late})

    def fill(self, installation: Installation) -> None:
        """Replay the history of all models."""
        now = installation.now()
        for name, made in _FLEET.items():
            rows = [one for day in range(_DAYS) for one in self._day(made, now, _DAYS - day)]
            end = now - round(made.silent_days * _DAY)
            kept = [(row, label) for row, label in rows if row.time < end]
            labels = [label for _, label in kept if label.time < now]
            replay(installation, name, [row for row, _ in kept], labels)

    def _day(self, made: _Made, now: int, days_ago: int) -> Iterator[tuple[Prediction, Label]]:
        rng, count = self._rng, made.a_day
        positive = rng.random(count) < 0.25
        region = rng.integers(0, len(_REGIONS), count)
        broken = (region == 0) & (days_ago <= made.drop_days)
        raised = np.where(positive & ~broken, made.quality, 0.0)
        score = 1 / (1 + np.exp(-(rng.normal(size=count) + raised - 1.5)))
        time = now - days_ago * _DAY + np.array(sorted(rng.integers(0, _DAY, count).tolist()))
        came = time + rng.exponential(made.delay_days * _DAY, count).astype(np.int64)
        for row in range(count):
            self._number += 1
            key = f"demo-{self._number}"
            segments = (("region", _REGIONS[region[row]]),)
            yield (
                Prediction(key, float(score[row]), int(time[row]), "1.0", segments, None, None),
                Label(key, bool(positive[row]), int(came[row])),
            )

    def start(self, service: Service) -> None:
        """Go on with the fleet in a thread, until the process ends."""
        threading.Thread(target=self._go_on, args=(service,), daemon=True).start()

    def _go_on(self, service: Service) -> None:
        pause = threading.Event()
        while not pause.wait(1.0) and service.alive:
            now = service.installation.now()
            for name, made in _FLEET.items():
                if made.silent_days:
                    continue
                for row, label in list(self._day(replace(made, a_day=2), now, 0)):
                    at_once = row._replace(time=now, segments=row.segments)
                    service.submit("predictions", name, [at_once])
                    if made.delay_days < 1:
                        service.submit("labels", name, [label._replace(time=now)])
