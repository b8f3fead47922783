"""The application of the monitor without a server, asked as by HTTP."""

import asyncio
import threading
import time

import httpx

from roclab.monitor.api.app import application
from roclab.monitor.service import Service

BASE = "http://127.0.0.1:8711"
LINES = {"Content-Type": "application/x-ndjson"}
DEADLINE = 30.0  # seconds, for whatever is waited for


class Client:
    """An application on a loop of its own, in a thread.

    Parameters
    ----------
    settings : Settings
        Its settings.
    address : str
        Where requests seem to come from.
    """

    def __init__(self, settings, address="127.0.0.1"):
        self.service = Service(settings, environment={})
        self.app = application(settings, self.service)
        self.context = self.app.state.context
        self._transport = httpx.ASGITransport(self.app, client=(address, 50_000))
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._lifespan = self.app.router.lifespan_context(self.app)

    def __enter__(self):
        self._thread.start()
        self.run(self._lifespan.__aenter__())
        return self

    def __exit__(self, *_):
        self.run(self._lifespan.__aexit__(None, None, None))
        self.run(self._loop.shutdown_default_executor())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def run(self, coroutine):
        """Run something on the loop."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(DEADLINE)

    def ask(self, method, path, *, token=None, headers=None, **content):
        """Send a request and return the answer."""
        return self.run(self.asking(method, path, token=token, headers=headers, **content))

    async def asking(self, method, path, *, token=None, headers=None, **content):
        """The same, to be awaited on the loop."""
        headers = {**(headers or {}), **({"Authorization": f"Bearer {token}"} if token else {})}
        async with httpx.AsyncClient(transport=self._transport, base_url=BASE) as client:
            return await client.request(method, path, headers=headers, timeout=None, **content)

    def get(self, path, **options):
        return self.ask("GET", path, **options)

    def post(self, path, **options):
        return self.ask("POST", path, **options)

    def delete(self, path, **options):
        return self.ask("DELETE", path, **options)

    def send(self, path, rows, status=200):
        """Send rows and return the outcomes."""
        answer = self.post(path, json=rows)
        assert answer.status_code == status, answer.text
        return answer.json()


class Blocked:
    """Keeps the writing thread from writing, until it is let go."""

    def __init__(self, service):
        self._service = service
        self._go_on = threading.Event()

    def __enter__(self):
        reached = threading.Event()

        def wait(_):
            reached.set()
            assert self._go_on.wait(DEADLINE)

        self._service.call(wait)
        assert reached.wait(DEADLINE)
        return self

    def __exit__(self, *_):
        self._go_on.set()


def eventually(found, seconds=DEADLINE):
    """Ask until the answer is true; return it."""
    end = time.monotonic() + seconds
    while not (answer := found()):
        assert time.monotonic() < end, "it did not come to pass in time"
        time.sleep(0.01)
    return answer


class Stream:
    """An answer that goes on, read part by part.

    Parameters
    ----------
    client : Client
        The application.
    path : str
        What is asked for.
    token : str, optional
        The token.
    headers : mapping, optional
        Further headers.
    """

    def __init__(self, client, path, *, token=None, headers=None):
        self._client, self._path = client, path
        self._headers = {"Host": "127.0.0.1", **(headers or {})}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"
        self.status = self.failure = None
        self.text = ""
        self.ended = threading.Event()
        self._begun = threading.Event()
        self.may_read = threading.Event()  # cleared, the reader does not read on
        self.may_read.set()

    def __enter__(self):
        self._client.run(self._begin())
        assert self._begun.wait(DEADLINE)
        return self

    def __exit__(self, *_):
        self._client.run(self._leave())
        assert self.ended.wait(DEADLINE)

    async def _begin(self):
        self._gone = asyncio.Event()
        self._task = asyncio.create_task(self._answer())

    async def _answer(self):
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "GET",
            "path": self._path,
            "raw_path": self._path.encode(),
            "query_string": b"",
            "root_path": "",
            "scheme": "http",
            "headers": [(k.lower().encode(), v.encode()) for k, v in self._headers.items()],
            "client": ("127.0.0.1", 50_000),
            "server": ("127.0.0.1", 8711),
        }
        sent = False

        async def receive():
            nonlocal sent
            if not sent:
                sent = True
                return {"type": "http.request", "body": b"", "more_body": False}
            await self._gone.wait()
            return {"type": "http.disconnect"}

        async def send(message):
            if message["type"] == "http.response.start":
                self.status = message["status"]
                self._begun.set()
            else:
                while not self.may_read.is_set():
                    await asyncio.sleep(0.005)
                self.text += message.get("body", b"").decode()

        try:
            await self._client.app(scope, receive, send)
        except Exception as error:
            self.failure = error
        finally:
            self.ended.set()
            self._begun.set()

    async def _leave(self):
        self._gone.set()
        await asyncio.wait([self._task])

    def events(self):
        """Kind, id and data of the events so far."""
        found = []
        for part in self.text.split("\n\n"):
            fields = dict(line.split(": ", 1) for line in part.splitlines() if line[:1] != ":")
            if "event" in fields:
                found.append((fields["event"], fields["id"], fields["data"]))
        return found
