"""Small score tables as bytes of every format, and how tests read them."""

import gzip
import io
import json

import numpy as np
import polars as pl
import pyarrow as pa

from roclab import read_scores

ROWS = {
    "label": [1, 0, 1, 0],
    "a": [0.9, 0.25, 0.25, -1.5],
    "b": [7, 3, 3, 1],
    "region": ["n", "s", "s", "n"],
}


def csv_bytes(rows, separator=","):
    lines = [rows, *zip(*rows.values(), strict=True)]
    return "".join(separator.join(map(str, line)) + "\n" for line in lines).encode()


def jsonl_bytes(rows):
    records = [dict(zip(rows, row, strict=True)) for row in zip(*rows.values(), strict=True)]
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def zst(data):
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return sink.getvalue().to_pybytes()


def parquet_bytes(rows):
    buffer = io.BytesIO()
    pl.DataFrame(rows).write_parquet(buffer)
    return buffer.getvalue()


TEXTS = {
    "csv": csv_bytes(ROWS),
    "tsv": csv_bytes(ROWS, "\t"),
    "jsonl": jsonl_bytes(ROWS),
    "ndjson": jsonl_bytes(ROWS),
}
FILES = {
    **{f"x.{suffix}": data for suffix, data in TEXTS.items()},
    **{f"x.{suffix}.gz": gzip.compress(data) for suffix, data in TEXTS.items()},
    **{f"x.{suffix}.zst": zst(data) for suffix, data in TEXTS.items()},
    "x.parquet": parquet_bytes(ROWS),
    "X.CSV.GZ": gzip.compress(TEXTS["csv"]),
}


def read(text, **options):
    """Read CSV text from a stream; the label column is `label`."""
    data = text if isinstance(text, bytes) else text.encode()
    return read_scores(io.BytesIO(data), **{"y_true": "label", **options})


def assert_is_rows(table):
    assert table.names == ("a", "b")
    assert table.y_true.tolist() == [True, False, True, False]
    assert table.scores["a"].dtype == np.float64
    assert table.scores["a"].tolist() == ROWS["a"]
    assert table.scores["b"].dtype == np.int64
    assert table.scores["b"].tolist() == ROWS["b"]
    assert table.groups["region"].tolist() == ROWS["region"]
    assert table.missing.to_dict() == {
        "rows_read": 4,
        "rows_dropped": 0,
        "by_column": {},
        "columns_skipped": [],
        "identifiers": [],
        "separator": None,
        "decimal": None,
    }
