"""The command `roclab` in a process of its own, and the numbers it should print."""

import dataclasses
import json
import os
import subprocess
import sys

import roclab as rl
from roclab.inference import Interval

NUMBERS = ("value", "low", "high", "standard_error")


def process(*arguments, **options):
    command = [sys.executable, "-m", "roclab", *map(str, arguments)]
    # What Python sees, not what the process has: readline may have put COLUMNS into that.
    options.setdefault("env", dict(os.environ))
    return subprocess.run(command, capture_output=True, timeout=120, **options)


def rows_of(text):
    return json.loads(text)["rows"]


def numbers(row):
    return {field.name: row[field.name] for field in dataclasses.fields(Interval)}


def expected(frame, model, **options):
    return rl.auc_interval(frame["outcome"], frame[model], **options).to_dict()
