"""Errors: one shape for all of them, and the headers of every answer."""

from __future__ import annotations

import logging
from typing import Any

import msgspec
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import Match

from roclab.errors import InputError, RoclabError
from roclab.monitor.delivery import DeliveryError
from roclab.monitor.schema import UnknownError
from roclab.monitor.service import BusyError
from roclab.monitor.store.database import StoreError

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
NO_STORE = {"Cache-Control": "no-store"}  # unless a route says otherwise
SECONDS_TO_RETRY = 5  # after a failure of the store

log = logging.getLogger("roclab.monitor")


class SlowError(RoclabError):
    """Something has not been written after a long time."""


class ErrorAnswer(msgspec.Struct):
    """What is wrong, and what to do."""

    error: str


def json_answer(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """An answer in JSON."""
    return Response(
        msgspec.json.encode(content), status, headers=headers, media_type="application/json"
    )


def error_answer(text: str, status: int, headers: dict[str, str] | None = None) -> Response:
    """An error in the one shape."""
    return json_answer(ErrorAnswer(text), status, headers)


def failure_answer(error: Exception) -> Response:
    """The answer to an error that roclab raised on purpose."""
    if isinstance(error, UnknownError):
        return error_answer(str(error), 404)
    if isinstance(error, BusyError):
        return error_answer(str(error), 429, {"Retry-After": str(error.retry_after)})
    if isinstance(error, DeliveryError):
        return error_answer(str(error), 502)
    if isinstance(error, StoreError | SlowError):
        return error_answer(str(error), 503, {"Retry-After": str(SECONDS_TO_RETRY)})
    if isinstance(error, InputError):
        return error_answer(str(error), 422)
    raise error


def add_errors(app: FastAPI) -> None:
    """Let an application answer errors in the one shape."""
    app.add_middleware(_Shell)
    for kind in (InputError, DeliveryError, StoreError, BusyError, SlowError):
        app.add_exception_handler(kind, _of_roclab)
    app.add_exception_handler(HTTPException, _of_http)
    app.add_exception_handler(RequestValidationError, _of_parameters)


def _of_roclab(_: Request, error: Exception) -> Response:
    return failure_answer(error)


def _of_http(request: Request, error: Exception) -> Response:
    found: Any = error  # an HTTPException
    text, headers = str(found.detail), dict(found.headers or {})
    if found.status_code == 404 and text == "Not Found":
        text = "There is no such address. GET /v1/openapi.json lists all."
    if found.status_code == 405:
        text = "This address does not have that method. GET /v1/openapi.json lists all."
        headers["Allow"] = ", ".join(_methods(request))
    return error_answer(text, found.status_code, headers)


def _methods(request: Request) -> list[str]:
    """Methods of an address, of all its routes; Starlette names those of the first."""
    routes: list[Any] = [
        one for one in request.app.routes if one.matches(dict(request.scope))[0] is not Match.NONE
    ]
    return sorted({method for one in routes for method in one.methods})


def _of_parameters(_: Request, error: Exception) -> Response:
    found: Any = error  # a RequestValidationError
    first = found.errors()[0]
    name = ".".join(str(part) for part in first["loc"][1:])
    return error_answer(f"{name}: {first['msg']}.", 422)


def _encoded(headers: dict[str, str]) -> dict[bytes, bytes]:
    return {name.lower().encode(): value.encode() for name, value in headers.items()}


_SET, _ADDED = _encoded(HEADERS), _encoded(NO_STORE)


class _Shell:
    """Around all routes: sets headers of answers, and answers what nobody expected.

    Starlette answers unexpected errors outside of all middleware, without headers; so they are
    caught here.
    """

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def with_headers(message: Any) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                given = [pair for pair in message["headers"] if pair[0] not in _SET]
                added = (_SET | _ADDED).items()
                message["headers"] = given + [pair for pair in added if pair[0] not in dict(given)]
            await send(message)

        try:
            await self._app(scope, receive, with_headers)
        except ClientDisconnect:
            return  # nobody waits for an answer
        except Exception:
            if started:
                raise  # half an answer was sent: uvicorn logs it and closes the connection
            log.exception(
                "a request failed",
                extra={"method": scope["method"], "path": scope["path"][:200]},
            )
            answer = error_answer("The service failed; its log says why.", 500)
            await answer(scope, receive, with_headers)
