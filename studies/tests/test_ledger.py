"""Ledgers keep types, order and many numbers in a cell."""

import csv
import math
from dataclasses import dataclass, replace

from roclab_studies.comparison import error_rates
from roclab_studies.ledger import Ledger
from roclab_studies.runner import question_of


@dataclass(frozen=True, kw_only=True)
class Row:
    name: str
    values: tuple[float, ...]


# What a module with postponed annotations has.
Row.__dataclass_fields__["name"].type = "str"
Row.__dataclass_fields__["values"].type = "tuple[float, ...]"


def test_a_ledger_keeps_many_numbers_in_a_cell(tmp_path):
    ledger = Ledger(tmp_path / "rows.csv", Row)
    rows = [Row(name="a", values=(0.1, 1e-300, math.inf)), Row(name="b", values=())]
    ledger.write(rows[::-1])
    assert ledger.read() == rows


def test_a_ledger_keeps_types_and_order(tmp_path):
    ledger = Ledger(tmp_path / "rows.csv", error_rates.Answer)
    assert ledger.read() == []
    asked = [replace(error_rates.questions()[0], n_pos=n_pos, runs=2) for n_pos in (30, 4)]
    rows = [error_rates.answer(question) for question in asked]
    ledger.write(rows)
    assert ledger.read() == rows[::-1]
    assert question_of(error_rates, rows[1]) == asked[1]
    with ledger.path.open(newline="") as file:
        assert [line["n_pos"] for line in csv.DictReader(file)] == ["4", "30"]
