"""No compiler, an old one or no headers: what CMake says, for `pip install` and for `make`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / "build" / "tools" / "bin"  # where make installs it
CMAKE = shutil.which("cmake", path=f"{TOOLS}{os.pathsep}{os.environ['PATH']}")
CXX = shutil.which(os.environ.get("CXX", "c++"))
TO_INSTALL = ["apt install g++", "dnf install gcc-c++", "xcode-select --install", "winget install"]

pytestmark = [
    pytest.mark.skipif(CMAKE is None, reason="CMake is not installed"),
    pytest.mark.skipif(os.name != "posix", reason="compilers of these tests are shell scripts"),
]


def configure(folder: Path, compiler: Path | str, *more: str) -> tuple[int, str]:
    """Exit code, and what CMake says in a folder that keeps what it has found."""
    done = subprocess.run(
        [CMAKE, "-S", ROOT, "-B", folder, *more],
        env=os.environ | {"CXX": str(compiler)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    return done.returncode, done.stdout


def script(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]), "utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("name", ["g++-of-nowhere", "broken"])
def test_without_a_compiler_it_says_so_and_what_to_install(tmp_path: Path, name: str) -> None:
    script(tmp_path / "broken", "exit 1")
    compiler = tmp_path / name
    code, said = configure(tmp_path / "build", compiler)
    (line,) = [line for line in said.splitlines() if "roclab needs" in line]
    assert code == 1
    assert "a C++20 compiler, and none that works was found" in line
    assert f"CXX is {compiler}" in line
    assert not [one for one in TO_INSTALL if one not in said]
    assert said.count("CMake Error") == 1


@pytest.mark.skipif(CXX is None, reason="no C++ compiler is installed")
def test_an_old_compiler_is_named_and_a_newer_one_is_taken_next_time(tmp_path: Path) -> None:
    old = script(
        tmp_path / "old",
        'for word in "$@"; do',
        "  case $word in -std=c++2?|-std=gnu++2?) word=-std=c++17;; esac",
        '  set -- "$@" "$word"; shift',
        "done",
        f'exec {CXX} "$@"',
    )
    code, said = configure(tmp_path / "build", old)
    (line,) = [line for line in said.splitlines() if "roclab needs" in line]
    assert code == 1
    assert "roclab needs C++20, which GCC has from 11, Clang from 14" in line
    assert str(old) in line
    assert "It says:" in said
    assert "compiler.cpp" in said  # the line of the compiler names what it was given
    assert not [one for one in TO_INSTALL if one not in said]
    code, said = configure(tmp_path / "build", CXX)
    assert (code, "written to" in said) == (0, True), said


@pytest.mark.skipif(CXX is None, reason="no C++ compiler is installed")
def test_options_with_which_no_compiler_works_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LDFLAGS", "-lof-nowhere")
    code, said = configure(tmp_path / "build", CXX)
    assert code == 1
    assert f"(CXX is {CXX}, LDFLAGS is -lof-nowhere)" in said


@pytest.mark.skipif(CXX is None, reason="no C++ compiler is installed")
def test_without_headers_of_python_it_says_what_to_install(tmp_path: Path) -> None:
    here = (f"-DPython_EXECUTABLE={sys.executable}", f"-DPython_INCLUDE_DIR={tmp_path / 'none'}")
    code, said = configure(tmp_path / "build", CXX, "-DSKBUILD=1", *here)
    (line,) = [line for line in said.splitlines() if "roclab needs" in line]
    assert code == 1
    assert f"with its headers, and {sys.executable} has none" in line
    assert "apt install g++ python3-dev" in said
    assert said.count("CMake Error") == 1
