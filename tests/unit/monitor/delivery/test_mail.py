"""Mail: its headers, its parts, and servers that refuse, hang and lie."""

import email
import email.policy
import html
import re
import socket
import time

import pytest

from roclab.monitor.delivery import ChannelSettings, DeliveryError, connection, make_channel
from roclab.monitor.delivery.mail import MailChannel, mail
from tests.unit.monitor.delivery.receivers import (
    CANARY,
    HOSTILE_NAMES,
    closed_port,
    mail_server,
    notification,
    raw_receiver,
)

TO = ("ops@example.org", "ml@example.org")


def channel(port, **options):
    values = {"tls": "none", "to": TO, "deadline": 5.0, **options}
    return MailChannel(
        **{"name": "mail", "host": "localhost", "port": port, "sender": "roclab@example.org"},
        **values,
    )


def failure(port, **options):
    with pytest.raises(DeliveryError) as caught:
        channel(port, **options).send(notification(), attempt_id="d-1")
    assert CANARY not in repr(caught.value)
    return caught.value


def parsed(message: bytes):
    return email.message_from_bytes(message, policy=email.policy.default)


def sent(**changes):
    """The mail of a notification as a server receives it."""
    with mail_server() as box:
        channel(box.port).send(notification(**changes), attempt_id="d-1")
    [message] = box.messages
    return parsed(message), message, box


class TestMessage:
    def test_headers(self):
        found, raw, box = sent()
        assert found["Subject"] == "[roclab] ▲ alarm: credit, region north: change fires"
        assert found["From"] == "roclab@example.org"
        assert found["To"] == "ops@example.org, ml@example.org"
        assert found["Auto-Submitted"] == "auto-generated"
        assert found["Date"].datetime is not None
        assert [one.lower() for one in box.commands[1:]] == [
            "mail from:<roclab@example.org>",
            "rcpt to:<ops@example.org>",
            "rcpt to:<ml@example.org>",
            *("data", "quit"),
        ]
        assert raw.isascii()

    def test_text_and_html_say_the_same_in_utf_8(self):
        found, _, _ = sent(model="größe", text="Ranking of größe fell: 0.80 → 0.70.")
        plain = found.get_body(("plain",)).get_content()
        marked = found.get_body(("html",)).get_content()
        for text in ("Ranking of größe fell: 0.80 → 0.70.", "▲ alarm", "0.801 to 0.702"):
            assert text in plain
            assert text in html.unescape(marked)
        assert "Page: https://monitor.example.org/alerts/7" in plain
        assert '<a href="https://monitor.example.org/alerts/7">' in marked

    def test_attempts_have_one_message_id_and_an_alert_one_thread(self):
        def ids(attempt, **changes):
            made = mail(notification(**changes), sender="a@b.org", to=TO, attempt_id=attempt)
            return made["Message-ID"], made["References"]

        first, again = ids("d-1"), ids("d-1")
        resolved = ids("d-2", kind="resolved")
        assert first == again
        assert first[0] != resolved[0]
        assert first[1] == resolved[1]
        assert re.fullmatch(r"<[0-9a-f]{40}@b\.org>", first[0])

    @pytest.mark.parametrize("name", HOSTILE_NAMES)
    def test_names_add_no_header_recipient_part_or_markup(self, name):
        clean, _, _ = sent()
        found, raw, box = sent(
            key=name, model=name, stream=name, title=name, text=name, facts=((name, name),)
        )
        assert found.keys() == clean.keys()
        assert found["To"] == "ops@example.org, ml@example.org"
        assert len(box.messages) == 1
        assert len(box.commands) == 6  # ehlo, mail, rcpt, rcpt, data, quit
        assert [one.get_content_type() for one in found.walk()] == [
            *("multipart/alternative", "text/plain", "text/html")
        ]
        assert not found.defects
        assert "\n" not in found["Subject"]
        assert all(len(line) <= 998 for line in raw.split(b"\r\n"))
        marked = found.get_body(("html",)).get_content()
        assert set(re.findall(r"</?(\w+)", marked)) <= {
            *("DOCTYPE", "html", "body", "h1", "p", "br", "table", "tr", "td", "a"),
        }
        assert "onerror=" not in re.sub(r">[^<]*<", "><", marked)
        assert marked.count("<a ") == 1

    def test_lines_with_a_point_arrive_whole(self):
        found, _, _ = sent(text="one\n.\ntwo")
        assert found.get_body(("plain",)).get_content().splitlines()[2:5] == ["one", ".", "two"]


class TestConversation:
    def test_starttls_and_login(self, certificate):
        with mail_server(starttls=certificate.server(), login=True) as box:
            channel(
                box.port,
                **{"tls": "starttls", "user": "me", "password": "pa ss"},
                context=certificate.client(),
            ).send(notification(), attempt_id="d-1")
        assert box.logins == [("me", "pa ss")]
        assert box.encrypted == [True]
        assert [one.split(" ")[0].upper() for one in box.commands[:4]] == [
            *("EHLO", "STARTTLS", "EHLO", "AUTH")
        ]

    def test_tls_from_the_beginning(self, certificate):
        with mail_server(implicit=certificate.server(), login=True) as box:
            channel(
                box.port,
                **{"tls": "tls", "user": "me", "password": CANARY},
                context=certificate.client(),
            ).send(notification(), attempt_id="d-1")
        assert box.logins == [("me", CANARY)]
        assert box.encrypted == [True]

    @pytest.mark.parametrize("tls", ["starttls", "tls"])
    def test_an_unknown_certificate_gets_no_password(self, certificate, tls):
        kind = "starttls" if tls == "starttls" else "implicit"
        with mail_server(**{kind: certificate.server()}, login=True) as box:
            error = failure(box.port, tls=tls, user="me", password=CANARY)
        assert "certificate that is not valid" in str(error)
        assert not box.logins
        assert not box.messages

    def test_a_server_that_hides_starttls_gets_no_password(self):
        with mail_server(login=True) as box:
            error = failure(box.port, tls="starttls", user="me", password=CANARY)
        assert not error.retryable
        assert "does not offer what the channel needs" in str(error)
        assert not box.logins
        assert not box.messages

    def test_what_was_said_before_encryption_is_forgotten(self, certificate):
        """A line that is put behind the answer to STARTTLS is not taken for a later answer."""

        def talk(sock):
            reader = sock.makefile("rb")
            sock.sendall(b"220 mail\r\n")
            reader.readline()
            sock.sendall(b"250-mail\r\n250 STARTTLS\r\n")
            reader.readline()
            sock.sendall(b"220 go\r\n250-evil\r\n250 AUTH PLAIN\r\n")
            reader.close()
            with certificate.server().wrap_socket(sock, server_side=True) as safe:
                safe.recv(1000)
                safe.sendall(b"250 mail\r\n")
                safe.recv(1000)

        with raw_receiver(talk) as port:
            options = {"tls": "starttls", "user": "me", "password": CANARY}
            error = failure(port, **options, context=certificate.client())
        assert "does not offer what the channel needs" in str(error)

    @pytest.mark.parametrize(
        ("replies", "retryable", "words"),
        [
            ({"CONNECT": "554 no " + CANARY}, False, "with status 554"),
            ({"CONNECT": "421 busy"}, True, "with status 421"),
            ({"MAIL": "550 no " + CANARY}, False, "with status 550"),
            ({"MAIL": "451 later"}, True, "with status 451"),
            ({"DATA": "552 too large"}, False, "with status 552"),
            ({"RCPT": "550 unknown " + CANARY}, False, "refused 2 of 2 recipients (status 550)"),
            ({"RCPT": "450 grey"}, True, "refused 2 of 2 recipients (status 450)"),
        ],
    )
    def test_refusals(self, replies, retryable, words):
        with mail_server(replies) as box:
            error = failure(box.port)
        assert error.retryable is retryable
        assert words in str(error)

    @pytest.mark.parametrize(("reply", "retryable"), [("535 wrong", False), ("454 later", True)])
    def test_a_wrong_password_says_so(self, certificate, reply, retryable):
        reply = f"{reply} {CANARY}"
        with mail_server({"AUTH": reply}, starttls=certificate.server(), login=True) as box:
            error = failure(
                box.port,
                **{"tls": "starttls", "user": CANARY, "password": CANARY},
                context=certificate.client(),
            )
        assert "refused user or password" in str(error)
        assert error.retryable is retryable
        assert not box.messages

    def test_no_common_way_to_log_in(self):
        with mail_server({"EHLO": "250-mail\r\n250 AUTH GSSAPI"}) as box:
            error = failure(box.port, user="me", password=CANARY)
        assert not error.retryable
        assert "does not offer what the channel needs" in str(error)

    def test_a_password_beyond_ascii_says_so_and_is_in_no_context(self):
        with mail_server(login=True) as box:
            error = failure(box.port, user="me", password=CANARY + "é")
        assert "needs a login in ASCII" in str(error)
        assert error.__context__ is None
        assert not error.retryable

    def test_recipients_that_are_refused_are_counted(self):
        with mail_server({"RCPT": ["250 ok", "550 unknown"]}) as box:
            error = failure(box.port)
        assert "refused 1 of 2 recipients (status 550)" in str(error)
        assert len(box.messages) == 1

    def test_a_server_that_drips_ends_at_the_deadline(self):
        def talk(sock):
            for _ in range(500):
                sock.sendall(b"220-wait\r\n")
                time.sleep(0.02)

        with raw_receiver(talk) as port:
            error = failure(port, deadline=0.3)
        assert error.retryable
        assert "has not answered within 0.3 seconds" in str(error)

    def test_a_server_that_floods_is_cut(self):
        def talk(sock):
            for _ in range(1000):
                sock.sendall(b"220-" + b"x" * 4000 + b"\r\n")

        with raw_receiver(talk) as port:
            assert "ended the connection" in str(failure(port))

    def test_one_line_that_is_too_long(self):
        with raw_receiver(lambda sock: sock.sendall(b"2" * 60_000)) as port:
            assert "The mail server localhost" in str(failure(port))

    def test_a_closed_port(self):
        error = failure(closed_port())
        assert error.retryable
        assert str(error) == (
            "The mail server localhost cannot be reached, or ended the connection. Check host, "
            "port and tls."
        )

    def test_all_addresses_of_a_host_share_one_deadline(self, monkeypatch):
        waited = []

        def create(_, timeout):
            waited.append(timeout)
            raise TimeoutError

        found = [(socket.AF_INET, 1, 6, "", (f"192.0.2.{n}", 25)) for n in range(4)]
        monkeypatch.setattr(connection.socket, "getaddrinfo", lambda *_, **__: found)
        monkeypatch.setattr(connection.socket, "create_connection", create)
        assert "has not answered" in str(failure(25))
        assert waited[0] <= 1.25
        assert len(waited) == 4


def test_the_settings_make_the_channel():
    settings = ChannelSettings.of(
        {
            **{"type": "mail", "host": "mail.example.org", "to": "ops@example.org"},
            **{"sender": "roclab@example.org", "user_env": "USER", "password_env": "PASSWORD"},
        },
        "x",
    )
    made = make_channel(settings, environment={"USER": "me", "PASSWORD": CANARY})
    assert (made.host, made.port, made.tls) == ("mail.example.org", 587, "starttls")
    assert (made.user, made.password) == ("me", CANARY)
    assert CANARY not in repr(made)
