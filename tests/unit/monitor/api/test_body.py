"""Bodies that are large, slow, packed, or many at a time."""

import asyncio
import gzip
import io
import json
import zlib

import pytest

from roclab.monitor.api import body
from roclab.monitor.settings import Limits

PATH = "/v1/predictions?model=credit"
GZIP = {"Content-Encoding": "gzip"}


def rows(count=1, *, first=0):
    return json.dumps([{"id": str(first + one), "score": 0.5} for one in range(count)]).encode()


class TestSize:
    LIMIT = 10_000

    @pytest.fixture
    def small(self, make_client):
        return make_client(limits=Limits(body=self.LIMIT))

    def refused(self, answer):
        assert answer.status_code == 413
        assert answer.json()["error"] == (
            "The body has more than 10,000 bytes. Send smaller batches, or raise body in [limits]."
        )

    def test_the_largest_is_accepted(self, small):
        answer = small.post(PATH, content=rows().ljust(self.LIMIT))
        assert answer.json()["accepted"] == 1

    def test_more_is_refused_by_its_length_before_it_is_read(self, small):
        async def unreadable():
            raise AssertionError("it was read")
            yield b""

        sent = {"Content-Length": str(self.LIMIT + 1)}
        self.refused(small.post(PATH, content=unreadable(), headers=sent))

    def test_more_is_refused_while_it_is_read(self, small):
        read = 0

        async def parts():
            nonlocal read
            for _ in range(1_000):
                read += 1000
                yield b" " * 1000

        self.refused(small.post(PATH, content=parts()))
        assert read <= self.LIMIT + 1000

    def test_a_length_that_lies_does_not_help(self, small):
        async def parts():
            yield b" " * (self.LIMIT + 1)

        self.refused(small.post(PATH, content=parts(), headers={"Content-Length": "10"}))


class TestGzip:
    def test_bombs_are_not_unpacked(self, make_client):
        client = make_client(limits=Limits(body=100_000))
        bomb = gzip.compress(b" " * 50_000_000)
        assert len(bomb) < 100_000
        answer = client.post(PATH, content=bomb, headers=GZIP)
        assert answer.status_code == 413

    def test_the_largest(self, make_client):
        client = make_client(limits=Limits(body=100_000))
        answer = client.post(PATH, content=gzip.compress(rows().ljust(100_000)), headers=GZIP)
        assert answer.status_code == 200
        answer = client.post(PATH, content=gzip.compress(rows().ljust(100_001)), headers=GZIP)
        assert answer.status_code == 413

    @pytest.mark.parametrize(
        "content",
        [
            rows(),
            b"",
            gzip.compress(rows())[:-1],
            gzip.compress(rows())[:5],
            gzip.compress(rows()) + b"x",
            gzip.compress(rows()) * 2,
            zlib.compress(rows()),
            b"\x1f\x8b" + b"\xff" * 100,
            gzip.compress(rows())[:-4] + b"\0\0\0\0",
        ],
        ids=range(9),
    )
    def test_what_is_not_gzip(self, client, content):
        answer = client.post(PATH, content=content, headers=GZIP)
        assert answer.status_code == 422
        assert "gzip" in answer.json()["error"]
        assert client.service.installation.models == {}

    @pytest.mark.parametrize("name", ["GZIP", " gzip ", "x-gzip"])
    def test_names(self, client, name):
        sent = {"Content-Encoding": name}
        assert client.post(PATH, content=gzip.compress(rows()), headers=sent).status_code == 200

    @pytest.mark.parametrize("name", ["deflate", "br", "zstd", "gzip, gzip", "identity, gzip", ""])
    def test_others_are_refused(self, client, name):
        answer = client.post(PATH, content=rows(), headers={"Content-Encoding": name})
        assert answer.status_code == 415
        assert answer.headers["Accept-Encoding"] == "gzip"


class TestSlow:
    @pytest.fixture(autouse=True)
    def _soon(self, monkeypatch):
        monkeypatch.setattr(body, "_FIRST_SECONDS", 0.3)
        monkeypatch.setattr(body, "_FEWEST_BYTES", 10_000)

    async def drip(self, part, pause):
        while True:
            yield part
            await asyncio.sleep(pause)

    def test_a_body_that_drips_is_refused(self, client):
        answer = client.post(PATH, content=self.drip(b" ", 0.01))
        assert answer.status_code == 408
        assert "took too long" in answer.json()["error"]

    def test_a_body_that_does_not_come_is_refused(self, client):
        answer = client.post(PATH, content=self.drip(b"", 60))
        assert answer.status_code == 408

    def test_a_large_one_has_more_time(self, client):
        async def steady():
            for _ in range(12):
                yield b" " * 20_000  # 400,000 a second, where 10,000 are enough
                await asyncio.sleep(0.05)
            yield rows()

        assert client.post(PATH, content=steady()).json()["accepted"] == 1


class TestMany:
    def test_all_together_hold_a_few_times_the_largest(self, make_client):
        client = make_client(limits=Limits(body=10_000))
        go_on = asyncio.Event()

        async def held(place):
            yield rows(first=place).ljust(9_000)
            await go_on.wait()

        async def ask():
            waiting = [
                asyncio.create_task(client.asking("POST", PATH, content=held(place)))
                for place in range(4)
            ]
            await asyncio.sleep(0.05)
            refused = await client.asking("POST", PATH, content=rows().ljust(9_000))
            health = await client.asking("GET", "/healthz")
            go_on.set()
            answers = await asyncio.gather(*waiting)
            later = await client.asking("POST", PATH, content=rows(first=9).ljust(9_000))
            return refused, health, answers, later

        refused, health, answers, later = client.run(ask())
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "1")
        assert health.status_code == 200
        assert [one.json()["accepted"] for one in answers] == [1, 1, 1, 1]
        assert later.json()["accepted"] == 1
        assert client.context.intake._held == 0

    def test_nothing_is_held_after_failures(self, make_client):
        client = make_client(limits=Limits(body=10_000))
        for content in (b"[", b" " * 10_001, io.BytesIO(b"x" * 5000)):
            client.post(PATH, content=content if isinstance(content, bytes) else content.read())
        client.post(PATH, content=b"x", headers=GZIP)
        assert client.context.intake._held == 0
