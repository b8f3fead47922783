"""Every reading equals `rl.auc_interval` over the rows that the monitor exports."""

from datetime import timedelta

import numpy as np
import polars as pl
import pytest

import roclab as rl
from roclab.monitor.export import export
from roclab.monitor.history import read_history
from roclab.monitor.installation import Installation
from roclab.monitor.replay import replay
from roclab.monitor.settings import ModelSettings, Settings
from roclab.monitor.store.sqlite import SQLiteStore
from roclab.streaming.calendar import Calendar
from tests.unit.monitor.fleet import DAY, HOUR, START

SETTINGS = {
    "days": ModelSettings(),
    "horizon": ModelSettings(horizon=timedelta(days=4), time_zone="Europe/Berlin"),
    "implicit": ModelSettings(horizon=timedelta(days=5), missing_label="negative"),
    "weeks": ModelSettings(cohort="week", time_zone="America/New_York"),
    "hours": ModelSettings(cohort="hour", horizon=timedelta(hours=30)),
}
FEWEST = 10


def made_history(rng: np.random.Generator, *, days: int = 75, a_day: int = 110) -> pl.DataFrame:
    """Rows with tied scores, late and missing labels, and some days with few rows."""
    day = np.repeat(np.arange(days), np.where(rng.random(days) < 0.1, 12, rng.poisson(a_day, days)))
    count = len(day)
    time = START + day * DAY + rng.integers(0, 18 * HOUR, count)
    label = rng.random(count) < 0.35
    region = rng.choice(["north", "south", "tiny"], count, p=[0.6, 0.38, 0.02])
    worse = (day >= 55) & (region == "north")
    score = np.round(1 / (1 + np.exp(-rng.normal(np.where(worse, 0.2, 1.5) * label))), 2)
    delay = rng.exponential(np.where(label, 1.5, 0.5) * DAY, count).astype(np.int64)
    missing = rng.random(count) < 0.02 + 0.1 * score
    return pl.DataFrame(
        {
            "id": [f"row {i}" for i in range(count)],
            "time": time.astype("datetime64[us]"),
            "score": score,
            "label": [None if gone else int(one) for gone, one in zip(missing, label, strict=True)],
            "label_time": (time + delay).astype("datetime64[us]"),
            "region": region,
            "product": rng.choice(["loan", "card"], count),
        }
    )


def imported(directory, chosen: ModelSettings):
    """An installation with a history, and the rows that it exports."""
    settings = Settings(data=directory, model={"credit": chosen})
    store = SQLiteStore(directory)
    installation = Installation(settings, store, lambda: START + 100 * DAY)
    rows = {"days": 6, "a_day": 900} if chosen.cohort == "hour" else {}
    made_history(np.random.default_rng(33), **rows).write_parquet(directory / "history.parquet")
    history = read_history(
        directory / "history.parquet",
        label="label",
        score="score",
        time="time",
        id="id",
        segments=["region", "product"],
        label_time="label_time",
        now=installation.now(),
        limits=settings.limits,
    )
    found = replay(installation, "credit", history)
    assert found.rejected == 0
    assert export(installation, "credit", directory / "rows.parquet") == found.rows
    return installation, pl.read_parquet(directory / "rows.parquet")


def same(reading, rows: pl.DataFrame) -> bool:
    """Compare a reading with `rl.auc_interval` over rows; whether there was an AUC to compare."""
    known = rows.filter(pl.col("label").is_not_null())
    y, s = known["label"].to_numpy(), known["score"].to_numpy()
    assert (reading["n"], reading["n_labelled"]) == (len(rows), len(known))
    assert (reading["n_pos"], reading["n_neg"]) == (y.sum(), len(y) - y.sum())
    if min(reading["n_pos"], reading["n_neg"]) < FEWEST:
        assert (reading["auc"], reading["low"], reading["high"]) == (None, None, None)
        return False
    expected = rl.auc_interval(y, s)
    assert (reading["auc"], reading["low"], reading["high"]) == (
        expected.value,
        expected.low,
        expected.high,
    )
    assert reading["standard_error"] == expected.standard_error
    return True


@pytest.mark.parametrize("name", SETTINGS)
def test_every_reading_is_the_interval_over_the_exported_rows(tmp_path, name):
    chosen = SETTINGS[name]
    installation, rows = imported(tmp_path, chosen)
    # The export has the latest label of a row, which may have come after an implicit one was read.
    missing = 0 if chosen.missing_label == "negative" else None
    calendar = Calendar(chosen.cohort, chosen.time_zone)
    times = rows["time"].dt.epoch("us").to_list()
    rows = rows.with_columns(cohort=pl.Series([calendar.cohort(one) for one in times], dtype=int))
    streams = installation.models["credit"].streams
    assert set(streams) == {
        ("", ""),
        *(("region", value) for value in ("north", "south", "tiny")),
        *(("product", value) for value in ("loan", "card")),
    }
    compared = {"now": 0, "frozen": 0, "blocks": 0}
    for (segment, value), stream in streams.items():
        number, store = stream.record.number, installation.store
        mine = rows.filter(pl.col(segment) == value) if segment else rows
        of_cohort = {key[0]: part for key, part in mine.group_by("cohort", maintain_order=True)}

        now = dict(store.readings(number))
        assert now.keys() == of_cohort.keys()
        for cohort, reading in now.items():
            compared["now"] += same(reading, of_cohort[cohort])

        at = store.frozen_at(number)
        for cohort, reading in store.readings(number, frozen=True):
            compared["frozen"] += same(reading, as_known(of_cohort[cohort], at[cohort], missing))

        for _, block in store.blocks(number):
            parts = [as_known(of_cohort[one], block.judged, missing) for one in block.cohorts]
            known = pl.concat(parts).filter(pl.col("label").is_not_null())
            assert block.auc == rl.auc(known["label"].to_numpy(), known["score"].to_numpy())
            assert min(block.n_pos, block.n_neg) >= FEWEST
            compared["blocks"] += 1
    few = {"weeks": 40, "hours": 50}.get(name, 250)
    assert min(compared.values()) >= few, compared
    installation.store.close()


def as_known(rows: pl.DataFrame, at: int, missing: int | None) -> pl.DataFrame:
    """Rows with the labels that were known before a time, or what a missing label means."""
    early = pl.col("label_time").dt.epoch("us") < at
    return rows.with_columns(label=pl.when(early).then("label").otherwise(missing))
