"""What the page draws: columns over time, distributions, delays of labels, and comparisons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from fastapi import FastAPI, Response

from roclab.monitor import answers
from roclab.monitor.api.context import Context
from roclab.monitor.api.openapi import operation
from roclab.monitor.api.reading import FOREVER, time_of
from roclab.monitor.distributions import arrival, distributions
from roclab.monitor.installation import Installation
from roclab.monitor.series import series


def add_pictures(app: FastAPI, context: Context) -> None:
    """Add the routes."""

    async def answer(key: tuple[object, ...], make: Callable[[Installation], Any]) -> Response:
        content = await context.shared(key, lambda: msgspec.json.encode(make(context.installation)))
        return Response(content, media_type="application/json")

    described = operation(context, "read", errors=[404, 422, 503])

    @app.get("/v1/models/{model}/series", summary="Readings of all streams as columns", **described)
    async def columns(model: str, since: str | None = None, until: str | None = None) -> Response:
        begin = -FOREVER if since is None else time_of(since)
        end = FOREVER if until is None else time_of(until)
        return await answer(
            ("series", model, begin, end), lambda at: series(at, model, since=begin, until=end)
        )

    @app.get(
        "/v1/models/{model}/distributions",
        summary="ROC curve, scores and calibration, now and in the reference",
        **described,
    )
    async def shapes(model: str, segment: str = "", value: str = "") -> Response:
        return await answer(
            ("distributions", model, segment, value),
            lambda at: distributions(at, model, segment=segment, value=value),
        )

    @app.get("/v1/models/{model}/arrival", summary="Delays of labels, by class", **described)
    async def delays(model: str) -> Response:
        return await answer(("arrival", model), lambda at: arrival(at, model))

    @app.get(
        "/v1/models/{model}/comparison",
        summary="A challenger against its champion, after each cohort",
        **described,
    )
    async def compared(model: str) -> Response:
        return await answer(("comparison", model), lambda at: answers.comparison(at, model))
