"""Questions answered one by one, or several at once, and recorded as soon as they are.

A study is a module with `Question` and `Answer`, dataclasses of which the second adds what was
found to the first; `questions(fewer)`, all that is asked; and `answer(question)`. One that measures
times has `ALONE`, which is true, and is answered one question at a time.

Several at once go through joblib, so that where they are answered is a word: processes of this
machine ("loky"), or the workers of a cluster ("dask", "spark").
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from types import ModuleType
from typing import Any

from joblib import Parallel, delayed, parallel_config
from joblib.parallel import get_active_backend
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from roclab_studies.ledger import Ledger

# Of a backend that hands over answers only all together: so many for each process in one turn.
_TURN = 4


def fill(
    study: ModuleType,
    asked: Sequence[Any],
    methods: Collection[str],
    path: Path,
    *,
    again: bool,
    processes: int,
    backend: str = "loky",
) -> None:
    """Answer what is asked of these methods and has no recorded answer; with `again`, all of it.

    Recorded answers to what is no longer asked are forgotten.
    """
    wanted = set(asked)
    ledger = Ledger(path, study.Answer)
    answers = [
        answer
        for answer in ledger.read()
        if question_of(study, answer) in wanted and not (again and answer.method in methods)
    ]
    ledger.write(answers)
    done = {question_of(study, answer) for answer in answers}
    tasks = [question for question in asked if question.method in methods and question not in done]
    tasks.sort(key=lambda question: -question.cost)
    with _bar() as bar:
        work = bar.add_task(path.stem, total=len(tasks))
        for answer in _answers(study.answer, tasks, processes, backend):
            answers.append(answer)
            ledger.write(answers)
            bar.console.print(str(answer), markup=False, highlight=False, soft_wrap=True)
            bar.advance(work)


def question_of(study: ModuleType, answer: Any) -> Any:
    """What was asked to get this answer."""
    names = [field.name for field in fields(study.Question)]
    return study.Question(**{name: getattr(answer, name) for name in names})


def _answers(
    answer: Callable[[Any], Any], tasks: Sequence[Any], processes: int, backend: str
) -> Iterator[Any]:
    if processes == 1 and backend == "loky":
        yield from map(answer, tasks)
        return
    with parallel_config(backend=backend, n_jobs=processes):
        one_by_one = get_active_backend()[0].supports_return_generator
        size = len(tasks) if one_by_one else _TURN * processes
        several = Parallel(return_as="generator_unordered" if one_by_one else "list", batch_size=1)
        for first in range(0, len(tasks), max(size, 1)):
            yield from several(delayed(answer)(task) for task in tasks[first : first + size])


def _bar() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
