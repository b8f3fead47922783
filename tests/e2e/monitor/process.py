"""A monitor in a process of its own, that tests ask, kill and start again."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

SET_CLOCK = Path(__file__).with_name("set_clock.py")
DEADLINE = 60.0  # seconds, for whatever is waited for


class Monitor:
    """``roclab monitor serve`` on a directory and a free port.

    Parameters
    ----------
    directory : Path
        Directory of the store.
    config : Path, optional
        Settings in TOML.
    clock : SetClock, optional
        The clock of the process; by default the real one.
    """

    def __init__(self, directory, config=None, clock=None):
        self.directory, self.config, self.clock = directory, config, clock
        self.process = None
        self.port = None
        self.lines = []  # of standard error, of all processes
        self._listens = threading.Event()

    def spawn(self):
        """Start a process, and do not wait for it."""
        more = [] if self.config is None else ["--config", str(self.config)]
        self.port = None
        self._listens = threading.Event()
        self.process = subprocess.Popen(
            [
                *command(self.clock),
                *("monitor", "serve", "--data", str(self.directory), "--port", "0", *more),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(self.clock),
        )
        threading.Thread(target=self._read, args=(self.process, self._listens)).start()

    def _read(self, process, listens):
        with process.stderr as lines:
            for line in lines:
                self.lines.append(line)
                found = re.search(r"the monitor is at http://127\.0\.0\.1:(\d+)", line)
                if found and process is self.process:
                    self.port = int(found[1])
                    listens.set()
        listens.set()

    def start(self):
        """Start a process, and wait until it listens."""
        self.spawn()
        self.wait_until_it_listens()
        return self

    def wait_until_it_listens(self):
        assert self._listens.wait(DEADLINE), "".join(self.lines[-20:])
        assert self.port is not None, "".join(self.lines[-20:])

    def kill(self):
        """End it as a power cut of the process would."""
        self.process.kill()
        assert self.process.wait(DEADLINE) == -signal.SIGKILL
        self.port = None

    def terminate(self):
        """Ask it to end; return the exit code."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(DEADLINE)
        self.port = None
        return code

    def stop(self):
        """End it if it runs."""
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait(DEADLINE)

    def ask(self, method, path, content=None, timeout=DEADLINE):
        """Send a request; return status, headers and content of the answer."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)) as line:
            body = None if content is None else json.dumps(content)
            line.request(method, path, body)
            answer = line.getresponse()
            return answer.status, answer.headers, json.loads(answer.read())

    def get(self, path):
        """Ask for something that is there."""
        status, _, content = self.ask("GET", path)
        assert status == 200, content
        return content


def command(clock=None):
    """The command ``roclab``, on the real clock or on one that tests set."""
    return [sys.executable, *(["-m", "roclab"] if clock is None else [str(SET_CLOCK)])]


def environment(clock=None):
    """The environment of a process."""
    return {**os.environ, **({} if clock is None else {"SET_CLOCK": str(clock.path)})}


def run(*arguments, clock=None, timeout=DEADLINE):
    """Run a command to its end; return the completed process."""
    return subprocess.run(
        [*command(clock), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=timeout,
        env=environment(clock),
    )


def eventually(found, seconds=DEADLINE):
    """Ask until the answer is true; return it."""
    end = time.monotonic() + seconds
    while not (answer := found()):
        assert time.monotonic() < end, "it did not come to pass in time"
        time.sleep(0.01)
    return answer
