"""Questions answered one by one, or several at once, and recorded as soon as they are.

A study is a module with `Question` and `Answer`, dataclasses of which the second adds what was
found to the first; `questions(fewer)`, all that is asked; and `answer(question)`. One that measures
times has `ALONE`, which is true, and is answered one question at a time.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import fields
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import Any

from studies.ledger import Ledger


def recorded(study: ModuleType, folder: Path) -> list[Any]:
    """The answers of a study, of all its files."""
    return [
        answer
        for path in sorted(folder.glob("*.csv"))
        for answer in Ledger(path, study.Answer).read()
    ]


def fill(
    study: ModuleType,
    asked: Sequence[Any],
    methods: Collection[str],
    folder: Path,
    *,
    again: bool,
    processes: int,
) -> None:
    """Answer what is asked of these methods and has no recorded answer; with `again`, all of it.

    Recorded answers to what is no longer asked are forgotten.
    """
    wanted = set(asked)
    ledgers = {
        file: Ledger(folder / f"{file}.csv", study.Answer)
        for file in {question.file for question in asked if question.method in methods}
    }
    done = set()
    for ledger in ledgers.values():
        kept = [
            answer
            for answer in ledger.read()
            if question_of(study, answer) in wanted and not (again and answer.method in methods)
        ]
        ledger.write(kept)
        done |= {question_of(study, answer) for answer in kept}
    tasks = [question for question in asked if question.method in methods and question not in done]
    tasks.sort(key=lambda question: -question.cost)
    start = time.perf_counter()
    for number, answer in enumerate(_answers(study.answer, tasks, processes), start=1):
        ledgers[answer.file].add(answer)
        minutes = (time.perf_counter() - start) / 60
        print(f"{number}/{len(tasks)} {minutes:.1f} min: {answer}", file=sys.stderr, flush=True)


def question_of(study: ModuleType, answer: Any) -> Any:
    """What was asked to get this answer."""
    names = [field.name for field in fields(study.Question)]
    return study.Question(**{name: getattr(answer, name) for name in names})


def _answers(answer: Callable[[Any], Any], tasks: Sequence[Any], processes: int) -> Iterator[Any]:
    if processes == 1:
        yield from map(answer, tasks)
        return
    # Begun anew: a process that has threads is no good to be copied.
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        waiting = [pool.submit(answer, task) for task in tasks]
        try:
            for ready in as_completed(waiting):
                yield ready.result()
        finally:
            # Of an interrupted run only what is at work is still waited for.
            pool.shutdown(cancel_futures=True)
