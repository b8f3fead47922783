"""URLs that are accepted, and those that are not, without showing them."""

import pytest

from roclab.errors import InputError
from roclab.monitor.delivery.endpoint import Endpoint, checked_host, is_this_host
from tests.unit.monitor.delivery.receivers import CANARY

REFUSED = {
    "http://hooks.example.com/": "has http://",
    "http://127.0.0.1.example.com/": "has http://",
    "http://localhost.example.com/": "has http://",
    "http://2130706433/": "has http://",
    "http://0x7f000001/": "has http://",
    "http://017700000001/": "has http://",
    "http://0177.0.0.1/": "has http://",
    "http://127.1/": "has http://",
    "http://0/": "has http://",
    "http://0.0.0.0/": "has http://",
    "http://[::ffff:127.0.0.1]/": "has http://",
    "http://[::]/": "has http://",
    "http://localhost:80@example.com/": "user name or password",
    "https://user:pw@hooks.example.com/": "user name or password",
    "https://hooks.example.com\\@127.0.0.1/": "backslashes",
    "https://hooks.example.com/a b": "spaces",
    "https://hooks.example.com/\r\nX-Evil: 1": "control characters",
    "https://hooks.example.com/\t": "control characters",
    "https://\x00hooks.example.com/": "control characters",
    "https://hooks.exämple.com/": "beyond ASCII",
    "https://①②⑦.0.0.1/": "beyond ASCII",
    "https://%31%32%37.0.0.1/": "no valid host",
    "https://[fe80::1%25eth0]/": "no valid host",
    "https://-bad.example.com/": "no valid host",
    "https:///path": "no valid host",
    "https://.../": "no valid host",
    f"https://{'a' * 64}.com/": "no valid host",
    f"https://{'a.' * 150}com/": "no valid host",
    "https://[::1/": "does not begin with https://",
    "ftp://hooks.example.com/": "does not begin with https://",
    "file:///etc/passwd": "does not begin with https://",
    "gopher://127.0.0.1:25/": "does not begin with https://",
    "javascript:alert(1)": "does not begin with https://",
    "hooks.example.com": "does not begin with https://",
    "//hooks.example.com/": "does not begin with https://",
    "": "does not begin with https://",
    "https://hooks.example.com:0/": "no valid port",
    "https://hooks.example.com:65536/": "no valid port",
    "https://hooks.example.com:port/": "no valid port",
}


@pytest.mark.parametrize(("url", "words"), REFUSED.items())
def test_what_is_refused(url, words):
    with pytest.raises(InputError, match=words) as caught:
        Endpoint.of(url + CANARY, where="channel ops")
    assert str(caught.value).startswith("The URL of channel ops ")
    assert caught.value.__context__ is None
    assert CANARY not in repr(caught.value)


@pytest.mark.parametrize(
    ("url", "host", "port", "target", "loopback"),
    [
        ("https://Hooks.Example.com/a/b?c=d", "hooks.example.com", 443, "/a/b?c=d", False),
        ("https://hooks.example.com", "hooks.example.com", 443, "/", False),
        ("https://hooks.example.com:8443?x", "hooks.example.com", 8443, "/?x", False),
        ("https://hooks.example.com/a@b#fragment", "hooks.example.com", 443, "/a@b", False),
        ("https://[2606:4700::1111]:444/", "2606:4700::1111", 444, "/", False),
        ("http://localhost:9000/x", "localhost", 9000, "/x", True),
        ("http://127.0.0.1/", "127.0.0.1", 80, "/", True),
        ("http://[::1]:81/", "::1", 81, "/", True),
        ("https://xn--exmple-cua.com/", "xn--exmple-cua.com", 443, "/", False),
    ],
)
def test_what_is_accepted(url, host, port, target, loopback):
    found = Endpoint.of(url, where="x")
    assert (found.host, found.port, found.target) == (host, port, target)
    assert found.loopback is loopback
    assert found.secure is url.startswith("https")


def test_path_and_query_are_not_shown():
    assert CANARY not in repr(Endpoint.of(f"https://a.example/{CANARY}?{CANARY}", where="x"))


def test_hosts():
    assert checked_host("MAIL.example.org.") == "mail.example.org."
    assert checked_host("::0001") == "::1"
    assert checked_host("mail server") is None
    assert checked_host("") is None


def test_this_host_is_literal():
    assert all(map(is_this_host, ("localhost", "127.0.0.1", "127.9.9.9", "::1")))
    assert not any(map(is_this_host, ("localhost.", "::ffff:127.0.0.1", "0.0.0.0", "127.1")))
