"""The page and its files: what is served, how, and that vendored files are what they were."""

import re
from hashlib import sha256
from importlib.resources import files

import pytest

from roclab.monitor.api.page import page_files

PAGE = files("roclab.monitor").joinpath("page")


def test_vendored_files_have_their_checksums_and_licence():
    vendor = PAGE.joinpath("vendor")
    sums = dict(
        line.split()[::-1] for line in vendor.joinpath("SHA256SUMS").read_text().splitlines()
    )
    assert set(sums) == {"uPlot.iife.min.js", "uPlot.min.css"}
    for name, expected in sums.items():
        assert sha256(vendor.joinpath(name).read_bytes()).hexdigest() == expected
    assert "MIT" in vendor.joinpath("uPlot.LICENSE").read_text()


def test_everything_together_is_less_than_200_kilobytes():
    known = page_files()
    assert sum(len(one.plain) for one in known.values()) < 200_000
    assert sum(len(one.packed) for one in known.values()) < 80_000


def test_the_files_that_the_page_names_exist():
    known = page_files()
    named = set(re.findall(r'"/static/([\w.]+)"', known["index.html"].plain.decode()))
    for name, one in known.items():
        if name.endswith(".js") and not name.startswith("uPlot"):
            named |= set(re.findall(r'from "\./([\w.]+)"', one.plain.decode()))
    assert named <= set(known)
    own = {name for name in known if not name.endswith(".html")}
    assert own == named


def test_no_markup_is_made_of_texts():
    """Names of users come as text nodes only, and the policy allows no inline style or script."""
    for name, one in page_files().items():
        if name.startswith("uPlot"):
            continue
        text = one.plain.decode()
        assert not re.search(r"innerHTML|insertAdjacentHTML|outerHTML|document\.write|eval\(", text)
        assert not re.search(r"<script>|<style| style=|onclick=|javascript:", text), name


@pytest.mark.parametrize(
    "path", ["/", "/status", "/alerts", "/alerts/7", "/models/credit", "/models/a%20b/comparison"]
)
def test_every_address_is_the_page(client, path):
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "unsafe" not in answer.headers["content-security-policy"]


def test_files_are_compressed_and_known_again(client):
    first = client.get("/static/page.css", headers={"Accept-Encoding": "gzip"})
    assert first.headers["content-encoding"] == "gzip"
    tag = first.headers["etag"]
    assert client.get("/static/page.css", headers={"If-None-Match": tag}).status_code == 304
    plain = client.get("/static/page.css", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == page_files()["page.css"].plain == first.content


@pytest.mark.parametrize(
    "name",
    ["..%2fapp.py", "..%2f..%2fsettings.py", "vendor%2fSHA256SUMS", "nothing.js"],
)
def test_nothing_else_is_served(client, name):
    assert client.get(f"/static/{name}").status_code == 404
