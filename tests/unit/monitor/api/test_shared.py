"""Answers that are computed once for all who wait."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from roclab.monitor.api.shared import SharedAnswers


@pytest.fixture
def executor():
    with ThreadPoolExecutor(4) as made:
        yield made


def on_a_loop(coroutine):
    """Run it in a thread of its own: in this one, tests of pages may have left a loop running."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


class Counted:
    """A computation that counts, and waits to be let go."""

    def __init__(self):
        self.begun = 0
        self.go_on = threading.Event()

    def __call__(self):
        self.begun += 1
        assert self.go_on.wait(10)
        return str(self.begun).encode()


def test_a_thousand_questions_cost_as_much_as_two(executor):
    compute = Counted()

    async def ask():
        shared = SharedAnswers(executor)
        first = asyncio.create_task(shared.get("key", compute))
        while not compute.begun:
            await asyncio.sleep(0.001)
        others = [asyncio.create_task(shared.get("key", compute)) for _ in range(1000)]
        await asyncio.sleep(0)
        compute.go_on.set()
        return await first, await asyncio.gather(*others), shared

    first, others, shared = on_a_loop(ask())
    assert first == b"1"
    assert set(others) == {b"2"}
    assert compute.begun == 2
    assert not shared._running
    assert not shared._next


def test_an_answer_is_never_older_than_its_question(executor):
    value = 0

    async def ask():
        nonlocal value
        shared = SharedAnswers(executor)

        async def know_and_ask(at):
            nonlocal value
            await asyncio.sleep(at / 2000)
            value += 1
            known = value
            return known, int(await shared.get("key", lambda: str(value).encode()))

        return await asyncio.gather(*(know_and_ask(at) for at in range(300)))

    assert all(found >= known for known, found in on_a_loop(ask()))


def test_other_questions_are_answered_meanwhile(executor):
    compute = Counted()

    async def ask():
        shared = SharedAnswers(executor)
        slow = asyncio.create_task(shared.get("slow", compute))
        quick = await shared.get("quick", lambda: b"quick")
        compute.go_on.set()
        return quick, await slow

    assert on_a_loop(ask()) == (b"quick", b"1")


def test_failures_reach_all_who_wait_and_nobody_else(executor):
    compute = Counted()

    def fails():
        compute()
        raise ZeroDivisionError

    async def ask():
        shared = SharedAnswers(executor)
        asked = [asyncio.create_task(shared.get("key", fails)) for _ in range(3)]
        await asyncio.sleep(0.01)
        compute.go_on.set()
        failed = await asyncio.gather(*asked, return_exceptions=True)
        return failed, await shared.get("key", lambda: b"good")

    failed, good = on_a_loop(ask())
    assert [type(one) for one in failed] == [ZeroDivisionError] * 3
    assert good == b"good"


def test_one_who_leaves_does_not_take_the_answer_away(executor):
    compute = Counted()

    async def ask():
        shared = SharedAnswers(executor)
        asked = [asyncio.create_task(shared.get("key", compute)) for _ in range(4)]
        await asyncio.sleep(0.01)
        asked[0].cancel()
        asked[1].cancel()
        compute.go_on.set()
        return await asyncio.gather(*asked, return_exceptions=True)

    found = on_a_loop(ask())
    assert [type(one) for one in found[:2]] == [asyncio.CancelledError] * 2
    assert found[2:] == [b"2", b"2"]
