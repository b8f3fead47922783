"""``roclab evaluate --threshold``: the rates at a threshold, by group."""

import csv
import io
import json

import pytest

import roclab as rl

OPTIONS = ("--label", "outcome", "--score", "ridge", "--by", "region", "--threshold", "0.5")


def expected(frame):
    table = rl.ScoreTable(
        frame["outcome"], {"ridge": frame["ridge"]}, groups={"region": frame["region"]}
    )
    return {
        group: rl.operating_point_interval(part["ridge"], threshold=0.5).rates
        for group, part in table.split("region").items()
    }


def test_programs_get_every_rate_with_its_ends(scores, frame, run):
    found = json.loads(run(scores, *OPTIONS, "--format", "json", "--seed", "0"))
    lines = list(csv.DictReader(io.StringIO(run(scores, *OPTIONS, "--format", "csv"))))
    rates = expected(frame)
    assert [row["group"] for row in found["rows"]] == list(rates)
    for row, line in zip(found["rows"], lines, strict=True):
        assert row["threshold"] == float(line["threshold"]) == 0.5
        for name in ("sensitivity", "specificity", "ppv", "npv", "called_positive"):
            one = rates[row["group"]][name]
            shown = (row[name], row[f"{name}_low"], row[f"{name}_high"])
            assert shown == (one.value, one.low, one.high)
            assert float(line[f"{name}_low"]) == one.low
    assert [test["rate"] for test in found["rate_homogeneity"]] == ["sensitivity", "specificity"]


def test_people_get_a_table_that_fits_and_a_sentence(scores, frame, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    out = run(scores, *OPTIONS, "--seed", "0")
    lines = out.splitlines()
    assert max(map(len, lines)) <= 100
    assert "At the threshold 0.5, with 95 % Clopper-Pearson intervals" in lines
    heading = lines[lines.index("At the threshold 0.5, with 95 % Clopper-Pearson intervals") + 1]
    titles = "region model sensitivity specificity PPV called positive"
    assert heading.split() == titles.split()
    for group, rates in expected(frame).items():
        one = rates["sensitivity"]
        assert f"{one.value:.2f} [{one.low:.2f}, {one.high:.2f}]" in out, group
    text = " ".join(out.split())
    assert "no difference in sensitivity between groups of region was found: chi-square" in text


def test_intervals_stand_below_their_values_on_a_narrow_terminal(scores, frame, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "72")
    lines = run(scores, *OPTIONS, "--seed", "0").splitlines()
    assert max(map(len, lines)) <= 72
    start = lines.index("At the threshold 0.5, with 95 % Clopper-Pearson intervals")
    for group, rates in expected(frame).items():
        place = next(at for at in range(start, len(lines)) if lines[at].startswith(group))
        shown = [rates[name] for name in ("sensitivity", "specificity", "ppv", "called_positive")]
        assert lines[place].split()[2:] == [f"{one.value:.2f}" for one in shown]
        ends = "  ".join(f"[{one.low:.2f}, {one.high:.2f}]" for one in shown)
        assert lines[place + 1].strip() == ends


@pytest.mark.parametrize("value", ["-inf", "1e300"])
def test_thresholds_beyond_all_scores(scores, run, value):
    out = run(scores, "--label", "outcome", "--score", "ridge", f"--threshold={value}")
    assert "undefined" not in out if value == "-inf" else "undefined" in out


def test_refusals_name_the_options(scores, refusal):
    assert "--threshold nan is not a number" in refusal("evaluate", scores, *OPTIONS[:-1], "nan")
    message = refusal("evaluate", scores, *OPTIONS, "--cluster", "weight")
    assert "--threshold 0.5 cannot be combined with --cluster 'weight'" in message
