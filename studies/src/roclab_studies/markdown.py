"""Tables as documents have them."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def table_head(titles: Sequence[str], *, left: Collection[int] = (0,)) -> list[str]:
    """The first two lines of a table; columns at the places `left` hold words, others numbers."""
    rule = ["---" if place in left else "--:" for place in range(len(titles))]
    return [table_row(*titles), f"|{'|'.join(rule)}|"]


def table_row(*cells: str) -> str:
    """One line of a table."""
    return f"| {' | '.join(cells)} |"


def claims_table(*rows: tuple[str, str, bool]) -> str:
    """What a paper says, what is seen here, and whether that agrees."""
    lines = table_head(["the paper says", "seen here", "holds"], left=(0, 1, 2))
    for claim, seen, holds in rows:
        lines.append(table_row(claim, seen, "yes" if holds else "**no**"))
    return "\n".join(lines)


def with_table(text: str, mark: str, table: str) -> str:
    """The text with this table between the two marks of that name."""
    begin, end = f"<!-- {mark}:begin -->", f"<!-- {mark}:end -->"
    before, rest = text.split(begin)
    _, after = rest.split(end)
    return f"{before}{begin}\n{table}\n{end}{after}"
