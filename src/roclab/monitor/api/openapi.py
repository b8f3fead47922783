"""The OpenAPI description: scopes, bodies that are decoded row by row, answers and errors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from roclab.monitor.api.body import TYPES
from roclab.monitor.api.context import Context
from roclab.monitor.api.errors import ErrorAnswer
from roclab.monitor.store.records import Scope

SECURITY = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "A token of roclab monitor token create. Without one, this machine itself "
        "may ask where the service listens at loopback, and users whom a trusted proxy names.",
    }
}
_WORDS = {
    401: "A token is needed, or the token is not valid",
    403: "The token has another scope, or a page of another site asks",
    404: "There is no such thing",
    408: "The body came too slowly",
    413: "The body is too large",
    415: "The body is neither JSON nor one object a line, or is packed otherwise than with gzip",
    422: "What was sent cannot be used",
    429: "Too much waits to be written; nothing of this request was",
    500: "The service failed",
    502: "The channel did not accept it",
    503: "The store cannot be used",
}
_OF_A_BODY = (408, 413, 415, 422, 429, 503)
_PREFIX = "#/components/schemas/"


def operation(
    context: Context,
    scope: Scope | None,
    *,
    answer: type | None = None,
    media: str = "application/json",
    body: type | None = None,
    several: bool = False,
    errors: Iterable[int] = (),
    failures: Mapping[int, type] | None = None,
    quick: bool = False,
) -> dict[str, Any]:
    """What a route says about itself, and who may use it.

    Parameters
    ----------
    context : Context
        Checks the scope.
    scope : {"read", "write", "admin"} or None
        Scope that is needed; None for everyone.
    answer : type or None
        The answer; None if it is an object that is not described further.
    media : str
        Type of the answer.
    body : type or None
        The body of the request, if it has one.
    several : bool
        Whether the body may have several of them, in a list or one a line.
    errors : iterable of int
        Further statuses of errors.
    failures : mapping of int to type
        Statuses of errors whose answers say more.
    quick : bool
        Whether the route checks the scope and reads the model of the address by itself.

    Returns
    -------
    dict
        Keywords of the decorators of FastAPI.
    """
    failures = failures or {}
    context.types |= {ErrorAnswer, *failures.values()}
    context.types |= {kind for kind in (answer, body) if kind is not None}
    statuses = {*errors, *failures, 500}
    if scope is not None:
        statuses |= {401, 403}
    if body is not None:
        statuses |= set(_OF_A_BODY)
    schema = {"type": "object"} if answer is None else _schema(answer)
    good = {
        "description": "Done",
        "content": {media: {"schema": schema if media == "application/json" else _TEXT}},
    }
    extra: dict[str, Any] = {"security": [] if scope is None else [{"token": []}]}
    if scope is not None:
        extra["x-scope"] = scope
    if body is not None:
        extra["requestBody"] = _request(body, several=several)
    if quick:
        extra["parameters"] = [_MODEL]
    return {
        "dependencies": [] if scope is None or quick else [context.needs(scope)],
        "responses": {200: good}
        | {
            status: {
                "description": _WORDS[status],
                "content": {
                    "application/json": {
                        "schema": {"anyOf": [_schema(failures[status]), _schema(ErrorAnswer)]}
                        if status in failures
                        else _schema(ErrorAnswer)
                    }
                },
            }
            for status in sorted(statuses)
        },
        "openapi_extra": extra,
    }


_TEXT = {"type": "string"}
_MODEL = {
    "name": "model",
    "in": "query",
    "required": False,
    "schema": {"anyOf": [_TEXT, {"type": "null"}], "title": "Model"},
}


def _schema(kind: type) -> dict[str, Any]:
    return {"$ref": f"{_PREFIX}{kind.__name__}"}


def _request(kind: type, *, several: bool) -> dict[str, Any]:
    one = _schema(kind)
    in_json = {"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]} if several else one
    content: dict[str, Any] = {"application/json": {"schema": in_json}}
    if several:
        content[TYPES[1]] = {"schema": _TEXT}
    return {"required": True, "content": content}


def add_openapi(app: FastAPI, context: Context) -> None:
    """Let an application describe itself."""

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = get_openapi(title=app.title, version=app.version, routes=app.routes)
            parts = schema.setdefault("components", {})
            types = sorted(context.types, key=lambda kind: kind.__name__)
            _, parts["schemas"] = msgspec.json.schema_components(
                types, ref_template=f"{_PREFIX}{{name}}"
            )
            parts["securitySchemes"] = SECURITY
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]
