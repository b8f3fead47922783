"""The tests as on other machines: `make test-machines`, in short `make test-machines SHORT=1`.

A machine is a set of environment variables: BLAS takes the kernels of another processor, numpy and
roclab leave vector instructions alone, and threads, locale, time zone, hash seed and the order of
the tests differ. Together the machines cover every value, not every combination of them. As many
run at a time as there are processors here.

As a pytest plugin, which it is for each machine, this file shuffles the tests, sets the locale and
checks that what was asked for took effect.
"""

import locale
import os
import random
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import threadpoolctl

ROOT = Path(__file__).parents[1]
LOGS = ROOT / "build" / "machines"

# All that look at numbers, but for simulations, whose tolerance is wide. One file runs benchmarks.
TESTS = ["tests/unit", "tests/property", "tests/golden", "tests/conformance", "tests/e2e"]
TESTS += ["tests/benchmarks", "--ignore=tests/benchmarks/test_main.py"]
TESTS += ["tests/architecture/test_processors.py"]
# Those that look at most digits.
SHORT_TESTS = [
    "tests/architecture/test_processors.py",
    "tests/unit/inference",
    "tests/unit/learning",
    "tests/unit/measures",
    "tests/golden",
    "tests/property/test_clusters.py",
    "tests/property/test_comparison.py",
    "tests/property/test_scored.py",
]
SHORT_MACHINES = ["Prescott", "Sandybridge"]

# What a processor needs for the kernels of OpenBLAS, and what these are called where a build has
# those of a relative instead.
NEEDED = {"Prescott": "pni", "Sandybridge": "avx", "Haswell": "avx2", "Zen": "avx2"}
NEEDED["SkylakeX"] = "avx512f"
OTHER_NAMES = {"Prescott": "Katmai", "Zen": "Haswell"}


def numpy_features():
    """Vector instructions that numpy uses here, beyond those it was built for."""
    return " ".join(np.show_config(mode="dicts")["SIMD Extensions"].get("found", []))


MACHINES = {
    "Prescott": {
        "OPENBLAS_CORETYPE": "Prescott",
        "OPENBLAS_NUM_THREADS": "1",
        "NPY_DISABLE_CPU_FEATURES": numpy_features(),
        "ROCLAB_DISABLE_AVX2": "1",
        "ROCLAB_NUM_THREADS": "1",
        "LC_ALL": "C",
        "TZ": "Pacific/Kiritimati",
        "PYTHONHASHSEED": "1",
        "TEST_ORDER": "1",
    },
    "Sandybridge": {
        "OPENBLAS_CORETYPE": "Sandybridge",
        "OPENBLAS_NUM_THREADS": "2",
        "LC_ALL": "tr_TR.UTF-8",
        "TZ": "America/St_Johns",
        "PYTHONHASHSEED": "2",
        "TEST_ORDER": "2",
    },
    "Haswell": {
        "OPENBLAS_CORETYPE": "Haswell",
        "OPENBLAS_NUM_THREADS": "1",
        "ROCLAB_DISABLE_AVX2": "1",
        "LC_ALL": "de_DE.UTF-8",
        "TZ": "Asia/Kathmandu",
        "PYTHONHASHSEED": "3",
        "TEST_ORDER": "3",
    },
    "Zen": {
        "OPENBLAS_CORETYPE": "Zen",
        "OPENBLAS_NUM_THREADS": "2",
        "ROCLAB_NUM_THREADS": "3",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONHASHSEED": "4",
        "TEST_ORDER": "4",
    },
    "SkylakeX": {
        "OPENBLAS_CORETYPE": "SkylakeX",
        "OPENBLAS_NUM_THREADS": "2",
        "LC_ALL": "C.UTF-8",
        "TZ": "Europe/London",
        "PYTHONHASHSEED": "5",
        "PYTHONDEVMODE": "1",
    },
}


def processor_flags():
    """Instruction sets of this processor; none where this is no x86 under Linux."""
    path = Path("/proc/cpuinfo")
    found = re.search(r"^flags\s*:(.*)$", path.read_text() if path.exists() else "", re.MULTILINE)
    return set(found.group(1).split()) if found else set()


def is_installed(name):
    before = locale.setlocale(locale.LC_ALL)
    try:
        locale.setlocale(locale.LC_ALL, name)
    except locale.Error:
        return False
    locale.setlocale(locale.LC_ALL, before)
    return True


def prepared(name):
    """The variables of a machine as far as they work here, and why some do not."""
    variables, reasons = dict(MACHINES[name]), []
    if NEEDED[name] not in processor_flags():
        del variables["OPENBLAS_CORETYPE"]
        reasons.append(f"this processor has no {NEEDED[name]}: BLAS with its own kernels")
    if not is_installed(variables["LC_ALL"]):
        reasons.append(f"locale {variables['LC_ALL']} is not installed: C.UTF-8 instead")
        variables["LC_ALL"] = "C.UTF-8"
    return variables, reasons


def pytest_configure():
    locale.setlocale(locale.LC_ALL, "")
    locale.setlocale(locale.LC_MESSAGES, "C")  # tests quote the words of the system


def pytest_collection_modifyitems(items):
    """Shuffle the files, and the tests of each: what a file has set up serves all of them."""
    if "TEST_ORDER" in os.environ:
        draw, files = random.Random(os.environ["TEST_ORDER"]), {}
        for item in items:
            files.setdefault(item.path, []).append(item)
        for tests in files.values():
            draw.shuffle(tests)
        shuffled = draw.sample(list(files.values()), len(files))
        items[:] = [item for tests in shuffled for item in tests]


def pytest_sessionstart(session):
    """Say what is in use, and refuse to test what is not."""
    import sklearn.linear_model  # noqa: F401  so that every BLAS is loaded

    from roclab import _core

    blas = [one for one in threadpoolctl.threadpool_info() if one["internal_api"] == "openblas"]
    kernels = {one["architecture"] for one in blas}
    facts = [f"OpenBLAS {one['architecture']} with {one['num_threads']} threads" for one in blas]
    facts += [
        f"numpy {numpy_features() or 'baseline'}",
        f"roclab {'AVX2' * _core.AVX2 or 'baseline'}",
    ]
    facts += [f"{_core.thread_count()} threads", locale.setlocale(locale.LC_ALL), time.tzname[0]]
    session.config.get_terminal_writer().line(f"machine: {', '.join(facts)}")
    wanted = os.environ.get("OPENBLAS_CORETYPE")
    if wanted and not kernels <= {wanted, OTHER_NAMES.get(wanted)}:
        pytest.exit(f"OPENBLAS_CORETYPE={wanted} has no effect", returncode=4)
    if _core.AVX2 and "ROCLAB_DISABLE_AVX2" in os.environ:
        pytest.exit("ROCLAB_DISABLE_AVX2 has no effect", returncode=4)


def run(name, tests):
    """Run the tests as on this machine; what there is to say, and whether all passed."""
    variables, reasons = prepared(name)
    # The same examples everywhere, so that a failure is due to the machine.
    environment = {"HYPOTHESIS_PROFILE": "ci", **os.environ, **variables}
    environment["PYTHONPATH"] = str(ROOT / "tests")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "machines", "-p", "no:cacheprovider"]
    began, log = time.monotonic(), LOGS / f"{name}.log"
    with log.open("w") as output:
        done = subprocess.run(
            [*command, *tests], cwd=ROOT, env=environment, stdout=output, stderr=output
        )
    lines = log.read_text(errors="replace").splitlines()
    told = [" ".join(f"{key}={value!r}" for key, value in variables.items()), *reasons]
    told += [line for line in lines if line.startswith(("machine:", "FAILED", "ERROR"))]
    told += [f"{lines[-1]} (log: {log.relative_to(ROOT)})"]
    passed = done.returncode == 0
    title = f"{name}: {'passed' if passed else 'FAILED'} after {time.monotonic() - began:.0f} s"
    print("\n  ".join([title, *told]), flush=True)
    return passed


def main(short):
    LOGS.mkdir(parents=True, exist_ok=True)
    names = SHORT_MACHINES if short else list(MACHINES)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        passed = list(pool.map(lambda name: run(name, SHORT_TESTS if short else TESTS), names))
    failed = [name for name, well in zip(names, passed, strict=True) if not well]
    if failed:
        sys.exit(f"Tests failed as on: {', '.join(failed)}.")


if __name__ == "__main__":
    main("--short" in sys.argv)
