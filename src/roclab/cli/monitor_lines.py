"""What the commands of the monitor print, in lines of plain text."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from roclab.streaming.calendar import as_datetime

if TYPE_CHECKING:
    from roclab.monitor.installation import Installation
    from roclab.monitor.replay import Imported
    from roclab.monitor.settings import Settings

_NARROWEST = 40
_SHAPES = {"firing": "▲", "pending": "◐", "ok": "○", "no data": "\N{EN DASH}", "learning": "◌"}


def status_lines(models: Sequence[dict[str, Any]]) -> str:
    """All models of an overview, with the sentence of each."""
    lines = []
    for one in models:
        now = one["now"]
        auc = "no AUC now" if now["auc"] is None else f"AUC now {now['auc']:.3f}"
        if now["low"] is not None:
            auc += f" [{now['low']:.3f}, {now['high']:.3f}]"
        lines += [
            f"{_SHAPES[one['status']]} {one['model']}: {one['status']}, {auc}",
            f"  {one['sentence']}",
        ]
    return _text(lines)


def import_lines(
    installation: Installation, model: str, found: Imported, *, made_ids: bool, stored: str
) -> str:
    """What an import did, and what the monitor would have said."""
    from roclab.monitor import answers

    state = installation.models[model]
    period = state.record.period
    frozen = sum(one.frozen is not None for one in installation.store.cohorts(state.record.number))
    lines = [
        f"{model}: {found.rows:,} predictions and {found.labels:,} labels are new, "
        f"{_count(frozen, 'mature ' + period)} in all."
    ]
    if found.duplicates:
        why = " Rows of equal time and score count as one, without --id." if made_ids else ""
        lines.append(f"{_count(found.duplicates, 'prediction')} known already.{why}")
    if found.alerts:
        lines.append("What the monitor would have said, and when:")
    elif state.whole.rule.learning:
        why = answers.summary(installation, state, state.whole)["sentence"]
        lines.append(f"The monitor could not have noticed a change. {why}")
    else:
        lines.append("The monitor would have said nothing: it found no change.")
    for one in found.alerts:
        ended = "" if one.ended is None else f" ({one.content['ended_how']} on {_day(one.ended)})"
        lines.append(f"  {_day(one.fired)}  {one.content['sentence']}{ended}")
    notice = answers.notice(installation, state, state.whole)
    if notice:
        lines.append(_notice(notice, period))
    return _text([*lines, stored])


def check_lines(settings: Settings, found: dict[str, Any]) -> str:
    """What `check` found."""
    lines = ["The settings are valid."]
    if found["store"] is None:
        lines.append(f"There is no store in {settings.data} yet.")
    elif not any("damaged" in one for one in found["problems"]):
        lines.append(f"The store in {settings.data} is not damaged.")
    lines += found["problems"]
    for one in found["models"]:
        learning = f", {one['learning']} of them learning" if one["learning"] else ""
        lines.append(f"{one['model']}: {_count(one['streams'], 'stream')}{learning}")
        lines.append(f"  {_prospect(one['whole'], one['period'])}")
        worst = one["worst_segment"]
        if worst is not None:
            segment = worst["stream"].removeprefix(f"{one['model']}, ")
            lines.append(f"  Worst segment, {segment}: {_prospect(worst, one['period'])}")
    return _text(lines)


def _prospect(one: dict[str, Any], period: str) -> str:
    if one["notice"]:
        return _notice(one["notice"], period)
    if one["problem"] is not None:
        return f"The reference cannot be used: {one['problem']}"
    missing = f"The reference lacks {_count(one['missing_blocks'], 'mature ' + period)}"
    if one["cohorts_to_go"] is None:
        return f"{missing}; none has come yet."
    return f"{missing}, at the present pace about {_count(one['cohorts_to_go'], period)} more."


def _notice(found: Sequence[dict[str, Any]], period: str) -> str:
    small, large = found
    sizes = [f"{one['drop']:.2f}" for one in found]
    times = [f"within {_count(one['cohorts'] or 0, period)}" for one in found]
    if small["cohorts"] is not None:
        return (
            f"A drop of {sizes[0]} would be noticed {times[0]}, one of {sizes[1]} {times[1]}, in "
            "half of the cases."
        )
    if large["cohorts"] is not None:
        return (
            f"A drop of {sizes[1]} would be noticed {times[1]} in half of the cases, one of "
            f"{sizes[0]} not within a year."
        )
    return f"Not even a drop of {sizes[1]} would be noticed within a year, in half of the cases."


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * (number != 1)}"


def _day(time: int) -> str:
    return f"{as_datetime(time):%Y-%m-%d}"


def _text(lines: Sequence[str]) -> str:
    """Lines, folded on a terminal; programs get them whole."""
    if sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdigit():
        width = max(shutil.get_terminal_size().columns, _NARROWEST)
        lines = [part for line in lines for part in _folded(line, width)]
    return "".join(f"{line}\n" for line in lines)


def _folded(line: str, width: int) -> list[str]:
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return textwrap.wrap(
        line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
