"""Lines of a stream: each is an event or told by its fault, whatever the bytes."""

import io
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import roclab as rl
from roclab.readers.events import BadLine, Event, EventLines


def read(data, **options):
    lines = EventLines(**{"label": "label", "score": "score"} | options)
    return list(lines.read(io.BytesIO(data)))


def labels(texts, positive):
    rows = "".join(f"{text},0\n" for text in texts)
    return [one.y_true for one in read(f"label,score\n{rows}".encode(), positive=positive)]


@given(st.lists(st.binary(max_size=30), max_size=6), st.sampled_from([None, "csv", "tsv", "jsonl"]))
@example([b'label,score\n"', b"1,2\r0,1"], None)
@example([b'{"label": [], "score": {}}', b'{"label": 1, "score": 1e999}'], None)
def test_any_bytes_are_events_or_faults(parts, format):
    data = b"\n".join(parts)
    try:
        found = read(data, format=format)
    except rl.ColumnError:
        assert format != "jsonl"
        return
    assert all(isinstance(one, Event | BadLine) for one in found)
    assert [one.line for one in found] == sorted({one.line for one in found})


@pytest.mark.parametrize(
    ("positive", "texts"),
    [
        ("1", {"1": True, "1.0": True, " 1": True, "0": False, "2": False, "10": False}),
        ("1.0", {"1": True, "0": False}),
        ("2", {"2": True, "1": False}),
        ("True", {"true": True, "TRUE": True, "false": False, "1": True}),
        ("yes", {"yes": True, "Yes": False, "no": False, "1": False}),
    ],
)
def test_the_positive_label_is_compared_as_in_a_table(positive, texts):
    assert labels(texts, positive) == list(texts.values())


@pytest.mark.parametrize("positive", ["true", "True", "1"])
def test_a_boolean_of_json_is_one(positive):
    data = b'{"label": true, "score": 1}\n{"label": false, "score": 1}\n'
    assert [one.y_true for one in read(data, positive=positive)] == [True, False]


@pytest.mark.parametrize("value", ["NaN", "null", '""', '"NA"'])
@pytest.mark.parametrize("name", ["label", "score"])
def test_missing_values_are_the_same_fault_in_json_and_csv(name, value):
    record = {"label": "1", "score": "1"} | {name: value}
    as_json = ", ".join(f'"{key}": {value}' for key, value in record.items())
    [fault] = read(f"{{{as_json}}}".encode())
    text = json.loads(value)
    row = ",".join("" if key == name and not text else record[key] for key in record)
    [again] = read(f"label,score,x\n{row},\n".replace('"', "").encode())
    assert (
        (fault.kind, fault.found)
        == (again.kind, again.found)
        == (
            f"no {name}",
            f"`{name}`: no value",
        )
    )


def test_a_key_that_is_not_there_is_told_with_those_that_are():
    [fault] = read(b'{"outcome": 1, "score": 2}')
    assert (fault.kind, fault.found) == ("no label", "`label`: not among `outcome`, `score`")


class TestFirstLine:
    @pytest.mark.parametrize("first", [b"Starting up", b"[1, 2]", b'"' + b"x" * 200_000])
    def test_that_is_no_header_is_told_with_what_to_do(self, first):
        with pytest.raises(rl.ColumnError, match=r"first line .* header of CSV. For JSON lines"):
            read(first + b'\n{"label": 1, "score": 2}\n')

    def test_is_left_out_where_the_format_is_known(self):
        fault, event = read(b'Starting up\n{"label": 1, "score": 2}\n', format="jsonl")
        assert (fault.kind, event.y_score) == ("not JSON", 2.0)

    def test_may_have_a_mark_of_its_encoding(self):
        [event] = read(b"\xef\xbb\xbflabel,score\n1,2\n")
        assert event == Event(2, True, 2.0, None)


def test_faults_of_csv_say_what_is_wrong():
    long, quote = read(b'label,score\n1,"' + b"x" * 140_000 + b'"\n1,"2\n')
    assert (long.kind, quote.kind) == ("not CSV", "not CSV")
    assert "field larger than field limit" in long.found
    assert "unexpected end of data" in quote.found


@pytest.mark.parametrize(
    "number", ["9007199254740993", "-9007199254740993", " 98765432109876543210"]
)
def test_a_score_that_would_be_rounded_is_a_fault(number):
    for data in (f"label,score\n1,{number}\n", f'{{"label": 1, "score": {number}}}\n'):
        [fault] = read(data.encode())
        assert (fault.kind, fault.found.strip()) == (
            "score is an integer that float64 rounds",
            number.strip(),
        )


@pytest.mark.parametrize("number", ["9007199254740992", "18446744073709551616", "1e300", "-1e23"])
def test_other_large_scores_are_scores(number):
    for data in (f"label,score\n1,{number}\n", f'{{"label": 1, "score": {number}}}\n'):
        assert [event.y_score for event in read(data.encode())] == [float(number)]


@pytest.mark.parametrize("text", ["1_000", "\u0661", "0x10", "1e", "--1"])
def test_only_numbers_of_files_are_scores(text):
    """Python reads more of them."""
    [fault] = read(f"label,score\n1,{text}\n".encode())
    assert fault.kind == "score is no number"
    [table] = [f"label,score\n1,{text}\n0,1\n".encode()]
    with pytest.raises(rl.InputError, match="not numeric"):
        rl.read_scores(table, y_true="label", y_score="score")


@pytest.mark.parametrize("row", ["1,2,,", "1,2,,,,,,,,,,", "1,2,\r"])
def test_empty_fields_after_the_last_column_do_not_count(row):
    assert [event.y_score for event in read(f"label,score\n{row}\n".encode())] == [2.0]


@pytest.mark.parametrize("row", ["1", "1,2,3", "1,2,,,,,,,,,,3"])
def test_rows_of_another_length_are_faults(row):
    [fault] = read(f"label,score\n{row}\n".encode())
    assert fault.kind == "wrong number of fields"
