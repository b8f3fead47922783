"""Tables with two classes: kinds of columns, and rows that are kept."""

import math

from roclab_studies import two_classes

# Sizes of more than ten values, levels of few (10 comes before 2 in the alphabet), words, and
# nominal numbers.
TABLE = """A1,A2,A3,A5,class
red,1.5,2,1,1
blue,2.5,10,2,0
red,3.5,,3,0
,4.5,2,4,1
blue,5.5,2,5,0
red,6.5,10,6,1
blue,7.5,2,7,0
red,8.5,2,8,0
blue,9.5,2,9,0
red,10.5,2,10,1
blue,,2,11,0
blue,11.5,2,12,
red,12.5,2,,0
"""


class TestTables:
    def test_columns_have_their_kinds(self, folder):
        (folder / "australian.csv").write_text(TABLE)
        table = two_classes.read("australia")
        assert table.numeric.tolist() == [False, True, False, True]
        assert len(table.labels) == 12  # a row without a class is gone
        assert table.labels.sum() == 4
        assert table.values[:3, 0].tolist() == [1, 0, 1]
        assert math.isnan(table.values[3, 0])
        assert table.values[:2, 2].tolist() == [1, 0]
        assert math.isnan(table.values[2, 2])
        assert table.values[:3, 3].tolist() == [1, 2, 3]
        assert math.isnan(table.values[11, 3])
        assert table.encoded.shape == (12, 6)
        assert table.encoded[10, 2] == 6.5  # the median of eleven sizes

    def test_of_many_rows_some_are_taken(self, folder, monkeypatch):
        rows = "".join(f"{i},{'abcdefghijkl'[i % 12]},{'MR'[i % 2]}\n" for i in range(40))
        rows = rows.replace("M", "Mine").replace("R", "Rock")
        (folder / "sonar.csv").write_text(f"x,word,class\n{rows}")
        monkeypatch.setattr(two_classes, "MOST_ROWS", 12)
        table = two_classes.read("sonar")
        kept = table.values[:, 0].astype(int)
        assert table.numeric.tolist() == [True, False]
        assert len(set(kept.tolist())) == 12
        assert table.labels.tolist() == [bool(i % 2) for i in kept]
        # Words that no row has left have no number.
        present = sorted({"abcdefghijkl"[i % 12] for i in kept})
        assert len(present) < 12
        assert [present[int(code)] for code in table.values[:, 1]] == [
            "abcdefghijkl"[i % 12] for i in kept
        ]
