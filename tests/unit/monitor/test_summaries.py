"""Cohorts that were computed elsewhere: what is taken, what is refused, and what follows."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import polars as pl
import pytest

import roclab as rl
from roclab.monitor.cohorts import Reading
from roclab.monitor.rules import parse_condition
from roclab.monitor.settings import ModelSettings, RuleSettings, Settings
from roclab.streaming.calendar import as_datetime
from tests.unit.monitor.api.client import LINES, Client
from tests.unit.monitor.fleet import DAY, START, World, maker

PATH = "/v1/summaries"
ROW = {
    "model": "credit",
    "cohort": "2025-03-01T00:00:00Z",
    "auc": 0.8,
    "variance": 0.001,
    "n_pos": 40,
    "n_neg": 60,
    "n": 110,
    "mean_score": 0.3,
}


@pytest.fixture
def make_client(tmp_path):
    """A function that starts an application with some settings changed."""
    opened = []

    def make(name="data", **changes):
        settings = replace(Settings(data=tmp_path / name), **changes)
        opened.append(Client(settings).__enter__())
        return opened[-1]

    yield make
    for client in reversed(opened):
        client.__exit__()


@pytest.fixture
def client(make_client):
    return make_client()


def reasons(answer):
    return [one.get("reason") for one in answer["rows"]]


def one_reason(client, row):
    [reason] = reasons(client.send(PATH, row, 422))
    return reason


def frozen(service, model="credit", key=("", "")):
    stream = service.installation.models[model].streams[key]
    return dict(service.store.readings(stream.record.number, frozen=True))


class TestOutcomes:
    def test_a_summary_is_a_frozen_reading(self, client):
        assert client.send(PATH, ROW)["accepted"] == 1
        [(_, found)] = frozen(client.service).items()
        expected = {"n": 110, "n_labelled": 100, "n_pos": 40, "n_neg": 60, "auc": 0.8}
        expected |= {"positive_rate": 0.4, "mean_score": 0.3, "source": "summary"}
        assert {name: found[name] for name in expected} == expected
        assert found["coverage"] == 100 / 110
        assert found["low"] < 0.8 < found["high"]
        assert found["standard_error"] == pytest.approx(0.001**0.5)

    def test_the_same_row_again_is_a_duplicate(self, client):
        client.send(PATH, ROW)
        assert client.send(PATH, [ROW, {**ROW, "cohort": 1740787200}])["duplicate"] == 2

    def test_also_in_one_request(self, client):
        found = client.send(PATH, [ROW, ROW, {**ROW, "auc": 0.7}])
        assert [found[word] for word in ("accepted", "duplicate", "rejected")] == [1, 1, 1]

    def test_another_row_for_a_cohort_is_refused(self, client):
        client.send(PATH, ROW)
        for name, value in (("auc", 0.81), ("n", 111), ("mean_score", None), ("n_pos", 41)):
            assert (
                one_reason(client, {**ROW, name: value}) == "the reading of this cohort is frozen"
            )
        assert next(iter(frozen(client.service).values()))["auc"] == 0.8

    def test_one_bad_row_does_not_lose_the_others(self, client):
        rows = [ROW, {**ROW, "auc": 2}, {**ROW, "cohort": "2025-03-02"}, {"auc": 1}]
        found = client.send(PATH, rows)
        assert (found["accepted"], found["rejected"]) == (2, 2)
        assert [one["row"] for one in found["rows"]] == [1, 3]

    def test_rows_may_be_lines_and_the_model_be_in_the_address(self, client):
        row = {name: value for name, value in ROW.items() if name != "model"}
        lines = "\n".join(json.dumps({**row, "cohort": f"2025-03-0{day}"}) for day in (1, 2))
        found = client.post(f"{PATH}?model=fraud", content=lines, headers=LINES)
        assert found.json()["accepted"] == 2
        assert "model" in one_reason(client, row)

    @pytest.mark.parametrize(
        ("changes", "reason"),
        [
            ({"cohort": "2025-03-01T12:00:00Z"}, "is not the beginning of a day in UTC"),
            ({"cohort": "2025-03-01T00:00:00+01:00"}, "is not the beginning of a day in UTC"),
            ({"cohort": "yesterday"}, "is no time"),
            ({"cohort": "1971-01-01"}, "before 1972"),
            ({"cohort": "2990-01-01"}, "in the future"),
            ({"auc": 1.01}, "auc is 1.01; a number from 0 to 1 is needed"),
            ({"auc": -0.1}, "auc is -0.1"),
            ({"variance": -1e-9}, "variance is -1e-09"),
            ({"variance": 1}, "variance is 1"),
            ({"auc": None}, "auc and variance are needed with at least 10 of each class"),
            ({"variance": None}, "auc and variance are needed with at least 10 of each class"),
            ({"n_pos": -1}, "n_pos is -1; a number of rows is needed"),
            ({"n_neg": 2**53}, "n_neg is 9007199254740992; a number of rows is needed"),
            ({"n_pos": 0, "n_neg": 0}, "a finished cohort has labels"),
            ({"n": 99}, "n is 99; at least n_pos + n_neg is needed"),
            ({"value": "north"}, "value without a segment"),
            ({"segment": "region"}, "value has 0 characters"),
            ({"segment": "", "value": "north"}, "segment has 0 characters"),
            ({"summary": "UlM="}, "unknown field summary"),
            ({"n_pos": 40.5}, "n_pos"),
            ({"model": ""}, "model"),
        ],
    )
    def test_what_is_refused(self, client, changes, reason):
        assert reason in one_reason(client, {**ROW, **changes})
        assert client.get("/v1/models").json()["models"] == []

    def test_numbers_that_json_has_not(self, client):
        for text in ("NaN", "Infinity", "1e999"):
            body = json.dumps(ROW).replace("0.3", text)
            assert client.post(PATH, content=body, headers=LINES).status_code == 422

    def test_a_cohort_that_has_not_ended(self, client):
        today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        assert "has not ended" in one_reason(client, {**ROW, "cohort": today.isoformat()})
        yesterday = (today - timedelta(days=1)).isoformat()
        assert client.send(PATH, {**ROW, "cohort": yesterday})["accepted"] == 1

    def test_cohorts_begin_where_the_settings_say(self, make_client):
        model = ModelSettings(cohort="week", time_zone="Europe/Berlin")
        client = make_client(model={"credit": model})
        assert "is not the beginning of a week in Europe/Berlin" in one_reason(client, ROW)
        monday = {**ROW, "cohort": "2025-03-03T00:00:00+01:00"}
        assert client.send(PATH, monday)["accepted"] == 1
        after_the_change = {**ROW, "cohort": "2025-03-30T22:00:00Z"}
        assert client.send(PATH, after_the_change)["accepted"] == 1


class TestFewRows:
    @pytest.mark.parametrize(("n_pos", "n_neg"), [(9, 80), (80, 9), (0, 50), (50, 0)])
    def test_too_few_of_a_class_have_no_auc(self, client, n_pos, n_neg):
        """As of rows: it would be noise."""
        row = {**ROW, "n_pos": n_pos, "n_neg": n_neg}
        if not n_pos or not n_neg:
            row |= {"auc": None, "variance": None}
        assert client.send(PATH, row)["accepted"] == 1
        [found] = frozen(client.service).values()
        assert (found["auc"], found["low"], found["standard_error"]) == (None, None, None)
        assert (found["n"], found["n_pos"], found["n_neg"]) == (110, n_pos, n_neg)
        assert client.send(PATH, row)["duplicate"] == 1

    def test_small_cohorts_are_not_joined(self, client):
        """Summaries of days overlap in score, so there is nothing to join."""
        for day in range(1, 6):
            client.send(PATH, {**ROW, "cohort": f"2025-03-0{day}", "n_pos": 8})
        client.send(PATH, {**ROW, "cohort": "2025-03-06"})
        [(_, block)] = client.service.store.blocks()
        assert (block.n_pos, len(block.cohorts)) == (40, 1)


class TestRowsAndSummaries:
    def prediction(self, client, time, status=200):
        row = {"model": "credit", "id": time, "score": 0.5, "time": time, "label": 1}
        return client.send("/v1/predictions", row, status)

    def test_a_cohort_with_rows_takes_no_summary(self, client):
        self.prediction(client, "2025-03-01T12:00:00Z")
        assert "rows of this cohort were received" in one_reason(client, ROW)
        segment = {**ROW, "segment": "region", "value": "north"}
        assert "rows of this cohort were received" in one_reason(client, segment)
        assert set(client.service.installation.models["credit"].streams) == {("", "")}
        assert client.send(PATH, {**ROW, "cohort": "2025-03-02"})["accepted"] == 1

    def test_a_cohort_with_a_summary_takes_no_rows(self, make_client):
        client = make_client()
        client.send(PATH, ROW)
        for again in (False, True):
            if again:  # what is known of summaries outlives the process
                client.__exit__()
                client.__init__(client.service.settings)
                client.__enter__()
            found = self.prediction(client, "2025-03-01T12:00:00Z", 422)
            assert reasons(found) == [
                "a summary of this cohort was received; a cohort has rows or a summary"
            ]
            assert self.prediction(client, f"2025-03-02T1{again:d}:00:00Z")["accepted"] == 1
        assert next(iter(frozen(client.service).values()))["auc"] == 0.8


class TestStreams:
    def test_segments_are_streams(self, client):
        segment = {**ROW, "segment": "region", "value": "north", "auc": 0.7}
        assert client.send(PATH, [ROW, segment])["accepted"] == 2
        found = client.get("/v1/models/credit/history?segment=region&value=north").json()
        assert "0.7" in json.dumps(found)
        [reading] = frozen(client.service, key=("region", "north")).values()
        assert reading["auc"] == 0.7

    def test_a_segment_may_come_later(self, client):
        client.send(PATH, ROW)
        assert client.send(PATH, {**ROW, "segment": "region", "value": "north"})["accepted"] == 1

    def test_many_rows_again_are_quickly_known(self, client):
        rows = [
            {**ROW, "cohort": (datetime(2020, 1, 1) + timedelta(days=day)).isoformat()}
            for day in range(1000)
        ]
        assert client.send(PATH, rows)["accepted"] == 1000
        assert client.send(PATH, rows)["duplicate"] == 1000


def days_of(aucs):
    return [
        {
            **ROW,
            "cohort": (datetime(2024, 1, 1) + timedelta(days=day)).isoformat(),
            "auc": float(auc),
            "variance": 0.0004,
            "n_pos": 200,
            "n_neg": 800,
            "n": 1000,
        }
        for day, auc in enumerate(aucs)
    ]


READING = Reading(
    n=1000,
    n_labelled=1000,
    n_pos=200,
    n_neg=800,
    auc=0.8,
    low=0.76,
    high=0.84,
    standard_error=0.02,
    source="summary",
)


class TestWhatFollows:
    def test_a_drop_raises_an_alarm_that_outlives_the_process(self, make_client):
        rng = np.random.default_rng(0)
        aucs = np.append(rng.normal(0.8, 0.02, 60), rng.normal(0.65, 0.02, 20)).clip(0, 1)
        client = make_client()
        assert client.send(PATH, days_of(aucs))["accepted"] == 80
        [alert] = client.get("/v1/alerts").json()["alerts"]
        assert "ranks worse since" in json.dumps(alert)
        history = client.get("/v1/models/credit/history").json()
        client.__exit__()
        client.__init__(client.service.settings)
        client.__enter__()
        assert client.get("/v1/alerts").json()["alerts"] == [alert]
        assert client.get("/v1/models/credit/history").json() == history

    def test_conditions_look_at_the_latest_summary(self, tmp_path):
        rules = tuple(
            RuleSettings(name=name, condition=parse_condition(text), model="credit")
            for name, text in (("few", "volume < 500"), ("low", "auc.low < 0.9"))
        )
        world = World(tmp_path / "world", Settings(data=tmp_path, rule=rules), now=START)
        try:
            for day in range(3):
                world.tick(START + (day + 1) * DAY + 5)
                with world.store.transaction():
                    found = world.installation.add_summary(
                        "credit", START + day * DAY, ("", ""), READING
                    )
                assert found == "accepted"
            world.tick(START + 4 * DAY + 5)
            states = world.installation.models["credit"].whole.conditions
            assert {name: one.state for name, one in states.items()} == {
                "few": "ok",
                "low": "firing",
            }
            assert states["few"].value == 1000
        finally:
            world.store.close()


class TestAsFromRows:
    """The same rows, seen by one monitor, and summarised for another."""

    COMPARED = ("n", "n_labelled", "n_pos", "n_neg", "auc", "positive_rate", "coverage")
    CLOSE = ("low", "high", "standard_error", "mean_score")

    def test_readings_are_equal(self, make_client, tmp_path):
        world = World(tmp_path / "rows", Settings(data=tmp_path))
        days = []
        make = maker(3, count=150)

        def kept(day):
            days.append(make(day))
            return days[-1]

        world.live("credit", 5, kept)
        table = pl.DataFrame(
            [
                {
                    "label": bool(label),
                    "score": row.score,
                    "time": as_datetime(row.time),
                    "region": dict(row.segments)["region"],
                }
                for rows, labels in days
                for row, label in zip(rows, labels, strict=True)
            ]
        )
        end = as_datetime(START + 5 * DAY)
        found = rl.scale.cohort_summaries(
            table,
            y_true="label",
            y_score="score",
            time="time",
            model="credit",
            by="region",
            until=end,
        )
        client = make_client("summaries")
        assert client.send(PATH, [row.to_dict() for row in found.rows])["accepted"] == 15
        for key in (("", ""), ("region", "north"), ("region", "south")):
            own = frozen(world, key=key)
            sent = frozen(client.service, key=key)
            assert own.keys() == sent.keys()
            for cohort, reading in own.items():
                for name in self.COMPARED:
                    assert sent[cohort][name] == reading[name], name
                for name in self.CLOSE:
                    assert sent[cohort][name] == pytest.approx(reading[name], rel=1e-12), name
        blocks = [
            {(block.cohorts, block.auc, block.n_pos) for _, block in store.blocks()}
            for store in (world.store, client.service.store)
        ]
        assert blocks[0] == blocks[1]
        assert len(blocks[0]) == 15
        world.store.close()
