"""Rows as they are decoded and checked, one by one."""

import json
import string
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roclab.errors import InputError
from roclab.monitor.schema import (
    CONTROL,
    Checker,
    DeploymentRow,
    Label,
    LabelRow,
    Prediction,
    PredictionRow,
    Refused,
    Rejected,
    SummaryRow,
    decode,
    shown_identifier,
)
from roclab.monitor.settings import Limits
from roclab.streaming.calendar import microseconds

NOW = microseconds(datetime(2026, 5, 1, tzinfo=UTC))
LIMITS = Limits()
CHECKER = Checker(LIMITS)


def rows(body, kind=PredictionRow, limits=LIMITS):
    return decode(body if isinstance(body, bytes) else body.encode(), kind, limits)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=4,
)
NAMES = ("id", "score", "model", "time", "version", "segments", "label", "label_time")
OBJECTS = st.fixed_dictionaries({}, optional=dict.fromkeys(NAMES, JSON))


LINES = st.sampled_from(
    [
        *('{"id":"a","label":1}', '{"id":"b","label":0}', '{"id":"c","label":true,"time":"x"}'),
        *('{"id":"a"}', '{"id":"a","label":1}{"id":"b","label":1}', '{"id":"a",', '"label":1}'),
        *(" ", "", '{"id":"a","label":1} ', '\r{"id":"a","label":1}\r', "{}", "[]", "null", "}"),
        *('{"id":"}{","label":1}', '{"id":"a","label":1}]', '[{"id":"a","label":1}', "\x00"),
    ]
)


class TestForms:
    ROW = '{"id": "a", "score": 1}'

    @pytest.mark.parametrize(
        ("body", "count"),
        [
            (ROW, 1),
            (f"\n\r\t {ROW} \n", 1),
            (f"[{ROW}]", 1),
            (f" [{ROW} , {ROW}] ", 2),
            (f"{ROW}\n{ROW}", 2),
            (f"{ROW}\r\n\r\n{ROW}\r\n", 2),
            (f"\ufeff{ROW}\n{ROW}", 2),
            (f"\ufeff[{ROW}]", 1),
            ('{"id":\n"a",\n"score":\n1}', 1),
        ],
    )
    def test_objects_lists_and_lines_are_the_same(self, body, count):
        assert rows(body) == [PredictionRow("a", 1.0)] * count

    @given(st.lists(LINES, min_size=1, max_size=5))
    def test_lines_together_are_as_one_by_one(self, lines):
        first = '{"id":"first","label":1}'
        found = rows("\n".join([first, *lines]), LabelRow)
        # After a line that is no row, each is decoded on its own.
        expected = [rows(f"null\n{one}", LabelRow)[1] for one in (first, *lines) if one.strip()]
        assert found == expected

    @pytest.mark.parametrize("body", ["", " ", "\n", "[]", "\ufeff"])
    def test_nothing(self, body):
        with pytest.raises(InputError, match="The body is empty"):
            rows(body)

    def test_other_kinds(self):
        assert rows('{"id": "a", "label": true}', LabelRow) == [LabelRow("a", True)]
        assert rows('{"version": "1"}', DeploymentRow) == [DeploymentRow("1")]
        (found,) = rows('{"cohort": "2024-01-01", "n_pos": 1, "n_neg": 2}', SummaryRow)
        assert (found.n_pos, found.auc) == (1, None)

    def test_lines_that_cannot_be_read_keep_their_places(self):
        found = rows(f"{self.ROW}\n{{\n\n{self.ROW}\nnull")
        assert [isinstance(one, Rejected) for one in found] == [False, True, False, True]

    @given(st.binary(max_size=200))
    def test_any_bytes_are_rows_or_an_error(self, body):
        for kind in (PredictionRow, LabelRow, SummaryRow, DeploymentRow):
            try:
                found = decode(body, kind, LIMITS)
                said = [one.reason for one in found if isinstance(one, Rejected)]
            except InputError as error:
                said = [str(error)]
            assert not [one for one in said if CONTROL.search(one)]

    @given(st.lists(OBJECTS, min_size=1, max_size=5))
    def test_any_objects_are_rows_or_refused_one_by_one(self, objects):
        found = rows(json.dumps(objects))
        assert len(found) == len(objects)
        for one in found:
            if not isinstance(one, Rejected):
                one = CHECKER.prediction(one, NOW)
            if isinstance(one, Rejected):
                assert not CONTROL.search(one.reason)


class TestBatch:
    def test_the_largest_is_read(self):
        limits = Limits(batch=3)
        body = "\n\n".join(['{"id": "a", "score": 1}'] * 3)
        assert len(rows(body, limits=limits)) == 3

    def test_the_largest_with_all_segments_is_read(self):
        limits = Limits(batch=3, segments=60)
        row = {"id": "a", "score": 1, "segments": {f"s{one}": "x" for one in range(60)}}
        assert len(rows(json.dumps([row] * 3), limits=limits)) == 3

    @pytest.mark.parametrize(
        "body", ["1\n" * 4, "[1,1,1,1]", "\n" * 100, "[" + "1," * 100 + "1]"], ids=range(4)
    )
    def test_more_are_refused(self, body):
        with pytest.raises(InputError, match=r"raise batch in \[limits\]"):
            rows(body, limits=Limits(batch=3))


class TestTime:
    @pytest.mark.parametrize(
        ("given", "expected"),
        [
            ("2026-01-02", datetime(2026, 1, 2, tzinfo=UTC)),
            ("2026-01-02T03:04:05", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)),
            ("2026-01-02T03:04:05Z", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)),
            ("2026-01-02T03:04:05+02:00", datetime(2026, 1, 2, 1, 4, 5, tzinfo=UTC)),
            ("2026-01-02 03:04:05.678901", datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)),
            (1_700_000_000, datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)),
            (1_700_000_000.25, datetime(2023, 11, 14, 22, 13, 20, 250_000, tzinfo=UTC)),
        ],
    )
    def test_forms(self, given, expected):
        assert CHECKER.time(given, NOW) == microseconds(expected)

    @pytest.mark.parametrize(
        ("given", "reason"),
        [
            ("yesterday", "is no time; ISO 8601 or seconds since 1970 are needed"),
            ("", "is no time"),
            ("2026-13-01", "is no time"),
            ("2026-01-01T25:00", "is no time"),
            ("\x1b[2J", "is no time"),
            ("9" * 10_000, "is no time"),
            (1_700_000_000_000, "seconds since 1970 are needed"),  # milliseconds
            (1e300, "seconds since 1970 are needed"),
            (-1e300, "seconds since 1970 are needed"),
            ("1971-12-31", "is before 1972"),
            ("0001-01-01T00:00:00+23:59", "is before 1972"),
            (-5.0, "is before 1972"),
            ("9999-12-31T23:59:59-23:59", "in the future"),
            ("2026-05-01T00:05:01Z", "raise ahead in [limits]"),
            ("2026-05-02T00:00:00." + "0" * 100_000, "in the future"),
        ],
        ids=range(15),
    )
    def test_refusals(self, given, reason):
        with pytest.raises(Refused) as refusal:
            CHECKER.time(given, NOW)
        assert reason in str(refusal.value)
        assert str(refusal.value).isprintable()
        assert len(str(refusal.value)) < 300

    def test_a_time_ahead_as_far_as_is_allowed(self):
        later = datetime(2026, 5, 1, 0, 5, tzinfo=UTC)
        assert CHECKER.time(later.isoformat(), NOW) == microseconds(later)
        checker = Checker(Limits(ahead=timedelta(days=2)))
        assert checker.time("2026-05-02T12:00:00", NOW) > NOW


class TestIds:
    @given(st.uuids())
    def test_a_uuid_has_one_form(self, one):
        text = str(one)
        forms = [text, text.upper(), f"{{{text}}}", f"{{{text.upper()}}}", one.urn, one.urn.upper()]
        assert {CHECKER.identifier(form) for form in forms} == {one.bytes}
        assert shown_identifier(one.bytes) == text

    @given(st.text(string.hexdigits + "-{}:urnid", min_size=30, max_size=46))
    def test_what_is_16_bytes_is_a_uuid(self, text):
        try:
            found = CHECKER.identifier(text)
        except Refused:
            return
        if isinstance(found, bytes):
            assert UUID(text).bytes == found
        else:
            assert shown_identifier(found) == text

    @given(st.text(max_size=300))
    def test_any_other_text_is_itself_or_refused(self, text):
        try:
            found = CHECKER.identifier(text)
        except Refused as refusal:
            said = str(refusal)
        else:
            said = ""
            assert isinstance(found, bytes) or found == text
            assert text.strip() == text != ""
        assert said.isascii()
        assert said.isprintable()


class TestPrediction:
    def test_all_of_it(self):
        row = PredictionRow(
            id="a",
            score=1,
            time="2026-01-01",
            version="v",
            segments={"b": True, "a": 7, "c": "x", "d": None},
            label=1.0,
            label_time="2026-01-02",
        )
        assert CHECKER.prediction(row, NOW) == Prediction(
            "a",
            1.0,
            microseconds(datetime(2026, 1, 1)),
            "v",
            (("a", "7"), ("b", "true"), ("c", "x")),
            True,
            microseconds(datetime(2026, 1, 2)),
        )

    def test_the_least(self):
        found = CHECKER.prediction(PredictionRow("a", 0.5), NOW)
        assert found == Prediction("a", 0.5, NOW, None, (), None, None)
        found = CHECKER.prediction(PredictionRow("a", 0.5, label=False), NOW)
        assert (found.label, found.label_time) == (False, NOW)

    @pytest.mark.parametrize("label", [2, -1, 0.5, 1e300, 10**30])
    def test_labels_are_two(self, label):
        for row in (PredictionRow("a", 0.5, label=label), LabelRow("a", label)):
            check = CHECKER.prediction if isinstance(row, PredictionRow) else CHECKER.label
            assert "0, 1, true or false is needed" in check(row, NOW).reason

    def test_labels(self):
        assert CHECKER.label(LabelRow("a", 1, time=1.7e9), NOW) == Label(
            "a", True, 1_700_000_000_000_000
        )

    def test_a_time_of_no_label(self):
        row = PredictionRow("a", 0.5, label_time="2026-01-01")
        assert CHECKER.prediction(row, NOW) == Rejected("label_time without a label")


class TestModels:
    @pytest.mark.parametrize("name", ["credit", "team.credit:3", "a b", "...", "%2f", "日本"])
    def test_names(self, name):
        assert CHECKER.model(name) == name

    @pytest.mark.parametrize(
        "name", [None, "", " ", "a/b", "/", ".", "..", "a\\b", "a\n", "x" * 201]
    )
    def test_what_is_none(self, name):
        with pytest.raises(Refused):
            CHECKER.model(name)

    def test_memory_of_names_is_bounded(self, monkeypatch):
        monkeypatch.setattr("roclab.monitor.schema._KNOWN", 10)
        checker = Checker(LIMITS)
        for number in range(100):
            checker.model(f"m{number}")
            checker.text(f"t{number}", "value")
        assert len(checker._models) == len(checker._texts) == 10
