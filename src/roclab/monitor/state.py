"""What is kept in memory of models and their streams. All of it can be built from the store."""

from __future__ import annotations

from dataclasses import dataclass, field

from roclab.monitor.cohorts import Reading
from roclab.monitor.rules import RuleState
from roclab.monitor.settings import ModelSettings
from roclab.monitor.store.records import Alert, Model, Stream
from roclab.monitor.streams import ChangeRule, Window
from roclab.streaming.calendar import Calendar

RECENT = 60  # cohorts of the small picture in the overview


@dataclass
class StreamState:
    """A stream in memory."""

    record: Stream
    name: str
    window: Window
    rule: ChangeRule
    latest: Reading | None = None
    latest_cohort: int | None = None
    recent: list[tuple[int, Reading]] = field(default_factory=list)
    mature: set[int] = field(default_factory=set)  # cohorts that are frozen
    alerts: dict[str, Alert] = field(default_factory=dict)
    conditions: dict[str, RuleState] = field(default_factory=dict)

    @property
    def whole(self) -> bool:
        """Whether it is the whole model."""
        return not self.record.segment

    def remember(self, cohort: int, reading: Reading) -> None:
        """Keep a reading for the small picture."""
        known = dict(self.recent)
        known[cohort] = reading
        self.recent = sorted(known.items())[-RECENT:]


@dataclass
class ModelState:
    """A model in memory."""

    record: Model
    settings: ModelSettings
    calendar: Calendar
    streams: dict[tuple[str, str], StreamState] = field(default_factory=dict)
    of_segments: dict[int, list[StreamState]] = field(default_factory=dict)
    summarised: set[int] = field(default_factory=set)  # cohorts that were computed elsewhere
    delay: float | None = None

    @property
    def whole(self) -> StreamState:
        """The stream of the whole model."""
        return self.streams["", ""]

    def add_stream(self, record: Stream) -> StreamState:
        """Add a stream that the store has."""
        name = self.record.name
        if record.segment:
            name += f", {record.segment} {record.value}"
        stream = StreamState(
            record=record,
            name=name,
            window=Window(self.settings.window),
            rule=ChangeRule(self.settings.reference_period),
        )
        self.streams[record.segment, record.value] = stream
        self.of_segments.clear()
        return stream
