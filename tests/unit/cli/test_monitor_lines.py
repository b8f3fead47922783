"""What the commands of the monitor print."""

import pytest

from roclab.cli.monitor_lines import check_lines
from roclab.monitor.settings import Settings


def outlook(*, cohorts=None, missing=0, to_go=0, problem=None):
    """The prospects of a stream: what it would notice, or what its reference lacks."""
    notice = [
        {"drop": drop, "cohorts": one, "days": one, "within": 365}
        for drop, one in zip((0.05, 0.1), cohorts or (), strict=False)
    ]
    return {
        "stream": "credit",
        "missing_blocks": missing,
        "cohorts_to_go": to_go,
        "days_to_go": to_go,
        "problem": problem,
        "notice": notice,
    }


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            outlook(cohorts=(20, 1)),
            "A drop of 0.05 would be noticed within 20 days, one of 0.10 within 1 day, in half of "
            "the cases.",
        ),
        (
            outlook(cohorts=(None, 200)),
            "A drop of 0.10 would be noticed within 200 days in half of the cases, one of 0.05 not "
            "within a year.",
        ),
        (
            outlook(cohorts=(None, None)),
            "Not even a drop of 0.10 would be noticed within a year, in half of the cases.",
        ),
        (
            outlook(missing=12, to_go=24),
            "The reference lacks 12 mature days, at the present pace about 24 days more.",
        ),
        (outlook(missing=30, to_go=None), "The reference lacks 30 mature days; none has come yet."),
        (
            outlook(missing=1, to_go=None, problem="There is no room for a drop."),
            "The reference cannot be used: There is no room for a drop.",
        ),
    ],
)
def test_what_could_be_noticed(monkeypatch, found, said):
    monkeypatch.delenv("COLUMNS", raising=False)
    model = {"model": "credit", "period": "day", "streams": 1, "learning": 0, "whole": found}
    content = {"store": "x", "problems": [], "models": [{**model, "worst_segment": None}]}
    lines = check_lines(Settings(), content).splitlines()
    assert lines[2:] == ["credit: 1 stream", f"  {said}"]
