"""What comes in as rows: predictions and labels, answered once they are durable."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from fastapi import FastAPI, Request, Response

from roclab.monitor.api.context import Context
from roclab.monitor.api.errors import SECONDS_TO_RETRY, json_answer
from roclab.monitor.api.openapi import operation
from roclab.monitor.columns import Checked, check_labels, check_predictions
from roclab.monitor.schema import LabelRow, PredictionRow, Predictions, Rejected, decode
from roclab.monitor.service import Kind
from roclab.monitor.store.events import MOST_NAMES

_MOST_NOTES = 10


class RowOutcome(msgspec.Struct, omit_defaults=True):
    """What became of a row that was not simply accepted."""

    row: int
    outcome: Literal["duplicate", "corrected", "rejected", "failed"]
    reason: str | None = None


class Outcomes(msgspec.Struct):
    """What became of the rows of a request: how many of each, and each that was not accepted."""

    accepted: int
    duplicate: int
    corrected: int
    rejected: int
    rows: list[RowOutcome]
    notes: list[str] = []


class FailedOutcomes(Outcomes, kw_only=True):
    """The same if no row was accepted, or if a part could not be written: `rows` says which."""

    error: str
    failed: int = 0


ROWS_ANSWER: dict[str, Any] = {
    "answer": Outcomes,
    "several": True,
    "failures": {422: FailedOutcomes, 503: FailedOutcomes},
}


def add_ingest(app: FastAPI, context: Context) -> None:
    """Add the routes of predictions and labels."""

    @app.post(
        "/v1/predictions",
        summary="Send predictions, with their labels if they are known",
        **operation(context, "write", **ROWS_ANSWER, body=PredictionRow, quick=True),
    )
    async def predictions(request: Request) -> Response:
        return await _ingest(context, request, "predictions")

    @app.post(
        "/v1/labels",
        summary="Send labels of predictions, before or after them",
        **operation(context, "write", **ROWS_ANSWER, body=LabelRow, quick=True),
    )
    async def labels(request: Request) -> Response:
        return await _ingest(context, request, "labels")


async def _ingest(context: Context, request: Request, kind: Kind) -> Response:
    # Here, and not by FastAPI, which would take longer for it than for everything else.
    context.access.caller(request, "write")
    model = request.query_params.get("model")
    async with context.intake.body(request) as body:
        checked = await context.decoded(len(body), lambda: _checked(context, body, kind, model))
        rows = {name: some for name, (_, some) in checked.groups.items()}
        # All models or none: an answer that asks to send again has written nothing.
        results = await context.written(context.service.submit_all(kind, rows))
    failures = [one for one in results if isinstance(one, Exception)]
    if failures and len(failures) == len(results):
        raise failures[0]
    notes = _notes(context, rows) if kind == "predictions" else []
    return outcomes_answer(context, kind, _outcomes(checked, results), notes)


def _checked(context: Context, body: bytes, kind: Kind, model: str | None) -> Checked[Any]:
    """Reasons of rows that are refused, and the other rows of each model, with their places."""
    limits, checker, now = context.settings.limits, context.checker, context.installation.now()
    if kind == "predictions":
        return check_predictions(decode(body, PredictionRow, limits), model, checker, now)
    return check_labels(decode(body, LabelRow, limits), model, checker, now)


def _outcomes(checked: Checked[Any], results: list[Any]) -> list[Any]:
    """The outcome of each row; a failure is an exception."""
    if len(results) == 1 and not checked.refused and not isinstance(results[0], Exception):
        return results[0]  # type: ignore[no-any-return]
    outcomes: list[Any] = [None] * checked.count
    for place, reason in checked.refused.items():
        outcomes[place] = Rejected(reason)
    for (places, _), result in zip(checked.groups.values(), results, strict=True):
        some = [result] * len(places) if isinstance(result, Exception) else result
        for place, outcome in zip(places, some, strict=True):
            outcomes[place] = outcome
    return outcomes


def _notes(context: Context, rows: dict[str, Predictions]) -> list[str]:
    """Segments that are not stored or not watched, since there are too many."""
    notes = []
    store = context.service.store
    for name, some in rows.items():
        state = context.installation.models.get(name)
        if state is None:
            continue
        if not all(store.has_segments(some.combinations[place]) for place in {*some.segments}):
            notes.append(
                f"{name}: rows were stored without their segments, since {MOST_NAMES:,} "
                "combinations of values are known; leave out segments with many values, or send "
                "classes of them"
            )
        watched = state.settings.segments
        keys = {key for place in {*some.segments} for key in some.combinations[place]}
        notes += [
            f"{name}: {segment} {value} is stored, and not watched by itself; raise segments or "
            "segment_values in [limits]"
            for segment, value in sorted(keys - state.streams.keys())
            if watched is None or segment in watched
        ]
    return notes[:_MOST_NOTES]


def outcomes_answer(
    context: Context, kind: str, outcomes: list[Any], notes: list[str] | None = None
) -> Response:
    """The answer to rows, from the outcome of each; a failure is an exception."""
    counts = {"accepted": 0, "duplicate": 0, "corrected": 0, "rejected": 0, "failed": 0}
    rows: list[RowOutcome] = []
    failure: Exception | None = None
    counts["accepted"] = outcomes.count("accepted")
    for place, outcome in enumerate(outcomes if counts["accepted"] < len(outcomes) else ()):
        word, reason = outcome, None
        if isinstance(outcome, Rejected):
            word, reason = "rejected", outcome.reason
        elif isinstance(outcome, Exception):
            word, reason, failure = "failed", "not written; send it again", outcome
        if word != "accepted":
            counts[word] += 1
            rows.append(RowOutcome(place, word, reason))
    for word, count in counts.items():
        if count:
            context.rows[kind, word] += count
    failed = counts.pop("failed")
    found: dict[str, Any] = {**counts, "rows": rows, "notes": notes or []}
    if failure is not None:
        return json_answer(
            FailedOutcomes(**found, failed=failed, error=str(failure)),
            503,
            {"Retry-After": str(SECONDS_TO_RETRY)},
        )
    if counts["rejected"] == len(outcomes):
        text = f"No row was accepted; the first: {rows[0].reason}."
        return json_answer(FailedOutcomes(**found, error=text), 422)
    return json_answer(Outcomes(**found))
