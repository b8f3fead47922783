"""Tables of the configuration: what is accepted, and that secrets are refused unseen."""

import pytest

from roclab.errors import InputError
from roclab.monitor.delivery import ChannelSettings
from tests.unit.monitor.delivery.receivers import CANARY

PLACE = "[[alerts.channel]]"
MAIL = {"type": "mail", "host": "mail.example.org", "to": ["a@b.org"], "sender": "r@b.org"}


def of(**values):
    return ChannelSettings.of(values, PLACE)


def refused(table):
    with pytest.raises(InputError) as caught:
        ChannelSettings.of(table, PLACE)
    error = caught.value
    assert str(error).startswith(("[[alerts.channel]] ", "The URL of [[alerts.channel]] "))
    assert CANARY not in repr(error)
    assert error.__context__ is None
    assert len(str(error).splitlines()) == 1
    return str(error)


@pytest.mark.parametrize(
    "table",
    [
        {"type": "log"},
        {"type": "log", "name": "the log, or Größe"[:7]},
        {"type": "slack", "url_env": "SLACK_URL"},
        {"type": "slack", "url_file": "/run/secrets/slack", "allow_private": True},
        {"type": "teams", "url_env": "TEAMS_URL", "name": "ops.2 @night-shift"},
        {"type": "pagerduty", "secret_env": "PD_KEY"},
        {"type": "pagerduty", "secret_file": "key", "url": "https://events.eu.pagerduty.com/v2/x"},
        {"type": "webhook", "url": "https://hooks.example.com/x?team=ml", "secret_env": "S"},
        {"type": "webhook", "url_env": "URL"},
        {"type": "webhook", "url": "http://localhost:9000/"},
        MAIL,
        {**MAIL, "to": "a@b.org", "port": 2525, "tls": "none"},
        {**MAIL, "tls": "tls", "user_env": "U", "password_file": "/run/secrets/mail"},
        {**MAIL, "host": "127.0.0.1", "tls": "none", "user_env": "U", "password_env": "P"},
    ],
)
def test_tables_that_are_accepted(table):
    found = ChannelSettings.of(table, PLACE)
    assert found.type == table["type"]
    assert found.name == table.get("name", table["type"])


@pytest.mark.parametrize(("tls", "port"), [("starttls", 587), ("tls", 465), ("none", 25)])
def test_the_port_of_mail_follows_from_its_encryption(tls, port):
    assert ChannelSettings.of({**MAIL, "tls": tls}, PLACE).mail_port == port


SECRETS = [
    ({"type": "slack", "url": f"https://hooks.slack.com/{CANARY}"}, "is its secret"),
    ({"type": "teams", "url": f"https://x.example/{CANARY}"}, "is its secret"),
    ({"type": "slack", "url_env": f"https://hooks.slack.com/{CANARY}"}, "not what it holds"),
    ({"type": "slack", "url_file": f"https://hooks.slack.com/{CANARY}"}, "path of a file"),
    ({"type": "webhook", "url": f"https://a.example/?token={CANARY}"}, "looks like a secret"),
    ({"type": "webhook", "url": f"https://a.example/?API-Key={CANARY}"}, "looks like a secret"),
    ({"type": "webhook", "url": f"https://a.example/?sig={CANARY}&x"}, "looks like a secret"),
    ({"type": "webhook", "url": f"https://me:{CANARY}@a.example/"}, "user name or password"),
    ({"type": "webhook", "url": f"http://a.example/{CANARY}"}, "deliveries need https"),
    ({"type": "webhook", "url": [CANARY]}, "a text of one line is needed"),
    ({"type": "webhook", "url_env": "U", "secret": CANARY}, 'write secret_env = "NAME"'),
    ({"type": "webhook", "url_env": "U", "token": CANARY}, 'write secret_env = "NAME"'),
    ({"type": "webhook", "url_env": "U", "secret_env": f"{CANARY}=="}, "not what it holds"),
    ({"type": "webhook", "url_env": "U", "secret_env": [CANARY]}, "not what it holds"),
    ({"type": "pagerduty", "routing_key": CANARY}, 'write secret_env = "NAME"'),
    ({**MAIL, "password": CANARY}, 'write password_env = "NAME"'),
    ({**MAIL, "user": CANARY}, 'write user_env = "NAME"'),
]


@pytest.mark.parametrize(("table", "words"), SECRETS)
def test_secrets_in_the_file_are_refused_and_not_shown(table, words):
    assert words in refused(table)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("slack", "a table of settings is needed"),
        ({}, "has no type"),
        ({"type": "slak"}, "Did you mean 'slack'?"),
        ({"type": "carrier pigeon"}, "Choose webhook, slack, teams, pagerduty, mail, log."),
        ({"type": 7}, "which is not a channel"),
        ({"type": ["slack"]}, "which is not a channel"),
        ({"type": "log", "url_env": "X"}, "which a channel of type log does not have"),
        ({"type": "slack", "url_en": "X"}, "Did you mean url_env?"),
        ({"type": "slack"}, "'slack' has no URL"),
        ({"type": "webhook", "name": "ops"}, "'ops' has no URL"),
        ({"type": "slack", "url_env": "A", "url_file": "b"}, "has url_env and url_file"),
        ({"type": "pagerduty"}, "has no routing key"),
        (
            {"type": "pagerduty", "secret_env": "A", "secret_file": "b"},
            "has secret_env and secret_file",
        ),
        ({"type": "slack", "url_env": ""}, "has url_env"),
        ({"type": "slack", "url_env": "A", "allow_private": "yes"}, "true or false is needed"),
        *(
            ({"type": "log", "name": name}, "a name of up to 100 letters")
            for name in ("", " ", "a/b", "..", "a\nb", "<b>", "x" * 101, 7)
        ),
        ({**MAIL, "port": 0}, "an integer from 1 to 65535"),
        ({**MAIL, "port": True}, "an integer from 1 to 65535"),
        ({**MAIL, "tls": "ssl"}, '"starttls", "tls" or "none"'),
        ({**MAIL, "to": []}, "a mail address or a list"),
        ({**MAIL, "to": [7]}, "a mail address or a list"),
        ({"type": "mail", "host": "a.example"}, "has no to"),
        ({**MAIL, "host": "https://mail.example.org"}, "without a scheme or port"),
        ({**MAIL, "host": "mail.example.org:25"}, "without a scheme or port"),
        ({**MAIL, "host": f"{'a' * 64}.org"}, "without a scheme or port"),
        ({**MAIL, "user_env": "U"}, "has only one of user and password"),
        ({**MAIL, "password_env": "P"}, "has only one of user and password"),
        (
            {**MAIL, "user_env": "U", "password_env": "P", "password_file": "p"},
            "has password_env and password_file",
        ),
        (
            {**MAIL, "user_env": "U", "password_env": "P", "tls": "none"},
            "must not be sent without encryption",
        ),
        (
            {**MAIL, "host": "127.1", "user_env": "U", "password_env": "P", "tls": "none"},
            "must not be sent without encryption",
        ),
    ],
)
def test_tables_that_are_refused(table, words):
    assert words in refused(table)


@pytest.mark.parametrize("key", ["to", "sender"])
@pytest.mark.parametrize(
    "address",
    [
        *("ops", "Ops <ops@b.org>", "a@b.org, c@d.org", "a@b.org\r\nBcc: c@d.org", "a b@c.org"),
        *("<a@b.org>", "a@b.org>", "ä@b.org", '"a b"@c.org', "a@[127.0.0.1]", "a@b@c.org"),
    ],
)
def test_only_plain_addresses(key, address):
    refused({**MAIL, key: address})


def test_no_settings_hold_a_secret():
    found = of(type="webhook", url_env="URL", secret_env="SECRET")
    assert "URL" in repr(found)
    assert found.url is None
