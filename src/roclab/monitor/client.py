"""The client: sends predictions and labels from a thread of its own, and never hurts the caller."""

from __future__ import annotations

import atexit
import http.client
import json
import logging
import math
import os
import random
import ssl
import threading
import time as clock
import weakref
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Self
from urllib.parse import quote, urlsplit

from roclab.errors import InputError
from roclab.result import Result

Kind = Literal["predictions", "labels"]
Row = tuple[Kind, str, dict[str, Any]]

_AT_ONCE = 5_000  # rows of a request
_PAUSE = 0.5  # seconds between two looks at the queue
_FIRST_RETRY, _LONGEST_RETRY = 0.5, 30.0  # seconds
_AT_EXIT = 5.0

log = logging.getLogger("roclab.monitor.client")
_clients: weakref.WeakSet[Client] = weakref.WeakSet()


@dataclass(frozen=True, kw_only=True, repr=False)
class ClientCounts(Result):
    """What became of the rows that were logged.

    Attributes
    ----------
    accepted : int
        Rows that the service has made durable, duplicates and corrections among them.
    rejected : int
        Rows that the service, or the client, refused; the log has the first reason.
    dropped : int
        Rows that were given up: the queue was full, or time ran out at the end.
    pending : int
        Rows that wait to be sent.
    """

    accepted: int
    rejected: int
    dropped: int
    pending: int


class Client:
    """Sends predictions and labels to a monitor, in the background.

    Rows wait in a bounded queue and are sent in batches by a thread of its own, again and again
    until the service has them; since ids are used once, a row that arrives twice counts once. What
    cannot be kept is counted, and said once in the log.

    Parameters
    ----------
    url : str
        Address of the service, such as ``"http://127.0.0.1:8711"``.
    token : str, optional
        Token with the scope ``write``.
    model : str, optional
        Model of rows that name none.
    max_pending : int, default 100000
        Rows that may wait; further ones are dropped.
    timeout : float, default 10
        Seconds that a request may take.
    raises : bool, default False
        Whether rows that cannot be sent raise: invalid ones, and those for which there is no room.

    Notes
    -----
    Rows are lost if the process is killed before they are sent, which is usually half a second;
    if the service is away for longer than the queue lasts; and if it is away when the process ends,
    after five seconds. After a fork, rows that wait are sent by the parent.

    Examples
    --------
    >>> with Client("http://127.0.0.1:8711", model="credit") as client:  # doctest: +SKIP
    ...     key = client.log_prediction(0.83, segments={"region": "north"})
    ...     client.log_label(key, True)
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        model: str | None = None,
        max_pending: int = 100_000,
        timeout: float = 10.0,
        raises: bool = False,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError(
                found="{url=}{value} is no address",
                needed="http or https is needed",
                fix='For example "http://127.0.0.1:8711".',
                value=repr(url),
            )
        self._secure = parts.scheme == "https"
        self._address = parts.hostname, parts.port
        self._path = parts.path.rstrip("/")
        self._headers = {"Content-Type": "application/x-ndjson"}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"
        self._model, self._most = model, max_pending
        self._timeout, self._raises = timeout, raises
        self._accepted = self._rejected = self._dropped = 0
        self._said: set[str] = set()
        self._closed = False
        self._begin()
        _clients.add(self)

    def _begin(self) -> None:
        """Begin with an empty queue and no thread: at first, and in the child of a fork."""
        self._rows: deque[Row] = deque()
        self._sending: list[Row] = []
        self._busy = False  # set before rows leave the queue, and after they have arrived
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._idle = threading.Condition()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._connection: http.client.HTTPConnection | None = None
        self._random = random.Random(os.urandom(16))

    # What callers do

    def log_prediction(
        self,
        score: float,
        *,
        id: str | None = None,
        model: str | None = None,
        time: datetime | float | str | None = None,
        version: str | None = None,
        segments: Mapping[str, str] | None = None,
        label: bool | int | None = None,
    ) -> str:
        """Log a prediction.

        Parameters
        ----------
        score : float
            Its score, finite; higher for the positive class.
        id : str, optional
            Its id, by which its label will come. By default a UUID of version 7.
        model : str, optional
            Its model; that of the client by default.
        time : datetime, float or str, optional
            When it was made: a date, in UTC if it has no zone, or seconds since 1970. By default
            now.
        version : str, optional
            Version of the model.
        segments : mapping of str to str, optional
            Segments it belongs to, such as ``{"region": "north"}``.
        label : bool or int, optional
            Its label, if it is known already.

        Returns
        -------
        str
            Its id.
        """
        now = clock.time()
        if id is None:
            id = self._new_id(now)
        row: dict[str, Any] = {"id": id, "score": score, "time": now if time is None else time}
        if version is not None:
            row["version"] = version
        if segments is not None:
            row["segments"] = segments
        if label is not None:
            row["label"] = label
        self._put("predictions", model, row)
        return id

    def log_label(
        self,
        id: str,
        label: bool | int,
        *,
        model: str | None = None,
        time: datetime | float | str | None = None,
    ) -> None:
        """Log the label of a prediction, in any order with it; a second one corrects the first.

        Parameters
        ----------
        id : str
            Id of the prediction.
        label : bool or int
            Its label: a boolean, 0 or 1.
        model : str, optional
            Its model; that of the client by default.
        time : datetime, float or str, optional
            When it became known. By default now.
        """
        row = {"id": id, "label": label, "time": clock.time() if time is None else time}
        self._put("labels", model, row)

    def log_frame(
        self,
        frame: Any,
        *,
        score: str,
        model: str | None = None,
        id: str | None = None,
        time: str | None = None,
        label: str | None = None,
        label_time: str | None = None,
        version: str | None = None,
        segments: Sequence[str] = (),
        wait: float = 60.0,
    ) -> list[str]:
        """Log the rows of a data frame of pandas or polars.

        Parameters
        ----------
        frame : DataFrame
            The rows; missing labels are not known yet.
        score : str
            Column of scores.
        model : str, optional
            Their model; that of the client by default.
        id, time, label, label_time, version : str, optional
            Columns of ids, times of predictions, labels, times of labels, and versions.
        segments : sequence of str
            Columns of segments. By default none.
        wait : float, default 60
            Seconds to wait for room in the queue, before rows are dropped.

        Returns
        -------
        list of str
            Their ids.
        """
        named = {"score": score, "id": id, "time": time, "label": label, "version": version}
        named["label_time"] = label_time
        columns = {key: _values(frame, name) for key, name in named.items() if name is not None}
        groups = {name: _values(frame, name) for name in segments}
        deadline = clock.monotonic() + wait
        ids: list[str] = []
        for place in range(len(columns["score"])):
            row = {key: values[place] for key, values in columns.items()}
            row = {key: value for key, value in row.items() if not _missing(value)}
            pairs = {name: values[place] for name, values in groups.items()}
            if pairs:
                row["segments"] = {
                    name: str(value) for name, value in pairs.items() if not _missing(value)
                }
            now = clock.time()
            row["id"] = str(row["id"]) if "id" in row else self._new_id(now)
            row.setdefault("time", now)
            row.setdefault("score", math.nan)  # refused below, and counted
            if "label" in row:
                row["label"] = int(row["label"])
            else:
                row.pop("label_time", None)
            while len(self._rows) >= self._most and clock.monotonic() < deadline:
                self._wake.set()
                clock.sleep(0.01)
            self._put("predictions", model, row)
            ids.append(row["id"])
        return ids

    def wrap(
        self, classifier: Any, *, model: str | None = None, version: str | None = None
    ) -> LoggedClassifier:
        """A classifier whose `predict_proba` is logged.

        Parameters
        ----------
        classifier : classifier
            A fitted binary classifier of scikit-learn.
        model : str, optional
            Its model; that of the client by default.
        version : str, optional
            Version of the model.

        Returns
        -------
        LoggedClassifier
            The classifier, with ids of its latest predictions.
        """
        return LoggedClassifier(classifier, self, model=model, version=version)

    def flush(self, *, timeout: float = 10.0) -> bool:
        """Wait until everything that was logged has been sent.

        Parameters
        ----------
        timeout : float, default 10
            Seconds to wait.

        Returns
        -------
        bool
            Whether nothing waits any more.
        """
        self._start()
        self._wake.set()
        with self._idle:
            return self._idle.wait_for(lambda: not self._rows and not self._busy, timeout)

    def close(self, *, timeout: float = _AT_EXIT) -> None:
        """Send what waits, and stop. What cannot be sent in time is dropped, and said in the log.

        Parameters
        ----------
        timeout : float, default 5
            Seconds to wait.
        """
        if self._closed:
            return
        if self._rows or self._busy:
            self.flush(timeout=timeout)
        self._closed = True
        self._stopping.set()
        self._wake.set()
        left = len(self._rows) + len(self._sending)
        if left:
            self._dropped += left
            self._rows.clear()
            self._sending = []
            log.warning("%d rows for %s were given up", left, self._address[0])

    @property
    def counts(self) -> ClientCounts:
        """What became of the rows so far."""
        return ClientCounts(
            accepted=self._accepted,
            rejected=self._rejected,
            dropped=self._dropped,
            pending=len(self._rows) + len(self._sending),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        scheme = "https" if self._secure else "http"
        host, port = self._address
        place = f"[{host}]" if ":" in host else host
        place += "" if port is None else f":{port}"
        return f"Client({scheme}://{place}{self._path}, {self.counts})"

    # The queue

    def _put(self, kind: Kind, model: str | None, row: dict[str, Any]) -> None:
        name = self._model if model is None else model
        if not name:
            self._refuse("rows have no model: pass model to the client or to the call")
            return
        if self._closed or len(self._rows) >= self._most:
            why = "the client is closed" if self._closed else "too many rows wait"
            self._dropped += 1
            self._complain(f"rows are dropped: {why}")
            return
        if self._raises:
            try:
                _line(name, row)
            except (TypeError, ValueError) as error:
                self._refuse(f"a row cannot be sent: {error}")
        self._rows.append((kind, name, row))
        if self._thread is None:
            self._start()
        elif len(self._rows) == _AT_ONCE:
            self._wake.set()

    def _refuse(self, why: str) -> None:
        self._rejected += 1
        self._complain(why)

    def _complain(self, why: str) -> None:
        """Say something once, or raise it if that is wanted."""
        if self._raises:
            raise InputError(found="{why}", why=f"{why[0].upper()}{why[1:]}")
        self._say(why)

    def _say(self, why: str) -> None:
        if why not in self._said and len(self._said) < 100:
            self._said.add(why)
            log.warning("%s (said once; client.counts goes on counting)", why)

    def _new_id(self, now: float) -> str:
        """A UUID of version 7: ordered by time, which is what the store likes best."""
        bits = self._random.getrandbits(74)
        found = f"{int(now * 1000) & 0xFFFF_FFFF_FFFF:012x}7{bits >> 62:03x}"
        rest = f"{(bits & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000:016x}"
        return f"{found[:8]}-{found[8:12]}-{found[12:]}-{rest[:4]}-{rest[4:]}"

    # The thread

    def _start(self) -> None:
        with self._lock:
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._run, name="roclab-client", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._wake.wait(_PAUSE)
            self._wake.clear()
            while self._rows and not self._stopping.is_set():
                self._busy = True
                count = min(len(self._rows), _AT_ONCE)
                self._sending = [self._rows.popleft() for _ in range(count)]
                for kind in ("predictions", "labels"):
                    self._send([row for row in self._sending if row[0] == kind], kind)
                if not self._stopping.is_set():
                    self._sending, self._busy = [], False
            with self._idle:
                self._idle.notify_all()
        if self._connection is not None:
            self._connection.close()

    def _send(self, rows: list[Row], kind: str) -> None:
        """Send rows until the service has answered for each of them."""
        lines = []
        for _, model, row in rows:
            try:
                lines.append(_line(model, row))
            except (TypeError, ValueError) as error:
                self._rejected += 1
                self._say(f"a row cannot be sent: {error}")
        self._send_lines(lines, kind)

    def _send_lines(self, lines: list[bytes], kind: str) -> None:
        pause = _FIRST_RETRY
        while lines and not self._stopping.is_set():
            status, after, content = self._post(f"/v1/{kind}", b"\n".join(lines))
            if status in (200, 422) and self._counted(content):
                return
            if status in (413, 422) and len(lines) > 1:  # too much at once for the service
                middle = len(lines) // 2
                self._send_lines(lines[:middle], kind)
                lines = lines[middle:]
                continue
            reason = content.get("error", "no answer")
            if status in (400, 413, 415, 422):
                self._rejected += len(lines)
                self._say(f"the service refuses rows: {reason}")
                return
            self._say(f"rows wait, since the service answers {status or 'nothing'}: {reason}")
            self._stopping.wait(max(after, pause * (0.5 + self._random.random() / 2)))
            pause = min(2 * pause, _LONGEST_RETRY)

    def _counted(self, content: dict[str, Any]) -> bool:
        """Count the outcomes of rows; False if there are none, as from a server of another kind."""
        names = ("rejected", "accepted", "duplicate", "corrected")
        rows = content.get("rows")
        if not all(type(content.get(n)) is int for n in names) or not isinstance(rows, list):
            return False
        self._rejected += content["rejected"]
        self._accepted += sum(content[name] for name in names[1:])
        for row in rows:
            if isinstance(row, dict) and row.get("outcome") == "rejected":
                self._say(f"the service refuses a row: {row.get('reason')}")
                break
        return True

    def _post(self, path: str, body: bytes) -> tuple[int, float, dict[str, Any]]:
        """Status, seconds to wait, and content of an answer; status 0 without one."""
        try:
            if self._connection is None:
                self._connection = self._connected()
            self._connection.request("POST", quote(self._path) + path, body, self._headers)
            answer = self._connection.getresponse()
            content = answer.read(16 * 2**20)
            after = answer.headers.get("Retry-After", "")
            found = json.loads(content)
        except (OSError, http.client.HTTPException, ValueError, RecursionError) as error:
            if self._connection is not None:
                self._connection.close()
            self._connection = None
            return 0, 0.0, {"error": str(error) or type(error).__name__}
        wait = min(float(after), _LONGEST_RETRY) if after.isdecimal() else 0.0
        return answer.status, wait, found if isinstance(found, dict) else {}

    def _connected(self) -> http.client.HTTPConnection:
        host, port = self._address
        if not self._secure:
            return http.client.HTTPConnection(host or "", port, timeout=self._timeout)
        return http.client.HTTPSConnection(
            host or "", port, timeout=self._timeout, context=ssl.create_default_context()
        )


class LoggedClassifier:
    """A classifier whose `predict_proba` is logged; everything else is that of the classifier.

    Parameters
    ----------
    classifier : classifier
        A fitted binary classifier of scikit-learn.
    client : Client
        Where predictions are logged.
    model : str, optional
        Their model; that of the client by default.
    version : str, optional
        Version of the model.

    Attributes
    ----------
    last_ids : list of str
        Ids of the predictions of the latest call.
    """

    def __init__(
        self,
        classifier: Any,
        client: Client,
        *,
        model: str | None = None,
        version: str | None = None,
    ) -> None:
        self._classifier, self._client = classifier, client
        self._name, self._version = model, version
        self.last_ids: list[str] = []

    def predict_proba(
        self,
        X: Any,
        *,
        id: Iterable[str] | None = None,
        segments: Iterable[Mapping[str, str]] | None = None,
    ) -> Any:
        """Probabilities of the classes, logged: those of the second class are the scores.

        Parameters
        ----------
        X : array-like
            Examples.
        id : iterable of str, optional
            Their ids. By default new ones, see `last_ids`.
        segments : iterable of mapping, optional
            Their segments.
        """
        found = self._classifier.predict_proba(X)
        ids = [None] * len(found) if id is None else list(id)
        groups = [None] * len(found) if segments is None else list(segments)
        self.last_ids = [
            self._client.log_prediction(
                float(row[1]), id=key, model=self._name, version=self._version, segments=group
            )
            for row, key, group in zip(found, ids, groups, strict=True)
        ]
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._classifier, name)


def _line(model: str, row: dict[str, Any]) -> bytes:
    score = row.get("score", 0.0)
    if not math.isfinite(score):
        raise ValueError(f"its score is {score}, and a finite number is needed")
    plain = {key: _plain(value) for key, value in row.items()}
    return json.dumps({"model": model, **plain}).encode()


def _plain(value: Any) -> Any:
    """A value that JSON has: dates as text, numbers of NumPy as numbers."""
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    return value.item() if hasattr(value, "item") else value


def _values(frame: Any, name: str) -> list[Any]:
    """A column of a data frame as a list."""
    if name not in list(frame.columns):
        raise InputError(
            found="The frame has no column {name}",
            fix="It has: {known}.",
            name=repr(name),
            known=", ".join(map(str, frame.columns)),
        )
    found: list[Any] = frame[name].to_list()
    return found


def _missing(value: Any) -> bool:
    """Whether a value is None, NaN or a missing time: those differ from themselves."""
    try:
        return value is None or bool(value != value)
    except TypeError:  # the missing value of pandas compares with nothing
        return True


def _after_fork() -> None:
    for client in list(_clients):
        client._begin()


def _at_exit() -> None:
    for client in list(_clients):
        client.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
atexit.register(_at_exit)
