"""Summaries of cohorts, as the monitor takes them."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from roclab.data.table import MissingValues
from roclab.formatting import one_line
from roclab.result import Result
from roclab.scale.posting import Target
from roclab.streaming.calendar import iso, microseconds


@dataclass(frozen=True, kw_only=True, repr=False)
class CohortSummary(Result):
    """A cohort of a stream, with the fields of a row of ``POST /v1/summaries``.

    Attributes
    ----------
    model : str
        Name of the model.
    cohort : datetime
        Beginning of the cohort, in UTC.
    segment, value : str or None
        Segment and its value; None for the whole model.
    n : int
        Number of predictions, with and without a label.
    n_pos, n_neg : int
        Number of positives and of negatives among the labelled ones.
    auc : float or None
        AUC of the labelled rows; None if a class is missing.
    variance : float or None
        DeLong's variance of the AUC; None with fewer than two examples of a class.
    mean_score : float or None
        Mean score of all predictions; None if one is infinite.
    """

    model: str
    cohort: datetime
    segment: str | None
    value: str | None
    n: int
    n_pos: int
    n_neg: int
    auc: float | None
    variance: float | None
    mean_score: float | None

    def to_dict(self) -> dict[str, Any]:
        """The row that ``POST /v1/summaries`` takes."""
        return {**vars(self), "cohort": iso(microseconds(self.cohort))}

    def __repr__(self) -> str:
        stream = "" if self.segment is None else f", {one_line(self.segment)} {self.value}"
        auc = "no AUC" if self.auc is None else f"AUC {self.auc:.3f}"
        return (
            f"CohortSummary({one_line(self.model)}{stream}, {iso(microseconds(self.cohort))}: "
            f"{auc}, {self.n_pos:,}+ {self.n_neg:,}- of {self.n:,})"
        )


@dataclass(frozen=True, kw_only=True, repr=False)
class RefusedSummary(Result):
    """A row that the monitor has refused.

    Attributes
    ----------
    row : CohortSummary
        The row.
    reason : str
        Why it was refused, as the monitor says.
    """

    row: CohortSummary
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """The fields of the row, and the reason."""
        return {**self.row.to_dict(), "reason": self.reason}

    def __repr__(self) -> str:
        return f"RefusedSummary({self.row!r}: {one_line(self.reason)})"


@dataclass(frozen=True, kw_only=True, repr=False)
class PostedSummaries(Result):
    """What a monitor has said about summaries, the result of `CohortSummaries.post`.

    Attributes
    ----------
    accepted : int
        Number of rows that were new.
    duplicate : int
        Number of rows that the monitor had.
    refused : tuple of RefusedSummary
        Rows that it did not take.
    """

    accepted: int
    duplicate: int
    refused: tuple[RefusedSummary, ...]

    def __repr__(self) -> str:
        first = f", first {self.refused[0]!r}" if self.refused else ""
        return (
            f"PostedSummaries({self.accepted:,} accepted, {self.duplicate:,} duplicate, "
            f"{len(self.refused):,} refused{first})"
        )


@dataclass(frozen=True, kw_only=True, repr=False)
class CohortSummaries(Result):
    """Summaries of cohorts, the result of `cohort_summaries`.

    Attributes
    ----------
    model : str
        Name of the model.
    period : {"hour", "day", "week"}
        Length of a cohort.
    time_zone : str
        Time zone of the calendar.
    rows : tuple of CohortSummary
        By cohort: the whole model, then the values of its segments.
    until : datetime
        Time until which cohorts were taken to be finished.
    n_unfinished : int
        Number of predictions in cohorts that end later, which were left out.
    n_unlabelled : int
        Number of predictions in finished cohorts without any label, which were left out too.
    missing : MissingValues
        Rows without a time or a score, which were left out.
    """

    model: str
    period: str
    time_zone: str
    rows: tuple[CohortSummary, ...]
    until: datetime
    n_unfinished: int
    n_unlabelled: int
    missing: MissingValues

    @property
    def cohorts(self) -> tuple[datetime, ...]:
        """Beginnings of the cohorts, in UTC."""
        return tuple(dict.fromkeys(row.cohort for row in self.rows))

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values."""
        return {**super().to_dict(), "until": iso(microseconds(self.until))}

    def to_ndjson(self, path: str | os.PathLike[str]) -> None:
        """Write one row a line, as ``POST /v1/summaries`` takes them.

        Parameters
        ----------
        path : path
            The file.
        """
        Path(path).write_text("".join(f"{line}\n" for line in self._lines()), encoding="utf-8")

    def post(self, url: str, *, token: str | None = None, timeout: float = 60.0) -> PostedSummaries:
        """Send all rows to a monitor, in batches.

        A row that the monitor has is a duplicate, so the same table may be posted again, also after
        an error. Requests that are answered with 429 or 503, or not at all, are repeated after the
        time that ``Retry-After`` names.

        Parameters
        ----------
        url : str
            Address of the monitor, such as ``"https://monitor.example.com"``: ``https``, or
            ``http`` on this machine.
        token : str, optional
            Token with the scope ``write``.
        timeout : float, default 60
            Seconds after which a request fails.

        Returns
        -------
        PostedSummaries
            How many rows were accepted or known, and which ones were refused.

        Raises
        ------
        InputError
            The address or the token cannot be used.
        RoclabError
            The monitor cannot be reached, or refuses the request.
        """
        target = Target.of(url, token=token, timeout=timeout)
        outcomes = target.post([line.encode() for line in self._lines()])
        refused = [
            RefusedSummary(row=self.rows[one["row"]], reason=str(one.get("reason", "")))
            for one in outcomes
            if one["outcome"] == "rejected"
        ]
        known = sum(one["outcome"] == "duplicate" for one in outcomes)
        return PostedSummaries(
            accepted=len(self.rows) - known - len(refused), duplicate=known, refused=tuple(refused)
        )

    def _lines(self) -> list[str]:
        return [json.dumps(row.to_dict(), allow_nan=False) for row in self.rows]

    def __repr__(self) -> str:
        cohorts = self.cohorts
        streams = {(row.segment, row.value) for row in self.rows}
        count = f"{len(cohorts):,} {self.period}{'s' * (len(cohorts) != 1)}"
        since = f" from {iso(microseconds(cohorts[0]))}" if cohorts else ""
        left = [
            f"{number:,} predictions {why} left out"
            for number, why in (
                (self.n_unfinished, "of unfinished cohorts"),
                (self.n_unlabelled, "of cohorts without a label"),
            )
            if number
        ]
        return (
            f"CohortSummaries({one_line(self.model)}: {count}{since}, {len(streams):,} "
            f"stream{'s' * (len(streams) != 1)}{''.join(f'; {one}' for one in left)})"
        )
