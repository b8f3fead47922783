"""A monitor's database with something in every table, and what it must answer."""

import json
import logging
import tempfile
import tomllib
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from roclab.monitor import answers, tokens
from roclab.monitor.cohorts import Reading
from roclab.monitor.schema import Label, Prediction
from roclab.monitor.settings import Settings
from roclab.monitor.store.database import FILE
from roclab.streaming.calendar import iso
from tests import reference
from tests.unit.monitor.fleet import DAY, HOUR, START, World

DAYS, ROWS, BROKEN = 40, 24, 36
READ = ("n", "n_labelled", "n_pos", "n_neg", "auc", "low", "psi", "source")
LATEST = 12  # cohorts whose readings are kept as they are
SETTINGS = """\
[alerts]
false_alarms_per_month = 30
[[alerts.channel]]
type = "log"
name = "log"
[model.new]
challenger_of = "credit"
[[rule]]
when = "auc < 0.7"
for = "1 cohort"
"""


def day_of(day):
    """Predictions and labels of a day; from some day on the scores say little."""
    numbers = [day * ROWS + i for i in range(ROWS)]
    labels = [k // 2 % 2 == 0 for k in numbers]
    rows = [
        Prediction(
            f"{day}-{i}",
            round((37 * k % 41) / 60 + 0.3 * (label and day < BROKEN), 3),
            START + day * DAY + i * HOUR,
            "v1" if day < 20 else "v2",
            (("region", "north" if k % 3 else "south"),),
            None,
            None,
        )
        for i, (k, label) in enumerate(zip(numbers, labels, strict=True))
    ]
    return rows, [Label(row.id, label, row.time) for row, label in zip(rows, labels, strict=True)]


def feed(world, day, *, wrong=None):
    """Let a day pass for a champion and its challenger; labels go to the champion."""
    rows, labels = day_of(day)
    end = START + (day + 1) * DAY
    better = [
        row._replace(score=label.label + row.score / 8, segments=())
        for row, label in zip(rows, labels, strict=True)
    ]
    world.predict("credit", rows, end - HOUR)
    world.predict("new", better, end - HOUR)
    if wrong is not None:
        labels[wrong] = labels[wrong]._replace(label=not labels[wrong].label)
    world.label("credit", labels, end - HOUR)
    world.tick(end + 5)


def build(directory):
    """Make the database: its bytes, the time at its end, and what it says."""
    world = World(directory, settings(directory, SETTINGS))
    for day in range(DAYS):
        feed(world, day, wrong=3 if day == 10 else None)
    corrected = day_of(10)[1][3]
    world.label("credit", [corrected, Label("never predicted", True, world.now)])
    installation = world.installation
    reading = Reading(n=40, n_labelled=40, n_pos=20, n_neg=20, auc=0.75, low=0.6, high=0.87)
    with world.store.transaction():
        installation.add_summary("elsewhere", START, ("", ""), reading)
        number = installation.models["credit"].record.number
        world.store.add_deployment(number, "v2", START + 20 * DAY, "retrained")
        installation.act("note", model="credit", author="ada", reason="seen")
        tokens.create(installation, "writer", "write")
    world.tick(world.now + 5)
    world.store.rewrite()
    copy = directory / "copy.sqlite"
    world.store.backup(copy)
    recorded = said(world)
    world.store.close()
    return {
        "name": "monitor.sqlite",
        "settings": SETTINGS,
        "now": world.now,
        "exact": exactly(DAYS),
        "recorded": recorded,
        "bytes": copy.read_bytes(),
    }


def exactly(days):
    """Counts and AUC of each cohort of the champion, from all pairs."""
    found = {}
    for day in range(days):
        rows, labels = day_of(day)
        truth = [label.label for label in labels]
        found[iso(START + day * DAY)] = {
            "n": ROWS,
            "n_pos": sum(truth),
            "n_neg": ROWS - sum(truth),
            "auc": float(reference.auc(truth, [row.score for row in rows])),
        }
    return found


def said(world):
    """What the monitor says of what is in its tables."""
    at = world.installation
    return {
        "models": sorted(at.models),
        "credit": readings(at, "credit"),
        "north": readings(at, "credit", segment="region", value="north"),
        "elsewhere": readings(at, "elsewhere"),
        "comparison": answers.comparison(at, "new")["cohorts"][-2:],
        "alerts": [
            {name: one[name] for name in ("rule", "state", "since", "stream")}
            for one in json.loads(json.dumps(answers.alerts(at)))
        ],
        "deployments": answers.model(at, "credit")["deployments"],
        "acts": answers.model(at, "credit")["acts"],
        "tokens": [[token.name, token.scope] for _, token in world.store.tokens()],
    }


def readings(at, model, **stream):
    """The latest readings of a stream."""
    return [
        {
            "cohort": one["cohort"],
            "frozen_at": one["frozen_at"],
            **{
                kind: None if one[kind] is None else {name: one[kind][name] for name in READ}
                for kind in ("now", "frozen")
            },
        }
        for one in answers.history(at, model, **stream)["cohorts"][-LATEST:]
    ]


def settings(directory, text):
    """Settings with this directory."""
    return replace(Settings.of(tomllib.loads(text)), data=directory)


@contextmanager
def opened(one, directory):
    """A running installation of a database that was kept."""
    (directory / FILE).write_bytes(one["bytes"])
    world = World(directory, settings(directory, one["settings"]), one["now"])
    try:
        yield world
    finally:
        world.store.close()


def databases():
    """The database of this release; alerts that fire meanwhile are not printed."""
    logging.getLogger("roclab.monitor").addHandler(logging.NullHandler())
    with tempfile.TemporaryDirectory() as folder:
        yield build(Path(folder))
