"""What comes in beside rows: cohorts that were computed elsewhere, and marks of deployments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from fastapi import FastAPI, Request, Response

from roclab.errors import InputError
from roclab.inference.estimation.joint_estimate import Estimate
from roclab.inference.intervals.auc import interval_of_estimate
from roclab.monitor.api.context import Context
from roclab.monitor.api.ingest import ROWS_ANSWER, outcomes_answer
from roclab.monitor.api.openapi import operation
from roclab.monitor.cohorts import FEWEST, Reading
from roclab.monitor.installation import Installation
from roclab.monitor.schema import (
    Checker,
    DeploymentRow,
    Refused,
    Rejected,
    SummaryRow,
    decode,
)

Write = Callable[[Installation], Any]
_LARGEST = 2**53


def add_summaries(app: FastAPI, context: Context) -> None:
    """Add the routes of summaries and deployments."""

    @app.post(
        "/v1/summaries",
        summary="Send finished cohorts that were computed elsewhere",
        **operation(context, "write", **ROWS_ANSWER, body=SummaryRow),
    )
    async def summaries(request: Request, model: str | None = None) -> Response:
        return await _added(context, request, SummaryRow, _summary, model)

    @app.post(
        "/v1/deployments",
        summary="Mark deployments of versions",
        **operation(context, "write", **ROWS_ANSWER, body=DeploymentRow),
    )
    async def deployments(request: Request, model: str | None = None) -> Response:
        return await _added(context, request, DeploymentRow, _deployment, model)


async def _added(
    context: Context,
    request: Request,
    kind: type,
    check: Callable[[Checker, Any, str, int], Write],
    model: str | None,
) -> Response:
    """Add all rows in one transaction, each that is good."""

    def checked(body: bytes) -> list[Write | Rejected]:
        found: list[Write | Rejected] = []
        now = context.installation.now()
        for row in decode(body, kind, context.settings.limits):
            if isinstance(row, Rejected):
                found.append(row)
                continue
            try:
                name = context.checker.model(model if row.model is None else row.model)
                found.append(check(context.checker, row, name, now))
            except (Refused, InputError) as error:
                found.append(Rejected(str(error)))
        return found

    def write(at: Installation) -> list[Any]:
        return [one if isinstance(one, Rejected) else one(at) for one in rows]

    async with context.intake.body(request) as body:
        rows = await context.decoded(len(body), lambda: checked(body))
        good = any(not isinstance(row, Rejected) for row in rows)
        outcomes = await context.act(write) if good else rows
    return outcomes_answer(context, "summaries" if kind is SummaryRow else "deployments", outcomes)


def _summary(checker: Checker, row: SummaryRow, model: str, now: int) -> Write:
    _check_numbers(row)
    cohort = checker.time(row.cohort, now)
    key = ("", "")
    if row.segment is not None:
        key = (checker.text(row.segment, "segment"), checker.text(row.value or "", "value"))
    elif row.value is not None:
        raise Refused("value without a segment")
    reading = _reading(row)
    return lambda at: at.add_summary(model, cohort, key, reading)


def _check_numbers(row: SummaryRow) -> None:
    for name, count in (("n_pos", row.n_pos), ("n_neg", row.n_neg)):
        if not 0 <= count < _LARGEST:
            raise Refused(f"{name} is {count}; a number of rows is needed")
    if not row.n_pos + row.n_neg:
        raise Refused("n_pos and n_neg are 0; a finished cohort has labels")
    if row.n is not None and not row.n_pos + row.n_neg <= row.n < _LARGEST:
        raise Refused(f"n is {row.n}; at least n_pos + n_neg is needed")
    if row.auc is not None and not 0 <= row.auc <= 1:
        raise Refused(f"auc is {row.auc:g}; a number from 0 to 1 is needed")
    if row.variance is not None and not 0 <= row.variance < 1:
        raise Refused(f"variance is {row.variance:g}; a number from 0 to 1 is needed")
    if min(row.n_pos, row.n_neg) >= FEWEST and None in (row.auc, row.variance):
        raise Refused(f"auc and variance are needed with at least {FEWEST} of each class")


def _reading(row: SummaryRow) -> Reading:
    labelled = row.n_pos + row.n_neg
    reading = Reading(
        n=labelled if row.n is None else row.n,
        n_labelled=labelled,
        n_pos=row.n_pos,
        n_neg=row.n_neg,
        positive_rate=row.n_pos / labelled,
        mean_score=row.mean_score,
        source="summary",
    )
    if min(row.n_pos, row.n_neg) < FEWEST or row.auc is None or row.variance is None:
        return reading
    estimate = Estimate(
        measure="auc",
        value=row.auc,
        variance=row.variance,
        pos=row.n_pos,
        neg=row.n_neg,
        n_pos=row.n_pos,
        n_neg=row.n_neg,
    )
    interval = interval_of_estimate(estimate, "auto", 0.95, "two-sided")
    return replace(
        reading,
        auc=interval.value,
        low=interval.low,
        high=interval.high,
        standard_error=interval.standard_error,
    )


def _deployment(checker: Checker, row: DeploymentRow, model: str, now: int) -> Write:
    version = checker.text(row.version, "version")
    time = now if row.time is None else checker.time(row.time, now)
    note = checker.text(row.note, "note") if row.note else ""

    def add(at: Installation) -> str | Rejected:
        try:
            state = at.model_of(model)  # a deployment may come before the first prediction
        except InputError as error:
            return Rejected(str(error))
        known = not at.store.add_deployment(state.record.number, version, time, note)
        return "duplicate" if known else "accepted"

    return add
