"""``roclab`` on a clock that tests set, so that hours pass in seconds.

``SET_CLOCK`` in the environment names a file with the time that the clock shows.
"""

import os
import sys
import time
from pathlib import Path


class SetClock:
    """A clock that processes share by a file, and that stands still until it is set."""

    def __init__(self, path):
        self.path = Path(path)

    def set(self, now):
        """Let it show a time, in microseconds."""
        new = self.path.with_suffix(".new")
        new.write_text(str(now))
        new.replace(self.path)

    def now(self):
        """Its time, in microseconds."""
        return int(self.path.read_text())


if __name__ == "__main__":
    clock = SetClock(os.environ["SET_CLOCK"])
    time.time_ns = lambda: clock.now() * 1000
    from roclab.cli import main

    sys.exit(main())
