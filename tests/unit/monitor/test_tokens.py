"""Tokens: which are valid, and what is kept of them."""

import hashlib

import pytest

from roclab.monitor import tokens
from roclab.monitor.store.records import Token

SECRET = "rlm_" + "a" * 43


def token(**changes):
    return Token(
        **{"name": "a", "scope": "read", "created": 0, "expires": None, "revoked": None, **changes}
    )


def found(*known, secret=SECRET, now=100):
    return tokens.token_of(secret, known, now)


def test_the_token_of_a_secret():
    one, two = token(name="one"), token(name="two")
    known = [(tokens.digest("x"), one), (tokens.digest(SECRET), two)]
    assert found(*known) is two
    assert found(*reversed(known)) is two


@pytest.mark.parametrize(
    "secret",
    [
        "",
        " ",
        SECRET[:-1],
        SECRET + "a",
        SECRET.upper(),
        tokens.digest(SECRET).hex(),
        "\ud800",
        "é",
    ],
    ids=ascii,
)
def test_other_texts_are_none(secret):
    assert found((tokens.digest(SECRET), token()), secret=secret) is None
    assert found(secret=secret) is None


@pytest.mark.parametrize(
    ("changes", "valid"),
    [
        ({}, True),
        ({"revoked": 50}, False),
        ({"revoked": 200}, False),
        ({"expires": 101}, True),
        ({"expires": 100}, False),
        ({"expires": 99}, False),
    ],
)
def test_tokens_end(changes, valid):
    assert (found((tokens.digest(SECRET), token(**changes))) is not None) is valid


def test_what_is_kept_is_a_hash():
    assert tokens.digest(SECRET) == hashlib.sha256(SECRET.encode()).digest()


def test_every_token_is_compared(monkeypatch):
    """How long it takes does not tell which one was nearly right."""
    compared = []

    def compare(one, two):
        compared.append(one)
        return one == two

    monkeypatch.setattr(tokens, "compare_digest", compare)
    known = [(tokens.digest(str(number)), token()) for number in range(5)]
    tokens.token_of("0", known, 0)
    assert len(compared) == 5
