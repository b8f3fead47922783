"""LaTeX: the cells that people see, with nothing left that TeX would read as a command."""

import re

import numpy as np
import pytest

import roclab as rl
from roclab.report.document import Column, Document, Note, Table, document
from roclab.report.latex import to_latex
from tests.unit.report.test_writers import HOSTILE, Y, by_region

# What each command or escape prints.
PRINTED = {
    r"\textbackslash{}": "\\",
    r"\textasciicircum{}": "^",
    r"\textasciitilde{}": "~",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\{": "{",
    r"\}": "}",
    r"\$": "$",
    r"\&": "&",
    r"\#": "#",
    r"\%": "%",
    r"\_": "_",
}
TOKEN = re.compile(r"\\[a-z]+\{\}|\\.|[{}$&#%_^~<>|\\]|[^\\{}$&#%_^~<>|]+")


def printed(text):
    """What TeX prints; an error if a character is left that means something else to it."""
    text = text.replace("$-$", "-")
    return "".join(
        PRINTED[one] if one[0] in r"\{}$&#%_^~<>|" else one for one in TOKEN.findall(text)
    )


def tables_of(text):
    """The lines of each tabular, as lists of cells."""
    found = re.findall(r"\\begin\{tabular\}\{([lr]+)\}\n(.*?)\n\\end\{tabular\}", text, re.DOTALL)
    tables = []
    for sides, body in found:
        lines = [line for line in body.split("\n") if line not in RULES]
        assert [line[-3:] for line in lines] == [r" \\"] * len(lines)
        cells = [re.split(r" (?<!\\)& ", line[:-3]) for line in lines]
        assert {len(row) for row in cells} == {len(sides)}
        for row in cells:
            if row[0].startswith("{"):
                row[0] = row[0][1:-1]
        tables.append([[printed(cell) for cell in row] for row in cells])
    return tables


RULES = (r"\toprule", r"\midrule", r"\bottomrule")


def test_a_table_has_the_rules_of_booktabs():
    text = to_latex(document(by_region()))
    lines = text.splitlines()
    assert lines[0] == r"% \usepackage{booktabs}"
    assert lines[1] == r"\begin{tabular}{llrrrr}"
    assert [line for line in lines if line in RULES] == list(RULES)
    (table,) = tables_of(text)
    shown = document(by_region()).tables[0]
    assert table[0] == [column.title for column in shown.columns]
    assert table[1:] == [list(row) for row in shown.cells]


def test_hostile_names_print_as_they_are():
    rng = np.random.default_rng(0)
    names = [name for name in HOSTILE if name]
    table = rl.ScoreTable(Y, {name: rng.normal(size=8) for name in names})
    shown = document(rl.evaluate(table)).tables[0]
    (read,) = tables_of(to_latex(document(rl.evaluate(table))))
    assert read[1:] == [list(row) for row in shown.cells]
    assert {row[0] for row in read} >= {"a|b", "# no heading", "[red]x[/red]"}


def test_only_the_first_cell_of_a_line_is_guarded():
    """After the end of a line TeX takes a bracket or a star as its argument."""
    columns = (Column("a", ("a",), str, kind="text"), Column("b", ("b",), str))
    records = ({"a": "[1, 2]", "b": "[1, 2]"}, {"a": "*", "b": "-0.5"}, {"a": "x-1", "b": "3-4"})
    table = Table(name="t", records=records, columns=columns, title="50 %")
    text = to_latex(Document(data={}, parts=(table, Note("A & B"))))
    assert "50 \\%\n\n\\begin{tabular}{lr}" in text
    assert r"{[1, 2]} & [1, 2] \\" in text
    assert "{*} & $-$0.5 \\\\" in text
    assert r"x-1 & 3-4 \\" in text
    assert text.endswith("\n\nA \\& B\n")


def test_a_document_without_tables_needs_no_package():
    assert to_latex(Document(data={}, parts=(Note("one_two"),))) == "one\\_two\n"


@pytest.mark.parametrize("character", sorted(PRINTED.values()))
def test_every_special_character_is_escaped(character):
    text = to_latex(Document(data={}, parts=(Note(f"a{character}b"),)))
    assert printed(text) == f"a{character}b\n"
    assert text != f"a{character}b\n"
