"""Text that every channel can carry, whatever models are called."""

import pickle

import pytest

from roclab.monitor.delivery import DeliveryError
from roclab.monitor.delivery import test_notification as make_test
from roclab.monitor.delivery.message import cut, json_safe, lines, one_line
from tests.unit.monitor.delivery.receivers import HOSTILE_NAMES, notification


class TestText:
    @pytest.mark.parametrize("name", HOSTILE_NAMES)
    def test_fields_of_one_line_have_one_line(self, name):
        found = one_line(name, 300)
        assert len(found) <= 300
        assert len(found.splitlines()) <= 1
        assert found.encode("utf-8").decode("utf-8") == found
        assert not any(ord(one) < 32 or 0x7F <= ord(one) < 0xA0 for one in found)
        assert not set(found) & set("\u2028\u2029\u202a\u202d\u202e\u2066\u2069\u200f\ufeff")

    def test_lines_keep_line_feeds_only(self):
        assert lines("a\r\nb\rc\u2028d\x85e\n\tf\x1b", 100) == "a\nb\nc\nd\ne\n f"

    def test_white_space_is_joined(self):
        assert one_line("  a \t\r\n b  ", 100) == "a b"

    def test_long_text_is_cut_with_an_ellipsis(self):
        assert cut("abcdef", 6) == "abcdef"
        assert cut("abcdefg", 6) == "abcde…"
        assert cut("abc  defg", 6) == "abc…"

    def test_surrogates_become_the_replacement_character(self):
        assert one_line("a\ud800b", 10) == "a\ufffdb"


class TestJSON:
    def test_what_json_cannot_hold_is_null_or_text(self):
        values = {"a": float("nan"), "b": [float("-inf"), 1, True, None, 0.5], 3: {"\ud800": {1}}}
        assert json_safe(values) == {
            "a": None,
            "b": [None, 1, True, None, 0.5],
            "3": {"\ufffd": "{1}"},
        }

    def test_deep_nesting_is_cut(self):
        deep = []
        for _ in range(5_000):
            deep = [deep]
        found, depth = json_safe(deep), 0
        while found:
            found, depth = found[0], depth + 1
        assert depth == 21


class TestLinks:
    @pytest.mark.parametrize(
        "link",
        [
            *("javascript:alert(1)", "data:text/html,x", "//evil.example", "/alerts/1", ""),
            *('https://a/"onclick="x', "https://a/<b>", "https://a/ b", "https://a/|x"),
            *("https://a/\r\nBcc: x", "https://a/\u202e", "https://a/\ud800", "https://"),
            "https://a/" + "x" * 2000,
        ],
    )
    def test_links_that_are_none_are_left_out(self, link):
        assert notification(link=link).cleaned().link is None

    def test_links_to_the_page_stay(self):
        link = "http://localhost:8711/alerts/7?x=1&y=2#z"
        assert notification(link=link).cleaned().link == link


class TestNotification:
    @pytest.mark.parametrize(
        ("kind", "severity", "status"),
        [
            ("firing", "alarm", "▲ alarm"),
            ("firing", "warning", "△ warning"),
            ("resolved", "alarm", "○ resolved"),
            ("test", "warning", "◇ test"),
        ],
    )
    def test_the_headline_begins_with_shape_and_word(self, kind, severity, status):
        assert notification(kind=kind, severity=severity, title="x").headline == f"{status}: x"

    def test_a_clean_notification_stays_as_it_is(self):
        assert notification().cleaned() == notification()

    def test_a_test_says_that_nothing_is_wrong(self):
        found = make_test(at="2026-03-01T00:00:00Z", link="https://m.example/")
        assert (found.kind, found.at, found.since) == ("test", *["2026-03-01T00:00:00Z"] * 2)
        assert "Nothing is wrong" in found.text
        assert make_test().at.endswith("+00:00")


def test_errors_survive_pickling():
    error = DeliveryError(found="{host} answered", retryable=True, retry_after=7.0, host="a")
    found = pickle.loads(pickle.dumps(error))
    assert (str(found), found.retryable, found.retry_after) == ("a answered.", True, 7.0)
