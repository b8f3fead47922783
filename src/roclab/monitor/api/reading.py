"""What is asked: models, their histories, alerts and channels."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import msgspec
from fastapi import FastAPI, Response
from starlette.exceptions import HTTPException

from roclab.monitor import answers
from roclab.monitor.api.context import Context
from roclab.monitor.api.openapi import operation
from roclab.monitor.installation import Installation
from roclab.streaming.calendar import as_datetime, microseconds

FOREVER = 2**62
_ALERTS = 2**62


def add_reading(app: FastAPI, context: Context) -> None:
    """Add the routes that answer from what is known."""

    async def answer(key: tuple[object, ...], make: Callable[[Installation], Any]) -> Response:
        content = await context.shared(key, lambda: msgspec.json.encode(make(context.installation)))
        return Response(content, media_type="application/json")

    @app.get(
        "/v1/models",
        summary="All models, trouble first",
        **operation(context, "read", errors=[503]),
    )
    async def models() -> Response:
        return await answer(("models",), lambda at: {"models": answers.overview(at)})

    @app.get(
        "/v1/models/{model}",
        summary="One model: its streams, settings, rules, deployments and alerts",
        **operation(context, "read", errors=[404, 422, 503]),
    )
    async def one_model(model: str) -> Response:
        return await answer(("model", model), lambda at: answers.model(at, model))

    @app.get(
        "/v1/models/{model}/history",
        summary="Readings of a stream, as known now and as frozen",
        **operation(context, "read", errors=[404, 422, 503]),
    )
    async def history(
        model: str,
        segment: str = "",
        value: str = "",
        since: str | None = None,
        until: str | None = None,
    ) -> Response:
        begin = -FOREVER if since is None else time_of(since)
        end = FOREVER if until is None else time_of(until)
        return await answer(
            ("history", model, segment, value, begin, end),
            lambda at: answers.history(
                at, model, segment=segment, value=value, since=begin, until=end
            ),
        )

    @app.get(
        "/v1/alerts",
        summary="Alerts, the newest first",
        **operation(context, "read", errors=[422, 503]),
    )
    async def alerts(firing: bool = False) -> Response:
        return await answer(
            ("alerts", firing), lambda at: {"alerts": answers.alerts(at, firing=firing)}
        )

    @app.get(
        "/v1/alerts/{number}",
        summary="One alert, with its deliveries and acts",
        **operation(context, "read", errors=[404, 422, 503]),
    )
    async def one_alert(number: int) -> Response:
        if not 0 <= number < _ALERTS:
            raise HTTPException(404, f"There is no alert {number}.")
        return await answer(("alert", number), lambda at: answers.one_alert(at, number))

    @app.get("/v1/channels", summary="Names of the channels", **operation(context, "read"))
    async def channels() -> Response:
        return Response(
            msgspec.json.encode({"channels": context.service.channels}),
            media_type="application/json",
        )


def time_of(text: str) -> int:
    """A time of ISO 8601 in microseconds since 1970."""
    try:
        found = microseconds(datetime.fromisoformat(text))
        as_datetime(found)  # in UTC it may lie beyond the years that can be written
    except (ValueError, OverflowError):
        raise HTTPException(422, f"{text[:60]!a} is no time; ISO 8601 is needed.") from None
    return found
