"""Posting to receivers that redirect, hang, drip, flood, lie and move."""

import http.client
import socket
import ssl
import time
import warnings
from datetime import UTC, datetime
from email.utils import format_datetime

import pytest

from roclab.monitor.delivery import DeliveryError, HttpClient, connection
from roclab.monitor.delivery.endpoint import Endpoint
from roclab.monitor.delivery.http import json_body, retry_after
from tests.unit.monitor.delivery.receivers import (
    CANARY,
    closed_port,
    http_receiver,
    raw_receiver,
)

PUBLIC = "93.184.215.14"


def endpoint(url, **options):
    return Endpoint.of(url, where="x", **options)


def post(url, client=None, *, body=b"[]", allow_private=False, **options):
    chosen = client or HttpClient(deadline=5)
    chosen.post(endpoint(url, allow_private=allow_private), body, attempt_id="d-1", **options)


def failure(url, client=None, **options):
    with pytest.raises(DeliveryError) as caught:
        post(url, client, **options)
    return caught.value


def resolves_to(*addresses):
    return HttpClient(resolve=lambda *_: list(addresses), deadline=5)


class TestRequest:
    def test_what_is_sent(self):
        with http_receiver() as receiver:
            post(receiver.url("/a?b=c"), body=b'{"x":1}', headers={"X-Roclab-Timestamp": "17"})
        [request] = receiver.received
        assert (request.path, request.body) == ("/a?b=c", b'{"x":1}')
        assert request.headers["Host"] == f"127.0.0.1:{receiver.port}"
        assert request.headers["Content-Type"] == "application/json"
        assert request.headers["X-Roclab-Delivery"] == "d-1"
        assert request.headers["X-Roclab-Timestamp"] == "17"
        assert request.headers["User-Agent"].startswith("roclab-monitor/")

    @pytest.mark.parametrize("status", [200, 201, 202, 204])
    def test_any_status_of_success_is_a_delivery(self, status):
        with http_receiver((status, {}, b"")) as receiver:
            post(receiver.url())
        assert len(receiver.received) == 1

    def test_proxies_of_the_environment_are_not_asked(self, monkeypatch):
        for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{closed_port()}")
        with http_receiver() as receiver:
            post(receiver.url())
        assert len(receiver.received) == 1

    def test_a_line_end_in_an_id_is_no_header(self):
        with http_receiver() as receiver, pytest.raises(ValueError, match="Invalid header"):
            HttpClient(deadline=5).post(endpoint(receiver.url()), b"", attempt_id="a\r\nEvil: 1")
        assert not receiver.received

    def test_bodies_are_compact_json_in_utf_8(self):
        assert json_body({"a": "ä", "b": [1, None]}) == '{"a":"ä","b":[1,null]}'.encode()
        with pytest.raises(ValueError, match="Out of range"):
            json_body(float("nan"))


class TestStatus:
    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308, 300, 304])
    def test_a_redirect_is_not_followed_and_is_a_failure(self, status):
        with http_receiver() as other, http_receiver((status, {}, b"")) as receiver:
            receiver.answers = [(status, {"Location": other.url(f"/{CANARY}")}, b"")]
            error = failure(receiver.url())
        assert len(receiver.received) == 1
        assert not other.received
        assert not error.retryable
        assert "a redirect, which is not followed" in str(error)
        assert CANARY not in str(error)

    @pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 410, 413, 422, 499])
    def test_other_client_errors_are_final(self, status):
        with http_receiver((status, {}, b"")) as receiver:
            error = failure(receiver.url())
        assert not error.retryable
        assert f"127.0.0.1 answered {status}" in str(error)

    @pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504, 599])
    def test_what_may_pass_is_tried_again(self, status):
        with http_receiver((status, {}, b"")) as receiver:
            error = failure(receiver.url())
        assert error.retryable
        assert error.retry_after is None

    def test_advice_by_answer_then_by_status_then_in_general(self):
        advice = {"no_service": "Create a new one.", 404: "Look for it."}
        with http_receiver(
            (404, {}, b"no_service\n"), (404, {}, b"?"), (403, {}, b"?")
        ) as receiver:
            found = [failure(receiver.url(), advice=advice).fix for _ in range(3)]
        assert found[:2] == ["Create a new one.", "Look for it."]
        assert found[2] == "Check the secret or the permission of this channel."

    @pytest.mark.parametrize(
        ("header", "seconds"),
        [
            ("7", 7.0),
            (" 120 ", 120.0),
            ("0", 0.0),
            ("999999999999999999", 3600.0),
            (format_datetime(datetime.fromtimestamp(1_700_000_090, UTC), usegmt=True), 90.0),
            ("Tue, 14 Nov 2023 22:14:50 -0000", 90.0),
            ("Tue Nov 14 22:14:50 2023", 90.0),  # asctime, which is in UTC
            ("Fri, 31 Dec 9999 23:59:59 GMT", 3600.0),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0),
            ("-5", None),
            ("1e9", None),
            ("soon", None),
            ("", None),
            (None, None),
            ("Tue, 99 Nov 2023 99:99:99 GMT", None),
        ],
    )
    def test_seconds_to_wait(self, header, seconds):
        assert retry_after(header, now=1_700_000_000) == seconds

    @pytest.mark.parametrize("status", [429, 503])
    def test_a_receiver_may_ask_to_wait_up_to_an_hour(self, status):
        with http_receiver(
            (status, {"Retry-After": "30"}, b""), (status, {"Retry-After": "86400"}, b"")
        ) as receiver:
            found = [failure(receiver.url()) for _ in range(2)]
        assert [one.retry_after for one in found] == [30, 3600]
        assert all(one.retryable for one in found)

    def test_a_date_to_wait_for_counts_from_the_clock(self):
        date = format_datetime(datetime.fromtimestamp(1_700_000_090, UTC), usegmt=True)
        client = HttpClient(deadline=5, clock=lambda: 1_700_000_000.0)
        with http_receiver((429, {"Retry-After": date}, b"")) as receiver:
            assert failure(receiver.url(), client).retry_after == 90


class TestAddresses:
    @pytest.mark.parametrize(
        ("address", "words"),
        [
            ("10.1.2.3", "a private address"),
            ("192.168.0.1", "a private address"),
            ("fd12::1", "a private address"),
            ("127.0.0.1", "a loopback address"),
            ("::1", "a loopback address"),
            ("::ffff:127.0.0.1", "a loopback address"),
            ("::ffff:10.0.0.1", "a private address"),
            ("0.0.0.0", "an unspecified address"),
            ("::", "an unspecified address"),
            ("169.254.169.254", "the metadata service"),
            ("fd00:ec2::254", "the metadata service"),
            ("fe80::1%lo", "a link-local address"),
            ("169.254.1.1", "a link-local address"),
        ],
    )
    def test_names_that_lead_inside_are_refused(self, address, words):
        error = failure("https://hooks.example.com/", resolves_to(address))
        assert not error.retryable
        assert f"resolves to {words}" in str(error)
        assert "nothing was sent" in str(error)

    @pytest.mark.parametrize(
        "host",
        [
            *("2130706433", "0x7f000001", "017700000001", "0177.0.0.1", "127.1", "127.0.1", "0"),
            *("0x7f.1", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "167772161"),
            *("10.0.0.1", "[::ffff:7f00:1]", "[::ffff:10.0.0.1]"),
            *("[64:ff9b::7f00:1]", "[::127.0.0.1]", "169.254.169.254", "0.0.0.0", "[::]"),
        ],
    )
    def test_other_spellings_of_addresses_are_refused(self, host):
        """By the system's own resolver, which reads decimal, hexadecimal and octal numbers."""
        with raw_receiver(lambda sock: sock.recv(1)) as port:
            error = failure(f"https://{host}:{port}/")
        assert not error.retryable
        assert "nothing was sent" in str(error)

    @pytest.mark.parametrize("host", ["127.0.0.1.", "localhost."])
    def test_a_point_at_the_end_does_not_lead_to_this_host(self, host):
        """Whether or not the system resolves it."""
        with raw_receiver(lambda _: pytest.fail("connected")) as port:
            failure(f"https://{host}:{port}/")

    def test_a_private_address_is_allowed_on_request_but_no_other(self, monkeypatch):
        tried = []

        def create(address, _):
            tried.append(address)
            raise ConnectionRefusedError

        monkeypatch.setattr(connection.socket, "create_connection", create)
        error = failure("https://in.example/", resolves_to("10.0.0.1"), allow_private=True)
        assert (error.retryable, tried) == (True, [("10.0.0.1", 443)])
        for address in ("127.0.0.1", "169.254.169.254", "0.0.0.0", "fe80::1", "::ffff:127.0.0.1"):
            error = failure("https://in.example/", resolves_to(address), allow_private=True)
            assert not error.retryable
            assert "allow_private" not in str(error)
        assert len(tried) == 1

    def test_the_error_of_a_private_address_says_how_to_allow_it(self):
        error = failure("https://in.example/", resolves_to("10.0.0.1"))
        assert "set allow_private = true" in str(error)

    @pytest.mark.parametrize("place", [0, 1, 2])
    def test_one_private_address_among_several_refuses_all(self, monkeypatch, place):
        monkeypatch.setattr(connection.socket, "create_connection", pytest.fail)
        addresses = [PUBLIC, "2606:4700::1111"]
        addresses.insert(place, "10.0.0.1")
        error = failure("https://hooks.example.com/", resolves_to(*addresses))
        assert "a private address" in str(error)

    def test_localhost_that_resolves_elsewhere_is_refused(self):
        for address in (PUBLIC, "10.0.0.1", "::ffff:127.0.0.1"):
            error = failure("http://localhost/", resolves_to(address))
            assert "localhost must resolve to this host" in str(error)

    @pytest.mark.parametrize("found", [[], ["not an address"], OSError("no such name")])
    def test_names_without_an_address_are_tried_again(self, found):
        def resolve(*_):
            if isinstance(found, OSError):
                raise found
            return found

        error = failure("https://hooks.example.com/", HttpClient(resolve=resolve))
        assert error.retryable
        assert "hooks.example.com cannot be resolved" in str(error)


class TestRebinding:
    """A name whose address changes between check and use."""

    @pytest.fixture
    def redirected(self, monkeypatch):
        """Connections go to a port of this host; to which address they were meant is kept."""
        meant, ports, create = [], [], socket.create_connection

        def connect(address, timeout):
            meant.append(address)
            return create(("127.0.0.1", ports[0]), timeout)

        monkeypatch.setattr(connection.socket, "create_connection", connect)
        return meant, ports

    def test_the_connection_goes_to_the_address_that_was_checked(self, redirected, certificate):
        meant, ports = redirected
        answers, asked = [[PUBLIC], ["10.0.0.1"]], []

        def resolve(host, port):
            asked.append((host, port))
            return answers.pop(0)

        client = HttpClient(resolve=resolve, context=certificate.client(), deadline=5)
        with http_receiver(tls=certificate.server()) as receiver:
            ports.append(receiver.port)
            post("https://hooks.example.com/x", client)
            assert asked == [("hooks.example.com", 443)]
            assert meant == [(PUBLIC, 443)]
            assert receiver.received[0].headers["Host"] == "hooks.example.com"
            error = failure("https://hooks.example.com/x", client)
        assert "a private address" in str(error)
        assert (len(meant), len(receiver.received)) == (1, 1)

    def test_the_system_is_asked_for_a_name_only_once(self, monkeypatch):
        asked, known = [], socket.getaddrinfo

        def getaddrinfo(host, port, *rest, **options):
            asked.append(host)
            if host == "hooks.example.com":
                address = PUBLIC if asked.count(host) == 1 else "127.0.0.1"
                return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]
            return known(host, port, *rest, **options)

        def connect(_, address):
            assert address == (PUBLIC, 443)
            raise ConnectionRefusedError

        monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
        monkeypatch.setattr(socket.socket, "connect", connect)
        error = failure("https://hooks.example.com/")
        assert "refused the connection" in str(error)
        assert asked.count("hooks.example.com") == 1

    def test_a_host_that_took_over_the_address_has_no_certificate(self, redirected, certificate):
        _, ports = redirected
        client = HttpClient(resolve=lambda *_: [PUBLIC], context=certificate.client(), deadline=5)
        with http_receiver(tls=certificate.server()) as receiver:
            ports.append(receiver.port)
            error = failure("https://other.example.com/x", client)
        assert error.retryable
        assert "certificate that is not valid" in str(error)
        assert not receiver.received


class TestTLS:
    def test_a_delivery_with_a_certificate_of_a_known_authority(self, certificate):
        client = HttpClient(context=certificate.client(), deadline=5)
        with http_receiver(tls=certificate.server()) as receiver:
            post(receiver.url(scheme="https", host="localhost"), client)
        assert len(receiver.received) == 1

    def test_an_unknown_authority_is_refused_before_anything_is_sent(self, certificate):
        with http_receiver(tls=certificate.server()) as receiver:
            error = failure(receiver.url(scheme="https", host="localhost"))
        assert "certificate that is not valid" in str(error)
        assert "Nothing was sent" in str(error)
        assert not receiver.received

    def test_a_receiver_without_tls_gets_nothing(self):
        with http_receiver() as receiver:
            error = failure(receiver.url(scheme="https", host="localhost"))
        assert error.retryable
        assert not receiver.received

    def test_versions_before_1_2_are_refused(self, certificate):
        old = certificate.server()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            old.minimum_version = ssl.TLSVersion.TLSv1
            old.maximum_version = ssl.TLSVersion.TLSv1_1
        client = HttpClient(context=certificate.client(), deadline=5)
        with http_receiver(tls=old) as receiver:
            error = failure(receiver.url(scheme="https", host="localhost"), client)
        assert "TLS handshake" in str(error) or "closed the connection" in str(error)
        assert not receiver.received


def drip(beginning, part):
    """Send a beginning, and then a part every 20 ms, for as long as somebody listens."""

    def talk(sock):
        sock.recv(100_000)
        sock.sendall(beginning)
        for _ in range(500):
            time.sleep(0.02)
            sock.sendall(part)

    return talk


class TestHostileReceivers:
    quick = HttpClient(deadline=0.3)

    def failure(self, talk, url="http://127.0.0.1:{port}/", client=None, **options):
        with raw_receiver(talk) as port:
            return failure(url.format(port=port), client or self.quick, **options)

    @pytest.mark.parametrize(
        ("beginning", "part"),
        [
            (b"", b""),  # silence
            (b"", b"H"),
            (b"HTTP/1.1 200 ", b"O"),
            (b"HTTP/1.1 200 OK\r\n", b"X-A: 1\r\n"),
            (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        ],
        ids=["silence", "status", "reason", "headers", "continue"],
    )
    def test_a_receiver_that_drips_ends_at_the_deadline(self, beginning, part):
        error = self.failure(drip(beginning, part))
        assert error.retryable
        assert "has not answered within 0.3 seconds" in str(error)

    def test_the_status_counts_though_its_answer_drips(self):
        beginning = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 9000\r\n\r\n"
        error = self.failure(drip(beginning, b"x"))
        assert "answered 403" in str(error)

    def test_a_handshake_that_does_not_come_ends_at_the_deadline(self):
        error = self.failure(drip(b"", b""), "https://127.0.0.1:{port}/")
        assert "has not answered" in str(error)

    def test_a_handshake_that_drips_ends_at_the_deadline(self):
        error = self.failure(drip(b"\x16\x03\x03\x40\x00", b"\x02"), "https://127.0.0.1:{port}/")
        assert error.retryable

    def test_a_receiver_that_reads_nothing_ends_at_the_deadline(self):
        error = self.failure(lambda _: time.sleep(1), body=b"x" * 50_000_000)
        assert "has not answered" in str(error)

    @pytest.mark.parametrize(
        "head",
        [
            b"HTTP/1.1 500 No\r\nContent-Length: 100000000\r\n\r\n",
            b"HTTP/1.1 500 No\r\n\r\n",
            b"HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n5f5e100\r\n",
        ],
        ids=["length", "close", "chunked"],
    )
    def test_an_answer_that_is_too_long_is_cut(self, monkeypatch, head):
        read = []
        original = connection.DeadlineReader.readinto

        def readinto(self, buffer):
            read.append(original(self, buffer))
            return read[-1]

        def talk(sock):
            sock.recv(100_000)
            sock.sendall(head)
            for _ in range(100):
                sock.sendall(b"x" * 1_000_000)

        monkeypatch.setattr(connection.DeadlineReader, "readinto", readinto)
        error = self.failure(talk, client=HttpClient(deadline=5))
        assert "answered 500" in str(error)
        assert 0 < sum(read) <= 65_536

    @pytest.mark.parametrize(
        "answer",
        [
            b"",
            b"\r\n" * 10,
            b"\x00" * 100,
            b"x" * 200_000,
            b"SSH-2.0-OpenSSH_9.2\r\n",
            b"220 mail.test ESMTP\r\n",
            b"HTTP/1.1 2x0 OK\r\n\r\n",
            b"HTTP/1.1 99999 OK\r\n\r\n",
            b"HTTP/9.9 200 OK\r\n\r\n",
            b"HTTP/1.1 200 OK\r\n" + b"X-A: 1\r\n" * 5_000,
            b"HTTP/1.1 100 Continue\r\n\r\n" * 10_000,
        ],
        ids=lambda answer: f"{answer[:12]!r}{len(answer)}",
    )
    def test_what_is_no_answer_of_http_is_no_delivery(self, answer):
        def talk(sock):
            sock.recv(100_000)
            sock.sendall(answer)

        error = self.failure(talk, client=HttpClient(deadline=5))
        assert error.retryable
        assert str(error).startswith("127.0.0.1 ")

    @pytest.mark.parametrize(
        "answer",
        [
            b"HTTP/1.1 400 \xff\xfe\r\nRetry-After: \xff\r\n\r\n\xff\xff",
            b"HTTP/1.1 400 Bad\r\nContent-Length: -1\r\n\r\n",
            b"HTTP/1.1 400 Bad\r\nContent-Length: many\r\n\r\n",
            b"HTTP/1.1 400 Bad\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            b"HTTP/1.1 400 Bad\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nabc\r\n",
            b"HTTP/1.1 400 Bad\r\nTransfer-Encoding: chunked\r\n\r\n" + b"f" * 1000,
            b"HTTP/1.1 400 Bad\r\nno colon\r\n folded\r\n\r\n",
            b"HTTP/1.1 400 Bad\r\nRetry-After: 1\r\nRetry-After: 2\r\n\r\n",
        ],
        ids=range(8),
    )
    def test_broken_answers_with_a_status_have_that_status(self, answer):
        def talk(sock):
            sock.recv(100_000)
            sock.sendall(answer)

        error = self.failure(talk, client=HttpClient(deadline=5))
        assert "answered 400 Bad Request" in str(error)
        assert error.retry_after is None

    def test_a_closed_port_says_so(self):
        error = failure(f"http://127.0.0.1:{closed_port()}/")
        assert error.retryable
        assert str(error) == (
            "127.0.0.1 refused the connection. Check the host and the port, and that they can be "
            "reached from here."
        )

    def test_failures_that_have_no_words_of_their_own(self, monkeypatch):
        def fail(*_):
            raise http.client.IncompleteRead(b"")

        monkeypatch.setattr(http.client.HTTPConnection, "getresponse", fail)
        with http_receiver() as receiver:
            assert "did not answer with HTTP" in str(failure(receiver.url()))

    def test_networks_that_cannot_be_reached(self, monkeypatch):
        def fail(*_):
            raise OSError(101, "Network is unreachable")

        monkeypatch.setattr(connection.socket, "create_connection", fail)
        error = failure("https://hooks.example.com/", resolves_to(PUBLIC))
        assert str(error).startswith("hooks.example.com cannot be reached. Check the host")
