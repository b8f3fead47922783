"""The tables of readings: of cohorts as known now and as frozen, references and blocks."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.monitor.store.database import Database, with_names
from roclab.monitor.store.records import Block

_READING = with_names("n", "n_labelled", "n_pos", "n_neg")

Floats = npt.NDArray[np.float64]


class ReadingTables(Database):
    """What was read off cohorts, by stream."""

    def set_readings(
        self, readings: Iterable[tuple[int, int, str]], model: int, cohort: int, read: int
    ) -> None:
        """Replace the readings of a cohort as known now: stream, cohort and content of each."""
        self._connection.executemany("INSERT OR REPLACE INTO reading VALUES (?, ?, ?)", readings)
        self._connection.execute(
            "UPDATE cohort SET read = ? WHERE model = ? AND cohort = ?", (read, model, cohort)
        )

    def freeze(
        self, readings: Iterable[tuple[int, int, str]], model: int, cohort: int, at: int
    ) -> None:
        """Write the readings of a mature cohort, once."""
        self._connection.executemany(
            "INSERT INTO frozen (stream, cohort, at, content) VALUES (?, ?, ?, ?)",
            [(stream, of, at, content) for stream, of, content in readings],
        )
        self._connection.execute(
            "INSERT INTO cohort VALUES (?, ?, 0, 0, 0, 0, ?) "
            "ON CONFLICT (model, cohort) DO UPDATE SET frozen = excluded.frozen",
            (model, cohort, at),
        )

    def readings(
        self,
        stream: int,
        *,
        frozen: bool = False,
        since: int = -(2**62),
        until: int = 2**62,
        last: int = -1,
    ) -> list[tuple[int, Any]]:
        """Cohorts of a stream with their readings, in their order; the `last` ones."""
        table = "frozen" if frozen else "reading"
        found = self._read(
            f"SELECT cohort, content FROM {table} WHERE stream = ? AND cohort >= ? "
            "AND cohort < ? ORDER BY cohort DESC LIMIT ?",
            (stream, since, until, last),
        )
        return [(cohort, self._parsed(content, _READING)) for cohort, content in reversed(found)]

    def summarised(self, model: int) -> set[int]:
        """Cohorts of a model that were computed elsewhere."""
        found = self._read(
            "SELECT DISTINCT cohort.cohort FROM cohort JOIN stream ON stream.model = cohort.model "
            "JOIN frozen ON frozen.stream = stream.number AND frozen.cohort = cohort.cohort "
            "WHERE cohort.model = ? AND cohort.n = 0 AND cohort.frozen IS NOT NULL "
            "AND json_extract(frozen.content, '$.source') = 'summary'",
            (model,),
        )
        return {cohort for (cohort,) in found}

    def latest_frozen(self, stream: int) -> tuple[int, Any] | None:
        """The cohort of a stream that was frozen last, with its reading."""
        found = self._read(
            "SELECT cohort, content FROM frozen WHERE stream = ? ORDER BY at DESC, cohort DESC "
            "LIMIT 1",
            (stream,),
        )
        return (found[0][0], self._parsed(found[0][1], _READING)) if found else None

    def frozen_at(self, stream: int) -> dict[int, int]:
        """When each cohort of a stream was frozen."""
        return dict(self._read("SELECT cohort, at FROM frozen WHERE stream = ?", (stream,)))

    def set_reference(self, stream: int, scores: Floats, labels: npt.NDArray[np.int8]) -> None:
        """Keep scores and labels of the reference of a stream, which outlive its rows."""
        self._connection.execute(
            "INSERT OR REPLACE INTO reference VALUES (?, ?, ?)",
            (stream, scores.astype("<f8").tobytes(), labels.astype("<i1").tobytes()),
        )

    def reference(self, stream: int) -> tuple[Floats, npt.NDArray[np.int8]] | None:
        """Scores and labels of the reference of a stream, -1 where none is known."""
        found = self._read("SELECT scores, labels FROM reference WHERE stream = ?", (stream,))
        if not found:
            return None
        scores, labels = found[0]
        return np.frombuffer(scores, "<f8").astype(float), np.frombuffer(labels, "<i1")

    def reference_scores(self, stream: int) -> Floats | None:
        """Scores of the reference of a stream; None without one."""
        found = self.reference(stream)
        return None if found is None else found[0]

    def add_small(self, stream: int, cohort: int) -> None:
        """Remember a cohort that is too small to be a block."""
        self._connection.execute(
            "INSERT OR IGNORE INTO small_cohort VALUES (?, ?)", (stream, cohort)
        )

    def small_cohorts(self, stream: int) -> list[int]:
        """Cohorts that wait to be joined with the next."""
        return [
            row[0]
            for row in self._read(
                "SELECT cohort FROM small_cohort WHERE stream = ? ORDER BY cohort", (stream,)
            )
        ]

    def add_block(self, stream: int, block: Block) -> None:
        """Add a block; the small cohorts that it joins wait no longer."""
        self._connection.execute(
            "INSERT INTO block VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(stream, block.number, block.since, block.until, json.dumps(block.cohorts)),
                *(block.auc, block.n_pos, block.n_neg, block.judged, block.run_length),
            ),
        )
        self._connection.execute("DELETE FROM small_cohort WHERE stream = ?", (stream,))

    def blocks(self, stream: int | None = None) -> list[tuple[int, Block]]:
        """Blocks with their streams, in their order."""
        only, values = ("", ()) if stream is None else ("WHERE stream = ?", (stream,))
        found = self._read(f"SELECT * FROM block {only} ORDER BY stream, number", values)
        return [
            (
                of,
                Block(
                    number=number,
                    since=since,
                    until=until,
                    cohorts=self._parsed(cohorts, tuple),
                    auc=auc,
                    n_pos=n_pos,
                    n_neg=n_neg,
                    judged=judged,
                    run_length=run_length,
                ),
            )
            for of, number, since, until, cohorts, auc, n_pos, n_neg, judged, run_length in found
        ]

    # Champion and challenger

    def add_comparison(
        self, challenger: int, champion: int, cohort: int, content: dict[str, Any], state: bytes
    ) -> None:
        """Keep a comparison after a cohort, and the sequence that it comes from."""
        self._connection.execute(
            "INSERT INTO comparison VALUES (?, ?, ?, ?)",
            (challenger, champion, cohort, json.dumps(content)),
        )
        self._connection.execute(
            "INSERT OR REPLACE INTO comparison_state VALUES (?, ?, ?)",
            (challenger, champion, state),
        )

    def comparison_state(self, challenger: int, champion: int) -> bytes | None:
        """The sequence of a comparison; None before its first cohort."""
        found = self._read(
            "SELECT content FROM comparison_state WHERE challenger = ? AND champion = ?",
            (challenger, champion),
        )
        return found[0][0] if found else None

    def comparisons(self, challenger: int, champion: int) -> list[tuple[int, Any]]:
        """Cohorts of a challenger with the comparison after each, in their order."""
        return [
            (cohort, self._parsed(content, dict))
            for cohort, content in self._read(
                "SELECT cohort, content FROM comparison WHERE challenger = ? AND champion = ? "
                "ORDER BY cohort",
                (challenger, champion),
            )
        ]
