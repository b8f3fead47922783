"""Real streams with a clock: a model is trained on the first part and frozen, and scores the rest.

`electricity` has a row each half hour of 944 days, of which 167 train. `airlines` has 31 days, of
which a week trains, and every third row of the others is used: by the hour of its own clock, or
spread, 600 rows a day.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache

import numpy as np
import numpy.typing as npt

from roclab_studies.monitor.fleets import DAY
from roclab_studies.real_data import load_known

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

HOUR = DAY // 24
MODELS = ("logistic regression", "gradient boosting")
_TRAINING_DAYS = {"electricity": 167, "airlines": 7}
_FIRST = {
    "electricity": datetime(1996, 5, 7, tzinfo=UTC),  # the first day of the market's data
    "airlines": datetime(2024, 5, 1, tzinfo=UTC),  # a Wednesday, as in the data
}
_SPREAD = 600
_EVERY = {"electricity": 1, "airlines": 3}


@dataclass(frozen=True)
class Layout:
    """How a data set becomes a stream: its cohorts, segments, and mean delay of labels."""

    data: str
    cohort: str
    delay: int
    spread: bool = False


LAYOUTS = {
    "electricity, days": Layout("electricity", "day", DAY),
    "airlines, hours": Layout("airlines", "hour", 6 * HOUR),
    "airlines, spread over days": Layout("airlines", "day", 3 * DAY, spread=True),
}
MISSING = 0.03


@dataclass(frozen=True)
class RealStream:
    """Rows in the order of time; times in microseconds since 1970."""

    time: Integers
    label: npt.NDArray[np.bool_]
    score: Floats
    segment: str
    values: tuple[str, ...]


@cache
def scored(layout: str, model: str) -> RealStream:
    """The rows after the training, with the probabilities of a model."""
    # Here, since they take their time and not every study needs them.
    from sklearn.compose import ColumnTransformer
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    chosen = LAYOUTS[layout]
    data = load_known(chosen.data)
    day, minute, segment, values = _clock(chosen.data, data.X, data.categories)
    size = int(np.searchsorted(day, _TRAINING_DAYS[chosen.data]))
    fitted = HistGradientBoostingClassifier(random_state=0)
    if model == "logistic regression":
        columns = [
            ("number", StandardScaler(), data.numeric),
            ("nominal", OneHotEncoder(handle_unknown="ignore"), ~data.numeric),
        ]
        fitted = make_pipeline(ColumnTransformer(columns), LogisticRegression(max_iter=1000))
    fitted.fit(data.X[:size], data.y[:size])
    kept = slice(size, None, _EVERY[chosen.data])
    score = fitted.predict_proba(data.X[kept])[:, 1]
    first = int(_FIRST[chosen.data].timestamp() * 1e6)
    if chosen.spread:
        time = first + np.arange(len(score)) * (DAY // _SPREAD)
    else:
        time = first + day[kept] * DAY + minute[kept] * (DAY // 1440)
    return RealStream(time, data.y[kept].astype(bool), score, segment, tuple(values[kept]))


def _clock(
    name: str, features: Floats, categories: dict[int, list[str]]
) -> tuple[Integers, Integers, str, list[str]]:
    """Day and minute of each row, and its segment."""
    if name == "electricity":
        place = np.arange(len(features))
        hours = ("night", "morning", "afternoon", "evening")
        values = [hours[one] for one in (place % 48 // 12).tolist()]
        return place // 48, place % 48 * 30, "time of day", values
    weekday = features[:, 4]
    day = np.append(0, np.cumsum(np.diff(weekday) != 0))
    names = [str(one) for one in categories[0]]
    return (
        day,
        features[:, 5].astype(np.int64),
        "airline",
        [names[int(one)] for one in features[:, 0]],
    )


def arrivals(stream: RealStream, layout: str, rng: np.random.Generator) -> Integers:
    """When labels come; -1 for those that never do."""
    count = len(stream.time)
    delay = rng.exponential(LAYOUTS[layout].delay, count).astype(np.int64)
    return np.where(rng.random(count) < MISSING, -1, stream.time + delay)
