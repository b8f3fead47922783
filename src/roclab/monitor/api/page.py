"""The page and its files, served from memory. They hold no data, so they need no token."""

from __future__ import annotations

import gzip
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException

from roclab.report.look import css_variables

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
# Addresses that the page understands by itself.
_ADDRESSES = (
    *("/", "/status", "/alerts", "/alerts/{number}"),
    *("/models/{model}", "/models/{model}/comparison"),
)


class PageFile(NamedTuple):
    """A file, as it is and compressed."""

    plain: bytes
    packed: bytes
    media: str
    tag: str


def page_files() -> dict[str, PageFile]:
    """All files of the page by their names, the colours and sizes of the look among them."""
    root = files("roclab.monitor").joinpath("page")
    found = {
        one.name: one.read_bytes()
        for folder in (root, root.joinpath("vendor"))
        for one in folder.iterdir()
        if one.is_file() and f".{one.name.rpartition('.')[2]}" in _TYPES
    }
    found["look.css"] = css_variables().encode()
    return {name: _page_file(name, content) for name, content in found.items()}


def _page_file(name: str, content: bytes) -> PageFile:
    tag = f'"{sha256(content).hexdigest()[:20]}"'
    packed = gzip.compress(content, 9, mtime=0)
    return PageFile(content, packed, _TYPES[f".{name.rpartition('.')[2]}"], tag)


def add_page(app: FastAPI) -> None:
    """Add the page."""
    known = page_files()

    def answer(request: Request, name: str) -> Response:
        file = known.get(name)
        if file is None:
            raise HTTPException(404, "There is no such file.")
        headers = {"ETag": file.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == file.tag:
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            return Response(file.packed, headers=headers, media_type=file.media)
        return Response(file.plain, headers=headers, media_type=file.media)

    for address in _ADDRESSES:

        @app.get(address, include_in_schema=False)
        def page(request: Request) -> Response:
            return answer(request, "index.html")

    @app.get("/static/{name}", include_in_schema=False)
    def static(request: Request, name: str) -> Response:
        return answer(request, name)
