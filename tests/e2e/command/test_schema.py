"""What `--format json` prints keeps to the schema that is published in docs/reference."""

import json
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from roclab.cli import main
from roclab.cli.app import app
from roclab.cli.messages import commands_of

SCHEMA = json.loads(
    (Path(__file__).parents[3] / "docs/reference/output.schema.json").read_text("utf-8")
)
TYPES = {
    "null": type(None),
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "string": str,
    "array": list,
    "object": dict,
}
KNOWN = {
    *("$ref", "anyOf", "type", "enum", "pattern", "description"),
    *("properties", "required", "additionalProperties", "items"),
}

TWO = "s.csv --label outcome --score ridge,forest --format json --resamples 20 --seed 0"
ONE = "s.csv --label outcome --score ridge --format json"
HISTORY = "--model credit --label label --score score --time day"
COMMANDS = [
    ("evaluate", TWO),
    ("evaluate", f"{TWO} --by region --measure gini,granular_auc(granularity=0.1)"),
    ("evaluate", f"{TWO} --threshold 0.5"),
    ("evaluate", f"{TWO} --by region --threshold inf"),
    ("evaluate", f"{TWO} --cluster site"),
    ("evaluate", f"{TWO} --stratum region"),
    ("evaluate", f"{TWO} --fold fold"),
    ("evaluate", f"{TWO} --interval bca"),
    ("evaluate", "gaps.csv --label outcome --format json --missing-labels bounds"),
    ("evaluate", "one_class.csv --label outcome --positive 1 --format json"),
    ("compare", TWO),
    ("compare", f"{TWO} --measure gini --cluster site"),
    ("compare_by", f"{TWO} --by region"),
    ("change", f"s.csv {ONE} --by region"),
    ("select", TWO),
    ("select", f"{TWO} --measure gini --ties auc"),
    ("threshold", f"{ONE} --resamples 20"),
    ("threshold", f"{ONE} --resamples 20 --max-fpr 0.2"),
    ("threshold", f"{ONE} --resamples 20 --false-negative-cost 0.0001"),
    ("repair", f"{ONE} --check-on fold=1"),
    ("repair", "inverted.csv --label outcome --score ridge --check-on fold=1 --format json"),
    ("power", "--auc 0.8 --format json"),
    ("power", "--auc 0.8 --other-auc 0.75 --correlation 0.5 --format json"),
    ("power", "--auc 0.8 --n-pos 20 --n-neg 20 --simulate 20 --seed 0 --format json"),
    ("measures", "--format json"),
    ("train", "s.csv --label outcome --feature ridge,forest --alpha 0.1 -o m.skops --format json"),
    ("train", "s.csv --label outcome --model tree --max-depth 2 -o m.skops --format json"),
    ("watch", "events.csv --format jsonl --reference-events 500 --window 2000"),
    ("monitor_import", f"history.csv {HISTORY} --data new --segment region --format json"),
    ("monitor_check", "--data store --format json"),
    ("monitor_check", "--data nowhere --format json"),
    ("monitor_status", "--data store --format json"),
]


def faults(value, schema, path="$"):
    """Where a value does not keep to a schema; of JSON Schema it knows what ours uses."""
    assert {*schema} <= KNOWN, {*schema} - KNOWN
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        return faults(value, SCHEMA["$defs"][name], path)
    if "anyOf" in schema:
        found = [faults(value, one, path) for one in schema["anyOf"]]
        return [] if [] in found else min(found, key=len)
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(_is(value, kind) for kind in kinds):
        return [f"{path}: {value!r} is not {kinds}"]
    if isinstance(value, str):
        matches = re.search(schema.get("pattern", ""), value)
        known = value in schema.get("enum", [value])
        return [] if matches and known else [f"{path}: {value!r}"]
    if isinstance(value, list):
        items = schema.get("items", {"type": [*TYPES]})
        parts = [faults(one, items, f"{path}[{at}]") for at, one in enumerate(value)]
        return [fault for part in parts for fault in part]
    return _faults_of_object(value, schema, path) if isinstance(value, dict) else []


def _is(value, kind):
    return isinstance(value, TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _faults_of_object(value, schema, path):
    properties = schema.get("properties", {})
    others = schema.get("additionalProperties", True)
    found = [f"{path}: no {name}" for name in schema.get("required", ()) if name not in value]
    for name, one in value.items():
        if name in properties or isinstance(others, dict):
            found += faults(one, properties.get(name, others), f"{path}.{name}")
        elif others is False:
            found.append(f"{path}: {name} is not in the schema")
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("schema")
    rng = np.random.default_rng(7)
    y = (rng.random(120) < 0.4).astype(int)
    scores = pl.DataFrame(
        {
            "outcome": y,
            "region": rng.choice(["north", "south"], size=120),
            "site": rng.integers(0, 20, 120),
            "fold": rng.integers(0, 3, 120),
            "ridge": np.round(y + rng.normal(size=120), 2),
            "forest": np.round(rng.random(120) + y / 3, 1),
        }
    )
    scores.write_csv(folder / "s.csv")
    gaps = pl.when(pl.int_range(120) % 11 == 0).then(None).otherwise(pl.col("outcome"))
    scores.select(outcome=gaps, ridge="ridge").write_csv(folder / "gaps.csv")
    scores.filter(outcome=1).select("outcome", "ridge").write_csv(folder / "one_class.csv")
    label = (rng.random(1500) < 0.4).astype(int)
    score = np.where(label, rng.beta(4, 2, 1500), rng.beta(2, 4, 1500))
    score = np.where((score > 0.3) & (score < 0.65), 0.95 - score, score).round(3)
    inverted = {"outcome": label, "ridge": score, "fold": rng.integers(0, 2, 1500)}
    pl.DataFrame(inverted).write_csv(folder / "inverted.csv")
    shift = np.where(np.arange(1500) < 1000, 2.5, 0.3)
    score = np.round(rng.normal(size=1500) + shift * label, 2)
    pl.DataFrame({"label": label, "score": score}).write_csv(folder / "events.csv")
    day = np.datetime64("2026-01-01") + (np.arange(5000) // 100).astype("m8[D]")
    label = rng.random(5000) < 0.3
    ranked = label & (np.arange(5000) < 3500)
    history = {
        "day": day,
        "label": label.astype(int),
        "region": rng.choice(["north", "south"], 5000),
        "score": np.round(rng.normal(size=5000) + 2 * ranked, 2),
    }
    pl.DataFrame(history).write_csv(folder / "history.csv")
    arguments = [str(folder / "history.csv"), *HISTORY.split(), "--data", str(folder / "store")]
    assert main(["monitor", "import", *arguments, "--quiet"]) == 0
    return folder


@pytest.mark.parametrize(("name", "options"), COMMANDS)
def test_output_keeps_to_the_schema(folder, monkeypatch, capsysbinary, name, options):
    monkeypatch.chdir(folder)
    command = name.removesuffix("_by").split("_")
    assert main([*command, *options.split(), "--quiet"]) == 0
    out = capsysbinary.readouterr().out.decode()
    values = (
        [json.loads(line) for line in out.splitlines()] if name == "watch" else [json.loads(out)]
    )
    for value in values:
        assert faults(value, SCHEMA["$defs"][name]) == []
        # Every key is required or known to be optional, so that a lost one is a fault.
        lost = {key: one for key, one in value.items() if key != next(iter(value))}
        assert faults(lost, SCHEMA["$defs"][name]) != []
        assert faults(value | {"new": 1}, SCHEMA["$defs"][name]) != []
    if name == "watch":
        assert {value["kind"] for value in values} == {
            *("begin", "reference", "step", "alarm", "end")
        }
    if name == "monitor_import":
        assert values[0]["alerts"] != []


def test_every_command_with_json_has_a_schema():
    with_format = {
        name.replace(" ", "_")
        for name, one in commands_of(app).items()
        if any("--format" in parameter.opts for parameter in one.params)
    }
    assert with_format <= {*SCHEMA["$defs"]}
    assert {name for name, _ in COMMANDS} >= with_format
    assert {one["$ref"].removeprefix("#/$defs/") for one in SCHEMA["anyOf"]} >= with_format
