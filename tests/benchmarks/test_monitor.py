"""A quick run of the monitor's benchmark, and that its senders and baselines do the same work."""

import json
import math
from uuid import UUID

import msgspec
import numpy as np
import pytest

from benchmarks import monitor, monitor_reads, monitor_store
from benchmarks.monitor_events import DAY, LABEL_LATER, Round, label_values, prediction_values
from benchmarks.monitor_load import _is_whole
from benchmarks.monitor_servers import SharedClock

SINCE = 20_000 * DAY
ROUND = Round(ids="UUID7", batches=3, size=40, since=SINCE, until=SINCE + 10**9, seed=0)


def rows_of(bodies):
    return [[msgspec.json.decode(line) for line in body.split(b"\n")] for _, body in bodies]


@pytest.mark.parametrize(("ids", "version"), [("UUID7", 7), ("UUID4", 4)])
def test_ids_are_uuids_of_their_version_and_uuid7_begin_with_the_time(ids, version):
    batch = Round(ids=ids, batches=1, size=40, since=SINCE, until=SINCE + DAY, seed=0).draw()[0]
    for one, at in zip(batch.id, batch.time, strict=True):
        found = UUID(bytes=one)
        assert found.version == version
        assert found.variant == "specified in RFC 4122"
        assert (int.from_bytes(one[:6]) == at // 1000) == (ids == "UUID7")


def test_bodies_and_rows_hold_the_same_events():
    batches = ROUND.draw()
    for batch, sent, labels in zip(
        batches, rows_of(ROUND.predictions()), rows_of(ROUND.labels()), strict=True
    ):
        inserted = prediction_values(batch, 7)
        updated = label_values(batch, 7)
        assert [UUID(row["id"]).bytes for row in sent] == [row[1] for row in inserted]
        assert [row["score"] for row in sent] == [row[4] for row in inserted]
        assert [UUID(row["id"]).bytes for row in labels] == [row[4] for row in updated]
        assert [row["label"] for row in labels] == [row[0] for row in updated]
        assert {row["model"] for row in sent} == {f"model-{batch.model[0]:02}"}


def test_labels_that_come_together_are_not_sent_again():
    batch = Round(
        ids="UUID7", batches=1, size=40, since=SINCE, until=SINCE + DAY, seed=0, together=True
    )
    [sent], [labels] = rows_of(batch.predictions()), rows_of(batch.labels())
    known = {row["id"] for row in sent if "label" in row}
    assert known.isdisjoint(row["id"] for row in labels)
    assert known | {row["id"] for row in labels} == {row["id"] for row in sent}


def test_a_single_label_comes_after_its_prediction():
    one = Round(
        ids="UUID7", batches=1, size=LABEL_LATER + 9, since=SINCE, until=SINCE + DAY, seed=0
    )
    seen = {}
    for place, (path, body) in enumerate(one.singles()):
        name = msgspec.json.decode(body)["id"]
        if path == "/v1/predictions":
            seen[name] = place
        else:
            assert place - seen[name] >= LABEL_LATER
    assert len(seen) == len(one.draw()[0])


def test_an_answer_is_whole_when_its_content_has_come():
    whole = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
    assert [_is_whole(whole[:end]) for end in range(1, len(whole) + 1)][-2:] == [False, True]


def test_the_clock_is_shared(tmp_path):
    clock = SharedClock(tmp_path / "time")
    clock.set(SINCE)
    assert SharedClock(tmp_path / "time")() == SINCE


def test_memory_at_a_share_is_that_of_the_steps_before_it():
    memory = list(range(100))
    assert [monitor_store._before(memory, share) for share in (25, 100)] == [22, 97]


def test_baseline_writes_every_row(tmp_path):
    connection = monitor._plain_table(tmp_path / "plain")
    batches = ROUND.draw()
    monitor._executemany(
        connection, monitor.INSERT, [prediction_values(batch, 7) for batch in batches]
    )
    monitor._executemany(connection, monitor.UPDATE, [label_values(batch, 7) for batch in batches])
    found = connection.execute("SELECT count(*), sum(label), count(label) FROM event").fetchone()
    connection.close()
    assert found == (120, sum(np.sum(batch.label) for batch in batches), 120)


def test_unknown_part_is_refused(capsys):
    with pytest.raises(SystemExit) as stop:
        monitor.main(["ingset"])
    assert stop.value.code == 2
    assert "no part ingset; there are ingest" in capsys.readouterr().err


@pytest.mark.slow
def test_a_quick_run_measures_everything(tmp_path):
    monitor.main(["--quick"], results=tmp_path)
    tables = json.loads((tmp_path / "monitor.local.json").read_text())["tables"]
    assert len(tables) == len(monitor.PARTS)
    markdown = (tmp_path / "monitor.local.md").read_text()
    for table in tables:
        assert tuple(table["columns"]) in {
            monitor.RATES,
            monitor_reads.READS,
            monitor_store.FIGURES,
        }
        assert f"## {table['title']}\n" in markdown
        for row in table["rows"]:
            numbers = [value for value in row.values() if isinstance(value, int | float)]
            assert all(math.isfinite(value) and value > 0 for value in numbers)
        # Without a browser there is no figure of the page, and a note that says why.
        assert any(row["wanted"] != "-" for row in table["rows"]) or table["notes"]
