"""`roclab watch`: the numbers of the library, whatever comes in, for as long as it comes."""

import io
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import roclab as rl
from roclab.cli import main

COMMAND = [sys.executable, "-m", "roclab", "watch"]


def events(n=1500, change=1000, seed=0):
    rng = np.random.default_rng(seed)
    labels = (rng.random(n) < 0.4).astype(int)
    shift = np.where(np.arange(n) < change, 2.5, 0.3)
    return labels, np.round(rng.normal(size=n) + shift * labels, 2)


def as_json(labels, scores):
    rows = zip(labels.tolist(), scores.tolist(), strict=True)
    return "".join(f"{json.dumps({'label': y, 'score': s})}\n" for y, s in rows).encode()


def as_csv(labels, scores, header="label,score"):
    rows = zip(labels.tolist(), scores.tolist(), strict=True)
    return (f"{header}\n" + "".join(f"{y},{s}\n" for y, s in rows)).encode()


@pytest.fixture
def watch(capsysbinary, monkeypatch):
    """Run the command on bytes; gives exit code, standard output and standard error."""

    def watch(data, *options):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        code = main(["watch", *map(str, options)])
        out, err = (stream.decode() for stream in capsysbinary.readouterr())
        return code, out, err

    return watch


@pytest.fixture
def lines(watch):
    """The same with JSON lines out, parsed, and nothing on standard error."""

    def lines(data, *options, notes=0):
        code, out, err = watch(data, "--format", "jsonl", *options)
        assert code == 0, err
        assert [line[:6] for line in err.splitlines()] == ["note: "] * notes, err
        return [json.loads(line) for line in out.splitlines()]

    return lines


def of_kind(lines, kind):
    return [line for line in lines if line["kind"] == kind]


def first_auc(lines):
    return of_kind(lines, "step")[0]["auc"]


@pytest.mark.parametrize("form", [as_json, as_csv])
def test_every_step_is_the_interval_of_the_window(lines, form):
    labels, scores = events()
    options = ("--window", 300, "--every", 200, "--confidence", 0.9, "--no-detector")
    told = lines(form(labels, scores), *options)
    steps = of_kind(told, "step")
    assert [step["event"] for step in steps] == [200, 400, 600, 800, 1000, 1200, 1400, 1500]
    for step in steps:
        window = slice(max(0, step["event"] - 300), step["event"])
        expected = rl.auc_interval(labels[window], scores[window], confidence_level=0.9)
        assert (step["n_pos"], step["n_neg"]) == (expected.n_pos, expected.n_neg)
        for name, value in (
            ("auc", expected.value),
            ("low", expected.low),
            ("high", expected.high),
        ):
            assert step[name] == pytest.approx(value, abs=1e-12)
    assert told[-1] == {
        "kind": "end",
        "events": 1500,
        "watched_events": 0,
        "alarms": None,
        "not_watched": "no detector",
        "reference_missing": 0,
        "left_out": {},
        "interrupted": False,
    }


def test_alarms_are_those_of_the_detector(lines, tmp_path):
    labels, scores = events()
    told = lines(as_json(labels, scores), "--reference-events", 500, "--window", 2000)
    detector = rl.BlockEDetector(rl.DriftReference(labels[:500], scores[:500]))
    expected = detector.update_many(labels[500:], scores[500:])[0]
    [alarm] = of_kind(told, "alarm")  # further ones are not told within a window
    assert alarm["event"] == expected.event + 500
    assert alarm["since_event"] == expected.since_event + 500
    assert alarm["difference"] == expected.difference
    assert alarm["statistic"] == expected.statistic
    assert alarm["outcome"].startswith("The mean AUC of blocks has dropped")
    assert told[-1]["alarms"] == 1

    path = tmp_path / "reference.csv"
    path.write_bytes(as_csv(labels[:500], scores[:500]))
    stream = as_json(labels[500:], scores[500:])
    told = lines(stream, "--reference", path, "--window", 2000)
    [again] = of_kind(told, "alarm")
    assert again["event"] == expected.event
    assert told[0]["reference"] == "file"
    [reference] = of_kind(told, "reference")
    assert (reference["event"], reference["n_events"]) == (0, 500)
    assert told[-1]["watched_events"] == 1000


def test_the_other_detector_and_direction(lines):
    labels, scores = events()
    options = ("--detector", "cusum", "--run-length", 10_000, "--block", 3)
    told = lines(as_json(labels, scores), "--reference-events", 500, *options)
    [alarm] = of_kind(told, "alarm")
    assert (alarm["detector"], alarm["average_run_length"]) == ("BlockCUSUM", 10_000)
    told = lines(as_json(labels, scores), "--reference-events", 500, "--change", "greater")
    assert not of_kind(told, "alarm")


def test_the_detector_begins_when_its_reference_is_complete(lines):
    labels, scores = events()
    told = lines(as_json(labels, scores), "--reference-events", 600, "--every", 1)
    with_detector = [step["event"] for step in of_kind(told, "step") if step["threshold"]]
    assert with_detector[0] == 600


def test_a_reference_that_is_too_short_is_told_with_what_is_needed(watch):
    code, _, err = watch(as_json(*events()), "--reference-events", 100)
    assert code == 2
    assert err == (
        "roclab: The 100 events of the reference make 6 blocks; 30 blocks are needed, which takes "
        "about 510 events. Use a longer reference, or shorter blocks.\n"
    )


class TestWithoutAReferenceOfItsOwn:
    """Nothing was watched, and 0 alarms were reported."""

    def test_the_first_events_are_the_reference(self, lines):
        labels, scores = events(3000, change=2000)
        told = lines(as_json(labels, scores), "--window", 500)
        assert told[0] == {
            "kind": "begin",
            "detector": "e-detector",
            "reference": "first events",
            "reference_events": 300,
            "reference_grows": True,
            "weight": None,
        }
        [reference] = of_kind(told, "reference")
        size = reference["event"]
        expected = rl.DriftReference(labels[:size], scores[:size])
        assert reference["n_blocks"] == expected.n_blocks >= 30
        assert reference["block_mean"] == expected.block_mean
        # Only as many as needed: without the last tenth there are too few blocks.
        with pytest.raises(rl.errors.ShortReferenceError):
            rl.DriftReference(labels[: size * 9 // 10], scores[: size * 9 // 10])
        alarm = of_kind(told, "alarm")[0]
        assert (alarm["direction"], alarm["since_event"] > 1900) == ("drop", True)
        alarms = rl.BlockEDetector(expected).update_many(labels[size:], scores[size:])
        assert alarm["event"] == alarms[0].event + size
        assert told[-1]["watched_events"] == 3000 - size
        assert told[-1]["alarms"] == len(of_kind(told, "alarm")) >= 1

    def test_in_text(self, watch):
        _, out, _ = watch(as_csv(*events(3000, change=2000)), "--every", 1000)
        lines = out.splitlines()
        assert re.fullmatch(
            r"Watched from event \d{3} on: the reference has \d{3} events in 3\d blocks, mean AUC "
            r"0\.9\d\d\.",
            lines[1],
        )
        assert re.search(r"; \d alarms? in 2,\d{3} watched events\.$", lines[-1])

    def test_a_file_in_text(self, watch, tmp_path):
        labels, scores = events(3000, change=2000)
        path = tmp_path / "reference.csv"
        path.write_bytes(as_csv(labels[:1000], scores[:1000]))
        _, out, _ = watch(as_csv(labels[1000:], scores[1000:]), "--reference", path)
        first, second, *_, last = out.splitlines()
        assert first == "Reference: the table of --reference."
        assert second.startswith("Watched from event 1 on: the reference has 1,000 events in ")
        assert re.search(r"; \d alarms?\.$", last)

    def test_longer_blocks_take_longer(self, lines):
        labels, scores = events(3000, change=3000)
        told = lines(as_json(labels, scores), "--block", 20)
        assert told[0]["reference_events"] == 30 * 40
        [reference] = of_kind(told, "reference")
        assert reference["per_class"] == 20
        assert reference["event"] >= 1200

    def test_a_stream_that_is_too_short_is_not_watched(self, lines):
        told = lines(as_json(*events(400)), notes=1)
        assert told[-1]["alarms"] is None
        assert told[-1]["watched_events"] == 0
        assert told[-1]["not_watched"] == "reference incomplete"
        assert told[-1]["reference_missing"] > 0

    @pytest.mark.parametrize(("label", "missing"), [(0, "positive"), (1, "negative")])
    def test_a_stream_of_one_class_is_not_watched(self, watch, lines, label, missing):
        """One more event was said to be needed, however many came."""
        data = as_csv(np.full(1000, label), np.arange(1000.0))
        _, out, _ = watch(data, "--every", 2000)
        assert out.splitlines()[-1] == (
            f"1,000 events; not watched for changes: the reference has too few {missing} events."
        )
        end = lines(data)[-1]
        assert (end["alarms"], end["not_watched"]) == (None, f"too few {missing}s")

    def test_without_a_complete_block_nothing_is_tested(self, watch, lines, tmp_path):
        """0 alarms were reported, in events of which no block could be compared."""
        labels, scores = events(1000, change=1000)
        path = tmp_path / "reference.csv"
        path.write_bytes(as_csv(labels, scores))
        data = as_csv(np.zeros(500, int), scores[:500])
        code, out, err = watch(data, "--reference", path, "--exit-code")
        assert (code, err.startswith("roclab: No alarm was possible")) == (2, True)
        assert out.endswith(
            "500 events; not watched for changes: no block of events is complete.\n"
        )
        end = lines(data, "--reference", path)[-1]
        assert (end["watched_events"], end["alarms"]) == (500, None)
        assert end["not_watched"] == "no complete block"

    def test_a_reference_that_never_comes_says_why(self, watch):
        n = 1500
        rng = np.random.default_rng(3)
        labels = (rng.random(n) < 0.5).astype(int)
        # The ranking reverses every 150 events, so that neighbouring blocks are alike.
        sign = np.where(np.arange(n) // 150 % 2, -1, 1)
        code, out, err = watch(as_csv(labels, rng.normal(size=n) + 2 * sign * labels))
        assert code == 0
        assert err.startswith("note: Neighbouring blocks of the reference are correlated")
        assert "or set --block and expect more false alarms." in err
        assert re.search(
            r"; not watched for changes: the reference needs at least [\d,]+ more events\.$",
            out,
        )

    def test_weights_are_not_watched(self, watch):
        data = b"label,score,w\n1,0.9,1\n0,0.4,2\n"
        code, out, _ = watch(data, "--weight", "w")
        assert code == 0
        assert out.startswith("Not watched for changes: drift detectors take no weights.\n")
        assert out.endswith("; not watched for changes: drift detectors take no weights.\n")


class TestExitCode:
    @pytest.mark.parametrize("format", ["table", "jsonl"])
    def test_3_after_an_alarm(self, watch, format):
        data = as_csv(*events(3000, change=2000))
        assert watch(data, "--format", format, "--exit-code")[0] == 3
        assert watch(data, "--format", format)[0] == 0

    def test_0_without(self, watch):
        assert watch(as_csv(*events(3000, change=3000)), "--exit-code")[0] == 0

    def test_2_if_nothing_was_watched(self, watch):
        code, out, err = watch(as_csv(*events(100)), "--exit-code")
        assert code == 2
        assert out.endswith("the reference needs at least 200 more events.\n")
        assert err == (
            "roclab: No alarm was possible, so --exit-code has no result to report. "
            "Pass more events, or a --reference.\n"
        )


@pytest.mark.parametrize(
    ("window", "reference"), [(300, 1000), (1000, 1000), (1000, None)], ids=str
)
def test_a_lasting_change_is_told_as_often_as_by_the_watcher(lines, window, reference):
    """The command paused for a window after an alarm, the class not at all."""
    labels, scores = events(8000, change=2000)
    first = () if reference is None else ("--reference-events", reference)
    told = lines(as_json(labels, scores), "--window", window, *first)
    watcher = rl.StreamWatcher(rl.WindowAUC(window), every=100, reference_events=reference)
    found = [one for event in zip(labels, scores, strict=True) for one in watcher.update(*event)]
    alarms = [one.event for one in found if isinstance(one, rl.streaming.Alarm)]
    assert [one["event"] for one in of_kind(told, "alarm")] == alarms
    assert told[-1]["alarms"] == watcher.alarms == len(alarms)
    assert len(alarms) > 2
    assert min(np.diff(alarms)) >= window


def test_a_reference_whose_events_depend_on_each_other_is_compared_by_blocks(lines, tmp_path):
    labels, scores = events(3000, change=2000)
    wandering = scores + np.repeat(np.random.default_rng(1).normal(0, 3, 60), 50).round(2)
    path = tmp_path / "reference.csv"
    path.write_bytes(as_csv(labels[:1000], wandering[:1000]))
    stream = as_json(labels[1000:], wandering[1000:])
    options = ("--block", 5, "--window", 2000)
    told = lines(stream, "--reference", path, *options, notes=1)
    [alarm] = of_kind(told, "alarm")
    assert alarm["direction"] == "drop"
    assert alarm["difference"] < 0
    assert alarm["reference_pooled_auc"] < alarm["reference_block_mean"] - 0.1


class TestColumns:
    def test_named_and_positive(self, lines):
        data = b"id,outcome,model\n1,yes,0.9\n2,no,0.4\n3,yes,0.4\n4,no,0.1\n"
        told = lines(data, "--label", "outcome", "--score", "model", "--positive", "yes")
        assert first_auc(told) == 0.875

    def test_weights(self, lines):
        data = b'label,score,w\n1,0.9,1\n1,"0.4",2\n0,0.4,3\n0,0.1,1\n'
        assert first_auc(lines(data, "--weight", "w")) == pytest.approx(0.75)

    def test_a_file_is_as_good_as_standard_input(self, lines, refusal, tmp_path):
        labels, scores = events()
        data = as_csv(labels, scores)
        piped = lines(data)
        assert lines(data, "-") == piped
        for name, content in (("e.csv", data), ("e.tsv", data.replace(b",", b"\t"))):
            path = tmp_path / name
            path.write_bytes(content)
            assert lines(b"", path) == piped
        assert "No file `nowhere.csv`" in refusal("watch", "nowhere.csv")
        assert "is a directory" in refusal("watch", tmp_path)

    def test_tabs(self, lines):
        data = b"label\tscore\n1\t2\n0\t1\n"
        assert first_auc(lines(data, "--input-format", "tsv")) == 1.0

    def test_separators_are_detected_and_said(self, lines, watch):
        data = b"id;label;score\n1;1;2\n2;0;1\n"
        told = "note: Fields are separated by semicolons, as detected; the options separator and "
        assert watch(data)[2].startswith(told)
        assert first_auc(lines(data, notes=1)) == 1.0
        assert first_auc(lines(data, "--separator", ";")) == 1.0
        # The names that are needed decide, as in a table.
        assert first_auc(lines(b"a,b;label;score\n1;1;2\n2;0;1\n", notes=1)) == 1.0

    def test_separators_and_decimal_signs_are_named(self, lines):
        data = b"label:score\n1:0,75\n0:0,5\n1,0:0,5\n0:0,25\n1:0.5\n0:1,0,0\n"
        options = ("--separator", ":", "--decimal", ",")
        told = lines(data, *options, notes=1)
        assert first_auc(told) == 0.875
        assert told[-1]["left_out"] == {"score is no number": 2}
        weighted = b"label;score;w\n1;2;0,5\n0;2;1\n0;1;0,25\n1;1,5;1,5\n"
        told = lines(weighted, "--weight", "w", "--decimal", ",", "--separator", ";")
        assert first_auc(told) == pytest.approx((0.5 * 0.75 + 1.5 * 0.25) / (2 * 1.25))
        assert first_auc(lines(weighted, "--decimal", ",", notes=1)) == 0.625

    @pytest.mark.parametrize("name", ["r.csv", "r.jsonl"])
    def test_the_reference_may_have_another_format(self, lines, tmp_path, name):
        labels, scores = events(change=1500)
        stream = as_csv(labels, scores).replace(b",", b":")
        path = tmp_path / name
        path.write_bytes(stream if name == "r.csv" else as_json(labels, scores))
        options = ("--reference", path, "--separator", ":", "--decimal", ".")
        assert lines(stream, *options)[-1]["watched_events"] == len(labels)

    def test_separators_of_json_are_refused(self, refusal):
        for option, value in (("--separator", ";"), ("--decimal", ",")):
            told = refusal("watch", "--input-format", "jsonl", option, value)
            said = "is for CSV and TSV, and the events are JSON lines. Leave it out."
            assert told == f"roclab: {option} {said}\n"
        assert "--separator 'ab' is not one character" in refusal("watch", "--separator", "ab")
        assert "--decimal ';' is not a decimal sign" in refusal("watch", "--decimal", ";")
        assert "--separator and --decimal are both ','" in refusal(
            "watch", "--separator", ",", "--decimal", ","
        )

    @pytest.mark.parametrize("label", ["true", "1", "1.0", '"1"', '"True"'])
    def test_labels_of_every_kind(self, lines, label):
        data = f'{{"label": {label}, "score": 2}}\n{{"label": -1, "score": 1}}\n'
        assert first_auc(lines(data.encode())) == 1.0

    def test_a_missing_column_is_told_at_once(self, refusal, monkeypatch):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"lable,score\n1,2\n")))
        told = refusal("watch")
        assert "Did you mean `lable`?" in told
        assert told.rstrip().endswith("For JSON lines pass --input-format 'jsonl'.")

    def test_a_positive_label_that_never_comes_is_told(self, lines, watch):
        data = b"label,score\nyes,1\nno,2\n"
        assert watch(data, "--positive", "Yes")[2] == (
            "note: no event has the label Yes that --positive names\n"
        )
        assert lines(data, "--positive", "yes")[-1]["events"] == 2


class TestBadLines:
    data = (
        b'{"label": 1, "score": 2}\n\nnonsense\n{"label": 0, "score": 1}\n[1, 2]\n'
        b'{"label": 0, "score": "x"}\n{"label": 0}\n{"score": 1}\n{"label": 2, "score": 1}\n'
        b'{"label": 0, "score": NaN}\n\xff\nmore nonsense\n{"label": null, "score": 1}\n'
        b'{"label": 0, "score": Infinity}\n{"label": 0, "score": true}\n'
    )

    def test_are_counted_and_told_once_a_kind(self, watch):
        code, out, err = watch(self.data, "--format", "jsonl")
        assert code == 0
        end = json.loads(out.splitlines()[-1])
        assert (end["events"], end["left_out"]) == (
            2,
            {
                "not JSON": 2,
                "not a JSON object": 1,
                "score is no number": 3,
                "no score": 2,
                "no label": 2,
                "label is not 0/1, -1/1 or true/false": 1,
                "not UTF-8": 1,
            },
        )
        notes = err.splitlines()
        assert len(notes) == 7
        assert notes[0] == (
            "note: line 3 is left out, like others of this kind: not JSON: nonsense"
        )
        assert first_auc([json.loads(line) for line in out.splitlines()]) == 1.0

    def test_of_csv(self, lines):
        data = b'label,score\n1,2\n1\n0,1\n0,"1\n0,1,5\n1,x\n,1\n0,-5\n'
        told = lines(data, notes=4)
        assert told[-1]["events"] == 3
        assert told[-1]["left_out"] == {
            "wrong number of fields": 2,
            "not CSV": 1,
            "score is no number": 1,
            "no label": 1,
        }

    def test_a_long_line_is_passed_over(self, lines):
        data = b'{"label": 1, "score": 2}\n' + b"x" * (3 << 20) + b'\n{"label": 0, "score": 1}\n'
        told = lines(data, notes=1)
        assert told[-1]["left_out"] == {"line is longer than a megabyte": 1}
        assert told[-1]["events"] == 2

    def test_nothing_but_them_is_an_error_that_says_what_they_were(self, watch):
        code, out, err = watch(b"{}\n{\n{}\n")
        assert (code, out) == (2, "")
        assert err.splitlines()[-1] == (
            "roclab: No line is an event; 3 lines left out: no label 2, not JSON "
            "1. Check --label, --score, --positive and --input-format."
        )

    def test_an_empty_stream_is_none(self, lines):
        begin, end = lines(b"")
        assert (begin["kind"], begin["detector"]) == ("begin", "e-detector")
        assert (end["kind"], end["events"], end["alarms"]) == ("end", 0, None)


class TestText:
    def test_a_row_a_step_and_a_last_line(self, watch):
        labels, scores = events(300)
        code, out, _ = watch(as_csv(labels, scores), "--every", 100)
        first, header, *rows, last = out.splitlines()
        assert first == (
            "Reference: the first 300 events or more, until they make 30 blocks that do not depend "
            "on each other. Not watched for changes until then."
        )
        assert header.split() == ["event", "AUC", "95", "%", "interval", "n+", "n-"]
        i = rl.auc_interval(labels, scores)
        shown = ["300", f"{i.value:.3f}", f"[{i.low:.3f},", f"{i.high:.3f}]", i.n_pos, i.n_neg]
        assert rows[2].split() == list(map(str, shown))
        assert re.fullmatch(
            re.escape(
                f"300 events; AUC {i.value:.3f} [{i.low:.3f}, {i.high:.3f}]; not watched for "
                "changes: the reference needs at least "
            )
            + r"\d+ more events\.",
            last,
        )
        assert code == 0

    def test_undefined_is_told(self, watch):
        _, out, _ = watch(b"label,score\n1,2\n", "--no-detector")
        first, _, row, last = out.splitlines()
        assert first == "Not watched for changes: no drift detector."
        assert row.split() == ["1", "undefined", "1", "0"]
        assert last == "1 event; not watched for changes: no drift detector."

    def test_alarms_are_sentences(self, watch):
        _, out, _ = watch(as_json(*events()), "--reference-events", 500)
        [alarm] = [line for line in out.splitlines() if line.startswith("alarm: ")]
        assert re.match(
            r"alarm: The mean AUC of blocks has dropped from 0\.9\d\d to 0\.\d{3}, below", alarm
        )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--window", 0), "at least 1 is needed"),
        (("--weight", "w", "--reference-events", 5), "Leave out --weight or --reference-events."),
        (("--reference", "a.csv", "--reference-events", 5), "two references"),
        (("--weight", "w", "--exit-code"), "no weights. Leave out --weight or --exit-code."),
        (("--no-detector", "--reference-events", 5), "--no-detector and --reference-events contra"),
        (("--no-detector", "--reference", "a.csv"), "--no-detector and --reference contradict"),
        (("--no-detector", "--exit-code"), "--no-detector and --exit-code contradict"),
        (("--reference-events", 0), "at least 1 is needed"),
        (("--label", "a", "--score", "a"), "named twice, in --label and --score"),
        (("--reference-events", 5, "--run-length", 1), "at least 2 is needed"),
    ],
)
def test_options_are_checked(watch, options, words):
    code, out, err = watch(as_json(*events(50)), *options)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


def test_a_growing_stream_is_followed():
    with subprocess.Popen(
        [*COMMAND, "--every", "2", "--format", "jsonl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        first = None
        for label, score, expected in [(1, 2, 1.0), (1, 1, 0.75), (1, 0, 0.5)]:
            process.stdin.write(as_json(np.array([0, label]), np.array([1.0, score])))
            process.stdin.flush()
            if first is None:
                first = json.loads(process.stdout.readline())
                assert first["kind"] == "begin"
            step = json.loads(process.stdout.readline())  # before the next line is written
            assert step["auc"] == pytest.approx(expected)
        process.stdin.close()
        assert json.loads(process.stdout.readline())["kind"] == "end"
        assert process.wait(60) == 0


def test_an_interrupt_ends_with_the_last_line():
    with subprocess.Popen(
        [*COMMAND, "--every", "1", "--format", "jsonl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdin.write(b'{"label": 1, "score": 2}\n')
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["kind"] == "begin"
        assert json.loads(process.stdout.readline())["event"] == 1
        process.send_signal(signal.SIGINT)
        end = json.loads(process.stdout.readline())
        assert (end["kind"], end["events"], end["interrupted"]) == ("end", 1, True)
        assert process.wait(60) == 0
        assert process.stderr.read() == b""
        process.stdin.close()


@pytest.mark.parametrize("format", ["table", "jsonl"])
def test_a_reader_that_leaves_is_no_error(format):
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [*COMMAND, "--format", format],
        input=as_json(*events(200)),
        stdout=write,
        stderr=subprocess.PIPE,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.fixture
def terminal():
    """The command on a terminal; gives the process, and a function that reads until some words."""
    ours, theirs = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80", "LINES": "24"}
    process = subprocess.Popen(
        [*COMMAND, "--every", "100", "--reference-events", "1000"],
        stdin=subprocess.PIPE,
        stdout=theirs,
        stderr=theirs,
        env={name: value for name, value in environment.items() if name != "NO_COLOR"},
    )
    os.close(theirs)
    seen = b""

    def read_until(words):
        nonlocal seen
        deadline = time.monotonic() + 60
        while words.encode() not in seen and time.monotonic() < deadline:
            if select.select([ours], [], [], 1)[0]:
                try:
                    seen += os.read(ours, 1 << 16)
                except OSError:  # the other side is closed
                    break
        text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen.decode())
        assert words in text, text
        return text

    yield process, read_until
    process.kill()
    process.wait()
    process.stdin.close()
    os.close(ours)


class TestTerminal:
    def test_the_view_is_right_while_nothing_comes_and_after_an_interrupt(self, terminal):
        process, read_until = terminal
        read_until("waiting for events")
        labels, scores = events()
        process.stdin.write(as_csv(labels[:950], scores[:950]) + b"what is this\n")
        process.stdin.flush()
        # No event comes after these, and still they are shown; none is a multiple of 100.
        assert "note: line 952 is left out" in read_until("950 events")
        read_until("the reference needs at least 50 more events")
        process.stdin.write(as_csv(labels[950:], scores[950:]).split(b"\n", 1)[1])
        process.stdin.flush()
        read_until("alarm at event ")
        read_until("1,500 events")
        process.send_signal(signal.SIGINT)
        shown = read_until("wrong number of fields 1.")
        assert process.wait(60) == 0
        last = shown.splitlines()[-1]
        i = rl.auc_interval(labels[-1000:], scores[-1000:])
        assert last.startswith(f"1,500 events; AUC {i.value:.3f} [{i.low:.3f}, {i.high:.3f}]; ")
        assert not any(word in shown for word in ("Traceback", "leaked", "interrupted"))

    def test_without_a_pipe_it_says_so_at_once(self):
        ours, theirs = pty.openpty()
        done = subprocess.run(COMMAND, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE)
        shown = select.select([ours], [], [], 0)[0]
        os.close(ours)
        os.close(theirs)
        assert (done.returncode, shown) == (2, [])
        assert done.stderr.startswith(b"roclab: No file is named and nothing is piped in.")
