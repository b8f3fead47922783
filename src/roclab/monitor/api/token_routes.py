"""Tokens: listed without their secrets, created and revoked while the service runs."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Annotated, Any, Literal

import msgspec
from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException

from roclab.monitor.api.context import Context
from roclab.monitor.api.errors import json_answer
from roclab.monitor.api.openapi import operation
from roclab.monitor.api.reading import time_of
from roclab.monitor.schema import plain_reason
from roclab.monitor.store.records import Token
from roclab.monitor.tokens import NAME
from roclab.streaming.calendar import iso


class TokenRow(msgspec.Struct, forbid_unknown_fields=True):
    """A token to be created."""

    name: Annotated[str, msgspec.Meta(pattern=NAME.pattern)]
    scope: Literal["read", "write", "admin"]
    expires: Annotated[str, msgspec.Meta(description="A time in ISO 8601")] | None = None


class TokenSecret(msgspec.Struct):
    """A token that was created; its secret is shown this once."""

    name: str
    scope: Literal["read", "write", "admin"]
    secret: str


_DECODER = msgspec.json.Decoder(TokenRow)


def add_tokens(app: FastAPI, context: Context) -> None:
    """Add the routes of tokens."""

    @app.get(
        "/v1/tokens",
        summary="Tokens, without their secrets",
        **operation(context, "admin"),
    )
    async def tokens() -> Response:
        return json_answer({"tokens": [_shown(one) for one in context.service.tokens()]})

    @app.post(
        "/v1/tokens",
        summary="Create a token",
        **operation(context, "admin", body=TokenRow, answer=TokenSecret),
    )
    async def create_token(request: Request) -> Response:
        async with context.intake.body(request) as body:
            try:
                row = _DECODER.decode(body)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                raise HTTPException(422, f"The body is no token: {plain_reason(error)}.") from None
        expires = None if row.expires is None else time_of(row.expires)
        if expires is not None and expires <= context.installation.now():
            raise HTTPException(422, "expires is in the past.")
        secret = await asyncio.to_thread(context.service.create_token, row.name, row.scope, expires)
        return json_answer(TokenSecret(row.name, row.scope, secret))

    @app.delete(
        "/v1/tokens/{name}",
        summary="Revoke a token",
        **operation(context, "admin", errors=[404, 422, 503]),
    )
    async def revoke_token(name: str) -> Response:
        await asyncio.to_thread(context.service.revoke_token, name)
        return json_answer({"revoked": name})


def _shown(token: Token) -> dict[str, Any]:
    times = {
        name: None if value is None else iso(value)
        for name, value in asdict(token).items()
        if name in ("created", "expires", "revoked")
    }
    return {"name": token.name, "scope": token.scope, **times}
