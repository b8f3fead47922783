"""What machines ask: whether the process lives, whether it writes, and its metrics."""

from __future__ import annotations

import sqlite3
from typing import Literal

import msgspec
from fastapi import FastAPI, Request, Response
from fastapi.responses import PlainTextResponse

from roclab import __version__
from roclab.monitor.api.context import Context
from roclab.monitor.api.errors import json_answer
from roclab.monitor.api.metrics import CONTENT_TYPE, metrics_text
from roclab.monitor.api.openapi import operation


class Readiness(msgspec.Struct, omit_defaults=True):
    """Whether rows are written; those with the scope `read` learn more."""

    status: Literal["ok", "failing"]
    waiting_rows: int
    error: str | None = None
    problem: str | None = None
    sqlite: str | None = None
    version: str | None = None


def add_health(app: FastAPI, context: Context) -> None:
    """Add the routes for machines."""

    @app.get("/healthz", summary="Whether the process answers", **operation(context, None))
    async def healthz() -> Response:
        return json_answer({"status": "ok"})

    @app.get(
        "/readyz",
        summary="Whether rows are written, and how many wait",
        **operation(context, None, answer=Readiness, failures={503: Readiness}),
    )
    async def readyz(request: Request) -> Response:
        service = context.service
        found = Readiness("ok", service.waiting)
        if not service.alive:
            found.status, found.error = "failing", "Rows are not written; the log says why."
        if context.access.allows(request, "read"):
            found.problem = service.problem or service.clock_problem
            found.sqlite, found.version = sqlite3.sqlite_version, __version__
        return json_answer(found, 200 if service.alive else 503)

    @app.get(
        "/metrics",
        summary="Metrics for Prometheus",
        response_class=PlainTextResponse,
        **operation(context, "read", media="text/plain", errors=[503]),
    )
    async def metrics() -> Response:
        content = await context.shared(("metrics",), lambda: metrics_text(context))
        return Response(content, media_type=CONTENT_TYPE)
