"""Made-up models to look at: healthy, broken for one region, with late labels, and silent."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, replace
from datetime import timedelta

import numpy as np

from roclab.monitor.history import History
from roclab.monitor.installation import Installation
from roclab.monitor.replay import replay
from roclab.monitor.schema import Label, Prediction
from roclab.monitor.service import BusyError, Service
from roclab.monitor.settings import ModelSettings, Settings

_DAY = 86_400_000_000
_DAYS = 60  # of history, before today
_PAUSE, _GLANCE = 3.0, 0.1  # seconds between two live predictions, and two looks at the service
_POSITIVE = 0.25
# Predictions come from 5 to 22 o'clock, and their labels within two hours: a day is complete when
# it ends, and is read once.
_OPEN, _LONGEST_DELAY = (5 * _DAY // 24, 22 * _DAY // 24), 2 / 24
_REGIONS = ("north", "south", "west")
_SEGMENTS = tuple((("region", region),) for region in _REGIONS)


@dataclass(frozen=True)
class _Made:
    """How a model behaves."""

    a_day: int
    quality: float  # difference of the means of scores of both classes
    delay_days: float = 0.02  # of labels, on average; short ones come on the same day
    drop_days: int = 0  # for how long one region has been ranked by chance
    silent_days: int = 0


_MODELS = {
    "credit": _Made(240, 1.6),
    "fraud": _Made(280, 1.9, drop_days=16),
    "churn": _Made(160, 1.2, delay_days=25),
    "delivery": _Made(200, 1.4, silent_days=4),
}
# With labels that take 25 days on average, half of a reference is mature.
_LATE = ModelSettings(horizon=timedelta(days=45))


class Demo:
    """Makes the history of the models, and goes on with it.

    Parameters
    ----------
    seed : int
        Random state. Rows depend on it and on their day only, not on the hour of the start.
    """

    def __init__(self, seed: int = 7) -> None:
        self._seed = seed

    def settings(self, settings: Settings) -> Settings:
        """The settings of the models."""
        return replace(settings, model={**settings.model, "churn": _LATE})

    def fill(self, installation: Installation) -> None:
        """Replay the history of all models."""
        for place, (name, made) in enumerate(_MODELS.items()):
            rng = np.random.default_rng([self._seed, place])
            replay(installation, name, _history(made, rng, installation.now()))

    def start(self, service: Service) -> None:
        """Go on with the models in a thread, until the service stops."""
        threading.Thread(target=self._go_on, args=(service,)).start()

    def _go_on(self, service: Service) -> None:
        rng = np.random.default_rng([self._seed, len(_MODELS)])
        number, next_at = 0, 0.0
        while service.alive:
            time.sleep(_GLANCE)
            if time.monotonic() < next_at:
                continue
            next_at = time.monotonic() + _PAUSE
            now = service.installation.now()
            for name, made in _MODELS.items():
                if made.silent_days:
                    continue
                number += 1
                positive, region, score = _rows(made, rng, 1, broken=made.drop_days > 0)
                key, late = f"live-{number}", made.delay_days > 1
                prediction = Prediction(
                    key, float(score[0]), now, "1.0", _SEGMENTS[region[0]], None, None
                )
                try:
                    service.submit("predictions", name, [prediction])
                    if not late:
                        service.submit("labels", name, [Label(key, bool(positive[0]), now)])
                except BusyError:
                    break  # others send more than can be written


def _history(made: _Made, rng: np.random.Generator, now: int) -> History:
    """The rows of all days until now, or until the model fell silent."""
    today = now // _DAY * _DAY
    parts = []
    for days_ago in range(_DAYS, -1, -1):
        columns = _rows(made, rng, made.a_day, broken=days_ago < made.drop_days)
        made_at = today - days_ago * _DAY + np.sort(rng.integers(*_OPEN, made.a_day))
        delay = rng.exponential(made.delay_days, made.a_day)
        if made.delay_days < 1:
            delay = np.minimum(delay, _LONGEST_DELAY)
        parts.append((made_at, made_at + (delay * _DAY).astype(np.int64), *columns))
    made_at, came, positive, region, score = map(np.concatenate, zip(*parts, strict=True))
    kept = made_at < (today - made.silent_days * _DAY if made.silent_days else now)
    made_at, came, positive = made_at[kept], came[kept], positive[kept]
    return History(
        ids=[f"demo-{number}" for number in range(len(made_at))],
        time=made_at,
        score=score[kept],
        label=np.where(came < now, positive, -1).astype(np.int8),
        label_time=came,
        segments=region[kept],
        combinations=_SEGMENTS,
        version=["1.0"] * len(made_at),
    )


def _rows(
    made: _Made, rng: np.random.Generator, count: int, *, broken: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels, regions and scores."""
    positive = rng.random(count) < _POSITIVE
    region = rng.integers(0, len(_REGIONS), count)
    raised = positive & ~(broken & (region == 0))
    score = 1 / (1 + np.exp(1.5 - rng.normal(size=count) - made.quality * raised))
    return positive, region, score
