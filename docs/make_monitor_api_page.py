"""Write reference/monitor_api.md from the OpenAPI description of the monitor.

Run it with ``python docs/make_monitor_api_page.py`` after a change of the routes; a test fails
while the page is behind.
"""

from __future__ import annotations

from dataclasses import fields
from datetime import timedelta
from pathlib import Path
from typing import Any

from roclab.monitor.api.app import create_app
from roclab.monitor.api.connection import Connection
from roclab.monitor.api.events import MOST_STREAMS
from roclab.monitor.settings import Limits, Settings
from roclab.monitor.store.events import MOST_NAMES

PAGE = Path(__file__).with_name("reference") / "monitor_api.md"

TOP = """\
<!-- Written by docs/make_monitor_api_page.py. Change the routes or the script, not this page. -->

# HTTP API of the monitor

`roclab monitor serve` listens at `http://127.0.0.1:8711`. The same description is at `GET
/v1/openapi.json`, for programs.

```text
curl --json '{"model": "credit", "id": "4711", "score": 0.83}' http://127.0.0.1:8711/v1/predictions
curl --json '{"model": "credit", "id": "4711", "label": 1}' http://127.0.0.1:8711/v1/labels
curl http://127.0.0.1:8711/v1/models/credit
```

## Rows

A body is a JSON object, a list of objects, or one object a line (`application/x-ndjson`); it may
be packed with gzip. A request may have rows of several models. The answer comes when the rows are
on the disk, and has an outcome for each:

| outcome | meaning |
|---|---|
| accepted | stored |
| duplicate | known already, and the same: sending again is safe |
| corrected | the label was another one; it is replaced, and the old one is kept with its time |
| rejected | refused, with the reason; other rows are not affected |
| failed | not stored, since the store failed; send it again |

`rows` lists all that were not simply accepted, by their places in the body from 0 on; empty lines
have none. The status is 200 if a row was accepted or known, 422 if all were rejected, and 503 if
some failed. After 429 nothing of the request is stored; send it again after `Retry-After`
seconds.

Ids are texts. A UUID with hyphens is the same id in upper case, in braces and as `urn:uuid:`; it
is shown in lower case. Texts that begin or end with a space, or hold control characters, are
refused. Names of models have no slashes. Of a field that an object names twice, the last value
counts.

## Tokens and scopes

At loopback the service answers this machine without tokens: requests for `localhost` or a
loopback address, which came neither through a proxy nor from a page of another site. Elsewhere,
and with `require_tokens`, each request needs `Authorization: Bearer …`, and the first token is
printed when the service starts for the first time. A scope allows what it says: `write` to send
rows, `read` to ask, and `admin` both, and to act. Tokens are kept as hashes, may expire, and are
created and revoked while the service runs, over HTTP or by `roclab monitor token`.

Where a proxy knows the users, `user_header` and `trusted_proxies` in `[server]` let it name them;
they have the scope `admin`. The proxy must replace that header, and pass on the host that `page`
in `[alerts]` names, so that requests of other sites' pages can be recognized.

## Errors

All errors have one shape, `{"error": "…"}`, with what is wrong and what to do; answers to rows
have their outcomes beside it. An unexpected failure is a 500 without details, which are in the
log: one JSON object a line, on standard error.

## Limits

| limit | default | refusal |
|---|--:|---|
"""

DEADLINES = """
Each is a setting in `[limits]`. These are fixed:

| what | bound |
|---|---|
| headers of a request | {seconds} s after the connection or the last answer, and 16 KiB |
| body of a request | 10 s, and a second more for each 64 KiB that have come; then 408 |
| bodies that are read or wait to be written, of all requests | 4 times `body`; then 429 |
| waiting for the disk | 60 s; then 503, and it is not known whether the rows will be stored |
| an answer that is not read on | {seconds} s, then the connection is closed |
| connections | {most}; of more, the one that has waited longest for a request is closed |
| streams of news | {streams}; then 503 |
| combinations of values of segments, and versions, of the installation | {names} of each; rows \
with others are stored without them, and `notes` says so of segments |

A connection that its client half-closes is taken as closed: rows that had come are stored, and
the answer is not sent.

`make test-security` attacks all routes by their description with schemathesis, and looks for
weaknesses in the code with bandit; `make audit` asks PyPI for known vulnerabilities of the
installed packages.

## News

`GET /v1/events` is a stream of server-sent events: `reading`, `alert`, `act` and `forgotten`,
with the model that they are about. `Last-Event-ID` resumes it. Who has missed too much, or comes
from before a restart of the service, gets the event `resync` instead, and should ask again for
what it shows. A stream ends when its token does.
"""

REFUSALS = {
    "body": "413",
    "batch": "422",
    "identifier": "the row is rejected",
    "models": "the row is rejected",
    "segments": "the row is rejected; if several rows have more, they are stored and not watched",
    "segment_values": "none: further values are stored and not watched, and `notes` says so",
    "waiting_rows": "429",
    "ahead": "the row is rejected",
    "pause": "the service does not start, or does not believe the clock",
}


def page() -> str:
    """The page as it should be."""
    found = create_app(Settings()).openapi()
    seconds = f"{Connection.SECONDS:g}"
    deadlines = DEADLINES.format(
        seconds=seconds, most=Connection.MOST, streams=MOST_STREAMS, names=f"{MOST_NAMES:,}"
    )
    limits = "".join(
        f"| `{one.name}` | {_shown(getattr(Limits(), one.name))} | {REFUSALS[one.name]} |\n"
        for one in fields(Limits)
    )
    routes = [
        _route(method, path, one, found["components"]["schemas"])
        for path, methods in found["paths"].items()
        for method, one in methods.items()
    ]
    return TOP + limits + deadlines + "\n## Routes\n\n" + "\n".join(routes)


def _shown(limit: Any) -> str:
    return f"{limit.total_seconds():g} s" if isinstance(limit, timedelta) else f"{limit:,}"


def _route(method: str, path: str, one: dict[str, Any], schemas: dict[str, Any]) -> str:
    scope = one.get("x-scope")
    lines = [
        f"### `{method.upper()} {path}`",
        "",
        f"{one['summary']}. " + (f"Scope: `{scope}`." if scope else "For everyone."),
        "",
    ]
    fields_of = [
        (f"`{two['name']}` in the {two['in']}", two["schema"], two["required"])
        for two in one.get("parameters", ())
    ]
    body = one.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    if body is not None:
        row = body["anyOf"][0] if "anyOf" in body else body
        schema = schemas[row["$ref"].rpartition("/")[2]]
        fields_of += [
            (f"`{name}`", two, name in schema["required"])
            for name, two in schema["properties"].items()
        ]
    if fields_of:
        lines += ["| field | type | |", "|---|---|---|"]
        lines += [
            f"| {name} | {_type(schema)} | {_words(schema, required)} |"
            for name, schema, required in fields_of
        ]
        lines.append("")
    statuses = ", ".join(status for status in one["responses"] if status != "200")
    (media,) = one["responses"]["200"]["content"]
    lines += [f"Answers with `{media}`; errors: {statuses}.", ""]
    return "\n".join(lines)


def _type(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return ", ".join(f"`{one}`" for one in schema["enum"])
    if "anyOf" in schema:
        kinds = [_type(one) for one in schema["anyOf"]]
        return " or ".join(kind for kind in kinds if kind != "null")
    return str(schema["type"])


def _words(schema: dict[str, Any], required: bool) -> str:
    words = schema.get("description", "")
    return f"{words}, needed".lstrip(", ") if required else words


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
