"""The extras one by one: `make test-extras`, or `python tests/extras.py cli plot` for some.

Each extra of pyproject.toml, and none, has an environment with the wheel and this extra alone.
Documented examples (README, pages, docstrings) run in the smallest environment that has the extras
which their text names: "Examples need the extras `cli` and `plot`." For each extra that is missing
in an environment, what needs it must name it. Two environments at a time; logs in build/extras.
"""

import doctest
import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build" / "extras"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]

# What needs an extra, for environments that lack it. Files and clusters need `cli` before theirs.
ON = ["evaluate", "a.parquet", "--label", "y", "--engine"]
MISSING = {
    "cli": "from roclab.cli import main; main(['--help'])",
    "plot": "rl.plot(rl.roc_curve([0, 1], [1, 2]))",
    "model": "rl.learning.load_model('model.skops')",
    "excel": "open('a.xlsx', 'wb').close(); rl.read_scores('a.xlsx', y_true='y')",
    "spark": f"from roclab.cli import main; main({ON} + ['spark'])",
    "dask": f"from roclab.cli import main; main({ON} + ['dask'])",
    "monitor": "from roclab.cli import main; main(['monitor', 'serve', '--demo'])",
}

# Scripts of pages that need something around them: page, word in the script, before and after it.
SAME = 'y_true="paid_late", y_score="risk", time="decided_at", model="credit"'
SAME = f"assert found.rows == rl.scale.cohort_summaries('examples/history.csv', {SAME}).rows\n"
CLUSTER = "how_to/monitor_from_a_cluster.md"
SCRIPTS = {
    "spark": [
        (
            *("how_to/windows_on_spark.md", "window_auc"),
            "import datetime, pathlib, pyarrow as pa, pyarrow.parquet as pq\n"
            "pathlib.Path('events').mkdir()\n"
            "rows = {'model': ['a'] * 4, 'label': pa.array([0, 1, 0, 1], pa.int32())}\n"
            "rows |= {'score': [0.1, 0.4, 0.4, 0.8], 'at': [datetime.datetime(2026, 1, 1)] * 4}\n"
            "pq.write_table(pa.table(rows), 'events/1.parquet')\n",
            "query.processAllAvailable()\nassert query.lastProgress['numInputRows'] == 4\n",
        ),
        (
            *(CLUSTER, "spark.table"),
            "import roclab as rl\nfrom pyspark.sql import SparkSession\n"
            "spark = SparkSession.builder.getOrCreate()\n"
            "rows = spark.read.option('header', True).csv('examples/history.csv')\n"
            "casts = ['try_cast(risk as double) risk', 'try_cast(paid_late as int) paid_late']\n"
            "rows = rows.selectExpr('decided_at', *casts)\n"
            "rows.createOrReplaceTempView('decisions')\n",
            SAME,
        ),
    ],
    "dask": [
        (
            *(CLUSTER, "dask_frame"),
            "import dask.dataframe as dd, roclab as rl\n"
            "dask_frame = dd.read_csv('examples/history.csv')\n",
            SAME,
        )
    ],
    "excel": [
        (
            *(None, None),
            f"import csv, sys\nsys.path.insert(0, {str(ROOT / 'tests')!r})\n"
            "from workbooks import write_workbook\nimport roclab as rl\n"
            "rows = [*csv.reader(open('examples/scores.csv'))]\n"
            "keys = [rows[0].index(name) for name in ('malignant', 'decision_tree')]\n"
            "cells = [[float(row[key]) for key in keys] for row in rows[1:]]\n"
            "write_workbook('scores.xlsx', [['malignant', 'decision_tree'], *cells])\n",
            "assert repr(rl.evaluate(rl.read_scores('scores.xlsx', y_true='malignant'))) == repr("
            "rl.evaluate(rl.read_scores('examples/scores.csv', y_true='malignant', "
            "y_score='decision_tree')))\n",
        )
    ],
    "model": [
        (
            *(None, None),
            "import roclab as rl\nfrom roclab.learning import ModelFile, load_model, save_model\n",
            "model = rl.AUCtronClassifier().fit([[0], [1], [0], [2]], [0, 1, 0, 1])\n"
            "save_model('a.skops', ModelFile(model=model, features=('x',), target='y'))\n"
            "assert repr(load_model('a.skops')) == 'AUCtronClassifier for y from 1 columns: x'\n",
        )
    ],
}


def brought(extra: str) -> set[str]:
    """An extra with those that it brings."""
    text = " ".join(EXTRAS.get(extra, ()))
    inner = {one for names in re.findall(r"roclab\[(.*?)\]", text) for one in names.split(",")}
    return {extra} - {""} | {more for one in inner for more in brought(one)}


def runs_in(needed: set[str]) -> str:
    """The smallest environment that has some extras."""
    able = [extra for extra in ("", *EXTRAS) if needed <= brought(extra)]
    return min(able, key=lambda extra: len(brought(extra)))


def missing(extra: str) -> str:
    """How what needs an extra fails where it is missing."""
    text = f"import roclab as rl\n{MISSING[extra]}"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    return " ".join(done.stderr.split()).rpartition("roclab.errors.")[2]


def examples(extra: str) -> int:
    """Run all that belongs into this environment; the number of failures. Called inside of it."""
    import documents

    failed, counts, here = [], dict.fromkeys(("docstrings", "pages", "scripts", "messages"), 0), []

    def run(kind: str, name: str, act) -> None:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(documents.with_examples(Path(folder)))
            try:
                act(Path(folder))
            except Exception as error:
                failed.append(name)
                print(f"FAILED {name}\n{error}", flush=True)
            os.chdir(ROOT)
        counts[kind] += 1

    def docstring(session: doctest.DocTest) -> None:
        said: list[str] = []
        runner = doctest.DocTestRunner(optionflags=documents.FLAGS)
        assert runner.run(session, out=said.append).failed == 0, "".join(said)

    def page(path: Path, folder: Path) -> None:
        documents.run_python(path)
        documents.run_shell(path, folder)

    def script(place: tuple[str, str, str, str]) -> None:
        name, word, before, after = place
        shown = documents.blocks(ROOT / "docs" / name) if name else ()
        (text,) = [text for kind, _, text in shown if kind == "py" and word in text] or [""]
        text = f"{before}\n{text}\n{after}"
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-3000:]

    def message(other: str) -> None:
        wanted = {other} if "cli" in brought(extra) else {other, "cli"}
        said = missing(other)
        print(f"without {other}: {said}")
        assert any(f"pip install 'roclab[{one}]'" in said for one in wanted), said

    for other in MISSING.keys() - brought(extra):
        run("messages", f"message without {other}", lambda _, one=other: message(one))
    for session in documents.docstring_sessions():
        if runs_in(documents.needed_extras(session.docstring)) == extra:
            run("docstrings", session.name, lambda _, one=session: docstring(one))
    for path in (ROOT / "README.md", *documents.PAGES):
        text = path.read_text("utf-8")
        runs = documents.languages(path) & {"python", "console"}
        if runs and runs_in(documents.needed_extras(text)) == extra:
            name = str(path.relative_to(ROOT))
            run("pages", name, lambda folder, one=path: page(one, folder))
            here.append(name)
    from cluster_processes import why_not_spark

    reason = why_not_spark() if extra == "spark" else ""
    for place in () if reason else SCRIPTS.get(extra, ()):
        run("scripts", f"script of {place[0] or extra}", lambda _, one=place: script(one))
    ran = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
    print(f"pages: {', '.join(here)}")
    print(
        f"{ran or 'nothing to run'}; {len(failed)} failed" + f"; skipped: {reason}" * bool(reason)
    )
    return len(failed)


def test(extra: str) -> bool:
    """Make the environment of an extra, run its examples there, and say in a line what happened."""
    began, name = time.monotonic(), extra or "none"
    place, log = BUILD / name, BUILD / f"{name}.log"
    (wheel,) = (ROOT / "build" / "wheel").glob("*.whl")
    wanted = f"{wheel}[{extra}]" if extra else wheel
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", place]
    install = [*pip, "install", "-q", "--no-compile", "--only-binary", ":all:", wanted]
    # pyspark has no wheel, but nothing to compile either.
    install += ["--no-binary", "pyspark"]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    # As where an environment is activated: Spark's workers run the python3 of the path.
    environment["PATH"] = f"{place / 'bin'}{os.pathsep}{environment['PATH']}"
    with log.open("w") as output:
        steps = [[sys.executable, "-m", "venv", "--clear", "--without-pip", place], install]
        steps += [[place / "bin" / "python", __file__, "examples", extra]]
        ended = {"cwd": ROOT, "env": environment, "stdout": output, "stderr": output}
        passed = all(subprocess.run(step, **ended).returncode == 0 for step in steps)
    listed = subprocess.run([*pip, "list", "--format=freeze"], capture_output=True, text=True)
    packages = len(listed.stdout.splitlines()) - 1
    lines = [line for line in log.read_text("utf-8").splitlines() if line.startswith("FAILED ")]
    last = (log.read_text("utf-8").splitlines() or ["nothing was said"])[-1]
    state = "passed" if passed else "FAILED"
    print(f"{name}: {packages} packages, {last}: {state} after {time.monotonic() - began:.0f} s")
    print("".join(f"  {line}\n" for line in lines), end="", flush=True)
    return passed


def main(extras: list[str]) -> None:
    BUILD.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        passed = list(pool.map(test, extras))
    if not all(passed):
        sys.exit(f"Extras failed; what they said is in {BUILD.relative_to(ROOT)}.")


if __name__ == "__main__":
    if sys.argv[1:2] == ["examples"]:
        sys.exit(bool(examples(sys.argv[2])))
    main(sys.argv[1:] or ["", *EXTRAS])
