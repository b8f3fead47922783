"""A monitor that a browser visits: a real server, on a clock that tests set."""

import json
import socket
import threading
import time
import urllib.error
import urllib.request
from dataclasses import replace
from datetime import timedelta

import numpy as np
import uvicorn

from roclab.monitor.api.app import application
from roclab.monitor.api.connection import Connection
from roclab.monitor.rules import parse_condition
from roclab.monitor.schema import Label, Prediction
from roclab.monitor.service import Service
from roclab.monitor.settings import ModelSettings, RuleSettings, ServerSettings, Settings
from roclab.streaming.calendar import as_datetime
from tests.unit.monitor.fleet import DAY, HOUR, START, World, maker

DAYS = 40
NOW = START + DAYS * DAY + 6 * HOUR
DEADLINE = 30.0  # seconds, for whatever is waited for

SETTINGS = Settings(
    model={
        "challenger": ModelSettings(challenger_of="fraud"),
        "churn": ModelSettings(horizon=timedelta(days=30)),
    },
    rule=(
        RuleSettings(
            name="low", model="learner", condition=parse_condition("auc.low < 0.95"), lasting=50
        ),
    ),
)


def make_fleet(directory):
    """Models in all states: firing, pending, without data, learning, and one that is well."""
    world = World(directory, replace(SETTINGS, data=directory))
    fraud, credit = maker(count=120, broken_from=30), maker(1, count=90)
    small = {
        "silent": (maker(2, count=40), range(5)),
        "learner": (maker(3, count=80), range(30, DAYS)),
    }
    for day in range(DAYS):
        end = START + (day + 1) * DAY
        fed = {"fraud": fraud(day), "credit": credit(day)}
        fed |= {name: make(day) for name, (make, days) in small.items() if day in days}
        for name, (rows, labels) in fed.items():
            world.predict(name, rows, end - 1)
            if name == "fraud" and day < 12:
                world.predict("challenger", [noisier(row) for row in rows], end - 1)
            known = [
                Label(row.id, bool(label), row.time + HOUR)
                for row, label in zip(rows, labels, strict=True)
            ]
            world.label(name, known, end - 1)
        if day == 29:
            with world.store.transaction():
                number = world.installation.models["fraud"].record.number
                world.store.add_deployment(number, "2.1", end - 2 * HOUR, "a new feature")
        if day == DAYS - 1:
            # Labels that are late: no day of this model is mature.
            rows, labels = maker(4, count=60)(DAYS - 1)
            world.predict("churn", rows, end - 1)
            early = zip(rows[:45], labels[:45], strict=True)
            world.label("churn", [Label(r.id, bool(one), r.time) for r, one in early], end - 1)
        world.tick(end + 5)
    world.store.close()


def noisier(row):
    """The same case as a challenger scores it."""
    noise = int.from_bytes(row.id[:4], "big") / 2**32
    return row._replace(score=0.7 * row.score + 0.3 * noise)


class Server(uvicorn.Server):
    """Ends streams of news, which would go on for ever, before it ends."""

    def __init__(self, app):
        super().__init__(
            uvicorn.Config(app, http=Connection, ws="none", log_config=None, access_log=False)
        )
        self._context = app.state.context

    async def shutdown(self, sockets=None):
        self._context.stopping.set()
        await super().shutdown(sockets)


class Monitored:
    """A monitor of a directory, at a free port of this machine.

    Parameters
    ----------
    directory : Path
        Directory of the store.
    settings : Settings
        Settings; those of the fleet if none are given.
    now : int or None
        What its clock shows, in microseconds since 1970; the real time if None.
    """

    def __init__(self, directory, settings=SETTINGS, now=NOW):
        self.settings = replace(settings, data=directory)
        self.now = now
        self.port = 0
        self.service = self._server = self._thread = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        """Begin to serve, at the same address as before."""
        listening = socket.create_server(("127.0.0.1", self.port))
        self.port = listening.getsockname()[1]
        server = replace(self.settings.server, host="127.0.0.1", port=self.port)
        settings = replace(self.settings, server=server)
        self.service = Service(settings, clock=self._clock, environment={})
        self._server = Server(application(settings, self.service))
        self._thread = threading.Thread(target=self._server.run, args=([listening],))
        self._thread.start()
        eventually(lambda: self._server.started)

    def stop(self):
        """Cease to serve."""
        if self._thread is not None:
            self._server.should_exit = True
            self._thread.join(DEADLINE)
            assert not self._thread.is_alive()
            self._thread = None

    def _clock(self):
        return time.time_ns() // 1000 if self.now is None else self.now

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def ask(self, method, path, content=None, token=None):
        """Send a request; return what is answered."""
        body = None if content is None else json.dumps(content).encode()
        headers = {"Content-Type": "application/json"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        request = urllib.request.Request(self.address + path, body, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=DEADLINE) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()) from None

    def get(self, path, token=None):
        return self.ask("GET", path, token=token)

    def send(self, model, rows, labels=None):
        """Let predictions, and labels of all of them, be written."""
        self.service.submit("predictions", model, rows).result(DEADLINE)
        if labels is not None:
            known = [Label(r.id, bool(one), r.time) for r, one in zip(rows, labels, strict=True)]
            self.service.submit("labels", model, known).result(DEADLINE)

    def pass_days(self, model, days, make):
        """Let days pass one by one, with predictions and labels, until they are judged."""
        for day in days:
            self.now = START + (day + 1) * DAY - HOUR
            self.send(model, *make(day))
            self.now = START + (day + 1) * DAY + HOUR
            self.service.call(lambda at: at.tick()).result(DEADLINE)


def rows_at(time, count=30, seed=0, region="north"):
    """Predictions of one moment, and labels."""
    rng = np.random.default_rng(seed)
    labels = rng.random(count) < 0.4
    scores = 1 / (1 + np.exp(-(rng.normal(size=count) + 1.5 * labels)))
    return [
        Prediction(rng.bytes(16), float(s), time, "v1", (("region", region),), None, None)
        for s in scores
    ], labels


def with_tokens(settings):
    """Settings with which requests from this machine need tokens too."""
    return replace(settings, server=ServerSettings(require_tokens=True))


def eventually(found, seconds=DEADLINE):
    """Ask until the answer is true; return it."""
    end = time.monotonic() + seconds
    while not (answer := found()):
        assert time.monotonic() < end, "it did not come to pass in time"
        time.sleep(0.02)
    return answer


class Visitor:
    """A person with a browser, who notices errors, requests elsewhere and breaches of the policy.

    Parameters
    ----------
    browser : Browser
        The browser.
    monitor : Monitored
        What is visited; the clock of the browser shows its time.
    expected : sequence of str
        Parts of messages of the console that are no problem.
    options
        Of the context, such as `viewport`.
    """

    def __init__(self, browser, monitor, *, expected=(), width=1200, height=900, **options):
        self.monitor, self.expected = monitor, expected
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, reduced_motion="reduce", **options
        )
        self.context.set_default_timeout(1000 * DEADLINE)
        self.problems, self.requests = [], []
        self.context.add_init_script(
            "addEventListener('securitypolicyviolation', (one) =>"
            " console.error(`policy: ${one.violatedDirective} ${one.blockedURI}`))"
        )
        self.set_clock()

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.context.close()
        if kind is None:
            elsewhere = [one for one in self.requests if not one.startswith(self.monitor.address)]
            problems = [*self.problems, *elsewhere]
            assert not problems, "\n".join(problems)

    def set_clock(self):
        """Let the browser have the time of the monitor."""
        if self.monitor.now is not None:
            self.context.clock.set_fixed_time(as_datetime(self.monitor.now))

    def open(self, path="/"):
        """Open an address in a new page, and wait until it is filled."""
        page = self.context.new_page()
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("request", self._asked)
        page.goto(self.monitor.address + path)
        filled(page)
        return page

    def _said(self, message):
        if message.type in ("error", "warning") and not any(
            one in message.text for one in self.expected
        ):
            self.problems.append(message.text)

    def _asked(self, request):
        if not request.url.startswith("blob:"):
            self.requests.append(request.url)


def filled(page):
    """Wait until a page shows what it was asked for; charts in sight are drawn in their turn."""
    page.wait_for_selector("main:not([aria-busy]) h1")
    charts = "[...document.querySelectorAll('.chart:not(details *)')]"
    until(page, f"{charts}.every((one) => one.querySelector('canvas'))")


def until(page, expression, argument=None):
    """Wait until an expression is true. Those of Playwright need a policy that allows `eval`."""
    end = time.monotonic() + DEADLINE
    while not (found := page.evaluate(expression, argument)):
        assert time.monotonic() < end, f"not in time: {expression}"
        page.wait_for_timeout(25)
    return found


def has_text(page, selector, text):
    """Wait until something contains a text."""
    page.locator(selector).filter(has_text=text).first.wait_for()
