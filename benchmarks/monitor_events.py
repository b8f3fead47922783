"""Events for the monitor: the same ones as bodies of requests and as rows of a table."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Literal

import numpy as np

from benchmarks.monitor_load import Body

MODELS, SEGMENT_VALUES = 20, 10
PRODUCERS = 4  # connections that send batches
DAY = 86_400 * 10**6  # microseconds
LABEL_LATER = 256  # single events between a prediction and its label
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Ids = Literal["UUID7", "UUID4"]


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Events of one batch, as columns; `model` is the number of the model of each."""

    model: list[int]
    id: list[bytes]
    time: list[int]
    score: list[float]
    segment: list[int]
    label: list[bool]

    def __len__(self) -> int:
        return len(self.id)


@dataclass(frozen=True, kw_only=True)
class Size:
    """How much is measured."""

    rounds: int = 10
    batches: int = 10  # of a round
    batch: int = 10_000
    single_rounds: int = 7
    singles: int = 6_000  # predictions of a round
    history_days: int = 90
    read_seconds: float = 60.0
    stored: int = 10**7
    stored_days: int = 100
    store_seconds: float = 3600.0
    overview_models: int = 200
    overview_days: int = 730
    overview_reads: int = 50


QUICK = Size(
    rounds=1,
    batches=2,
    single_rounds=1,
    singles=600,
    history_days=32,
    read_seconds=2.0,
    stored=60_000,
    stored_days=6,
    store_seconds=30.0,
    overview_models=20,
    overview_days=60,
    overview_reads=10,
)


def model_name(number: int) -> str:
    """The name of a model."""
    return f"model-{number:02}"


def now() -> int:
    """The time in microseconds since 1970."""
    return time.time_ns() // 1000


def iso(at: int) -> str:
    """Microseconds since 1970 in ISO 8601."""
    return (_EPOCH + timedelta(microseconds=at)).isoformat()


def identifiers(kind: Ids, times: Sequence[int], rng: np.random.Generator) -> list[bytes]:
    """Ids of 16 bytes: random, or beginning with the time in milliseconds."""
    octets = rng.integers(0, 256, (len(times), 16), dtype=np.uint8)
    if kind == "UUID7":
        milliseconds = np.asarray(times, dtype=">i8") // 1000
        octets[:, :6] = milliseconds.astype(">i8").view(np.uint8).reshape(-1, 8)[:, 2:]
    octets[:, 6] = octets[:, 6] & 0x0F | (0x70 if kind == "UUID7" else 0x40)
    octets[:, 8] = octets[:, 8] & 0x3F | 0x80
    return [one.tobytes() for one in octets]


def draw(
    kind: Ids,
    size: int,
    *,
    model: int | None,
    since: int,
    until: int,
    rng: np.random.Generator,
) -> Batch:
    """A batch of one model, or of all models in turns, with times in order."""
    times = np.sort(rng.integers(since, until, size)).tolist()
    label = rng.random(size) < 0.2
    score = np.round(1 / (1 + np.exp(-rng.normal(size=size) - 1.2 * label + 1.5)), 6)
    return Batch(
        model=[model] * size if model is not None else [row % MODELS for row in range(size)],
        id=identifiers(kind, times, rng),
        time=times,
        score=score.tolist(),
        segment=rng.integers(0, SEGMENT_VALUES, size).tolist(),
        label=label.tolist(),
    )


def prediction_line(batch: Batch, place: int, *, labelled: bool = False) -> bytes:
    """A prediction as JSON, with its label if it is known at once."""
    label = f',"label":{int(batch.label[place])}' if labelled else ""
    return (
        f'{{"model":"{model_name(batch.model[place])}","id":"{_text(batch.id[place])}",'
        f'"score":{batch.score[place]},"time":"{iso(batch.time[place])}",'
        f'"segments":{{"region":"region {batch.segment[place]}"}}{label}}}'
    ).encode()


def label_line(batch: Batch, place: int) -> bytes:
    """A label as JSON."""
    return (
        f'{{"model":"{model_name(batch.model[place])}","id":"{_text(batch.id[place])}",'
        f'"label":{int(batch.label[place])}}}'
    ).encode()


@dataclass(frozen=True, kw_only=True)
class Round:
    """Batches that are sent together; drawn again, they are the same.

    `mixed` batches hold events of all models, others of one model each. Half of the labels of
    `together` come with the predictions, and the other half later.
    """

    ids: Ids
    batches: int
    size: int
    since: int
    until: int
    seed: int
    mixed: bool = False
    together: bool = False

    def draw(self) -> list[Batch]:
        """The batches, in the order of time."""
        rng = np.random.default_rng(self.seed)
        ends = np.linspace(self.since, self.until, self.batches + 1).astype(np.int64).tolist()
        return [
            draw(
                self.ids,
                self.size,
                model=None if self.mixed else place % MODELS,
                since=begin,
                until=end,
                rng=rng,
            )
            for place, (begin, end) in enumerate(pairwise(ends))
        ]

    def predictions(self) -> list[Body]:
        """Predictions as bodies of requests."""
        return [
            (
                "/v1/predictions",
                b"\n".join(
                    prediction_line(batch, place, labelled=self.together and place % 2 == 0)
                    for place in range(len(batch))
                ),
            )
            for batch in self.draw()
        ]

    def labels(self) -> list[Body]:
        """Labels that did not come with the predictions, as bodies of requests."""
        return [
            (
                "/v1/labels",
                b"\n".join(
                    label_line(batch, place)
                    for place in range(len(batch))
                    if not (self.together and place % 2 == 0)
                ),
            )
            for batch in self.draw()
        ]

    def singles(self) -> list[Body]:
        """Predictions and labels in turns, each on its own; a label some time after its own."""
        [batch] = self.draw()
        bodies = []
        for place in range(len(batch)):
            bodies.append(("/v1/predictions", prediction_line(batch, place)))
            if place >= LABEL_LATER:
                bodies.append(("/v1/labels", label_line(batch, place - LABEL_LATER)))
        return bodies

    def alternating(self) -> list[Body]:
        """Bodies of predictions, each followed by its labels."""
        return [
            body for pair in zip(self.predictions(), self.labels(), strict=True) for body in pair
        ]


def prediction_values(batch: Batch, received: int) -> list[tuple[object, ...]]:
    """Predictions as the store's table of events has them."""
    return [
        (model + 1, one, at - at % DAY, at, score, None, segment + 1, received, None, None, None)
        for model, one, at, score, segment in zip(
            batch.model, batch.id, batch.time, batch.score, batch.segment, strict=True
        )
    ]


def label_values(batch: Batch, received: int) -> list[tuple[object, ...]]:
    """Labels as an update of that table, by model and id."""
    return [
        (label, received, received, model + 1, one)
        for label, model, one in zip(batch.label, batch.model, batch.id, strict=True)
    ]


def _text(one: bytes) -> str:
    digits = one.hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
