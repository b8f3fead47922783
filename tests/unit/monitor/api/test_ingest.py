"""Rows that come in: what is answered for each, and what is durable then."""

import gzip
import json
import threading
from datetime import UTC, datetime, timedelta

import pytest

from roclab.monitor.schema import shown_identifier
from roclab.monitor.settings import Limits
from roclab.monitor.store.database import StoreError
from tests.unit.monitor.api.client import LINES, Blocked, eventually

PREDICTIONS, LABELS = "/v1/predictions", "/v1/labels"


def prediction(id, score=0.5, **more):
    return {"model": "credit", "id": id, "score": score, **more}


def label(id, label=1, **more):
    return {"model": "credit", "id": id, "label": label, **more}


def stored(client, model="credit"):
    """Score and label of each id in the store."""
    state = client.service.installation.models.get(model)
    if state is None:
        return {}
    found = {}
    for part in client.service.store.events(state.record.number):
        for row in part:
            found[shown_identifier(row[0])] = (row[3], None if row[7] is None else bool(row[7]))
    return found


class TestForms:
    def test_one_object(self, client):
        assert client.send(PREDICTIONS, prediction("a"))["accepted"] == 1
        assert stored(client) == {"a": (0.5, None)}

    def test_one_object_over_several_lines(self, client):
        body = json.dumps(prediction("a"), indent=2)
        answer = client.post(
            PREDICTIONS, content=body, headers={"Content-Type": "application/json"}
        )
        assert answer.json()["accepted"] == 1
        assert stored(client) == {"a": (0.5, None)}

    def test_a_list(self, client):
        found = client.send(PREDICTIONS, [prediction("a"), prediction("b")])
        assert found == {
            "accepted": 2,
            "duplicate": 0,
            "corrected": 0,
            "rejected": 0,
            "rows": [],
            "notes": [],
        }

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n", "\r\n\r\n \t\r\n"])
    @pytest.mark.parametrize("start", ["", "\ufeff", "\n"])
    def test_one_object_a_line(self, client, end, start):
        body = start + "".join(json.dumps(prediction(one)) + end for one in "abc")
        answer = client.post(PREDICTIONS, content=body.encode(), headers=LINES)
        assert answer.json()["accepted"] == 3
        assert set(stored(client)) == set("abc")

    def test_a_list_after_a_byte_order_mark(self, client):
        body = b"\xef\xbb\xbf" + json.dumps([prediction("a")]).encode()
        assert client.post(PREDICTIONS, content=body).json()["accepted"] == 1

    def test_gzip(self, client):
        body = gzip.compress(json.dumps([prediction("a")]).encode())
        answer = client.post(PREDICTIONS, content=body, headers={"Content-Encoding": "gzip"})
        assert answer.json()["accepted"] == 1

    @pytest.mark.parametrize("body", [b"", b" ", b"\n\n", b"[]", b" [ ] "])
    def test_nothing(self, client, body):
        answer = client.post(PREDICTIONS, content=body)
        assert answer.status_code == 422
        assert answer.json()["error"].startswith("The body is empty")


class TestOutcomes:
    def test_each_row_has_one(self, client):
        client.send(PREDICTIONS, [prediction("a", 0.1), prediction("b", 0.2)])
        client.send(LABELS, label("b", 0))
        found = client.send(
            PREDICTIONS,
            [
                prediction("c", 0.3),
                prediction("a", 0.1),
                prediction("b", 0.2, label=1),
                prediction("a", 0.9),
                prediction("d", "high"),
            ],
        )
        assert {name: found[name] for name in ("accepted", "duplicate", "corrected")} == {
            "accepted": 1,
            "duplicate": 1,
            "corrected": 1,
        }
        assert found["rejected"] == 2
        assert [(one["row"], one["outcome"]) for one in found["rows"]] == [
            (1, "duplicate"),
            (2, "corrected"),
            (3, "rejected"),
            (4, "rejected"),
        ]
        assert "ids are used once" in found["rows"][2]["reason"]
        assert found["rows"][3]["reason"] == "Expected float, got str - at score"
        assert stored(client) == {"a": (0.1, None), "b": (0.2, True), "c": (0.3, None)}

    def test_labels(self, client):
        client.send(PREDICTIONS, [prediction("a"), prediction("b")])
        found = client.send(LABELS, [label("a", True), label("a", 1), label("a", 0), label("b", 2)])
        assert [one.get("outcome") for one in found["rows"]] == [
            "duplicate",
            "corrected",
            "rejected",
        ]
        assert found["rows"][2]["reason"] == "label is 2; 0, 1, true or false is needed"
        assert stored(client) == {"a": (0.5, False), "b": (0.5, None)}

    @pytest.mark.parametrize("value", [True, 1, 1.0])
    def test_labels_may_be_numbers_as_data_frames_write_them(self, client, value):
        client.send(LABELS, label("a", value))
        assert stored(client) == {"a": (None, True)}

    def test_labels_before_predictions_and_both_at_once(self, client):
        assert client.send(LABELS, [label("a", 1), label("b", 0)])["accepted"] == 2
        assert client.send(PREDICTIONS, [prediction("a", 0.1)])["accepted"] == 1
        assert client.send(PREDICTIONS, [prediction("c", 0.3, label=0)])["accepted"] == 1
        assert client.send(PREDICTIONS, [prediction("b", 0.2, label=0)])["accepted"] == 1
        assert stored(client) == {"a": (0.1, True), "b": (0.2, False), "c": (0.3, False)}

    def test_bad_rows_do_not_lose_the_others(self, client):
        lines = [
            json.dumps(prediction("a")),
            "{",
            "null",
            "[]",
            '"text"',
            '{"id": "b"}',
            '{"id": "b", "score": NaN}',
            '{"id": "b", "score": 1e999}',
            '{"id": "b", "score": 1, "shape": 3}',
            '{"id": 7, "score": 1}',
            '{"id": "\\ud800", "score": 1}',
            '{"id": "b", "score": 1, "time": true}',
            '{"id": "b", "score": 1, "time": "yesterday"}',
            '{"id": "b", "score": 1, "time": 1e300}',
            '{"id": "b", "score": 1, "time": "0001-01-01T00:00:00+23:59"}',
            '{"id": "b", "score": 1, "label_time": "2024-01-01"}',
            '{"id": "b", "score": 1, "label": ' + "9" * 500 + "}",
            '{"id": "b", "score": 1, "segments": {"x": ' + "9" * 5000 + "}}",
            '{"id": "b", "score": 1, "segments": {"x": ' + "9" * 250 + "}}",
            '{"id": "b", "score": 1, "segments": {"x": 1.5}}',
            '{"id": "b", "score": 1, "segments": ' + '{"a":' * 5000 + "1" + "}" * 5000 + "}",
            '{"id": ' + "[" * 5000 + "]" * 5000 + "}",
            json.dumps(prediction("c")),
        ]
        body = "\n".join(lines).encode() + b'\n{"id": "\xff", "score": 1}\n{"id": "\x00"}'
        answer = client.post(f"{PREDICTIONS}?model=credit", content=body, headers=LINES)
        found = answer.json()
        assert answer.status_code == 200
        assert (found["accepted"], found["rejected"]) == (2, len(lines))
        assert [one["row"] for one in found["rows"]] == [*range(1, 22), 23, 24]
        assert all(one["reason"] and one["reason"].isprintable() for one in found["rows"])
        assert set(stored(client)) == {"a", "c"}

    def test_rows_of_other_types_in_a_list_do_not_lose_the_others(self, client):
        found = client.send(PREDICTIONS, [1, prediction("a"), None, [[[]]], "x", {"id": {}}])
        assert (found["accepted"], found["rejected"]) == (1, 5)

    def test_all_refused_is_an_error_with_the_reason(self, client):
        found = client.send(PREDICTIONS, [prediction("a", "x"), prediction("")], status=422)
        assert found["error"].startswith("No row was accepted; the first: Expected float")
        assert found["rejected"] == 2
        assert client.service.installation.models == {}

    def test_a_field_that_is_named_twice_has_its_last_value(self, client):
        body = b'{"model": "credit", "id": "a", "id": "b", "score": 0.1, "score": 0.2}'
        assert client.post(PREDICTIONS, content=body).json()["accepted"] == 1
        assert stored(client) == {"b": (0.2, None)}

    @pytest.mark.parametrize(
        "body",
        [
            b"[",
            b"[1,",
            b"[{}",
            b'[{"id": NaN}]',
            b"[" * 100_000,
            b'[{"a":' * 50_000,
            b"[]]",
            b"[] []",
        ],
        ids=range(8),
    )
    def test_a_list_that_is_not_json(self, client, body):
        answer = client.post(PREDICTIONS, content=body)
        assert answer.status_code == 422
        assert list(answer.json()) == ["error"]
        assert len(answer.text) < 500

    def test_lists_in_lists(self, client):
        """How many are too many differs between versions of Python."""
        answer = client.post(PREDICTIONS, content=b"[" * 100_000 + b"]" * 100_000)
        assert answer.status_code == 422
        assert len(answer.text) < 1000
        assert client.service.installation.models == {}

    def test_nan_in_a_list_is_explained(self, client):
        answer = client.post(PREDICTIONS, content=json.dumps([prediction("a", float("nan"))]))
        assert "JSON has no NaN" in answer.json()["error"]


class TestModels:
    def test_several_in_one_body(self, client):
        rows = [prediction(one, model=model) for one in "ab" for model in ("x", "y", "z")]
        assert client.send(PREDICTIONS, rows)["accepted"] == 6
        assert [set(stored(client, name)) for name in ("x", "y", "z")] == [set("ab")] * 3

    def test_the_address_names_the_model_of_rows_that_do_not(self, client):
        client.send(f"{PREDICTIONS}?model=x", [{"id": "a", "score": 1}, prediction("b", model="y")])
        assert (set(stored(client, "x")), set(stored(client, "y"))) == ({"a"}, {"b"})

    def test_none_is_refused_in_each_row(self, client):
        found = client.send(PREDICTIONS, [{"id": "a", "score": 1}, prediction("b")])
        assert found["rows"][0]["reason"].startswith("no model; name it")
        assert client.send(PREDICTIONS, prediction("a", model=""), 422)["rejected"] == 1


class TestIds:
    UUID = "0189d1d0-9a8e-7b3c-8f00-00c04fd430c8"

    @pytest.mark.parametrize(
        "other", [UUID.upper(), f"{{{UUID}}}", f"{{{UUID.upper()}}}", f"urn:uuid:{UUID}"]
    )
    def test_a_uuid_is_the_same_in_all_its_forms(self, client, other):
        client.send(PREDICTIONS, prediction(self.UUID))
        assert client.send(LABELS, label(other))["accepted"] == 1
        assert stored(client) == {self.UUID: (0.5, True)}
        assert client.send(LABELS, label(other))["duplicate"] == 1
        path = "/v1/models/credit/ids"
        assert client.delete(path, params={"id": other}).status_code == 200

    @pytest.mark.parametrize(
        "other",
        ["{" + UUID, UUID + "}", UUID.replace("-", ""), UUID[:-1], "urn:uuid:x" + UUID[:35]],
    )
    def test_what_only_looks_like_one_is_text(self, client, other):
        client.send(PREDICTIONS, [prediction(self.UUID), prediction(other)])
        assert set(stored(client)) == {self.UUID, other}

    @pytest.mark.parametrize("id", [" ", "   ", " a", "a ", "\u00a0a", "a\u3000", "", "a" * 201])
    def test_blank_padded_and_long_ones_are_refused(self, client, id):
        assert client.send(PREDICTIONS, prediction(id), 422)["rejected"] == 1


class TestLimits:
    def refused(self, client, rows, name, path=PREDICTIONS):
        found = client.send(path, rows)
        reasons = [one["reason"] for one in found["rows"] if one["outcome"] == "rejected"]
        assert len(reasons) == 1
        assert f"raise {name} in [limits]" in reasons[0]
        return found

    def test_identifier(self, make_client):
        client = make_client(limits=Limits(identifier=40))
        for row in (
            prediction("i" * 41),
            prediction("b", model="m" * 41),
            prediction("b", version="v" * 41),
            prediction("b", segments={"s" * 41: "x"}),
            prediction("b", segments={"s": "x" * 41}),
        ):
            self.refused(client, [row, prediction("a")], "identifier")

    def test_segments(self, make_client):
        client = make_client(limits=Limits(segments=2))
        row = prediction("b", segments={"x": 1, "y": 2, "z": 3})
        self.refused(client, [row, prediction("a")], "segments")

    def test_segments_of_a_model_in_several_rows(self, make_client):
        client = make_client(limits=Limits(segments=2))
        rows = [prediction(one, segments={one: "x"}) for one in "abc"]
        found = client.send(PREDICTIONS, rows)
        assert found["accepted"] == 3
        assert found["notes"] == [
            "credit: c x is stored, and not watched by itself; raise segments or segment_values "
            "in [limits]"
        ]

    def test_values_of_segments(self, make_client):
        client = make_client(limits=Limits(segment_values=3))
        rows = [prediction(str(one), segments={"x": one}) for one in range(20)]
        found = client.send(PREDICTIONS, rows)
        assert found["accepted"] == 20
        assert len(found["notes"]) == 10
        assert all("raise segments or segment_values in [limits]" in one for one in found["notes"])
        assert len(client.get("/v1/models/credit").json()["streams"]) == 3

    def test_combinations_of_segments(self, client, monkeypatch):
        monkeypatch.setattr("roclab.monitor.store.events.MOST_NAMES", 2)
        rows = [prediction(one, segments={"x": one}) for one in "abc"]
        assert client.send(PREDICTIONS, [*rows[:2], prediction("d")])["notes"] == []
        found = client.send(PREDICTIONS, [rows[2], *rows[:2]])
        assert (found["accepted"], found["duplicate"]) == (1, 2)
        [note] = found["notes"]
        assert note.startswith("credit: rows were stored without their segments, since ")
        assert "leave out segments with many values" in note

    def test_values_of_segments_in_summaries(self, make_client):
        client = make_client(limits=Limits(segment_values=2, segments=1))
        row = {
            "model": "credit",
            "cohort": "2024-01-01",
            "auc": 0.8,
            "variance": 0.001,
            "n_pos": 20,
            "n_neg": 30,
        }
        rows = [{**row, "segment": "x", "value": one} for one in "abc"]
        self.refused(client, rows, "segment_values", "/v1/summaries")
        rows = [{**row, "segment": one, "value": "a"} for one in "xy"]
        found = client.send("/v1/summaries", rows)
        assert "raise segments in [limits]" in found["rows"][-1]["reason"]

    def test_models(self, make_client):
        client = make_client(limits=Limits(models=2))
        rows = [prediction("a", model=name) for name in ("x", "y", "z")]
        self.refused(client, rows, "models")
        assert "raise models" in client.send(LABELS, label("a", model="z"), 422)["error"]
        found = client.send("/v1/deployments", {"model": "z", "version": "1"}, 422)
        assert "raise models" in found["error"]

    def test_ahead(self, make_client):
        client = make_client(limits=Limits(ahead=timedelta(minutes=1)))
        later = (datetime.now(UTC) + timedelta(minutes=2)).isoformat()
        self.refused(client, [prediction("b", time=later), prediction("a")], "ahead")
        self.refused(client, [label("b", time=later), label("c")], "ahead", LABELS)

    @pytest.mark.parametrize("form", ["list", "lines"])
    def test_batch(self, make_client, form):
        client = make_client(limits=Limits(batch=3))
        rows = [prediction(str(one)) for one in range(4)]
        body = json.dumps(rows) if form == "list" else "\n".join(map(json.dumps, rows))
        answer = client.post(PREDICTIONS, content=body)
        assert answer.status_code == 422
        assert answer.json()["error"] == (
            "The batch has 4 rows; at most 3 are accepted. Send smaller batches, or raise batch in "
            "[limits]."
        )
        assert stored(client) == {}

    @pytest.mark.parametrize("body", [b"\n" * 1_000_000, b"[" + b"1," * 400_000 + b"1]"])
    def test_many_values_are_refused_before_they_are_read(self, make_client, body):
        client = make_client(limits=Limits(batch=1000))
        answer = client.post(PREDICTIONS, content=body)
        assert answer.status_code == 422
        assert "raise batch in [limits]" in answer.json()["error"]


class TestBusy:
    def test_nothing_of_a_request_that_is_refused_is_written(self, make_client):
        client = make_client(limits=Limits(waiting_rows=10))
        answers = []

        def send(rows):
            answers.append(client.post(PREDICTIONS, json=rows))

        with Blocked(client.service):
            first = [prediction(f"a{one}") for one in range(8)]
            waiting = threading.Thread(target=send, args=(first,))
            waiting.start()
            eventually(lambda: client.service.waiting == 8)
            # The first model alone would fit.
            rows = [prediction("b", model="x"), *(prediction(f"c{i}", model="y") for i in range(3))]
            refused = client.post(PREDICTIONS, json=rows)
            assert refused.status_code == 429
            assert refused.headers["Retry-After"] == "1"
            assert "raise waiting_rows in [limits]" in refused.json()["error"]
            assert client.service.waiting == 8
            assert client.get("/readyz").json()["waiting_rows"] == 8
            assert client.get("/healthz").status_code == 200
        waiting.join()
        assert answers[0].json()["accepted"] == 8
        assert client.service.waiting == 0
        assert set(client.service.installation.models) == {"credit"}
        assert client.send(PREDICTIONS, rows)["accepted"] == 4

    def test_a_request_larger_than_the_limit_is_written_if_nothing_waits(self, make_client):
        client = make_client(limits=Limits(waiting_rows=3))
        rows = [prediction(str(one), model=f"m{one % 3}") for one in range(9)]
        assert client.send(PREDICTIONS, rows)["accepted"] == 9


class TestFailures:
    def break_model(self, client, monkeypatch, name):
        real = client.service.installation.predictions

        def fails(model, rows, now):
            if model == name:
                raise StoreError(found="The disk is full")
            return real(model, rows, now)

        monkeypatch.setattr(client.service.installation, "predictions", fails)
        monkeypatch.setattr("roclab.monitor.service.AT_ONCE", 1)  # each model on its own

    def test_the_answer_says_which_rows_are_durable(self, client, monkeypatch):
        self.break_model(client, monkeypatch, "y")
        rows = [prediction("a", model="x"), prediction("b", model="y"), prediction("c", "bad")]
        answer = client.post(PREDICTIONS, json=rows)
        found = answer.json()
        assert answer.status_code == 503
        assert answer.headers["Retry-After"] == "5"
        assert (found["accepted"], found["rejected"], found["failed"]) == (1, 1, 1)
        assert found["error"] == "The disk is full."
        assert [(one["row"], one["outcome"]) for one in found["rows"]] == [
            (1, "failed"),
            (2, "rejected"),
        ]
        assert (stored(client, "x"), stored(client, "y")) == ({"a": (0.5, None)}, {})

    def test_of_all_rows(self, client, monkeypatch):
        self.break_model(client, monkeypatch, "y")
        answer = client.post(PREDICTIONS, json=[prediction("b", model="y")])
        assert (answer.status_code, answer.json()) == (503, {"error": "The disk is full."})

    def test_a_request_does_not_wait_for_ever(self, client, monkeypatch):
        monkeypatch.setattr("roclab.monitor.api.context._PATIENCE", 0.05)
        with Blocked(client.service):
            answer = client.post(PREDICTIONS, json=prediction("a"))
            assert answer.status_code == 503
            assert "it is not known whether this will be" in answer.json()["error"]
        eventually(lambda: client.service.waiting == 0)
        assert client.send(PREDICTIONS, prediction("a"))["duplicate"] == 1

    def test_a_client_that_goes_away_does_not_take_back_its_rows(self, client):
        async def leave():
            import asyncio

            sending = asyncio.create_task(client.asking("POST", PREDICTIONS, json=prediction("a")))
            while not client.service.waiting:
                await asyncio.sleep(0.005)
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)

        with Blocked(client.service):
            client.run(leave())
        eventually(lambda: client.service.waiting == 0)
        assert stored(client) == {"a": (0.5, None)}
        assert client.send(PREDICTIONS, prediction("b"))["accepted"] == 1  # the thread lives
