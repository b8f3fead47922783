"""Processes of clusters that tests start on this machine, and whether they can."""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import time
from pathlib import Path

JAVA = 17  # the oldest that Spark 4 runs on
PATIENCE = 120.0  # seconds; nothing is concluded from them but that something is broken


def why_not_spark():
    """Why Spark cannot run here; empty if it can."""
    try:
        import pyspark
    except ImportError:
        return "PySpark is not installed; make test-scale installs it"
    if int(pyspark.__version__.split(".")[0]) < 4:
        return f"PySpark {pyspark.__version__} is older than 4"
    home = os.environ.get("JAVA_HOME")
    java = os.path.join(home, "bin", "java") if home else shutil.which("java")
    if java is None or not os.path.exists(java):
        return f"there is no Java; Spark needs a JDK of version {JAVA} or newer"
    said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "(\d+)', said)
    if found is None or int(found[1]) < JAVA:
        return f"Java is {said.splitlines()[0] if said else 'silent'}; Spark needs {JAVA} or newer"
    return ""


def wait_for(condition, what):
    """The first true value of a condition."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.1)
    raise TimeoutError(f"no {what} after {PATIENCE:.0f} s")


def parent_of(pid):
    """The process that started a process; 0 if either is gone."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    return int(status.rpartition(")")[2].split()[1])


def ancestors(pid):
    """The process, its parent and so on."""
    found = []
    while pid > 1:
        found.append(pid)
        pid = parent_of(pid)
    return found


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@contextlib.contextmanager
def started(command, environment, log):
    """A process that ends with the block."""
    with open(log, "wb") as file:
        process = subprocess.Popen(command, env=environment, stdout=file, stderr=file)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
