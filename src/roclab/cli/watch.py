"""``roclab watch``: the AUC of a stream, live."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from typing import IO, TYPE_CHECKING, Annotated, Any, Literal

import typer

from roclab.choices import DriftAlternative, EventFormat
from roclab.cli.output import note
from roclab.cli.screens import JSONScreen, Screen, text_screen
from roclab.cli.table import Confidence, Positive, Weight, named_source, optional
from roclab.errors import InputError

if TYPE_CHECKING:
    from roclab.readers.events import EventLines
    from roclab.streaming.drift.detector import BlockDetector
    from roclab.streaming.watcher import StreamWatcher

EXAMPLE = "Example: tail -f events.jsonl | roclab watch --reference-events 10000"


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
        int,
        typer.Option(
            "--reference-events",
            metavar="NUMBER",
            min=0,
            help="Use this many first events as the reference (more if a class is missing).",
        ),
    ] = 0,
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
) -> None:
    """Follow the AUC of a stream of events, and detect changes."""
    # Imported here so that --help is fast.
    from roclab.readers.events import EventLines
    from roclab.readers.opening import open_path
    from roclab.streaming import WindowAUC
    from roclab.streaming.drift.detector import refuse_weights
    from roclab.streaming.watcher import StreamWatcher

    if reference is not None or reference_events:
        refuse_weights(weight)
    if reference is not None and reference_events:
        raise InputError(
            found="{reference} and {reference_events} are two references", fix="Pass one of them."
        )
    source = named_source(file, example="tail -f events.jsonl | roclab watch")
    make = _maker(detector, change, run_length, block)
    lines = EventLines(
        label=label,
        score=score,
        weight=weight,
        positive=positive,
        format=input_format or _format(file),
    )
    watched = StreamWatcher(
        WindowAUC(window),
        every=every,
        confidence_level=confidence,
        detector=None if reference is None else make(*_reference(reference, lines)),
        reference_events=reference_events,
        make_detector=make,
        quiet_events=window,
    )
    stream = open_path(source)[1] if isinstance(source, str) else nullcontext(source)
    with (
        stream as lines_in,
        JSONScreen() if format == "jsonl" else text_screen(watched) as screen,
    ):
        _follow(watched, lines, lines_in, screen)


def _maker(
    detector: str, change: DriftAlternative, run_length: float, block: int | None
) -> Callable[[Any, Any], BlockDetector]:
    from roclab.streaming import BlockCUSUM, BlockEDetector, DriftReference

    def make(y_true: Any, y_score: Any) -> BlockDetector:
        reference = DriftReference(y_true, y_score, per_class=block)
        if reference.pooled_disagrees:
            note(
                f"the mean AUC of blocks of the reference is {reference.block_mean:.3f}, its AUC "
                f"over all pairs {reference.pooled_auc:.3f}: events depend on each other, and only "
                "blocks are compared"
            )
        if reference.varies_slowly:
            note("the AUC of the reference varies slowly: expect more false alarms than stated")
        kind: Any = BlockCUSUM if detector == "cusum" else BlockEDetector
        made: BlockDetector = kind(reference, average_run_length=run_length, alternative=change)
        return made

    return make


def _reference(file: str, lines: EventLines) -> tuple[Any, Any]:
    from roclab.readers import read_scores

    table = read_scores(file, y_true=lines.label, y_score=lines.score, pos_label=lines.positive)
    return table.y_true, table.scores[lines.score]


def _format(file: str | None) -> EventFormat | None:
    """The format that cannot be seen in the first line."""
    return "tsv" if file is not None and file.lower().endswith(".tsv") else None


def _follow(watched: StreamWatcher, lines: EventLines, stream: IO[bytes], screen: Screen) -> None:
    """Go on until the stream ends or the user interrupts."""
    from roclab.readers.events import BadLine
    from roclab.report.stream import bad_lines
    from roclab.streaming import Alarm

    left_out: Counter[str] = Counter()
    positives = 0
    interrupted = False
    try:
        for line in lines.read(stream):
            if isinstance(line, BadLine):
                left_out[line.kind] += 1
                screen.left_out(line, left_out)
                continue
            positives += line.y_true
            for found in watched.update(
                line.y_true, line.y_score, sample_weight=line.sample_weight
            ):
                if isinstance(found, Alarm):
                    screen.alarm(found)
                else:
                    screen.step(found)
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
    last = watched.step()
    if watched.event % watched.every:
        screen.step(last)
    screen.end(
        {
            "events": watched.event,
            "alarms": watched.alarms,
            "left_out": dict(left_out),
            "interrupted": interrupted,
            "last": last.to_dict(),
        }
    )
