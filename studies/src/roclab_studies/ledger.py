"""Answers on disk, so that a study that was interrupted goes on where it was."""

from __future__ import annotations

import csv
from collections.abc import Callable, Collection
from dataclasses import asdict, astuple, dataclass, fields
from pathlib import Path
from typing import Any, Generic, TypeVar

Answer = TypeVar("Answer")

_READERS: dict[str, Callable[[str], Any]] = {
    "int": int,
    "float": float,
    "str": str,
    "tuple[float, ...]": lambda text: tuple(map(float, text.split())),
}


@dataclass(frozen=True)
class Ledger(Generic[Answer]):
    """Rows in a CSV file, in the same order whatever the order of the answers.

    Attributes
    ----------
    path : Path
        The file.
    answer : type
        A dataclass of whole numbers, floats, words and tuples of floats: the question first, which
        is what rows are sorted by, and then what was found.
    """

    path: Path
    answer: type[Answer]

    def read(self) -> list[Answer]:
        """All answers so far."""
        if not self.path.exists():
            return []
        readers = {field.name: _READERS[str(field.type)] for field in fields(self.answer)}
        with self.path.open(encoding="utf-8", newline="") as file:
            return [
                self.answer(**{name: readers[name](text) for name, text in line.items()})
                for line in csv.DictReader(file)
            ]

    def write(self, answers: Collection[Answer]) -> None:
        """Put these in the place of all; the file is whole at any time."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        names = [field.name for field in fields(self.answer)]
        unfinished = self.path.with_suffix(".part")
        with unfinished.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, names, lineterminator="\n")
            writer.writeheader()
            for answer in sorted(answers, key=astuple):
                writer.writerow({name: _text(value) for name, value in asdict(answer).items()})
        unfinished.replace(self.path)


def _text(value: Any) -> Any:
    return " ".join(map(str, value)) if isinstance(value, tuple) else value
