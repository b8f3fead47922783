"""Secrets from the environment and from files."""

import pytest

from roclab.errors import InputError
from roclab.monitor.delivery.secret import read_secret
from tests.unit.monitor.delivery.receivers import CANARY


def read(variable=None, file=None, **environment):
    return read_secret(
        variable, None if file is None else str(file), environment=environment, where="channel ops"
    )


def refused(*arguments, **environment):
    with pytest.raises(InputError) as caught:
        read(*arguments, **environment)
    error = caught.value
    assert CANARY not in repr(error)
    assert error.__context__ is None
    assert len(str(error).splitlines()) == 1
    return str(error)


def test_a_variable_or_a_file_without_white_space_around(tmp_path):
    file = tmp_path / "secret"
    file.write_text(f" {CANARY}é\n", encoding="utf-8")
    assert read("NAME", NAME=f"{CANARY}\n") == CANARY
    assert read(None, file) == CANARY + "é"
    assert read() is None


def test_a_variable_that_is_not_set_or_empty():
    assert refused("NAME") == (
        "For channel ops the environment variable NAME is not set; it must hold the secret. "
        "Set it where the monitor is started."
    )
    assert "variable NAME is empty" in refused("NAME", NAME=" \n")


def test_files_that_hold_no_secret(tmp_path):
    missing, empty, binary, large = (tmp_path / name for name in "abcd")
    empty.write_text("\n")
    binary.write_bytes(CANARY.encode() + b"\xff\xfe")
    large.write_text(CANARY * 10_000)
    assert "cannot be read (No such file or directory)" in refused(None, missing)
    assert "cannot be read" in refused(None, tmp_path)
    assert "is empty" in refused(None, empty)
    assert "is not UTF-8 text" in refused(None, binary)
    assert "has more than 64 kB" in refused(None, large)
