"""The commands of the monitor as a user meets them: what they say, and what they refuse."""

import json
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import typer

from roclab.cli import main
from tests.e2e.monitor.process import DEADLINE, Monitor, command, eventually, run

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "examples" / "history.csv"
COLUMNS = ("--label", "paid_late", "--score", "risk", "--time", "decided_at")
OPTIONS = ("--model", "credit", *COLUMNS)
FULL = (*OPTIONS, "--label-time", "known_on", "--segment", "region")
# As it is exported.
EXPORTED = (
    *("--model", "credit", "--label", "label", "--score", "score", "--time", "time", "--id", "id"),
    *("--label-time", "label_time", "--segment", "region"),
)


@pytest.fixture
def say(capsysbinary, monkeypatch, tmp_path):
    """Run a command of the monitor in an empty directory; gives code, output and errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)

    def say(*arguments):
        code = main(["monitor", *map(str, arguments)])
        out, err = (stream.decode() for stream in capsysbinary.readouterr())
        return code, out, err

    return say


@pytest.fixture
def refusal(say):
    """Run a command with something wrong; gives the one line that says what."""

    def refusal(*arguments):
        code, out, err = say(*arguments)
        assert (code, out) == (2, ""), err
        assert err.count("\n") == 1, err
        assert err.startswith("roclab: ")
        return err

    return refusal


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Two weeks of the example, which are read in no time."""
    path = tmp_path_factory.mktemp("small") / "small.csv"
    lines = EXAMPLE.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:1331]), "utf-8")
    return path


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A store with the example, which tests only read."""
    directory = tmp_path_factory.mktemp("example")
    assert main(["monitor", "import", str(EXAMPLE), *FULL, "--data", str(directory), "-q"]) == 0
    return directory


# The example


def test_the_example_is_small_and_shows_its_alarm(say, store):
    assert EXAMPLE.stat().st_size < 300_000
    code, out, err = say("import", EXAMPLE, *FULL, "--data", store)
    assert (code, err) == (0, "")
    assert out.startswith("credit: 0 predictions and 0 labels are new, ")
    assert "6,650 predictions known already." in out
    assert "What the monitor would have said, and when:" in out
    assert "credit, region north ranks worse since 2026-04-20: its AUC fell from 0.9" in out
    assert "region north contributes -0.1" in out
    assert "A drop of 0.05 would be noticed within" in out
    assert out.endswith(
        f"Stored in {store}; roclab monitor serve --data {shlex.quote(str(store))} shows it.\n"
    )


def test_the_example_is_what_its_script_writes():
    made = subprocess.run(
        [sys.executable, "-c", "import make_history as m; print(*next(m.decisions()), sep=',')"],
        cwd=ROOT / "examples",
        capture_output=True,
        text=True,
        check=True,
    )
    assert made.stdout.strip() == EXAMPLE.read_text("utf-8").splitlines()[1]


def test_an_import_for_programs(say, small):
    code, out, err = say("import", small, *FULL, "--format", "json")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert found["rows"] == 1330
    assert found["duplicates"] == found["rejected"] == found["behind"] == 0
    assert found["alerts"] == []
    again = json.loads(say("import", small, *FULL, "--format", "json")[1])
    assert (again["rows"], again["labels"], again["duplicates"]) == (0, 0, 1330)


def test_too_little_to_notice_anything(say, small):
    code, out, _ = say("import", small, *FULL)
    assert code == 0
    assert "The monitor could not have noticed a change." in out
    assert out.endswith("Stored in roclab-monitor; roclab monitor serve shows it.\n")
    code, out, _ = say("check")
    assert code == 0
    assert "credit: 3 streams, 3 of them learning" in out
    assert "The reference lacks" in out
    assert "at the present pace about" in out


def test_standard_input_and_segments_in_both_forms(say, small, monkeypatch):
    frame = pl.read_csv(small).with_columns(product=pl.lit("a"))
    for data, segments in (("one", ["region,product"]), ("two", ["region", "product"])):
        path = Path("with_product.csv")
        frame.write_csv(path)
        given = [word for name in segments for word in ("--segment", name)]
        with path.open("rb") as file:
            monkeypatch.setattr(sys, "stdin", type("In", (), {"buffer": file, "isatty": bool}))
            code, _, err = say("import", *OPTIONS, *given, "--data", data)
        assert code == 0, err
    one, two = (
        json.loads(say("check", "--data", data, "--format", "json")[1]) for data in ("one", "two")
    )
    assert one["models"][0]["streams"] == two["models"][0]["streams"] == 4


def test_rows_that_are_refused_left_out_or_behind_are_noted(say, small):
    text = small.read_text("utf-8").replace("2026-03-02T", "2099-03-02T", 1)
    text = text.replace(",north,0.824,", ",north,,", 1)
    Path("bad.csv").write_text(text, "utf-8")
    code, _, err = say("import", "bad.csv", *FULL)
    assert code == 0
    lines = err.splitlines()
    assert lines[0] == "note: 1 of 1,330 rows left out, values missing: risk 1"
    assert lines[1].startswith("note: 1 rows are refused, the first is row ")
    assert "in the future" in lines[1]
    older = pl.read_csv(small).with_columns(pl.col("decided_at").str.replace("2026-03", "2026-01"))
    older.with_columns(known_on=pl.lit("2026-02-20")).write_csv("older.csv")
    code, _, err = say("import", "older.csv", *FULL)
    assert code == 0
    assert "1,330 predictions are older than what had been judged" in err
    assert "import older files first" in err


# Out of the store, and back


def test_export_and_import_again(say, small):
    first = say("import", small, *FULL, "--data", "first")[1]
    code, out, err = say("export", "--model", "credit", "-o", "rows.parquet", "--data", "first")
    assert (code, out) == (0, "")
    assert err == "note: 1,330 rows of credit are in rows.parquet\n"
    code, again, err = say("import", "rows.parquet", *EXPORTED, "--data", "again")
    assert (code, again.replace("again", "first"), err) == (0, first, "")
    assert say("status", "--data", "again") == say("status", "--data", "first")


def test_a_backup_is_restored_by_copying_it(say, store):
    code, out, err = say("backup", "-o", "copy.sqlite", "--data", store)
    assert (code, out) == (0, "")
    assert "put it into an empty directory as monitor.sqlite" in err
    Path("restored").mkdir()
    Path("copy.sqlite").rename("restored/monitor.sqlite")
    assert say("status", "--data", "restored")[1] == say("status", "--data", store)[1]


def test_status_in_words(say, store):
    code, out, _ = say("status", "--data", store)
    assert code == 0
    assert out.startswith("▲ credit: firing, ")
    assert "\n  credit ranks worse since 2026-04-2" in out


def test_lines_are_folded_on_a_terminal(say, store, monkeypatch):
    whole = say("status", "--data", store)[1]
    monkeypatch.setenv("COLUMNS", "60")
    folded = say("status", "--data", store)[1]
    assert max(map(len, folded.splitlines())) <= 60 < max(map(len, whole.splitlines()))
    assert folded.split() == whole.split()
    assert folded.splitlines()[2].startswith("    ")


def test_check_says_what_the_worst_segment_is(say, store):
    code, out, _ = say("check", "--data", store)
    assert code == 0
    assert "The settings are valid." in out
    assert f"The store in {store} is not damaged." in out
    assert "  Worst segment, region south: A drop of 0.05 would be noticed within" in out


def test_tokens(say, small):
    say("import", small, *FULL)
    code, out, err = say("token", "create", "loader", "--scope", "read")
    assert (code, err) == (0, "note: the secret is shown this once\n")
    assert out.startswith("rlm_")
    assert len(out.strip()) > 40
    assert say("token", "create", "loader")[2].startswith("roclab: There is a token 'loader'")
    listed = say("token", "list")[1]
    assert listed.startswith("loader: read, created 20")
    assert out.strip() not in listed
    assert say("token", "revoke", "loader")[0] == 0
    assert ", revoked 20" in say("token", "list")[1]


def test_forget(say, small, monkeypatch):
    say("import", small, *OPTIONS)
    answers = iter("n")
    monkeypatch.setattr("typer.confirm", lambda *_, **__: next(answers) == "y")
    assert say("forget", "--model", "credit")[0] == 1
    code, _, err = say("forget", "--model", "credit", "--id", "x", "--yes")
    assert (code, err) == (2, "roclab: credit has no id 'x'.\n")
    say("export", "--model", "credit", "-o", "rows.parquet")
    one = pl.read_parquet("rows.parquet")["id"][7]
    assert say("forget", "--model", "credit", "--id", one, "--yes")[0] == 0
    assert "1,329 rows" in say("export", "--model", "credit", "-o", "rows.parquet")[2]
    code, _, err = say("forget", "--model", "credit", "--yes")
    assert (code, err) == (
        0,
        "note: the model credit is removed; backups that were made before still have it\n",
    )
    assert say("status") == (0, "", "note: there are no models yet\n")


def test_a_question_that_nobody_answers(refusal, say, small, monkeypatch):
    def nobody(*_, **__):
        raise typer.Abort

    say("import", small, *OPTIONS)
    monkeypatch.setattr("typer.confirm", nobody)
    assert "Pass --yes to remove without a question." in refusal("forget", "--model", "credit")


# Refusals


@pytest.mark.parametrize(
    "arguments",
    [
        ["status"],
        ["export", "--model", "credit", "-o", "x.parquet"],
        ["backup", "-o", "x.sqlite"],
        ["token", "list"],
        ["forget", "--model", "credit", "--yes"],
    ],
    ids=lambda words: words[0],
)
def test_a_store_that_is_not_there(refusal, arguments, tmp_path):
    assert "There is no store in roclab-monitor. Name its directory by --data" in refusal(
        *arguments
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere.csv", *OPTIONS], "No file `nowhere.csv`"),
        (["s.csv", *OPTIONS, "--id", "nr"], "No column `nr`. Columns: `decided_at`, `region`"),
        (["s.csv", *OPTIONS, "--segment", "regoin"], "Did you mean `region`?"),
        (["s.csv", *OPTIONS, "--segment", "risk"], "named twice, in --score and --segment"),
        (["s.csv", *OPTIONS, "--label-time", "decided_at"], "in --time and --label-time"),
        (["s.csv", *OPTIONS, "--model-version", "risk"], "in --score and --model-version"),
        (["s.csv", *OPTIONS, "--time-zone", "Mars"], "--time-zone is 'Mars'; a time zone such as"),
        (["s.csv", *OPTIONS, "--positive", "yes"], "--positive 'yes' does not fit column"),
        (["s.csv", *OPTIONS, "--input-format", "parquet"], "cannot be read as Parquet"),
        (["s.csv", "--model", "a/b", *COLUMNS], "--model cannot be used: model 'a/b' is a path"),
        (["s.csv", "--model", "credit"], "Missing option '--label'. See: roclab monitor import"),
        (["s.csv", *OPTIONS, "--segments", "region"], "Did you mean --segment?"),
        (["s.csv", *OPTIONS, "--data", "s.csv"], "The directory s.csv cannot be written"),
        (
            ["s.csv", *OPTIONS, "--config", "no.toml"],
            "The settings no.toml cannot be read: No such",
        ),
    ],
)
def test_imports_that_are_refused(refusal, small, tmp_path, arguments, said):
    Path("s.csv").write_bytes(small.read_bytes())
    assert said in refusal("import", *arguments)
    assert [one.name for one in tmp_path.iterdir()] == ["s.csv"]


def test_a_file_of_which_all_rows_are_refused(refusal, tmp_path):
    Path("s.csv").write_text("t,y,p\nsoon,1,0.5\nlater,0,0.4\n", "utf-8")
    said = refusal("import", "s.csv", "--model", "m", "--label", "y", "--score", "p", "--time", "t")
    assert "All 2 rows are refused, the first is row 1: time 'soon' is no time;" in said
    assert [one.name for one in tmp_path.iterdir()] == ["s.csv"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["export", "--model", "credt", "-o", "x.parquet"], "'credt'. Did you mean credit?"),
        (["export", "--model", "zzz", "-o", "x.parquet"], "roclab monitor status lists all."),
        (["export", "--model", "credit", "-o", "no/x.parquet"], "There is no folder `no`"),
        (["backup", "-o", "."], "`.` is a directory"),
        (["token", "create"], "Name it: roclab monitor token create NAME."),
        (["token", "revoke", "x"], "There is no valid token 'x'"),
        (["token", "make", "x"], "which is not one of create, list, revoke"),
    ],
)
def test_wrong_words_about_a_store(refusal, store, arguments, said):
    assert said in refusal(*arguments, "--data", store)


def test_the_store_is_not_overwritten_by_its_backup(refusal, store):
    file = store / "monitor.sqlite"
    before = file.read_bytes()
    assert "are the same file" in refusal("backup", "-o", file, "--data", store)
    assert "are the same file" in refusal(
        "export", "--model", "credit", "-o", file, "--data", store
    )
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("PRAGMA user_version = 99", "was written by a newer release of roclab, with version 99"),
        ("PRAGMA application_id = 1", "is a database of another program"),
    ],
)
def test_databases_of_others_are_left_alone(refusal, small, store, content, said):
    Path("other").mkdir()
    Path("other/monitor.sqlite").write_bytes((store / "monitor.sqlite").read_bytes())
    connection = sqlite3.connect("other/monitor.sqlite")
    connection.execute(content)
    connection.close()
    before = Path("other/monitor.sqlite").read_bytes()
    for arguments in (["status"], ["check"], ["import", small, *OPTIONS], ["serve", "--port", 0]):
        assert said in refusal(*arguments, "--data", "other")
    assert Path("other/monitor.sqlite").read_bytes() == before


def test_what_is_no_database(refusal):
    Path("other").mkdir()
    Path("other/monitor.sqlite").write_text("hello " * 1000, "utf-8")
    assert "file is not a database" in refusal("status", "--data", "other")


def test_settings_are_checked_with_their_secrets(say, monkeypatch):
    monkeypatch.delenv("SLACK_URL", raising=False)
    Path("monitor.toml").write_text(
        '[[alerts.channel]]\ntype = "slack"\nurl_env = "SLACK_URL"\n', "utf-8"
    )
    code, out, _ = say("check")
    assert code == 1
    assert "the environment variable SLACK_URL is not set" in out
    code, out, _ = say("check", "--format", "json")
    assert (code, len(json.loads(out)["problems"])) == (1, 1)
    monkeypatch.setenv("SLACK_URL", "https://hooks.slack.com/services/T/B/X")
    assert say("check")[0] == 0
    Path("monitor.toml").write_text("[alert]\n", "utf-8")
    code, _, err = say("check", "monitor.toml")
    assert code == 2
    assert "Did you mean alerts?" in err


def test_damage_is_said_and_is_an_exit_code(say, refusal, store):
    Path("damaged").mkdir()
    content = bytearray((store / "monitor.sqlite").read_bytes())
    connection = sqlite3.connect(f"{(store / 'monitor.sqlite').as_uri()}?mode=ro", uri=True)
    [(page,)] = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'block'")
    connection.close()
    content[4096 * (page - 1) : 4096 * page] = bytes(4096)
    Path("damaged/monitor.sqlite").write_bytes(content)
    code, out, err = say("check", "--data", "damaged")
    assert (code, err) == (1, "")
    assert "The store is damaged: " in out
    assert "roclab monitor check says what is damaged" in refusal("status", "--data", "damaged")


def test_a_cell_that_is_no_json_is_damage(say, refusal, store):
    Path("cell").mkdir()
    shutil.copy(store / "monitor.sqlite", "cell")
    connection = sqlite3.connect("cell/monitor.sqlite")
    for table in ("reading", "frozen"):
        connection.execute(f"UPDATE {table} SET content = substr(content, 1, 20)")
    connection.commit()
    connection.close()
    said = refusal("status", "--data", "cell")
    assert "cannot be used: malformed JSON" in said
    assert "Restore a backup; roclab monitor check says what is damaged." in said
    code, out, err = say("check", "--data", "cell")
    assert (code, err) == (1, "")
    assert "The store is damaged: malformed JSON in " in out


def test_an_emptied_store_is_refused(refusal):
    Path("emptied").mkdir()
    Path("emptied/monitor.sqlite").touch()
    for name in ("check", "status"):
        said = refusal(name, "--data", "emptied")
        assert "monitor.sqlite is empty. Restore a backup, or remove the file" in said


def test_a_store_whose_version_is_lost_is_refused(refusal, store):
    Path("lost").mkdir()
    shutil.copy(store / "monitor.sqlite", "lost")
    connection = sqlite3.connect("lost/monitor.sqlite")
    connection.execute("PRAGMA user_version = 0")
    connection.close()
    for arguments in (["check"], ["status"], ["serve", "--port", 0]):
        assert "monitor.sqlite is damaged: it has tables" in refusal(*arguments, "--data", "lost")


def test_a_store_that_cannot_be_opened_is_not_damaged(refusal, store):
    Path("closed").mkdir()
    Path("closed/monitor.sqlite").write_bytes((store / "monitor.sqlite").read_bytes())
    Path("closed/monitor.sqlite-wal").mkdir()
    for name in ("check", "status"):
        said = refusal(name, "--data", "closed")
        assert said.endswith("unable to open database file. Make the directory writable.\n"), said
        assert "damaged" not in said


@pytest.mark.parametrize(
    ("package", "arguments"),
    [
        ("msgspec", ["status"]),
        ("fastapi", ["serve"]),
    ],
)
def test_a_missing_extra_is_named(tmp_path, package, arguments):
    script = (
        f"import sys; sys.modules[{package!r}] = None\n"
        f"from roclab.cli import main; sys.exit(main({['monitor', *arguments]!r}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1, done.stderr
    assert "roclab[monitor]" in done.stderr


# Beside a service


@pytest.fixture(scope="module")
def service(tmp_path_factory, store):
    directory = tmp_path_factory.mktemp("served")
    (directory / "monitor.sqlite").write_bytes((store / "monitor.sqlite").read_bytes())
    monitor = Monitor(directory).start()
    yield monitor
    monitor.stop()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["import", EXAMPLE, *OPTIONS],
            "If it is the service, stop it, import, and start it again",
        ),
        (["forget", "--model", "credit", "--yes"], "ask it instead: DELETE /v1/models/credit."),
        (["forget", "--model", "credit", "--id", "7", "--yes"], "DELETE /v1/models/credit/ids/7."),
        (["serve", "--port", "0"], "Another process uses the directory"),
    ],
    ids=lambda words: words[0] if isinstance(words, list) else "",
)
def test_one_process_writes(service, refusal, arguments, said):
    assert said in refusal(*arguments, "--data", service.directory)


def test_commands_that_read_go_on_beside_a_service(service, say):
    data = ("--data", service.directory)
    assert say("status", *data)[1].startswith("▲ credit: firing")
    assert say("check", *data)[0] == 0
    assert say("export", "--model", "credit", "-o", "rows.parquet", *data)[0] == 0
    assert say("backup", "-o", "copy.sqlite", *data)[0] == 0
    secret = say("token", "create", "beside", *data)[1].strip()
    assert secret.startswith("rlm_")
    names = eventually(lambda: [one["name"] for one in service.get("/v1/tokens")["tokens"]] or None)
    assert names == ["beside"]
    assert say("token", "revoke", "beside", *data)[0] == 0


def test_a_port_in_use(service, refusal, tmp_path):
    said = refusal("serve", "--port", service.port, "--data", "other")
    assert f"port {service.port}, cannot be listened at: Address already in use." in said
    assert list(tmp_path.iterdir()) == []


def test_an_address_that_is_not_of_this_machine(refusal):
    assert "cannot be listened at" in refusal("serve", "--host", "203.0.113.7", "--port", "0")


def test_the_demonstration_has_its_own_directory(refusal):
    assert "Leave one of them out." in refusal("serve", "--demo", "--data", "x")


# Interrupts


def test_an_interrupt_of_the_service_loses_nothing(tmp_path):
    monitor = Monitor(tmp_path / "store").start()
    try:
        rows = [{"id": str(one), "score": one / 100, "label": one % 2} for one in range(100)]
        status, _, _ = monitor.ask("POST", "/v1/predictions?model=credit", rows)
        assert status == 200
        monitor.process.send_signal(signal.SIGINT)
        assert monitor.process.wait(DEADLINE) == 130
    finally:
        monitor.stop()
    done = run(
        "monitor",
        "export",
        "--model",
        "credit",
        "-o",
        tmp_path / "r.parquet",
        "--data",
        tmp_path / "store",
    )
    assert done.returncode == 0
    assert pl.read_parquet(tmp_path / "r.parquet").height == 100
    eventually(lambda: "roclab: interrupted\n" in monitor.lines)


def test_the_first_token_is_shown_also_to_those_who_want_no_notes(tmp_path):
    (tmp_path / "monitor.toml").write_text("[server]\nport = 0\nrequire_tokens = true\n")
    process = subprocess.Popen(
        [*command(), "monitor", "serve", "--quiet"], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stderr.readline().startswith("note: the first token, shown this once: rlm_")
    finally:
        process.kill()
        process.communicate()


def test_an_interrupt_of_an_import_keeps_what_is_written(tmp_path):
    rng = np.random.default_rng(0)
    count = 25_000
    day = np.datetime64("2026-01-01") + (np.arange(count) // 250).astype("m8[D]")
    label = rng.random(count) < 0.3
    scores = rng.normal(size=count) + label
    frame = pl.DataFrame({"t": day, "y": label.astype(int), "p": scores})
    frame.write_parquet(tmp_path / "history.parquet")
    words = ["monitor", "import", str(tmp_path / "history.parquet"), "--model", "m", "--label", "y"]
    words += ["--score", "p", "--time", "t", "--data", str(tmp_path / "store")]
    file = tmp_path / "store" / "monitor.sqlite"

    def stored():
        if not file.exists():
            return 0
        connection = sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)
        try:
            return connection.execute("SELECT count(*) FROM event").fetchone()[0]
        except sqlite3.Error:
            return 0
        finally:
            connection.close()

    process = subprocess.Popen([*command(), *words], stderr=subprocess.PIPE, text=True)
    eventually(stored)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=DEADLINE)
    assert process.returncode == 130, err
    assert err.splitlines() == [
        "note: what was imported so far stays; the same command goes on from there",
        "roclab: interrupted",
    ]
    kept = stored()
    assert 0 < kept < count
    done = run(*words, "--format", "json")
    found = json.loads(done.stdout)
    assert (found["rows"], found["duplicates"]) == (count - kept, kept)


@pytest.mark.slow
def test_the_demonstration_is_served_and_removed(tmp_path):
    process = subprocess.Popen(
        [*command(), "monitor", "serve", "--demo", "--port", "0"],
        stderr=subprocess.PIPE,
        text=True,
        env={"TMPDIR": str(tmp_path), "PATH": ""},
    )
    monitor = Monitor(tmp_path)
    try:
        first = process.stderr.readline()
        monitor.port = int(first.rsplit(":", 1)[1])
        shown = {one["model"]: one["status"] for one in monitor.get("/v1/models")["models"]}
        assert shown == {
            "fraud": "firing",
            "delivery": "no data",
            "churn": "learning",
            "credit": "ok",
        }
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=DEADLINE)
    finally:
        process.kill()
    assert process.returncode == 130
    assert err.splitlines()[-1] == "roclab: interrupted"
    assert "leaked" not in err
    assert list(tmp_path.iterdir()) == []


def test_make_starts_the_demonstration():
    assert "roclab monitor serve --demo" in (ROOT / "Makefile").read_text("utf-8")
