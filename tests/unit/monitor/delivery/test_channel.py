"""Each channel by its settings: a test call, and that no failure shows a secret."""

import logging
import pickle
import traceback

import pytest

from roclab.errors import InputError
from roclab.monitor.delivery import ChannelSettings, DeliveryError, HttpClient, make_channel
from roclab.monitor.delivery import test_notification as make_test
from tests.unit.monitor.delivery.receivers import (
    CANARY,
    closed_port,
    http_receiver,
    mail_server,
    notification,
    raw_receiver,
)

HTTP = ("webhook", "slack", "teams", "pagerduty")


def channel(kind, port, *, scheme="http", secret=CANARY, deadline=5.0):
    """A channel to this host whose every secret is the canary."""
    url = f"{scheme}://127.0.0.1:{port}/{secret}?x={secret}"
    plain = f"{scheme}://127.0.0.1:{port}/"
    table = {
        "webhook": {"url_env": "URL", "secret_env": "SECRET"},
        "slack": {"url_env": "URL"},
        "teams": {"url_env": "URL"},
        "pagerduty": {"url": plain, "secret_env": "SECRET"},
        "log": {},
        "mail": {
            **{"host": "127.0.0.1", "port": port, "to": "a@b.org", "sender": "r@b.org"},
            **{"tls": "none", "user_env": "SECRET", "password_env": "SECRET"},
        },
    }[kind]
    settings = ChannelSettings.of({"type": kind, **table}, "x")
    return make_channel(
        settings,
        environment={"URL": url, "SECRET": secret},
        client=HttpClient(deadline=deadline),
    )


def everything(error):
    """All that people, logs and other processes could see of an exception."""
    shown, seen = [], error
    while seen is not None:
        shown += [str(seen), repr(seen), repr(seen.args), repr(vars(seen))]
        seen = seen.__cause__ or seen.__context__
    shown += traceback.format_exception(error)
    shown.append(repr(pickle.dumps(error)))
    return "\n".join(shown)


@pytest.mark.parametrize("kind", HTTP)
def test_a_test_call_by_http(kind):
    with http_receiver() as receiver:
        channel(kind, receiver.port).send(make_test(), attempt_id="test-1")
    assert len(receiver.received) == (2 if kind == "pagerduty" else 1)
    assert b"Test of this channel" in receiver.received[0].body


def test_a_test_call_by_mail():
    with mail_server(login=True) as box:
        channel("mail", box.port).send(make_test(), attempt_id="test-1")
    assert len(box.messages) == 1
    assert box.logins == [(CANARY, CANARY)]


def test_a_test_call_to_the_log(caplog):
    with caplog.at_level(logging.INFO, "roclab.monitor.alerts"):
        channel("log", 0).send(make_test(), attempt_id="test-1")
    assert "Test of this channel" in caplog.text


@pytest.mark.parametrize("kind", [*HTTP, "mail", "log"])
def test_no_channel_shows_its_secrets(kind):
    assert CANARY not in repr(channel(kind, 80))


def echo(sock):
    """Repeat whatever was sent, as a debugging proxy does."""
    sock.sendall(b"HTTP/1.1 400 " + sock.recv(100_000))


def echo_nonsense(sock):
    sock.sendall(CANARY.encode() + sock.recv(100_000))


class TestFailuresShowNoSecrets:
    @pytest.mark.parametrize("kind", HTTP)
    @pytest.mark.parametrize("status", [302, 400, 401, 403, 404, 429, 500, 503])
    def test_answers_that_repeat_them(self, kind, status, caplog):
        headers = {"Location": f"http://x/{CANARY}", "Retry-After": CANARY, "X-A": CANARY}
        with (
            caplog.at_level(logging.DEBUG),
            http_receiver((status, headers, CANARY.encode())) as receiver,
            pytest.raises(DeliveryError) as caught,
        ):
            channel(kind, receiver.port).send(notification(), attempt_id="d-1")
        assert CANARY in (receiver.received[0].path + receiver.received[0].body.decode())
        assert CANARY not in everything(caught.value)
        assert CANARY not in caplog.text
        assert len(str(caught.value).splitlines()) == 1

    @pytest.mark.parametrize("kind", HTTP)
    @pytest.mark.parametrize("talk", [echo, echo_nonsense, lambda sock: sock.recv(100_000)])
    @pytest.mark.parametrize("scheme", ["http", "https"])
    def test_connections_that_break(self, kind, talk, scheme):
        with raw_receiver(talk) as port, pytest.raises(DeliveryError) as caught:
            channel(kind, port, scheme=scheme).send(notification(), attempt_id="d-1")
        assert CANARY not in everything(caught.value)
        assert len(str(caught.value).splitlines()) == 1

    @pytest.mark.parametrize("kind", HTTP)
    def test_deadlines(self, kind):
        def talk(sock):
            sock.recv(100_000)
            sock.recv(1)

        with raw_receiver(talk) as port, pytest.raises(DeliveryError) as caught:
            channel(kind, port, deadline=0.2).send(notification(), attempt_id="d-1")
        assert CANARY not in everything(caught.value)

    @pytest.mark.parametrize("kind", [*HTTP, "mail"])
    def test_closed_ports(self, kind):
        with pytest.raises(DeliveryError) as caught:
            channel(kind, closed_port()).send(notification(), attempt_id="d-1")
        assert CANARY not in everything(caught.value)
        assert caught.value.retryable

    @pytest.mark.parametrize(
        "replies",
        [
            *({"CONNECT": f"554 {CANARY}"}, {"AUTH": f"535 {CANARY}"}, {"MAIL": f"550 {CANARY}"}),
            *({"RCPT": f"550 {CANARY}"}, {"DATA": f"554 {CANARY}"}, {"EHLO": CANARY}),
            {"EHLO": f"250-{CANARY}\r\n250 AUTH {CANARY}"},
        ],
    )
    def test_mail_servers_that_repeat_them(self, replies):
        with mail_server(replies, login=True) as box, pytest.raises(DeliveryError) as caught:
            channel("mail", box.port).send(notification(), attempt_id="d-1")
        assert CANARY not in everything(caught.value)

    @pytest.mark.parametrize("kind", ["slack", "teams", "webhook"])
    @pytest.mark.parametrize(
        "url",
        [
            *(f"http://hooks.example.com/{CANARY}", f"https://me:{CANARY}@a.example/"),
            *(f"https://[{CANARY}/", f"{CANARY}", f"https://a.example:{CANARY}/"),
            *(
                f"https://a.example/{CANARY} x",
                f"https://a.example/{CANARY}\r\nx",
                f"https://{CANARY}!",
            ),
        ],
    )
    def test_urls_of_the_environment_that_are_none(self, kind, url):
        settings = ChannelSettings.of({"type": kind, "url_env": "URL"}, "x")
        with pytest.raises(InputError) as caught:
            make_channel(settings, environment={"URL": url})
        assert CANARY not in everything(caught.value)
        assert str(caught.value).startswith(f"The URL of channel {kind} ")


@pytest.mark.parametrize(
    ("table", "variable"),
    [
        ({"type": "slack", "url_env": "ROCLAB_NONE"}, "ROCLAB_NONE"),
        (
            {"type": "webhook", "url": "https://a.example", "secret_env": "ROCLAB_NONE"},
            "ROCLAB_NONE",
        ),
        ({"type": "pagerduty", "secret_env": "ROCLAB_NONE"}, "ROCLAB_NONE"),
        (
            {
                **{"type": "mail", "host": "a.example", "to": "a@b.org", "sender": "a@b.org"},
                **{"user_env": "ROCLAB_USER", "password_env": "ROCLAB_NONE"},
            },
            "ROCLAB_USER",
        ),
    ],
)
def test_a_missing_variable_is_named(table, variable):
    with pytest.raises(InputError, match=f"the environment variable {variable} is not set"):
        make_channel(ChannelSettings.of(table, "x"), environment={})
