"""The tables of events: predictions, labels, corrections, and counts of cohorts."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, compress
from operator import not_
from typing import Any

import numpy as np

from roclab.monitor.schema import (
    Identifier,
    Label,
    Labels,
    Prediction,
    Predictions,
    Rejected,
    Segments,
)
from roclab.monitor.store.database import Database
from roclab.monitor.store.records import Change, CohortCount, LabelChanges, Model, Rows

Outcome = str | Rejected

_AT_ONCE = 1_024  # rows of a statement
MOST_NAMES = 100_000  # combinations of segments, and versions; further ones are not stored
_COLUMNS = "number, cohort, time, score, segments, label, label_received, implicit"


class _PendingLabels:
    """Labels that are written together."""

    def __init__(self) -> None:
        self.early: list[tuple[Any, ...]] = []
        self.corrections: list[tuple[Any, ...]] = []
        self.labels: list[tuple[Any, ...]] = []
        self.counts: list[tuple[int, int, bool]] = []


class EventTables(Database):
    """Predictions and labels, by model and id."""

    _segments: dict[Segments, int]
    _versions: dict[tuple[int, str], int]
    segments: dict[int, Segments]

    def _load_names(self) -> None:
        """Load the numbers of segments and versions."""
        found = self._connection.execute("SELECT number, content FROM segments").fetchall()
        self.segments = {number: self._parsed(content, _pairs) for number, content in found}
        self._segments = {pairs: number for number, pairs in self.segments.items()}
        self._versions = {
            (model, name): number
            for number, model, name in self._connection.execute(
                "SELECT number, model, name FROM version"
            )
        }

    def append(
        self,
        model: Model,
        rows: Predictions | Sequence[Prediction],
        cohorts: Sequence[int],
        now: int | None,
    ) -> tuple[list[Outcome], LabelChanges]:
        """Add predictions, and the labels that come with them.

        Parameters
        ----------
        model : Model
            Their model.
        rows : Predictions or sequence of Prediction
            The predictions.
        cohorts : sequence of int
            The cohort of each.
        now : int or None
            When they were received; None: at their own times, for history.

        Returns
        -------
        outcomes : list
            ``"accepted"``, ``"duplicate"``, ``"corrected"`` or `Rejected` for each row.
        changes : LabelChanges
            Labels that became known.
        """
        rows = Predictions.of(rows)
        numbers = {
            place: self._segment_number(rows.combinations[place])
            if rows.combinations[place]
            else None
            for place in sorted({*rows.segments})
        }
        segments = list(map(numbers.__getitem__, rows.segments))
        versions = [
            None if name is None else self._version(model.number, name, time)
            for name, time in zip(rows.version, rows.time, strict=True)
        ]
        received = rows.time if now is None else [now] * len(rows)
        known = [
            None if label is None else time if now is None else now
            for label, time in zip(rows.label, rows.label_time, strict=True)
        ]
        event = (rows.id, cohorts, rows.time, rows.score, versions, segments, received)
        before = self._connection.total_changes
        self._connection.execute("SAVEPOINT fast")
        labelled = [place for place, label in enumerate(rows.label) if label is not None]
        if labelled or now is None:
            columns = (*event, rows.label, rows.label_time, known)
            self._write_many(_INSERT, columns, model.number)
        else:
            self._write_many(_INSERT_UNLABELLED, event[:-1], model.number, now)
        if self._connection.total_changes - before == len(rows):  # the usual case: all are new
            self._connection.execute("RELEASE fast")
            with_label = Counter(cohorts[place] for place in labelled)
            self._add_counts(
                model.number,
                [(one, n, with_label[one], n) for one, n in Counter(cohorts).items()],
            )
            return ["accepted"] * len(rows), LabelChanges.known(
                [rows.time[place] for place in labelled],
                [rows.score[place] for place in labelled],
                [segments[place] or 0 for place in labelled],
                [bool(rows.label[place]) for place in labelled],
            )
        self._connection.execute("ROLLBACK TO fast")
        self._connection.execute("RELEASE fast")
        changes: list[Change] = []
        values = zip(*event, rows.label, rows.label_time, known, strict=True)
        outcomes = [
            self._append_one(model.number, one, row, changes)
            for one, row in zip(rows, values, strict=True)
        ]
        return outcomes, LabelChanges.of(changes)

    def _append_one(
        self,
        model: int,
        one: Prediction,
        row: tuple[Any, ...],
        changes: list[Change],
    ) -> Outcome:
        _, cohort, _, _, _, segments, _, _, _, label_received = row
        found = self._find(model, one.id)
        if found is None:
            self._connection.execute(_repeated(_INSERT, 1), (model, *row))
            self._count(model, [(cohort, 1, one.label is not None)])
            if one.label is not None:
                changes.append(Change(one.time, one.score, segments or 0, None, one.label))
            return "accepted"
        number, _, _, score, known_segments, label, _, _ = found
        if score is None:  # its label came first
            self._connection.execute(
                "UPDATE event SET cohort = ?, time = ?, score = ?, version = ?, segments = ?, "
                "received = ? WHERE number = ?",
                (*row[1:7], number),
            )
            self._count(model, [(cohort, 1, True)])
            changes.append(Change(one.time, one.score, segments or 0, None, bool(label)))
        elif score != one.score or known_segments != segments:
            what = "score" if score != one.score else "segments"
            return Rejected(f"another prediction with other {what} has this id; ids are used once")
        outcome: Outcome = "duplicate" if score is not None else "accepted"
        if one.label is not None:
            pending = _PendingLabels()
            label_row = Label(one.id, one.label, one.label_time or 0)
            known = self._find(model, one.id)
            labelled = self._label_one(label_row, known, label_received, changes, pending)
            self._flush(model, pending)
            outcome = labelled if outcome == "duplicate" else outcome
        return outcome

    def add_labels(
        self, model: Model, rows: Labels | Sequence[Label], now: int | None
    ) -> tuple[list[Outcome], LabelChanges]:
        """Add labels; parameters and results as those of `append`."""
        outcomes: list[Outcome] = []
        changes = LabelChanges.of(())
        for part in _without_repeats(Labels.of(rows)):
            some, new = self._add_distinct(model.number, part, now)
            outcomes += some
            changes = changes.and_then(new)
        return outcomes, changes

    def _add_distinct(
        self, model: int, rows: Labels, now: int | None
    ) -> tuple[list[Outcome], LabelChanges]:
        """Add labels of different ids: first ones of predictions together, others one by one."""
        outcomes: list[Outcome] = ["accepted"] * len(rows)
        first = self._find_many(_FIND_UNLABELLED, model, rows.id)
        if len(first) == len(rows):  # the usual case, and in the same order
            return outcomes, self._label_first(model, first, rows, now)
        place_of = {key: place for place, key in enumerate(rows.id)}
        places = [place_of.pop(one[0]) for one in first]
        changes = self._label_first(model, first, rows.where(places), now)
        others = rows.where(list(place_of.values()))
        known = {one[0]: one[1:] for one in self._find_many(_FIND, model, others.id)}
        pending, rest = _PendingLabels(), list[Change]()
        for place, one in zip(place_of.values(), others, strict=True):
            received = one.time if now is None else now
            outcomes[place] = self._label_one(one, known.get(one.id), received, rest, pending)
        self._flush(model, pending)
        return outcomes, changes.and_then(LabelChanges.of(rest))

    def _label_first(
        self, model: int, found: Sequence[tuple[Any, ...]], rows: Labels, now: int | None
    ) -> LabelChanges:
        """Set labels of predictions that have none."""
        if not found:
            return LabelChanges.of(())
        numbers = [one[1] for one in found]
        if now is not None and rows.time.count(rows.time[0]) == len(rows):
            for label in (False, True):
                chosen = rows.label if label else map(not_, rows.label)
                columns = (list(compress(numbers, chosen)),)
                self._write_many(_SET_LABEL, columns, label, rows.time[0], now)
        else:
            received = rows.time if now is None else [now] * len(rows)
            self._write_many(_UPDATE_LABEL, (numbers, rows.label, rows.time, received))
        counts = Counter([one[2] for one in found])
        self._add_counts(model, [(cohort, 0, n, n) for cohort, n in counts.items()])
        return LabelChanges.known(
            [one[3] for one in found],
            [one[4] for one in found],
            [one[5] for one in found],
            rows.label,
        )

    def _label_one(
        self,
        one: Label,
        found: tuple[Any, ...] | None,
        received: int,
        changes: list[Change],
        pending: _PendingLabels,
    ) -> Outcome:
        if found is None:
            pending.early.append((one.id, one.label, one.time, received))
            return "accepted"
        number, cohort, time, score, segments, label, label_received, implicit = found
        if label is not None and label == one.label and not implicit:
            return "duplicate"
        if label is not None:
            pending.corrections.append((number, label, label_received, received))
        pending.labels.append((number, one.label, one.time, received))
        if score is not None and (label is None or label != one.label):
            pending.counts.append((cohort, 0, label is None))
            before = None if label is None else bool(label)
            changes.append(Change(time, score, segments or 0, before, one.label))
        return "accepted" if label is None or implicit else "corrected"

    def _flush(self, model: int, pending: _PendingLabels) -> None:
        """Write labels that were collected."""
        self._write_many(_INSERT_LABEL, _columns(pending.early), model)
        self._write_many(_INSERT_CORRECTION, _columns(pending.corrections))
        self._write_many(_UPDATE_LABEL, _columns(pending.labels))
        self._count(model, pending.counts)

    def fill_missing(self, model: int, cohort: int, at: int) -> LabelChanges:
        """Make missing labels of a cohort negative, as known since a time."""
        missing = self._connection.execute(
            "SELECT time, score, ifnull(segments, 0), 0 FROM event "
            "WHERE model = ? AND cohort = ? AND label IS NULL AND received < ?",
            (model, cohort, at),
        ).fetchall()
        self._connection.execute(
            "UPDATE event SET label = 0, label_time = ?, label_received = ?, implicit = 1 "
            "WHERE model = ? AND cohort = ? AND label IS NULL AND received < ?",
            (at, at - 1, model, cohort, at),
        )
        # Labels that came since were missing then: they correct a negative, as they had live.
        self._connection.execute(
            "INSERT INTO correction (event, label, received, until) SELECT number, 0, ?, ifnull("
            "(SELECT min(received) FROM correction WHERE event = event.number), label_received) "
            "FROM event WHERE model = ? AND cohort = ? AND label_received >= ? AND received < ? "
            "AND NOT EXISTS "
            "(SELECT 1 FROM correction WHERE event = event.number AND received < ?)",
            (at - 1, model, cohort, at, at, at),
        )
        if missing:
            self._add_counts(model, [(cohort, 0, len(missing), len(missing))])
        return LabelChanges.known(*_columns(missing, 4))

    def rows(self, model: int, cohorts: Iterable[int], *, as_of: int | None = None) -> Rows:
        """Rows of cohorts, in the order of time, as they were known before a time."""
        chosen = list(cohorts)
        found = self._read(
            "SELECT number, time, score, ifnull(segments, 0), ifnull(label, -1), "
            "ifnull(label_received, 0), received FROM event WHERE model = ? AND cohort IN "
            f"({', '.join('?' * len(chosen))}) ORDER BY time, number",
            (model, *chosen),
        )
        columns = list(zip(*found, strict=True)) or [()] * 7
        number, time, segments, received = (
            np.array(columns[place], np.int64) for place in (0, 1, 3, 6)
        )
        label, label_received = np.array(columns[4], np.int8), np.array(columns[5], np.int64)
        rows = Rows(
            number=number,
            time=time,
            score=np.array(columns[2], np.float64),
            segments=segments,
            label=label,
            label_received=label_received,
        )
        if as_of is not None:
            label[label_received >= as_of] = -1
            self._as_known(rows, as_of)
            rows = rows.where(received < as_of)
        return rows

    def _as_known(self, rows: Rows, as_of: int) -> None:
        """Set the labels that were known before a time, and have been corrected since."""
        place = {number: row for row, number in enumerate(rows.number.tolist())}
        if not place:
            return
        for event, label, received, until in self._read(
            "SELECT event, label, received, until FROM correction WHERE until >= ?", (as_of,)
        ):
            if event in place and received < as_of <= until:
                rows.label[place[event]] = label
                rows.label_received[place[event]] = received

    def scores_by_id(self, model: int, other: int, cohort: int, as_of: int) -> dict[int, float]:
        """Scores that another model gave to the ids of a cohort, by the numbers of its rows."""
        return dict(
            self._read(
                "SELECT one.number, two.score FROM event AS one JOIN event AS two "
                "ON two.model = ? AND two.id = one.id WHERE one.model = ? AND one.cohort = ? "
                "AND two.received < ?",
                (other, model, cohort, as_of),
            )
        )

    def corrected_since(self, time: int) -> bool:
        """Whether a label was corrected at a time or after it."""
        return bool(self._read("SELECT 1 FROM correction WHERE until >= ? LIMIT 1", (time,)))

    def labelled_since(self, model: int, cohort: int) -> Iterator[LabelChanges]:
        """Labels that are known from a cohort on, in parts."""
        for part in self._read_parts(
            "SELECT time, score, ifnull(segments, 0), label FROM event "
            "WHERE model = ? AND cohort >= ? AND label IS NOT NULL",
            (model, cohort),
            50_000,
        ):
            yield LabelChanges.known(*_columns(part))

    def delays(self, model: int, since: int, as_of: int, every: int) -> tuple[Any, Any, Any]:
        """Prediction time, label and first arrival of labels known before a time, every so many."""
        found = self._read(
            "SELECT time, ifnull((SELECT label FROM correction WHERE event = event.number AND "
            "received < :t AND until >= :t), label), ifnull((SELECT min(received) FROM correction "
            "WHERE event = event.number), label_received) AS came FROM event WHERE model = :model "
            "AND cohort >= :since AND number % :every = 0 AND label IS NOT NULL AND "
            "implicit IS NULL AND received < :t AND came < :t",
            {"model": model, "since": since, "every": every, "t": as_of},
        )
        columns = list(zip(*found, strict=True)) or [()] * 3
        return tuple(np.array(one, np.int64) for one in columns)  # type: ignore[return-value]

    def known_counts(self, model: int, cohort: int, as_of: int) -> tuple[int, int]:
        """Number of predictions of a cohort and of their labels, as known before a time."""
        [(n, labelled)] = self._read(
            # A label that was corrected since was known as well.
            "SELECT count(*), ifnull(sum(label IS NOT NULL AND (label_received < :t OR EXISTS "
            "(SELECT 1 FROM correction WHERE event = event.number AND received < :t))), 0) "
            "FROM event WHERE model = :model AND cohort = :cohort AND received < :t",
            {"model": model, "cohort": cohort, "t": as_of},
        )
        return n, labelled

    def cohorts(
        self, model: int, *, since: int = -(2**62), unread: bool = False
    ) -> list[CohortCount]:
        """Counts of the cohorts of a model, in their order."""
        only = " AND changes != read" if unread else ""
        return [
            CohortCount(*row)
            for row in self._read(
                "SELECT cohort, n, labelled, changes, read, frozen FROM cohort "
                f"WHERE model = ? AND cohort >= ?{only} ORDER BY cohort",
                (model, since),
            )
        ]

    def has_rows(self, model: int, cohort: int) -> bool:
        """Whether rows of a cohort were received."""
        found = self._read("SELECT n FROM cohort WHERE model = ? AND cohort = ?", (model, cohort))
        return bool(found and found[0][0])

    def first_cohort(self, model: int) -> int | None:
        """The earliest cohort of a model; None before its first prediction."""
        [(found,)] = self._read("SELECT min(cohort) FROM cohort WHERE model = ?", (model,))
        return None if found is None else int(found)

    def open_cohorts(self, model: int, before: int) -> list[CohortCount]:
        """Cohorts that are not frozen, and begin before a time."""
        return [
            CohortCount(*row)
            for row in self._read(
                "SELECT cohort, n, labelled, changes, read, frozen FROM cohort "
                "WHERE model = ? AND frozen IS NULL AND cohort < ? ORDER BY cohort",
                (model, before),
            )
        ]

    def n_events(self) -> int:
        """Number of predictions in the store."""
        return int(self._read("SELECT ifnull(sum(n), 0) FROM cohort")[0][0])

    def remove_rows(self, model: int, before: int, limit: int) -> int:
        """Remove rows of frozen cohorts before a time, and labels without predictions; how many."""
        found = self._connection.execute(
            "SELECT event.number FROM event JOIN cohort ON cohort.model = event.model AND "
            "cohort.cohort = event.cohort WHERE event.model = :model AND event.cohort < :before "
            "AND cohort.frozen IS NOT NULL UNION ALL SELECT number FROM event WHERE "
            "model = :model AND cohort IS NULL AND label_received < :before LIMIT :limit",
            {"model": model, "before": before, "limit": limit},
        ).fetchall()
        self._connection.executemany("DELETE FROM correction WHERE event = ?", found)
        self._connection.executemany("DELETE FROM event WHERE number = ?", found)
        return len(found)

    def forget_id(self, model: int, identifier: Identifier) -> Change | None:
        """Remove one id; return what it was, None if there is no such id."""
        found = self._find(model, identifier)
        if found is None:
            return None
        number, cohort, time, score, segments, label, _, _ = found
        self._connection.execute("DELETE FROM correction WHERE event = ?", (number,))
        self._connection.execute("DELETE FROM event WHERE number = ?", (number,))
        self._connection.execute(
            "DELETE FROM segments WHERE number = ? AND NOT EXISTS "
            "(SELECT 1 FROM event WHERE event.segments = segments.number)",
            (segments,),
        )
        self._load_names()
        if score is None:
            return Change(0, 0.0, 0, None, None)
        self._add_counts(model, [(cohort, -1, -(label is not None), 1)])
        return Change(time, score, segments or 0, None if label is None else bool(label), None)

    def segment_names(self, model: int) -> list[str]:
        """Names of the segments that rows of a model have."""
        used = self._read(
            "SELECT DISTINCT segments FROM event WHERE model = ? AND segments IS NOT NULL", (model,)
        )
        return sorted({name for (number,) in used for name, _ in self.segments.get(number, ())})

    def events(self, model: int, part: int = 50_000) -> Iterator[list[tuple[Any, ...]]]:
        """All rows of a model in parts: id, cohort, time, score, version, segments and label."""
        return self._read_parts(
            "SELECT event.id, event.cohort, event.time, event.score, version.name, "
            "ifnull(event.segments, 0), event.received, event.label, event.label_time, "
            "event.label_received, ifnull(event.implicit, 0) FROM event "
            "LEFT JOIN version ON version.number = event.version WHERE event.model = ? "
            "ORDER BY event.number",
            (model,),
            part,
        )

    def _find(self, model: int, identifier: Identifier) -> tuple[Any, ...] | None:
        found: tuple[Any, ...] | None = self._connection.execute(
            f"SELECT {_COLUMNS} FROM event WHERE model = ? AND id = ?",
            (model, identifier),
        ).fetchone()
        return found

    def _find_many(
        self, statement: str, model: int, identifiers: Sequence[Identifier]
    ) -> list[tuple[Any, ...]]:
        """What is known of several ids, in their order."""
        found: list[tuple[Any, ...]] = []
        for start, size in _parts(len(identifiers)):
            values = [*identifiers[start : start + size], model]
            found += self._connection.execute(_repeated(statement, size), values).fetchall()
        return found

    def _write_many(
        self, statement: str, columns: Sequence[Sequence[Any]], *constants: Any
    ) -> None:
        """Write rows, many with each statement: the lock of Python is free in the meantime."""
        for start, size in _parts(len(columns[0]) if columns else 0):
            rows = zip(*(column[start : start + size] for column in columns), strict=True)
            values = [*constants, *chain.from_iterable(rows)]
            self._connection.execute(_repeated(statement, size), values)

    def _count(self, model: int, changes: Iterable[tuple[int, int, bool]]) -> None:
        """Add to the counts of cohorts: predictions and labels."""
        sums: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
        for cohort, added, labelled in changes:
            one = sums[cohort]
            one[0] += added
            one[1] += labelled
            one[2] += 1
        self._add_counts(model, [(cohort, *one) for cohort, one in sums.items()])

    def _add_counts(self, model: int, counts: Iterable[tuple[int, ...]]) -> None:
        """Add to the counts of cohorts: predictions, labels and changes."""
        self._connection.executemany(_COUNT, [(model, *one) for one in counts])

    def has_segments(self, segments: Segments) -> bool:
        """Whether a combination is stored, or empty."""
        return not segments or segments in self._segments

    def _segment_number(self, segments: Segments) -> int | None:
        """The number of a combination; None if it is empty, or there are too many for memory."""
        if not segments:
            return None
        number = self._segments.get(segments)
        if number is None and len(self._segments) < MOST_NAMES:
            row = self._connection.execute(
                "INSERT INTO segments (content) VALUES (?)", (json.dumps(segments),)
            )
            number = row.lastrowid or 0
            self._segments[segments] = number
            self.segments[number] = segments
        return number

    def _version(self, model: int, name: str, time: int) -> int | None:
        """The number of a version; None if there are too many for memory."""
        number = self._versions.get((model, name))
        if number is None and len(self._versions) < MOST_NAMES:
            row = self._connection.execute(
                "INSERT INTO version (model, name, first) VALUES (?, ?, ?)", (model, name, time)
            )
            number = self._versions[model, name] = row.lastrowid or 0
        return number


# What is in braces is repeated for each row, what is outside is the same for all of them. No ?1,
# which could be inside and be passed once: Python 3.14 refuses it.
_INSERT_UNLABELLED = (
    "INSERT OR IGNORE INTO event (model, received, id, cohort, time, score, version, segments) "
    "SELECT ?, ?, * FROM (VALUES {(?, ?, ?, ?, ?, ?)})"
)
_INSERT = (
    "INSERT OR IGNORE INTO event (model, id, cohort, time, score, version, segments, received, "
    "label, label_time, label_received) SELECT ?, * FROM (VALUES {(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)})"
)
_INSERT_LABEL = (
    "INSERT INTO event (model, id, label, label_time, label_received) "
    "SELECT ?, * FROM (VALUES {(?, ?, ?, ?)})"
)
_INSERT_CORRECTION = "INSERT INTO correction (event, label, received, until) VALUES {(?, ?, ?, ?)}"
_SET_LABEL = (
    "UPDATE event SET label = ?, label_time = ?, label_received = ?, implicit = NULL "
    "WHERE number IN ({?})"
)
_UPDATE_LABEL = (
    "UPDATE event SET label = new.column2, label_time = new.column3, "
    "label_received = new.column4, implicit = NULL FROM (VALUES {(?, ?, ?, ?)}) AS new "
    "WHERE number = new.column1"
)
# The ids come first, so that each is looked up in the index.
_GIVEN = "(VALUES {(?)}) CROSS JOIN event ON id = column1 AND model = ?"
_FIND = f"SELECT id, {_COLUMNS} FROM {_GIVEN}"
_FIND_UNLABELLED = (
    f"SELECT id, number, cohort, time, score, ifnull(segments, 0) FROM {_GIVEN} "
    "WHERE label IS NULL AND score IS NOT NULL"
)
_COUNT = (
    "INSERT INTO cohort VALUES (?, ?, ?, ?, ?, 0, NULL) ON CONFLICT (model, cohort) DO UPDATE SET "
    "n = n + excluded.n, labelled = labelled + excluded.labelled, "
    "changes = changes + excluded.changes"
)


@lru_cache(maxsize=256)
def _repeated(statement: str, count: int) -> str:
    """A statement for this number of rows."""
    head, row, tail = re.split("[{}]", statement)
    return head + ", ".join([row] * count) + tail


def _parts(count: int) -> Iterator[tuple[int, int]]:
    """Start and length of parts of a batch: few lengths, so that statements are known."""
    start = 0
    while start < count:
        size = min(_AT_ONCE, 1 << (count - start).bit_length() - 1)
        yield start, size
        start += size


def _columns(rows: Sequence[tuple[Any, ...]], count: int = 0) -> list[tuple[Any, ...]]:
    """Rows as columns; so many empty ones if there are none."""
    return list(zip(*rows, strict=True)) or [()] * count


def _without_repeats(rows: Labels) -> Iterator[Labels]:
    """Parts in which no id occurs twice: a second label of an id must see the first."""
    if len({*rows.id}) == len(rows):
        yield rows
        return
    start, seen = 0, set[Identifier]()
    for place, key in enumerate(rows.id):
        if key in seen:
            yield rows.where(range(start, place))
            start, seen = place, set()
        seen.add(key)
    yield rows.where(range(start, len(rows)))


def _pairs(found: Any) -> Segments:
    return tuple((name, value) for name, value in found)
