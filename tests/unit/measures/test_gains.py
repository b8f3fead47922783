"""The gains table at the edges."""

import numpy as np
import pytest

import roclab as rl
from roclab.measures import gains_table
from roclab.report.document import document


def test_deciles_of_distinct_scores():
    y = np.arange(100) >= 80
    table = gains_table(y, np.arange(100))
    assert table.count.tolist() == [10] * 10
    assert table.capture[:3].tolist() == [0.5, 1, 1]
    assert table.lift[:3].tolist() == pytest.approx([5, 5, 0])
    assert table.ks[1] == 1
    assert rl.measures.lift_at(y, np.arange(100), k=10) == pytest.approx(table.lift[0])


def test_equal_scores_are_one_bin():
    table = gains_table([0, 1, 1, 0], [0.5, 0.5, 0.5, 0.5])
    assert (len(table), table.capture.tolist(), table.lift.tolist()) == (1, [1], [1])


@pytest.mark.parametrize(("label", "column"), [(0, "capture"), (1, "ks")])
def test_the_rates_of_a_missing_class_are_nan(label, column):
    with pytest.warns(rl.UndefinedMeasureWarning, match="needs both classes") as caught:
        table = gains_table([label] * 3, [1, 2, 3])
    assert caught[0].filename == __file__
    assert np.isnan(getattr(table, column)).all()
    assert table.response_rate.tolist() == [label] * 3


def test_without_examples_there_are_no_bins():
    with pytest.warns(rl.UndefinedMeasureWarning):
        table = gains_table([], [])
    assert (len(table), repr(table)) == (0, "GainsTable(0 bins)")
    assert document(table).main_table.header[0] == "bin"


def test_infinite_scores_have_bins():
    table = gains_table([0, 1, 0, 1], [-np.inf, np.inf, -np.inf, np.inf], n_bins=1)
    assert (table.low.tolist(), table.high.tolist()) == ([-np.inf], [np.inf])


def test_what_is_refused():
    with pytest.raises(rl.InputError, match="n_bins=0 is out of range"):
        gains_table([0, 1], [1, 2], n_bins=0)


def test_what_people_see():
    (table,) = document(gains_table([0, 1, 0, 1], [1, 2, 3, 4], n_bins=2)).tables
    assert table.cells[0][:5] == ("1", "3 to 4", "2", "1", "50.0 %")
    assert table.records[1]["capture"] == 1


def test_bins_near_one_do_not_read_1_to_1():
    """As many digits as distinguish the ends of all bins; one score is no range."""
    scores = np.concatenate((1 - 10.0 ** -np.arange(3, 15), [1.0] * 8))
    (table,) = document(gains_table(np.arange(20) % 2, scores, n_bins=5)).tables
    assert [row[1] for row in table.cells] == [
        "1",
        "0.99999999999 to 0.99999999999999",
        "0.9999999 to 0.9999999999",
        "0.999 to 0.999999",
    ]
    ends = [float(end) for row in table.cells for end in row[1].split(" to ")[::-1]]
    assert ends == sorted(set(ends), reverse=True)
