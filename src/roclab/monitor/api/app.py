"""The application: routes, errors and headers."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from fastapi import Depends, FastAPI, Query, Request, Response
from fastapi.openapi.utils import get_openapi
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from roclab import __version__
from roclab.errors import InputError
from roclab.inference.estimation.joint_estimate import Estimate
from roclab.inference.intervals.auc import interval_of_estimate
from roclab.monitor import answers
from roclab.monitor.api.access import Access
from roclab.monitor.api.metrics import metrics_text
from roclab.monitor.calendar import microseconds
from roclab.monitor.cohorts import Reading
from roclab.monitor.delivery import DeliveryError
from roclab.monitor.schema import (
    Checker,
    DeploymentRow,
    LabelRow,
    PredictionRow,
    Refused,
    Rejected,
    SummaryRow,
    decode,
)
from roclab.monitor.service import BusyError, Service
from roclab.monitor.settings import Settings
from roclab.monitor.store.database import StoreError

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_KEEP_ALIVE = 15.0  # seconds


class ActRow(msgspec.Struct, forbid_unknown_fields=True):
    """What a person does, and why."""

    kind: Literal["mute", "unmute", "close", "rebase", "note"]
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]
    stream: Annotated[int, msgspec.Meta(ge=0, lt=2**62)] | None = None
    alert: Annotated[int, msgspec.Meta(ge=0, lt=2**62)] | None = None
    until: str | None = None


_BODIES: dict[str, tuple[type, str]] = {
    "/v1/predictions": (PredictionRow, "Predictions, with their labels if they are known"),
    "/v1/labels": (LabelRow, "Labels of predictions"),
    "/v1/summaries": (SummaryRow, "Finished cohorts that were computed elsewhere"),
    "/v1/deployments": (DeploymentRow, "Versions that were deployed"),
    "/v1/models/{model}/acts": (ActRow, "What a person does, and why"),
}


def create_app(settings: Settings) -> FastAPI:
    """The monitor as an ASGI application.

    Parameters
    ----------
    settings : Settings
        Settings of the installation; secrets of channels come from the environment.

    Returns
    -------
    FastAPI
        The application. It opens the store when it starts, and closes it when it ends.
    """
    return application(settings, None)


def application(settings: Settings, service: Service | None) -> FastAPI:
    """The application, of a service that was made already or makes its own."""
    chosen = settings
    made: list[Service] = [] if service is None else [service]

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        if not made:
            made.append(Service(chosen, environment=dict(os.environ)))
        made[0].start()
        try:
            yield
        finally:
            stopping.set()
            await run_in_threadpool(made.pop().stop)

    stopping = asyncio.Event()
    app = FastAPI(
        title="roclab monitor",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/v1/openapi.json",
    )
    access = Access(chosen, lambda: made[0])
    checker = Checker(chosen.limits)
    reads, writes, acts_as_admin = (
        [Depends(access.needs(scope))] for scope in ("read", "write", "admin")
    )

    def service_now() -> Service:
        return made[0]

    app.add_middleware(_Headers)

    @app.exception_handler(InputError)
    def refused(_: Request, error: InputError) -> Response:
        status = 404 if str(error).startswith("There is no") else 422
        return _json({"error": str(error)}, status)

    @app.exception_handler(DeliveryError)
    def undelivered(_: Request, error: DeliveryError) -> Response:
        return _json({"error": str(error)}, 502)

    @app.exception_handler(StoreError)
    def unusable(_: Request, error: StoreError) -> Response:
        return _json({"error": str(error)}, 503, {"Retry-After": "5"})

    @app.exception_handler(BusyError)
    def busy(_: Request, error: BusyError) -> Response:
        return _json({"error": str(error)}, 429, {"Retry-After": str(error.retry_after)})

    @app.exception_handler(HTTPException)
    def known(_: Request, error: HTTPException) -> Response:
        return _json({"error": error.detail}, error.status_code, dict(error.headers or {}))

    # What comes in

    async def body_of(request: Request) -> bytes:
        """The body, read no further than the limit."""
        most = chosen.limits.body
        parts, size = [], 0
        async for part in request.stream():
            size += len(part)
            if size > most:
                raise HTTPException(
                    413,
                    f"The body has more than {most:,} bytes. Send smaller batches, or raise body "
                    "in [limits].",
                )
            parts.append(part)
        return b"".join(parts)

    async def ingest(request: Request, kind: Any, model: str | None) -> Response:
        rows = decode(await body_of(request), _BODIES[request.url.path][0], chosen.limits)
        now = service_now().installation.now()
        check = checker.prediction if kind == "predictions" else checker.label
        checked: list[Any] = []
        of_model: dict[str, list[int]] = {}
        for place, row in enumerate(rows):
            if isinstance(row, Rejected):
                checked.append(row)
                continue
            name = row.model or model
            refusal = _named(name, checker)
            checked.append(refusal if refusal is not None else check(row, now))
            if refusal is None:
                of_model.setdefault(str(name), []).append(place)
        outcomes: list[Any] = [row if isinstance(row, Rejected) else None for row in checked]
        waits: list[tuple[list[int], Any]] = []
        for name, places in of_model.items():
            good = [place for place in places if not isinstance(checked[place], Rejected)]
            if good:
                some = [checked[place] for place in good]
                waits.append((good, service_now().submit(kind, name, some)))
        for good, future in waits:
            found: list[Any] = await asyncio.wrap_future(future)
            for place, outcome in zip(good, found, strict=True):
                outcomes[place] = outcome
        return _outcomes(outcomes)

    @app.post("/v1/predictions", summary="Send predictions", dependencies=writes)
    async def predictions(request: Request, model: str | None = None) -> Response:
        return await ingest(request, "predictions", model)

    @app.post("/v1/labels", summary="Send labels", dependencies=writes)
    async def labels(request: Request, model: str | None = None) -> Response:
        return await ingest(request, "labels", model)

    @app.post("/v1/summaries", summary="Send finished cohorts", dependencies=writes)
    async def summaries(request: Request, model: str | None = None) -> Response:
        rows = decode(await body_of(request), SummaryRow, chosen.limits)
        outcomes = []
        for row in rows:
            if isinstance(row, Rejected):
                outcomes.append(row)
                continue
            outcomes.append(await _add_summary(service_now(), checker, row, row.model or model))
        return _outcomes(outcomes)

    @app.post("/v1/deployments", summary="Mark deployments", dependencies=writes)
    async def deployments(request: Request, model: str | None = None) -> Response:
        rows = decode(await body_of(request), DeploymentRow, chosen.limits)
        outcomes = []
        for row in rows:
            if isinstance(row, Rejected):
                outcomes.append(row)
                continue
            outcomes.append(await _add_deployment(service_now(), checker, row, row.model or model))
        return _outcomes(outcomes)

    # What is asked

    @app.get("/v1/models", summary="All models, trouble first", dependencies=reads)
    def models() -> Response:
        return _json({"models": answers.overview(service_now().installation)})

    @app.get("/v1/models/{model}", summary="One model", dependencies=reads)
    def one_model(model: str) -> Response:
        return _json(answers.model(service_now().installation, model))

    @app.delete("/v1/models/{model}", summary="Forget a model", dependencies=acts_as_admin)
    def forget_model(model: str) -> Response:
        answers.model_state(service_now().installation, model)
        service_now().call(lambda at: at.forget_model(model)).result()
        return _json({"forgotten": model})

    @app.delete("/v1/models/{model}/ids/{id}", summary="Forget an id", dependencies=acts_as_admin)
    def forget_id(model: str, id: str) -> Response:
        answers.model_state(service_now().installation, model)
        try:
            key = checker.identifier(id)
        except Refused as error:
            raise HTTPException(422, str(error)) from None
        if not service_now().call(lambda at: at.forget_id(model, key)).result():
            raise HTTPException(404, "There is no such id.")
        return _json({"forgotten": id})

    @app.get("/v1/models/{model}/history", summary="Readings of a stream", dependencies=reads)
    def history(
        model: str,
        segment: str = "",
        value: str = "",
        since: str | None = None,
        until: str | None = None,
    ) -> Response:
        return _json(
            answers.history(
                service_now().installation,
                model,
                segment=segment,
                value=value,
                since=-(2**62) if since is None else _time(since),
                until=2**62 if until is None else _time(until),
            )
        )

    @app.get("/v1/alerts", summary="Alerts, the newest first", dependencies=reads)
    def alerts(firing: bool = False) -> Response:
        return _json({"alerts": answers.alerts(service_now().installation, firing=firing)})

    @app.get("/v1/alerts/{number}", summary="One alert", dependencies=reads)
    def one_alert(number: Annotated[int, "number"]) -> Response:
        if not 0 <= number < 2**62:
            raise HTTPException(404, f"There is no alert {number}.")
        return _json(answers.one_alert(service_now().installation, number))

    @app.get(
        "/v1/events",
        summary="News as server-sent events",
        response_class=EventSourceResponse,
        dependencies=reads,
    )
    async def events(request: Request) -> AsyncIterator[ServerSentEvent]:
        feed = service_now().feed
        given = request.headers.get("last-event-id", "")
        last = int(given) if given.isdecimal() and len(given) < 16 else feed.last
        if last > feed.last:  # of a service before a restart
            last = 0
        woken = asyncio.Event()
        loop = asyncio.get_running_loop()
        leave = feed.listen(lambda: loop.call_soon_threadsafe(woken.set))
        try:
            yield ServerSentEvent(comment="connected", retry=2000)
            while not stopping.is_set() and not await request.is_disconnected():
                woken.clear()
                for number, one in feed.since(last):
                    last = number
                    yield ServerSentEvent(data=one, event=one["kind"], id=str(number))
                try:
                    await asyncio.wait_for(woken.wait(), _KEEP_ALIVE)
                except TimeoutError:
                    yield ServerSentEvent(comment="alive")
        finally:
            leave()

    # What people do

    @app.post("/v1/models/{model}/acts", summary="Mute, unmute, close, re-base or note")
    async def acts(model: str, request: Request) -> Response:
        caller = await access.needs("admin")(request)
        given = _act(await body_of(request))
        answers.model_state(service_now().installation, model)
        act = await asyncio.wrap_future(
            service_now().call(
                lambda at: at.act(given.pop("kind"), model=model, author=caller.name, **given)
            )
        )
        return _json(answers.act(act))

    @app.get("/v1/channels", summary="Channels", dependencies=reads)
    def channels() -> Response:
        return _json({"channels": service_now().channels})

    @app.post(
        "/v1/channels/{name}/test",
        summary="Send a test through a channel",
        dependencies=acts_as_admin,
    )
    def channel_test(name: str) -> Response:
        service_now().test_channel(name)
        return _json({"delivered": name})

    @app.get("/v1/tokens", summary="Tokens, without their secrets", dependencies=acts_as_admin)
    def tokens() -> Response:
        return _json({"tokens": [vars(one) for one in service_now().tokens()]})

    @app.post("/v1/tokens", summary="Create a token", dependencies=acts_as_admin)
    def create_token(
        name: Annotated[str, Query(min_length=1, max_length=100, pattern=r"^[\w .@-]+$")],
        scope: Annotated[str, Query(pattern="^(read|write|admin)$")],
    ) -> Response:
        return _json({"name": name, "secret": service_now().create_token(name, scope)})  # type: ignore[arg-type]

    @app.delete("/v1/tokens/{name}", summary="Revoke a token", dependencies=acts_as_admin)
    def revoke_token(name: str) -> Response:
        service_now().revoke_token(name)
        return _json({"revoked": name})

    # What machines ask

    @app.get("/healthz", summary="Whether the process answers")
    def healthz() -> Response:
        return _json({"status": "ok"})

    @app.get("/readyz", summary="Whether rows are written")
    def readyz() -> Response:
        one = service_now()
        return _json(
            {
                "status": "ok" if one.alive else "failing",
                "problem": one.problem,
                "waiting_rows": one.waiting,
                "sqlite": sqlite3.sqlite_version,
                "version": __version__,
            },
            200 if one.alive else 503,
        )

    @app.get("/metrics", summary="Metrics for Prometheus", dependencies=reads)
    def metrics() -> Response:
        return Response(metrics_text(service_now()), media_type="text/plain; version=0.0.4")

    app.openapi = lambda: _openapi(app)  # type: ignore[method-assign]
    return app


class _Headers:
    """Adds the headers that every answer has."""

    _pairs = tuple((name.lower().encode(), value.encode()) for name, value in _HEADERS.items())

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                known = {name for name, _ in message["headers"]}
                message["headers"] += [pair for pair in self._pairs if pair[0] not in known]
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)


async def _add_summary(
    service: Service, checker: Checker, row: SummaryRow, model: str | None
) -> Any:
    refusal = _named(model, checker)
    if refusal is not None:
        return refusal
    problem = _summary_problem(row)
    if problem is not None:
        return Rejected(problem)
    try:
        cohort = checker.time(row.cohort, service.installation.now())
        key = (
            ("", "")
            if row.segment is None
            else (checker.text(row.segment, "segment"), checker.text(row.value or "", "value"))
        )
    except Refused as error:
        return Rejected(str(error))
    reading = _summary_reading(row)
    return await asyncio.wrap_future(
        service.call(lambda at: at.add_summary(str(model), cohort, key, reading))
    )


def _summary_problem(row: SummaryRow) -> str | None:
    if not 0 <= row.auc <= 1:
        return f"auc is {row.auc}; a number from 0 to 1 is needed"
    if not (row.variance >= 0 and row.variance < 1):
        return f"variance is {row.variance}; a number from 0 to 1 is needed"
    if not (0 < row.n_pos < 2**53 and 0 < row.n_neg < 2**53):
        return "n_pos and n_neg must be at least 1"
    if row.n is not None and not row.n_pos + row.n_neg <= row.n < 2**53:
        return "n must be at least n_pos + n_neg"
    return None


def _summary_reading(row: SummaryRow) -> Reading:
    n = row.n_pos + row.n_neg
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
    return Reading(
        n=n if row.n is None else row.n,
        n_labelled=n,
        n_pos=row.n_pos,
        n_neg=row.n_neg,
        auc=row.auc,
        low=interval.low,
        high=interval.high,
        standard_error=row.variance**0.5,
        positive_rate=row.n_pos / n,
        mean_score=row.mean_score,
        source="summary",
    )


async def _add_deployment(
    service: Service, checker: Checker, row: DeploymentRow, model: str | None
) -> Any:
    refusal = _named(model, checker)
    if refusal is not None:
        return refusal
    now = service.installation.now()
    try:
        version = checker.text(row.version, "version")
        time = now if row.time is None else checker.time(row.time, now)
        note = checker.text(row.note, "note") if row.note else ""
    except Refused as error:
        return Rejected(str(error))

    def add(at: Any) -> str:
        state = answers.model_state(at, str(model))
        known = at.store.add_deployment(state.record.number, version, time, note)
        return "accepted" if known else "duplicate"

    return await asyncio.wrap_future(service.call(add))


def _named(name: str | None, checker: Checker) -> Rejected | None:
    if not name:
        return Rejected("no model; name it in each row, or in the address: ?model=credit")
    try:
        checker.text(name, "model")
    except Refused as error:
        return Rejected(str(error))
    return None


def _act(body: bytes) -> dict[str, Any]:
    try:
        row = msgspec.json.decode(body, type=ActRow)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise HTTPException(422, f"The body is no act: {error}") from None
    until = None if row.until is None else _time(row.until)
    if row.kind == "mute" and until is None:
        raise HTTPException(422, "A mute needs its end: until.")
    if row.kind == "close" and row.alert is None:
        raise HTTPException(422, "Which alert? Name its number.")
    return {
        "kind": row.kind,
        "reason": row.reason,
        "stream": row.stream,
        "alert": row.alert,
        "until": until,
    }


def _time(text: str) -> int:
    try:
        return microseconds(datetime.fromisoformat(text))
    except (ValueError, OverflowError):
        raise HTTPException(422, f"{text[:60]!a} is no time; ISO 8601 is needed.") from None


def _outcomes(outcomes: list[Any]) -> Response:
    counts = {"accepted": 0, "duplicate": 0, "corrected": 0, "rejected": 0}
    rows = []
    for place, outcome in enumerate(outcomes):
        if isinstance(outcome, Rejected):
            counts["rejected"] += 1
            rows.append({"row": place, "outcome": "rejected", "reason": outcome.reason})
        else:
            counts[outcome] += 1
            if outcome != "accepted":
                rows.append({"row": place, "outcome": outcome})
    status = 422 if counts["rejected"] == len(outcomes) else 200
    return _json({**counts, "rows": rows}, status)


def _json(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(
        msgspec.json.encode(content), status, headers=headers, media_type="application/json"
    )


def _openapi(app: FastAPI) -> dict[str, Any]:
    """The schema, with the bodies that are decoded row by row."""
    if app.openapi_schema is None:
        schema = get_openapi(title=app.title, version=app.version, routes=app.routes)
        kinds = [kind for kind, _ in _BODIES.values()]
        _, components = msgspec.json.schema_components(
            kinds, ref_template="#/components/schemas/{name}"
        )
        schema.setdefault("components", {}).setdefault("schemas", {}).update(components)
        for path, (kind, words) in _BODIES.items():
            row = {"$ref": f"#/components/schemas/{kind.__name__}"}
            schema["paths"][path]["post"]["requestBody"] = {
                "description": words,
                "required": True,
                "content": {
                    "application/json": {
                        "schema": row
                        if kind is ActRow
                        else {"anyOf": [row, {"type": "array", "items": row, "minItems": 1}]}
                    },
                    "application/x-ndjson": {"schema": {"type": "string"}},
                },
            }
        app.openapi_schema = schema
    return app.openapi_schema
