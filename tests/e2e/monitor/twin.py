"""A twin of an installation: the log of its rows, fed to a fresh one that was never interrupted."""

from itertools import groupby

from roclab.monitor.installation import Installation
from roclab.monitor.schema import Label, Prediction
from roclab.monitor.store.sqlite import SQLiteStore
from tests.e2e.monitor.producers import HOUR


def log_of(written):
    """Everything that was sent: arrival, number of its row and place in it, model, and the row."""
    came = []
    for model in written.models.values():
        for row in model.rows:
            if row.score is not None:
                one = Prediction(row.id, row.score, row.time, row.version, row.segments, None, None)
                came.append((row.received, row.number, 0, model.name, one))
            for place, (since, label) in enumerate(row.labels, 1):
                if (since + 1) % HOUR:  # those of the last microsecond of an hour are implicit
                    came.append((since, row.number, place, model.name, Label(row.id, label, since)))
    return sorted(came, key=lambda one: one[:3])


def replayed(directory, settings, written):
    """An installation to which the log was fed as time went by, with a look at every hour."""
    now = [0]
    store = SQLiteStore(directory, synchronous="normal")
    installation = Installation(settings, store, lambda: now[0])
    log = log_of(written)
    now[0] = log[0][0]
    with store.transaction():
        for name in sorted(written.models, key=lambda one: written.models[one].number):
            installation.model_of(name)
    hour = now[0] // HOUR
    for of_hour, some in groupby(log, key=lambda one: one[0] // HOUR):
        while hour < of_hour:
            hour += 1
            _look(installation, now, hour * HOUR)
        with store.transaction():
            for received, _, place, name, row in some:
                now[0] = received
                add = installation.labels if place else installation.predictions
                add(name, [row], received)
        installation.committed()
    while (hour + 1) * HOUR <= written.time:
        hour += 1
        _look(installation, now, hour * HOUR)
    _look(installation, now, written.time)
    return installation


def _look(installation, now, time):
    now[0] = time
    with installation.store.transaction():
        installation.tick()
    installation.committed()
    with installation.store.transaction():
        while not installation.refresh(10.0):
            pass
    installation.committed()
