"""Write history.csv: made-up decisions of a credit model, of which one region breaks.

Ten weeks with 95 decisions a day. Whether someone paid late becomes known days after, and of some
never. From 20 April on the model ranks applicants of the north by chance. Run it with
``python examples/make_history.py``.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

OUTPUT = Path(__file__).with_name("history.csv")
SEED = 33
START, DAYS, A_DAY = datetime(2026, 3, 1, tzinfo=UTC), 70, 95
END, BROKEN = START + timedelta(days=DAYS), datetime(2026, 4, 20, tzinfo=UTC)
REGIONS = ("north", "south")
COLUMNS = ("decided_at", "region", "risk", "paid_late", "known_on")
LATE, NEVER_KNOWN, DAYS_TO_KNOW = 0.35, 0.02, 1.5


def decisions() -> Iterator[tuple[str, ...]]:
    """The rows of the file, in the order of time."""
    rng = np.random.default_rng(SEED)
    seconds = np.sort(rng.integers(0, DAYS * 86_400, DAYS * A_DAY))
    for second in seconds.tolist():
        decided = START + timedelta(seconds=second)
        region, late = rng.choice(REGIONS), rng.random() < LATE
        broken = region == "north" and decided >= BROKEN
        logit = rng.normal() - 1.5 + 1.8 * (late and not broken)
        # On the day after it happened.
        known = decided + timedelta(days=1 + rng.exponential(DAYS_TO_KNOW))
        missing = rng.random() < NEVER_KNOWN or known >= END
        yield (
            f"{decided:%Y-%m-%dT%H:%MZ}",
            str(region),
            f"{1 / (1 + np.exp(-logit)):.3f}",
            "" if missing else str(int(late)),
            "" if missing else f"{known:%Y-%m-%d}",
        )


def main() -> None:
    """Write the file."""
    with OUTPUT.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(decisions())


if __name__ == "__main__":
    main()
