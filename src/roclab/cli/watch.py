"""``roclab watch``: the AUC of a stream, live."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, Literal

import typer

from roclab.checks.choices import DriftAlternative, EventFormat
from roclab.cli.messages import shell_message
from roclab.cli.output import note
from roclab.cli.screens import JSONScreen, Screen, text_screen
from roclab.cli.table import Confidence, Positive, Separator, Weight, named_source, optional
from roclab.errors import InputError, Parameter

if TYPE_CHECKING:
    from roclab.readers.events import EventLines
    from roclab.streaming.drift.reference import DriftReference
    from roclab.streaming.watcher import StreamWatcher

EXAMPLE = "Example: tail -f events.jsonl | roclab watch --reference-events 10000"
_ALARM = 3  # exit code
_OF_TEXT = {"", ".csv", ".tsv", ".gz", ".zst"}  # suffixes


def watch(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE",
            help="Events, one a line: JSON lines, or CSV or TSV with a header. - or nothing: "
            "standard input.",
            show_default=False,
        ),
    ] = None,
    label: Annotated[
        str, typer.Option("--label", metavar="COLUMN", help="Column with the true labels.")
    ] = "label",
    score: Annotated[
        str,
        typer.Option(
            "--score", metavar="COLUMN", help="Column with the scores, higher for positives."
        ),
    ] = "score",
    positive: Positive = None,
    weight: Weight = None,
    window: Annotated[
        int,
        typer.Option(
            "--window", metavar="SIZE", min=1, help="Number of events in the sliding window."
        ),
    ] = 1000,
    every: Annotated[
        int,
        typer.Option(
            "--every", metavar="NUMBER", min=1, help="Number of events between two steps."
        ),
    ] = 100,
    reference: Annotated[
        str | None,
        optional(
            "--reference",
            "FILE",
            "Reference table with the same columns, in the order of events: alarm when the AUC of "
            "blocks differs from that of its blocks.",
        ),
    ] = None,
    reference_events: Annotated[
        int | None,
        typer.Option(
            "--reference-events",
            metavar="NUMBER",
            min=1,
            help="Use this many first events as the reference (more if a class is missing). "
            "Default, without --reference: as many as make 30 blocks that do not depend on each "
            "other.",
            show_default=False,
        ),
    ] = None,
    no_detector: Annotated[
        bool, typer.Option("--no-detector", help="Follow the AUC only, and detect no changes.")
    ] = False,
    detector: Annotated[
        Literal["e-detector", "cusum"],
        typer.Option(
            "--detector",
            help="Drift detector: an e-detector, or a CUSUM of blocks.",
        ),
    ] = "e-detector",
    change: Annotated[
        DriftAlternative,
        typer.Option("--change", help="Change to detect: a lower AUC, a higher one, or both."),
    ] = "less",
    run_length: Annotated[
        float,
        typer.Option(
            "--run-length",
            metavar="EVENTS",
            min=2,
            help="Average number of events to a false alarm.",
        ),
    ] = 1_000_000,
    block: Annotated[
        int | None,
        typer.Option(
            "--block",
            metavar="NUMBER",
            min=1,
            help="Number of examples of each class in a block. Default: chosen from the reference.",
            show_default=False,
        ),
    ] = None,
    confidence: Confidence = 0.95,
    format: Annotated[
        Literal["table", "jsonl"],
        typer.Option("--format", help="Output format: a table, or one JSON object per line."),
    ] = "table",
    input_format: Annotated[
        EventFormat | None,
        typer.Option(
            "--input-format",
            help="Format of FILE. Default: tsv by its name; JSON lines if the first line begins "
            "with a brace, otherwise csv.",
            show_default=False,
        ),
    ] = None,
    separator: Separator = None,
    decimal: Annotated[
        str | None, optional("--decimal", "SIGN", "Decimal sign in CSV or TSV: . or , Default: .")
    ] = None,
    exit_code: Annotated[
        bool,
        typer.Option(
            "--exit-code", help="Exit with 3 after an alarm, with 2 if none was possible."
        ),
    ] = False,
) -> None:
    """Follow the AUC of a stream of events, and detect changes."""
    # Imported here so that --help is fast.
    from roclab.readers.events import EventLines
    from roclab.readers.opening import open_path
    from roclab.streaming import DetectorSettings, StreamWatcher, WindowAUC
    from roclab.streaming.drift.reference import least_events

    _check_together(no_detector, exit_code, reference, reference_events, weight)
    source = named_source(file, example="tail -f events.jsonl | roclab watch")
    settings = DetectorSettings(
        detector=detector, alternative=change, average_run_length=run_length, per_class=block
    )
    lines = EventLines(
        label=label,
        score=score,
        weight=weight,
        positive=positive,
        format=input_format or _format(file),
        separator=separator,
        decimal=decimal,
    )
    watches = not no_detector and weight is None
    table = None if reference is None else settings.make_reference(*_reference(reference, lines))
    if table is not None:
        _note_dependence(table)
    made_of_first = watches and table is None
    watched = StreamWatcher(
        WindowAUC(window),
        every=every,
        confidence_level=confidence,
        detector=None if table is None else settings.make_detector(table),
        reference_events=reference_events if watches else 0,
        detector_settings=settings if made_of_first else None,
    )
    stream = open_path(source)[1] if isinstance(source, str) else nullcontext(source)
    grows = made_of_first and reference_events is None
    begin = {
        "detector": detector if watches else None,
        "reference": ("first events" if reference is None else "file") if watches else None,
        "reference_events": max(watched.reference_missing, least_events(block) if grows else 0),
        "reference_grows": grows,
        "weight": weight,
    }
    with (
        stream as lines_in,
        JSONScreen() if format == "jsonl" else text_screen(watched) as screen,
    ):
        _follow(watched, table, lines, lines_in, screen, begin)
    if exit_code and watched.alarms:
        raise typer.Exit(_ALARM)
    if exit_code and watched.not_watched is not None:
        raise InputError(
            found="No alarm was possible, so {exit_code} has no result to report",
            fix="Pass more events, or a {reference}.",
        )


def _check_together(
    no_detector: bool,
    exit_code: bool,
    reference: str | None,
    reference_events: int | None,
    weight: str | None,
) -> None:
    """Check options that exclude each other."""
    given = {"exit_code": exit_code, "reference": reference, "reference_events": reference_events}
    named = [name for name, value in given.items() if value]
    if no_detector and named:
        raise InputError(
            found="{no_detector} and {other} contradict each other",
            fix="Leave out one of them.",
            other=Parameter(named[0]),
        )
    if named and weight is not None:
        raise InputError(
            found="Drift detectors take no weights",
            fix="Leave out {sample_weight} or {other}.",
            other=Parameter(named[0]),
        )
    if reference is not None and reference_events is not None:
        raise InputError(
            found="{reference} and {reference_events} are two references", fix="Pass one of them."
        )


def _note_dependence(reference: DriftReference) -> None:
    if reference.pooled_disagrees:
        note(
            f"the mean AUC of blocks of the reference is {reference.block_mean:.3f}, its AUC "
            f"over all pairs {reference.pooled_auc:.3f}: events depend on each other, and only "
            "blocks are compared"
        )
    if reference.varies_slowly:
        note("the AUC of the reference varies slowly: expect more false alarms than stated")


def _reference(file: str, lines: EventLines) -> tuple[Any, Any]:
    from roclab.readers import read_scores

    text = Path(file).suffix.lower() in _OF_TEXT
    table = read_scores(
        file,
        y_true=lines.label,
        y_score=lines.score,
        pos_label=lines.positive,
        separator=lines.separator if text else None,
        decimal=lines.decimal if text else None,
    )
    return table.y_true, table.scores[lines.score]


def _format(file: str | None) -> EventFormat | None:
    """The format that cannot be seen in the first line."""
    return "tsv" if file is not None and file.lower().endswith(".tsv") else None


def _follow(
    watched: StreamWatcher,
    reference: DriftReference | None,
    lines: EventLines,
    stream: IO[bytes],
    screen: Screen,
    begin: dict[str, Any],
) -> None:
    """Go on until the stream ends or the user interrupts."""
    from roclab.data.table import MissingValues
    from roclab.readers.events import BadLine
    from roclab.report.documents.rows import missing_notes
    from roclab.report.stream import bad_lines
    from roclab.streaming import Alarm

    left_out: Counter[str] = Counter()
    positives = 0
    interrupted = False
    waits = True
    try:
        for number, line in enumerate(lines.read(stream)):
            if number == 0:
                for one in missing_notes(MissingValues(separator=lines.detected_separator)):
                    note(one.text)
            if isinstance(line, BadLine):
                left_out[line.kind] += 1
                screen.left_out(line, left_out)
                continue
            positives += line.y_true
            if not watched.event:  # an error before the first event is all that is written
                screen.begin(begin)
            found = watched.update(line.y_true, line.y_score, sample_weight=line.sample_weight)
            if waits and reference is None and watched.reference is not None:
                _note_dependence(watched.reference)
            known = reference or watched.reference
            if waits and known is not None:
                waits = False
                screen.reference(watched.event - watched.watched_events, known)
            for each in found:
                if isinstance(each, Alarm):
                    screen.alarm(each)
                else:
                    screen.step(each)
    except KeyboardInterrupt:
        interrupted = True  # the usual way to end it, no error
    if left_out and not watched.event:
        raise InputError(
            found="No line is an event; {lines}",
            fix="Check {y_true}, {y_score}, {pos_label} and {format}.",
            lines=bad_lines(left_out),
        )
    if lines.positive is not None and watched.event and not positives:
        note(f"no event has the label {lines.positive} that --positive names")
    if watched.reference_error is not None:
        note(shell_message(watched.reference_error, "watch"))
    if not watched.event:
        screen.begin(begin)
    last = watched.step()
    if watched.event % watched.every:
        screen.step(last)
    why = watched.not_watched if begin["weight"] is None else "weights"
    screen.end(
        {
            "events": watched.event,
            "watched_events": watched.watched_events,
            "alarms": watched.alarms if why is None else None,
            "not_watched": why,
            "reference_missing": watched.reference_missing,
            "left_out": dict(left_out),
            "interrupted": interrupted,
            "last": last.to_dict(),
        }
    )
