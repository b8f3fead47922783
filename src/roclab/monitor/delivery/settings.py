"""The settings of a channel: ``[[alerts.channel]]`` of monitor.toml, checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal, get_args
from urllib.parse import parse_qsl, urlsplit

from roclab.checks.options import shown
from roclab.errors import InputError
from roclab.monitor.delivery.endpoint import Endpoint, checked_host, is_this_host

ChannelType = Literal["webhook", "slack", "teams", "pagerduty", "mail", "log"]
MailSecurity = Literal["starttls", "tls", "none"]

_URLS = ("url", "url_env", "url_file")
_SECRETS = ("secret_env", "secret_file")
_MAIL = ("host", "port", "to", "sender", "user_env", "password_env", "password_file", "tls")
_KEYS: dict[str, tuple[str, ...]] = {
    "webhook": (*_URLS, *_SECRETS, "allow_private"),
    "slack": ("url_env", "url_file", "allow_private"),
    "teams": ("url_env", "url_file", "allow_private"),
    "pagerduty": ("url", *_SECRETS, "allow_private"),
    "mail": _MAIL,
    "log": (),
}
_LITERAL_SECRETS = {
    "secret": "secret_env",
    "token": "secret_env",
    "routing_key": "secret_env",
    "password": "password_env",
    "user": "user_env",
}
_SECRET_WORDS = re.compile(r"token|secret|passw|key|sig|auth|code|credential", re.IGNORECASE)
_MAIL_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,253}")
_NAME = re.compile(r"\w[\w .@-]{0,99}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,254}")
_PORTS = {"starttls": 587, "tls": 465, "none": 25}


@dataclass(frozen=True, kw_only=True)
class ChannelSettings:
    """One channel as configured; secrets are named here, never held.

    Attributes
    ----------
    type : {"webhook", "slack", "teams", "pagerduty", "mail", "log"}
        What the channel speaks.
    name : str
        Name of the channel; its type by default.
    url : str or None
        URL without a secret in it, for webhook and pagerduty.
    url_env : str or None
        Environment variable that holds the URL.
    url_file : str or None
        File that holds the URL.
    secret_env : str or None
        Environment variable that holds the signing secret or the routing key.
    secret_file : str or None
        File that holds the signing secret or the routing key.
    allow_private : bool
        Whether the host of the URL may be in a private network.
    host : str or None
        Mail server.
    port : int or None
        Port of the mail server; 587, 465 or 25 by default, according to `tls`.
    to : tuple of str
        Recipients of mail.
    sender : str or None
        Sender of mail.
    user_env : str or None
        Environment variable that holds the user of the mail server.
    password_env : str or None
        Environment variable that holds the password of the mail server.
    password_file : str or None
        File that holds the password of the mail server.
    tls : {"starttls", "tls", "none"}
        Encryption of mail.
    """

    type: ChannelType
    name: str
    url: str | None = None
    url_env: str | None = None
    url_file: str | None = None
    secret_env: str | None = None
    secret_file: str | None = None
    allow_private: bool = False
    host: str | None = None
    port: int | None = None
    to: tuple[str, ...] = ()
    sender: str | None = None
    user_env: str | None = None
    password_env: str | None = None
    password_file: str | None = None
    tls: MailSecurity = "starttls"

    @classmethod
    def of(cls, mapping: Mapping[str, Any], where: str) -> ChannelSettings:
        """Check one table of the configuration.

        Parameters
        ----------
        mapping : mapping
            Keys and values as TOML has them.
        where : str
            Place of the table, for messages: ``"[[alerts.channel]] 2 of monitor.toml"``.

        Raises
        ------
        InputError
            If a key is unknown, missing, of another type or against the rules of secrets.
        """
        if not isinstance(mapping, Mapping):
            raise _refused(
                where,
                "is {value}",
                needed="a table of settings is needed",
                fix='Write [[alerts.channel]] and, below it, type = "slack".',
                value=shown(mapping),
            )
        kind = _type(mapping, where)
        _check_keys(mapping, kind, where)
        values: dict[str, Any] = {"name": kind, **_checked_values(mapping, where)}
        where = f"{where} {shown(values['name'])}"
        settings = cls(**values)
        _check_sources(settings, where)
        if settings.type == "mail":
            _check_mail(settings, where)
        return settings

    @property
    def mail_port(self) -> int:
        """The port of the mail server."""
        return self.port if self.port is not None else _PORTS[self.tls]


def _type(mapping: Mapping[str, Any], where: str) -> ChannelType:
    types = get_args(ChannelType)
    given = mapping.get("type")
    if given is None:
        raise _refused(
            where,
            "has no type",
            needed="each channel needs one",
            fix="Choose {types}.",
            types=types,
        )
    if given not in types:
        near = get_close_matches(str(given), types, n=1)
        raise _refused(
            where,
            "has type = {value}, which is not a channel",
            fix="Did you mean {near}?" if near else "Choose {types}.",
            value=shown(given),
            near=shown(*near) if near else "",
            types=types,
        )
    kind: ChannelType = given
    return kind


def _check_keys(mapping: Mapping[str, Any], kind: str, where: str) -> None:
    allowed = ("type", "name", *_KEYS[kind])
    for key in mapping:
        if key in allowed:
            continue
        if kind in ("slack", "teams") and key == "url":
            raise _refused(
                where,
                "has url",
                needed="the URL of a {kind} channel is its secret, so it must not be in this file",
                fix='Put it into an environment variable and write url_env = "NAME", or into a '
                "file and write url_file.",
                kind=kind,
            )
        instead = _LITERAL_SECRETS.get(key)
        if instead in allowed:
            raise _refused(
                where,
                "has {key}",
                needed="secrets must not be in this file, which is often shared and kept in git",
                fix="Put it into an environment variable and write {instead} = {example}.",
                key=key,
                instead=instead,
                example='"NAME"',
            )
        near = get_close_matches(str(key), allowed, n=1)
        raise _refused(
            where,
            "has {key}, which a channel of type {kind} does not have",
            fix="Did you mean {near}?" if near else "Keys: {allowed}.",
            key=shown(key),
            kind=kind,
            near=near[0] if near else "",
            allowed=", ".join(allowed),
        )


def _checked_values(mapping: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Values of the right types."""
    values = dict(mapping)
    for key, value in mapping.items():
        if key == "allow_private":
            right, needed = isinstance(value, bool), "true or false"
        elif key == "port":
            right = type(value) is int and 0 < value < 65536
            needed = "an integer from 1 to 65535"
        elif key == "to":
            addresses = [value] if isinstance(value, str) else value
            right = isinstance(addresses, list | tuple) and bool(addresses)
            right = right and all(isinstance(one, str) for one in addresses)
            values["to"] = tuple(addresses) if right else ()
            needed = "a mail address or a list of them"
        elif key == "tls":
            right, needed = value in get_args(MailSecurity), '"starttls", "tls" or "none"'
        elif key == "name":
            right = isinstance(value, str) and bool(_NAME.fullmatch(value))
            needed = "a name of up to 100 letters, digits, spaces or _ . @ -"
        elif key.endswith("_env"):
            right = isinstance(value, str) and bool(_VARIABLE.fullmatch(value))
            needed = "the name of an environment variable, not what it holds,"
        else:
            right = isinstance(value, str) and bool(value.strip()) and value.isprintable()
            right = right and not (key.endswith("_file") and "://" in value)
            needed = "the path of a file" if key.endswith("_file") else "a text of one line"
        if not right:
            # What may be a secret in the wrong place is not shown.
            hidden = key == "url" or key.endswith(("_env", "_file"))
            raise _refused(
                where,
                "has {key} = {value}" if not hidden else "has {key} that is something else",
                needed="{form} is needed",
                fix="Correct {key}.",
                key=key,
                value=shown(value),
                form=needed,
            )
    return values


def _check_sources(settings: ChannelSettings, where: str) -> None:
    """Exactly one URL and at most one secret, none of them in the file."""
    keys = _KEYS[settings.type]
    urls = [key for key in _URLS if key in keys and getattr(settings, key) is not None]
    secrets = [key for key in _SECRETS if getattr(settings, key) is not None]
    for given in (urls, secrets):
        if len(given) > 1:
            raise _refused(
                where,
                "has {given}",
                needed="one of them is needed",
                fix="Remove the others.",
                given=" and ".join(given),
            )
    if not urls and settings.type in ("webhook", "slack", "teams"):
        raise _refused(
            where,
            "has no URL",
            needed="a channel of type {kind} needs one",
            fix='Put it into an environment variable and write url_env = "NAME".',
            kind=settings.type,
        )
    if not secrets and settings.type == "pagerduty":
        raise _refused(
            where,
            "has no routing key",
            needed="PagerDuty needs the integration key of a service (Events API v2)",
            fix='Put it into an environment variable and write secret_env = "NAME".',
        )
    if settings.url is not None:
        _check_literal_url(settings.url, where)


def _check_literal_url(url: str, where: str) -> None:
    Endpoint.of(url, where=where)
    names = [name for name, _ in parse_qsl(urlsplit(url).query, keep_blank_values=True)]
    if any(_SECRET_WORDS.search(name) for name in names):
        raise _refused(
            where,
            "has a url with what looks like a secret in it",
            needed="secrets must not be in this file, which is often shared and kept in git",
            fix='Put the URL into an environment variable and write url_env = "NAME".',
        )


def _check_mail(settings: ChannelSettings, where: str) -> None:
    for key in ("host", "to", "sender"):
        if not getattr(settings, key):
            raise _refused(
                where,
                "has no {key}",
                needed="a channel of type mail needs host, to and sender",
                fix="Add {key}.",
                key=key,
            )
    if checked_host(settings.host or "") is None:
        raise _refused(
            where,
            "has host = {value}",
            needed="the name or address of a mail server is needed",
            fix='Write it without a scheme or port: host = "mail.example.org".',
            value=shown(settings.host),
        )
    for key, address in [("sender", settings.sender), *(("to", one) for one in settings.to)]:
        if not _MAIL_ADDRESS.fullmatch(address or ""):
            raise _refused(
                where,
                "has {value} in {key}",
                needed="a plain mail address is needed",
                fix='Write it without a name and brackets: "alerts@example.org".',
                value=shown(address),
                key=key,
            )
    password = settings.password_env or settings.password_file
    if settings.password_env and settings.password_file:
        raise _refused(
            where,
            "has password_env and password_file",
            needed="one of them is needed",
            fix="Remove the other.",
        )
    if bool(settings.user_env) != bool(password):
        raise _refused(
            where,
            "has only one of user and password",
            needed="a login needs both",
            fix="Set user_env and password_env, or neither.",
        )
    if password and settings.tls == "none" and not is_this_host(settings.host or ""):
        raise _refused(
            where,
            'has a password and tls = "none"',
            needed="a password must not be sent without encryption",
            fix='Write tls = "starttls" or tls = "tls".',
        )


def _refused(
    where: str, found: str, *, needed: str = "", fix: str = "", **values: Any
) -> InputError:
    texts = {
        name: ", ".join(value) if isinstance(value, tuple) else value
        for name, value in values.items()
    }
    return InputError(found="{where} " + found, needed=needed, fix=fix, where=where, **texts)
