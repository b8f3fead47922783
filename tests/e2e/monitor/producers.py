"""Producers of predictions and labels that keep sending until they are answered, and take notes."""

import heapq
import http.client
import json
import random
import threading
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

HOUR = 3_600_000_000


@dataclass
class Sent:
    """What a producer knows of an id: what was acknowledged, and what may have arrived."""

    score: float
    time: int
    region: str
    version: str | None
    prediction: bool = False  # acknowledged
    labels: list = field(default_factory=list)  # acknowledged, in their order
    doubt: tuple | None = None  # what was given up without an answer


@dataclass(order=True)
class _Step:
    """Something to send, when the clock shows a time."""

    due: int
    order: int
    model: str = field(compare=False)
    id: str = field(compare=False)
    kind: str = field(compare=False)  # predictions or labels
    row: dict = field(compare=False)
    then: list = field(compare=False)  # what follows once it was acknowledged
    again: bool = field(compare=False, default=False)  # was acknowledged already


class Producer(threading.Thread):
    """Sends the rows of models as time goes by, over connections that break.

    Rows that get no answer are sent again, or, rarely, given up. Labels of an id are sent in
    their order, each after the one before was acknowledged.

    Parameters
    ----------
    seed : int
        Random state.
    models : sequence of str
        Models; the letter before the number of an id says who made it.
    rate : int
        Rows of each model in an hour.
    now : callable
        Time that the monitor's clock shows, in microseconds.
    port : callable
        Port at which the monitor listens now; None while it does not.
    broken : tuple of int
        Between these times, the first model ranks the rows of one region by chance.
    """

    def __init__(self, seed, models, rate, now, port, broken):
        super().__init__(name=f"producer {seed}", daemon=True)
        self._random, self._seed = random.Random(seed), seed
        self._models, self._rate, self._broken = models, rate, broken
        self._now, self._port = now, port
        self._steps, self._count = [], 0
        self._made_until = self.done_until = now()
        self._ends, self._gives_up = threading.Event(), threading.Event()
        self._line = None
        self.sent = {}
        self.outcomes = {"accepted": 0, "duplicate": 0, "corrected": 0, "rejected": 0}
        self.unanswered = 0
        self.surprises = []

    def end(self):
        """Make no more rows; what is due is still sent, until it is answered."""
        self._ends.set()

    def give_up(self):
        """Send nothing more."""
        self._ends.set()
        self._gives_up.set()

    def run(self):
        while not self._ends.is_set():
            self._make()
            self._send_due()
        while (
            self._steps and self._steps[0].due <= self._made_until and not self._gives_up.is_set()
        ):
            self._send_due()
        if self._line is not None:
            self._line.close()

    def _send_due(self):
        now = self._now()
        steps = self._due(now) if self._port() is not None else []
        if not steps:
            self.done_until = self._made_until if self._steps_are_later(now) else self.done_until
            time.sleep(0.005)
        elif not self._send(steps):
            time.sleep(0.02)

    def _steps_are_later(self, now):
        return not self._steps or self._steps[0].due > now

    # Rows

    def _make(self):
        now, random, gap = self._now(), self._random, HOUR // self._rate
        while self._made_until + gap <= now:
            self._made_until += gap
            for model in self._models:
                self._make_one(model, self._made_until - random.randrange(gap))

    def _make_one(self, model, made):
        random = self._random
        self._count += 1
        number = f"{self._seed}-{self._count}"
        label = random.random() < 0.4
        region = ("north", "south")[random.random() < 0.4]
        bad = model == self._models[0] and self._broken[0] <= made < self._broken[1]
        score = random.gauss(1.6 * (label and not (bad and region == "north")), 1)
        version = random.choice([None, "1", "2"])
        one = Sent(round(score, 2), made, region, version)
        self.sent[model, number] = one
        prediction = {
            "id": number,
            "score": one.score,
            "segments": {"region": region},
            "time": made / 1e6 if random.random() < 0.5 else _iso(made),
        }
        if version is not None:
            prediction["version"] = version
        labels = self._labels_of(model, label)
        way = random.random()
        follow = [("labels", value) for value in labels]
        if way < 0.1 and labels:  # both at once
            both = prediction | {"label": labels[0]}
            self._later(0, model, number, "predictions", both, follow[1:])
        elif way < 0.25 and labels:  # the label first
            row = {"id": number, "label": labels[0]}
            self._later(0, model, number, "labels", row, [("predictions", prediction), *follow[1:]])
        else:
            self._later(0, model, number, "predictions", prediction, follow)

    def _labels_of(self, model, label):
        """Labels of an id in their order: none, one, or corrections."""
        random = self._random
        if model == "fraud" and not label and random.random() < 0.9:
            return []  # nobody says that it was none
        if random.random() < 0.03:
            return []
        flips = random.choice([1, 2, 3]) if random.random() < 0.08 else 0
        return [label ^ bool(turn % 2) for turn in range(flips + 1)][::-1]

    def _later(self, wait, model, number, kind, row, then, again=False):
        self._count += 1
        step = _Step(self._made_until + wait, self._count, model, number, kind, row, then, again)
        heapq.heappush(self._steps, step)

    def _due(self, now):
        """Rows of one kind that are due."""
        random = self._random
        found, kept = [], []
        most = random.choice([1, 20, 200, 500])
        while self._steps and self._steps[0].due <= now and len(found) < most:
            step = heapq.heappop(self._steps)
            (found if not found or step.kind == found[0].kind else kept).append(step)
            if len(kept) > most:
                break
        for step in kept:
            heapq.heappush(self._steps, step)
        return found

    # Sending

    def _send(self, steps):
        """Send rows; whether there was an answer."""
        port = self._port() or 0
        rows = [{**step.row, "model": step.model} for step in steps]
        body = "\n".join(map(json.dumps, rows)) if self._random.random() < 0.5 else json.dumps(rows)
        try:
            if self._line is None or self._line.port != port:
                if self._line is not None:
                    self._line.close()
                self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            self._line.request("POST", f"/v1/{steps[0].kind}", body)
            answer = self._line.getresponse()
            content = json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError):
            self._line = self._line and self._line.close()
            self.unanswered += len(steps)
            self._not_answered(steps)
            return False
        if answer.status in (429, 503):
            for step in steps:
                heapq.heappush(self._steps, step)
            return False
        if "rows" not in content:
            self.surprises.append((answer.status, content))
            return False
        said = {one["row"]: one for one in content["rows"]}
        for place, step in enumerate(steps):
            self._answered(step, said.get(place, {"outcome": "accepted"}))
        return True

    def _not_answered(self, steps):
        for step in steps:
            if self._random.random() < 0.05 and not step.again:
                self.sent[step.model, step.id].doubt = (step.kind, step.row)
            else:
                heapq.heappush(self._steps, step)

    def _answered(self, step, said):
        random = self._random
        outcome = said["outcome"]
        self.outcomes[outcome] += 1
        one = self.sent[step.model, step.id]
        if step.again:
            wanted = "rejected" if step.row.get("score", one.score) != one.score else "duplicate"
            if outcome != wanted:
                self.surprises.append((step, said))
            return
        if outcome == "rejected":
            self.surprises.append((step, said))
            return
        if step.kind == "predictions":
            one.prediction = True
            if "label" in step.row:
                one.labels.append(step.row["label"])
        else:
            one.labels.append(step.row["label"])
        if random.random() < 0.05 and (step.kind == "predictions" or not step.then):
            again = dict(step.row)
            if step.kind == "predictions":
                again.pop("label", None)
                if random.random() < 0.3:
                    again["score"] += 1.0  # contradicts itself
            self._later(0, step.model, step.id, step.kind, again, [], again=True)
        self._follow(step)

    def _follow(self, step):
        if not step.then:
            return
        (kind, content), *rest = step.then
        row = content if kind == "predictions" else {"id": step.id, "label": content}
        wait = round(self._random.expovariate(1 / (0.7 * HOUR)))
        self._later(wait, step.model, step.id, kind, row, rest)


def _iso(time):
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=time)).isoformat()
