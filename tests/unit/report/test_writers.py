"""Tables, Markdown and CSV: the same numbers everywhere, and names that do no harm."""

import csv
import io

import numpy as np
import pytest
from markdown_it import MarkdownIt
from rich.console import Console
from writers import notes, to_csv, to_markdown, to_table

import roclab as rl
from roclab.data.table import MissingValues
from roclab.formatting import one_line
from roclab.inference import Evaluation
from roclab.report.documents.rows import missing_notes

Y = [0, 1, 0, 1, 0, 1, 1, 0]
A = [0.1, 0.4, 0.4, 0.8, 0.3, 0.2, 0.9, 0.5]
B = [4, 3, 2, 1, 4, 3, 2, 1]
REGION = ["south", "south", "north", "north", "south", "south", "north", "north"]
# Each would do harm somewhere: rich's markup, Markdown, CSV, a terminal, the layout.
HOSTILE = [
    "[red]x[/red]",
    "[/]",
    ":smile:",
    "a|b",
    "c,d",
    'e"f',
    "g\nh",
    "tab\there",
    "*bold* _it_ snake_case `code` ~~gone~~",
    "<b>&amp;</b> $x$ [link](http://example.org) \\",
    "# no heading",
    "- no list",
    "\x1b[31mred\x1b[0m",
    "ünï 模型 🙂",
    "\u202eright to left",
    "=1+1",
    "",
    "a very long name indeed, of the kind that a grid search gives to its models, 0001",
]


def hostile():
    rng = np.random.default_rng(0)
    scores = {name: rng.normal(size=8) for name in HOSTILE}
    return rl.evaluate(rl.ScoreTable(Y, scores, groups={HOSTILE[0]: REGION}), by=HOSTILE[0])


def by_region():
    return rl.evaluate(rl.ScoreTable(Y, {"a": A, "b": B}, groups={"region": REGION}), by="region")


def undefined():
    y = [0, 1, 1, 1, 0, 1, 1, 1]
    with pytest.warns(rl.UndefinedMeasureWarning):
        return rl.evaluate(rl.ScoreTable(y, {"a": A}, groups={"region": REGION}), by="region")


def on_screen(evaluation, width=100, encoding="utf-8"):
    page = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="strict")
    Console(file=page, width=width).print(to_table(evaluation))
    page.seek(0)
    return page.read()


def markdown_cells(text):
    """The text that a reader sees in each cell, and in each paragraph below the table."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    cells, paragraphs, row = [], [], None
    for position, token in enumerate(tokens):
        if token.type == "tr_open":
            row = []
            cells.append(row)
        elif token.type in ("th_open", "td_open", "paragraph_open"):
            children = tokens[position + 1].children
            assert {child.type for child in children} <= {"text", "text_special"}, children
            seen = "".join(child.content for child in children)
            (paragraphs if token.type == "paragraph_open" else row).append(seen)
    return cells, paragraphs


def test_table_rounds_what_was_computed():
    evaluation = by_region()
    lines = on_screen(evaluation).splitlines()
    assert lines[0].split() == ["region", "model", "AUC", "95", "%", "interval", "n+", "n-"]
    for line, row in zip(lines[2:], evaluation.rows, strict=False):
        i = row.interval
        shown = [row.group, row.model, f"{i.value:.3f}", f"[{i.low:.3f},", f"{i.high:.3f}]"]
        assert line.split() == [*shown, str(i.n_pos), str(i.n_neg)]


def test_markdown_shows_the_same_cells_as_the_table():
    evaluation = by_region()
    (header, *rows), paragraphs = markdown_cells(to_markdown(evaluation))
    lines = on_screen(evaluation).splitlines()
    assert " ".join(header).split() == lines[0].split()
    assert [" ".join(row).split() for row in rows] == [line.split() for line in lines[2:6]]
    assert paragraphs == lines[7:]


def test_csv_has_every_digit():
    evaluation = by_region()
    rows = list(csv.DictReader(io.StringIO(to_csv(evaluation))))
    assert len(rows) == 4
    for read, row in zip(rows, evaluation.to_dict()["rows"], strict=True):
        assert list(read) == list(row)
        for key, value in row.items():
            assert read[key] == "" if value is None else type(value)(read[key]) == value


def test_csv_has_a_group_column_only_for_groups():
    text = to_csv(rl.evaluate(rl.ScoreTable(Y, {"a": A})))
    assert text.splitlines()[0].startswith("model,measure,value,low,high,")


def test_what_is_undefined_says_so():
    evaluation = undefined()
    lines = on_screen(evaluation).splitlines()
    assert [line.split()[:3] for line in lines if line.startswith("north")] == [
        ["north", "a", "undefined"]
    ]
    assert "Undefined AUC: a class has no examples." in lines
    assert "undefined" in to_markdown(evaluation)
    (row,) = [r for r in csv.DictReader(io.StringIO(to_csv(evaluation))) if r["group"] == "north"]
    assert [row[key] for key in ("value", "low", "high", "standard_error")] == [""] * 4
    assert (row["n_pos"], row["n_neg"]) == ("4", "0")


def test_an_interval_without_ends_says_so():
    table = rl.ScoreTable([0, 1, 1], {"a": [1, 2, 3]})
    with pytest.warns(rl.UndefinedMeasureWarning):
        evaluation = rl.evaluate(table, method="delong")
    lines = on_screen(evaluation).splitlines()
    assert lines[2].split() == ["a", "1.000", "undefined", "2", "1"]
    assert any(
        line.startswith("Undefined interval: too few examples or clusters, or an AUC")
        for line in lines
    )


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999, 0.07])
def test_level_and_method_are_named(level):
    evaluation = rl.evaluate(rl.ScoreTable(Y, {"a": A}), confidence_level=level)
    words = f"{round(100 * level, 6):g} %"
    assert f"{words} interval" in to_markdown(evaluation)
    named = f"{words} confidence intervals: Wilson-type with shrunken variance"
    assert named in on_screen(evaluation)


def test_digits_grow_as_intervals_shrink():
    rng = np.random.default_rng(1)
    y = rng.random(400_000) < 0.5
    evaluation = rl.evaluate(rl.ScoreTable(y, {"a": y + rng.normal(size=len(y))}))
    i = evaluation.rows[0].interval
    assert 0.001 < i.high - i.low < 0.01
    assert f"[{i.low:.4f}, {i.high:.4f}]" in on_screen(evaluation)


def test_scores_below_one_half_get_a_hint_and_no_flip():
    y = np.repeat([0, 1], 50)
    evaluation = rl.evaluate(rl.ScoreTable(y, {"good": y, "bad": -y}))
    text = on_screen(evaluation)
    hint = "Whole interval below 0.5: bad. Are the scores reversed, or is the other class positive?"
    assert hint in text
    assert hint in to_markdown(evaluation)
    assert notes(evaluation) == (hint,)
    assert [line.split()[:2] for line in text.splitlines()[2:4]] == [
        ["good", "1.000"],
        ["bad", "0.000"],
    ]


def test_the_hint_names_the_group():
    y = np.tile([0, 1], 100)
    table = rl.ScoreTable(y, {"m": -y}, groups={"g": np.repeat([1, 2], 100)})
    assert "below 0.5: m (1), m (2)." in on_screen(rl.evaluate(table, by="g"))


def test_rows_left_out_are_told():
    missing = MissingValues(
        rows_read=12_345, rows_dropped=1_234, by_column={"a": 4, "label": 1_230}
    )
    evaluation = rl.evaluate(rl.ScoreTable(Y, {"a": A}, missing=missing))
    expected = "1,234 of 12,345 rows left out; values missing: label 1,230, a 4."
    assert expected in on_screen(evaluation)
    assert expected in to_markdown(evaluation)
    assert notes(evaluation) == (expected,)


def test_no_notes_where_nothing_is_to_be_said():
    assert notes(by_region()) == ()


def test_hostile_names_in_the_table():
    evaluation = hostile()
    text = on_screen(evaluation, width=200)
    assert not any(not letter.isprintable() for letter in text.replace("\n", ""))
    for name in HOSTILE:
        assert one_line(name) in text
    assert len([line for line in text.splitlines() if line.startswith("south")]) == len(HOSTILE)


def test_hostile_names_in_markdown():
    evaluation = hostile()
    (header, *rows), _ = markdown_cells(to_markdown(evaluation))
    assert header[0] == HOSTILE[0]
    assert len(header) == 6
    # Markdown strips the ends of a cell.
    assert [row[1] for row in rows] == [one_line(name).strip() for name in HOSTILE] * 2


def test_hostile_names_come_back_from_csv():
    rows = list(csv.DictReader(io.StringIO(to_csv(hostile()), newline="")))
    assert [row["model"] for row in rows] == HOSTILE * 2


def test_names_with_a_full_stop_end_a_note():
    missing = MissingValues(columns_skipped=("Ort", "Str."), identifiers=("Kunden-Nr.",))
    assert [one.text for one in missing_notes(missing)] == [
        "Columns ignored because they are not numeric: Ort, Str.",
        "Columns ignored because they look like identifiers: Kunden-Nr. To include them, name all "
        "score columns.",
    ]


def test_hostile_names_in_markdown_notes():
    y = np.repeat([0, 1], 50)
    evaluation = rl.evaluate(rl.ScoreTable(y, {"*a*|_b_": -y}))
    _, paragraphs = markdown_cells(to_markdown(evaluation))
    hint = "Are the scores reversed, or is the other class positive?"
    assert f"Whole interval below 0.5: *a*|_b_. {hint}" in paragraphs


@pytest.mark.parametrize("width", [45, 60, 80])
def test_narrow_screens_fold_names_and_keep_numbers(width):
    evaluation = rl.evaluate(rl.ScoreTable(Y, {"gradient_boosting_with_many_trees": A}))
    lines = on_screen(evaluation, width=width).splitlines()
    assert all(len(line) <= width for line in lines)
    i = evaluation.rows[0].interval
    assert f"[{i.low:.3f}, {i.high:.3f}]" in lines[2]
    assert lines[2].split()[-2:] == ["4", "4"]


def test_a_screen_without_unicode_gets_ascii():
    assert on_screen(by_region(), encoding="ascii").isascii()


@pytest.mark.parametrize(
    ("name", "shown"),
    [("a\nb", r"a\nb"), ("\x1b[1m", r"\x1b[1m"), ("\udcff", r"\udcff"), ("ü 模", "ü 模"), (3, "3")],
)
def test_names_are_on_one_line(name, shown):
    assert one_line(name) == shown


def test_an_empty_evaluation_has_a_header():
    empty = Evaluation(rows=(), by="g", missing=MissingValues())
    assert on_screen(empty).split()[:2] == ["g", "model"]
    assert to_markdown(empty).startswith("| g ")
    assert to_csv(empty) == ""


WORDS = "partial_auc(fpr_range=[0, 0.1], standardize=True), scored_parts(normalize=True)"


def with_words():
    return rl.evaluate(rl.ScoreTable(Y, {"a": A, "b": B}), measures=WORDS)


def test_long_names_of_measures_go_on_in_the_next_line():
    evaluation = with_words()
    lines = on_screen(evaluation, width=250).splitlines()
    assert lines[0].split() == ["partial_auc", *["scored_parts"] * 6]
    assert lines[1].split()[:3] == ["(fpr_range=[0,", "0.1],", "(normalize=True)"]
    assert lines[2].split()[-7:-4] == ["standardize=True)", ".r_pos", ".r_neg"]
    values = [f"{value:.3f}" for value in evaluation.rows[0].values.values()]
    assert lines[4].split()[-7:] == values


def test_measures_have_the_same_columns_in_every_format():
    evaluation = with_words()
    columns = list(evaluation.measures)
    assert columns[:2] == [
        "partial_auc(fpr_range=[0, 0.1], standardize=True)",
        "scored_parts(normalize=True).r_pos",
    ]
    (header, *rows), _ = markdown_cells(to_markdown(evaluation))
    assert header[-7:] == columns
    read = list(csv.DictReader(io.StringIO(to_csv(evaluation))))
    for shown, full, row in zip(rows, read, evaluation.rows, strict=True):
        assert list(full)[-7:] == columns
        assert {name: float(full[name]) for name in columns} == row.values
        assert shown[-7:] == [f"{row.values[name]:.3f}" for name in columns]


def test_the_list_of_measures_shows_their_options_and_parts():
    (header, *rows), _ = markdown_cells(to_markdown(rl.list_measures()))
    assert header == ["measure", "options", "range", "meaning", "reference"]
    cells = {row[0]: row for row in rows}
    assert cells["auc"][1:3] == ["", "0 to 1"]
    assert cells["margin_auc"][1] == "margin, strict=False, normalize=False, decimals=None"
    assert cells["granular_auc"][3].endswith("(parts: low, auc, up, lambda; finite scores)")
    assert cells["brier_score"][2] == "0 to 1, lower is better"
    assert cells["brier_score"][3].endswith("outcome (probabilities; also called brier)")
    read = {row["name"]: row for row in csv.DictReader(io.StringIO(to_csv(rl.list_measures())))}
    assert {name: row["options"] for name, row in read.items()} == {
        name: row[1] for name, row in cells.items()
    }
    assert read["granular_auc"]["parts"] == "low, auc, up, lambda"
    assert read["partial_auc"]["example"] == "partial_auc(fpr_range=(0, 0.1))"


@pytest.mark.parametrize("width", [105, 130, 180])
def test_names_of_measures_are_never_folded_and_nothing_is_cut(width):
    screen = on_screen(rl.list_measures(), width=width)
    lines = screen.splitlines()
    assert all(len(line) <= width for line in lines)
    end = next(number for number, line in enumerate(lines) if not line.strip())
    shown = [line.split()[0] for line in lines[2:end] if not line.startswith(" ")]
    assert shown == [measure.name for measure in rl.list_measures().measures]
    assert "when not to use it" in " ".join(line[-30:].strip() for line in lines[:6])
