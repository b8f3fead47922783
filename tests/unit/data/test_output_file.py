"""Files that are written: not over what is read, and whole or not at all."""

import os
import stat
import threading

import pytest

from roclab.data.output_file import check_output, write_output
from roclab.errors import InputError


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("y,s\n1,2\n")
    return path


def linked(data, link):
    name = data.with_name(f"{link}.csv")
    if link == "symbolic":
        name.symlink_to(data)
    elif link == "hard":
        os.link(data, name)
    elif link == "symbolic to symbolic":
        data.with_name("between.csv").symlink_to(data.name)
        name.symlink_to("between.csv")
    elif link == "dotted":
        return data.parent / ".." / data.parent.name / data.name
    else:
        return data
    return name


LINKS = ["same", "dotted", "symbolic", "hard", "symbolic to symbolic"]


@pytest.mark.parametrize("link", LINKS)
def test_an_output_that_is_read_is_refused(data, link):
    other = data.with_name("other.csv")
    other.touch()
    name = linked(data, link)
    for output, read in [(data, name), (name, data)]:
        with pytest.raises(InputError, match="are the same file, which would be overwritten"):
            check_output(str(output), other, read)
    with name.open("rb") as stream, pytest.raises(InputError, match="and standard input are the"):
        check_output(str(data), stream)
    check_output(str(other), data, name)


def test_two_outputs_that_are_not_there_yet(tmp_path):
    name = tmp_path / "new.csv"
    with pytest.raises(InputError, match="are the same file"):
        check_output(str(name), tmp_path / "." / "new.csv")
    check_output(str(name), tmp_path / "newer.csv")


def test_a_home_that_a_reader_finds(data, monkeypatch):
    monkeypatch.setenv("HOME", str(data.parent))
    with pytest.raises(InputError, match=r"and `~/data\.csv` are the same file"):
        check_output(str(data), "~/data.csv")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "name of the output file is empty"),
        (".", "`.` is a directory"),
        ("none/x.csv", "There is no folder `none`"),
        ("data.csv/x.csv", r"There is no folder `data.csv`"),
        ("none/", "There is no folder `none`"),
    ],
)
def test_paths_that_are_no_files(data, monkeypatch, name, message):
    monkeypatch.chdir(data.parent)
    with pytest.raises(InputError, match=message):
        check_output(name)


def test_a_folder_that_may_not_be_written_to(data, monkeypatch):
    # Asked for, since whoever runs the tests may be allowed to write everywhere.
    monkeypatch.setattr(os, "access", lambda place, mode: (place, mode) != (".", os.W_OK))
    monkeypatch.chdir(data.parent)
    with pytest.raises(InputError, match=r"`x.csv` cannot be written: Permission denied\."):
        check_output("x.csv")


def test_a_file_is_written_whole(data):
    write_output(data, lambda file: file.write(b"new"))
    write_output(data.with_name("other.csv"), lambda file: file.write(b"other"))
    assert data.read_bytes() == b"new"
    assert sorted(os.listdir(data.parent)) == ["data.csv", "other.csv"]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_what_was_there_stays_if_writing_fails(data, error):
    def fail(file):
        file.write(b"half")
        raise error

    for path in (data, data.with_name("new.csv")):
        with pytest.raises((InputError, KeyboardInterrupt)) as caught:
            write_output(path, fail)
        if isinstance(error, OSError):
            assert str(caught.value) == f"`{path}` cannot be written: No space left on device."
    assert os.listdir(data.parent) == ["data.csv"]
    assert data.read_text() == "y,s\n1,2\n"


def test_links_are_followed_and_modes_kept(data):
    data.chmod(0o640)
    link = linked(data, "symbolic to symbolic")
    write_output(link, lambda file: file.write(b"new"))
    assert link.is_symlink()
    assert data.read_bytes() == b"new"
    assert stat.S_IMODE(data.stat().st_mode) == 0o640
    missing = data.with_name("missing.csv")
    link = data.with_name("dangling.csv")
    link.symlink_to(missing)
    write_output(link, lambda file: file.write(b"made"))
    assert missing.read_bytes() == b"made"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_output(pipe, lambda file: file.write(b"new"))
    reader.join()
    assert read == [b"new"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device here")
def test_a_device_without_room():
    with pytest.raises(InputError, match="`/dev/full` cannot be written: No space left on device"):
        write_output("/dev/full", lambda file: file.write(b"new"))
    assert not os.path.isfile("/dev/full")


def test_names_as_long_as_a_file_system_takes(tmp_path):
    path = tmp_path / ("x" * os.pathconf(tmp_path, "PC_NAME_MAX"))
    write_output(path, lambda file: file.write(b"new"))
    assert path.read_bytes() == b"new"
