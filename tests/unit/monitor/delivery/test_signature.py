"""Signatures against values that were computed elsewhere, and those that are refused."""

import hashlib

import pytest

from roclab.monitor.delivery import sign, signature, verify_signature

BODY = b'{"kind":"firing"}'
# printf '%s' '1700000000.{"kind":"firing"}' | openssl dgst -sha256 -hmac 'correct horse'
KNOWN = "v1=2b283e2642d20694ff1886b8439694414bfbe9565df19d05e786b68671218948"
NOW = 1_700_000_000


def verified(secret="correct horse", timestamp="1700000000", body=BODY, given=KNOWN, **options):
    return verify_signature(secret, timestamp, body, given, **{"now": NOW, **options})


def by_definition(key: bytes, text: bytes) -> str:
    """HMAC as RFC 2104 defines it, from SHA-256 alone."""
    key = hashlib.sha256(key).digest() if len(key) > 64 else key
    inner = bytes(byte ^ 0x36 for byte in key.ljust(64, b"\0"))
    outer = bytes(byte ^ 0x5C for byte in key.ljust(64, b"\0"))
    return hashlib.sha256(outer + hashlib.sha256(inner + text).digest()).hexdigest()


def test_the_known_answer_of_openssl():
    assert sign("correct horse", "1700000000", BODY) == KNOWN
    assert sign(b"correct horse", "1700000000", BODY) == KNOWN


@pytest.mark.parametrize("secret", ["k", "x" * 64, "y" * 65, "ключ"])
@pytest.mark.parametrize("body", [b"", b"\xff\x00", b"x" * 10_000])
def test_signatures_follow_the_definition(secret, body):
    assert sign(secret, "17", body) == "v1=" + by_definition(secret.encode(), b"17." + body)


def test_the_signature_is_accepted_within_the_tolerance():
    assert verified()
    assert verified(now=NOW + 300)
    assert verified(now=NOW - 300)
    assert verified(now=NOW + 50, tolerance=60)


@pytest.mark.parametrize(
    "changes",
    [
        {"now": NOW + 301},
        {"now": NOW - 301},
        {"now": NOW + 61, "tolerance": 60},
        {"now": float("nan")},
        {"secret": "wrong"},
        {"secret": ""},
        {"secret": b""},
        {"body": BODY + b" "},
        {"body": b""},
        {"timestamp": "1700000001"},  # a later time for an old body
        {"timestamp": "01700000000"},
        {"timestamp": " 1700000000"},
        {"timestamp": "1700000000.0"},
        {"timestamp": ""},
        {"timestamp": None},
        {"given": ""},
        {"given": None},
        {"given": KNOWN.removeprefix("v1=")},
        {"given": KNOWN[:-1]},
        {"given": KNOWN + "0"},
        {"given": KNOWN.upper()},
        {"given": "v2=" + KNOWN.removeprefix("v1=")},
        {"given": "v1=é"},
    ],
)
def test_what_is_refused(changes):
    assert verified(**changes) is False


@pytest.mark.parametrize(
    "timestamp", ["-1700000000", "1_700_000_000", "\u0661\u0667", "9" * 13, "1e9", "\u00b2"]
)
def test_times_that_are_none_are_refused_though_signed(timestamp):
    given = sign("correct horse", timestamp, BODY)
    assert not verified(timestamp=timestamp, given=given, now=NOW, tolerance=1e300)


def test_the_point_cannot_move_between_time_and_body():
    """`17` and `0.body` are not `170` and `body`: a time has no point."""
    given = sign("k", "17", b"0.body")
    assert not verify_signature("k", "17.0", b"body", given, now=17, tolerance=1e9)


def test_signatures_are_compared_in_constant_time(monkeypatch):
    compared, original = [], signature.hmac.compare_digest

    def compare(one, other):
        compared.append((one, other))
        return original(one, other)

    monkeypatch.setattr(signature.hmac, "compare_digest", compare)
    assert verified()
    assert not verified(given="v1=0")
    assert compared == [(KNOWN.encode(), KNOWN.encode()), (KNOWN.encode(), b"v1=0")]
