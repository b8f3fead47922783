"""What people do: mute, close, re-base, note, forget, and test a channel."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

import msgspec
from fastapi import FastAPI, Query, Request, Response
from starlette.exceptions import HTTPException

from roclab.monitor import answers
from roclab.monitor.api.access import Caller
from roclab.monitor.api.context import Context
from roclab.monitor.api.errors import json_answer
from roclab.monitor.api.openapi import operation
from roclab.monitor.api.reading import time_of
from roclab.monitor.installation import Installation
from roclab.monitor.schema import CONTROL, Refused, UnknownError, plain_reason

_Number = Annotated[int, msgspec.Meta(ge=0, lt=2**62)]


class ActRow(msgspec.Struct, forbid_unknown_fields=True):
    """What a person does, and why."""

    kind: Literal["mute", "unmute", "close", "rebase", "note"]
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]
    stream: _Number | None = None
    alert: _Number | None = None
    until: str | None = None


_DECODER = msgspec.json.Decoder(ActRow)


def add_acts(app: FastAPI, context: Context) -> None:
    """Add the routes by which people change something."""
    as_admin = context.needs("admin")

    @app.post(
        "/v1/models/{model}/acts",
        summary="Mute, unmute, close, re-base or note",
        **operation(context, "admin", body=ActRow, errors=[404]),
    )
    async def acts(model: str, request: Request, caller: Caller = as_admin) -> Response:
        async with context.intake.body(request) as body:
            row = _act(body)
            until = None if row.until is None else time_of(row.until)
            if row.kind == "mute" and until is not None and until <= context.installation.now():
                raise HTTPException(422, "The end of the mute has passed: until.")

            def act(at: Installation) -> Any:
                _check_known(at, model, row)
                return at.act(
                    row.kind,
                    model=model,
                    author=caller.name,
                    reason=row.reason,
                    stream=row.stream,
                    alert=row.alert,
                    until=until,
                )

            return json_answer(answers.act(await context.act(act)))

    @app.delete(
        "/v1/models/{model}",
        summary="Forget a model, with all that is known of it",
        **operation(context, "admin", errors=[404, 422, 503]),
    )
    async def forget_model(model: str) -> Response:
        def forget(at: Installation) -> None:
            answers.model_state(at, model)
            at.forget_model(model)

        await context.act(forget)
        return json_answer({"forgotten": model})

    # The id is no part of the path, since clients shorten paths that have dots in them.
    @app.delete(
        "/v1/models/{model}/ids",
        summary="Forget an id; readings that were frozen stay",
        **operation(context, "admin", errors=[404, 422, 503]),
    )
    async def forget_id(model: str, id: Annotated[str, Query()]) -> Response:
        try:
            key = context.checker.identifier(id)
        except Refused as error:
            raise HTTPException(422, f"{error}.") from None

        def forget(at: Installation) -> bool:
            answers.model_state(at, model)
            return at.forget_id(model, key)

        if not await context.act(forget):
            raise HTTPException(404, "There is no such id.")
        return json_answer({"forgotten": id})

    @app.post(
        "/v1/channels/{name}/test",
        summary="Send a test through a channel",
        **operation(context, "admin", errors=[404, 422, 502]),
    )
    async def channel_test(name: str) -> Response:
        await asyncio.to_thread(context.service.test_channel, name)
        return json_answer({"delivered": name})


def _act(body: bytes) -> ActRow:
    try:
        row = _DECODER.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise HTTPException(422, f"The body is no act: {plain_reason(error)}.") from None
    if CONTROL.search(row.reason.replace("\n", " ")):
        raise HTTPException(422, "The reason holds control characters.")
    if row.kind == "mute" and row.until is None:
        raise HTTPException(422, "A mute needs its end: until.")
    if row.kind == "close" and row.alert is None:
        raise HTTPException(422, "Which alert? Name its number.")
    return row


def _check_known(at: Installation, model: str, row: ActRow) -> None:
    """Refuse acts about what does not exist, which would do nothing and say nothing."""
    state = answers.model_state(at, model)
    streams = {one.record.number for one in state.streams.values()}
    if row.stream is not None and row.stream not in streams:
        raise UnknownError(found="There is no stream {number} of this model", number=row.stream)
    if row.alert is not None and not any(
        one.stream in streams for one in at.store.alerts(number=row.alert)
    ):
        raise UnknownError(found="There is no alert {number} of this model", number=row.alert)
