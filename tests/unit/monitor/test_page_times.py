"""Times as the monitor's page says them, in node."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import roclab

SCRIPT = Path(roclab.__file__).parent / "monitor" / "page" / "format.js"
NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="node, which runs the page's script, is missing")
@pytest.mark.parametrize(
    ("since", "period", "zone", "said"),
    [
        ("2026-11-04T00:00Z", "day", "UTC", "15 days ago"),  # 15.8 by the clock
        ("2026-04-21T00:00Z", "day", "UTC", "212 days ago"),
        ("2026-11-18T00:00Z", "day", "UTC", "1 day ago"),
        ("2026-11-19T00:00Z", "day", "UTC", "today"),
        ("2026-11-16T00:00Z", "week", "UTC", "3 days ago"),
        # There it is the 20th already; summer time began in between, with a shorter day.
        ("2026-09-30T15:00Z", "day", "Australia/Sydney", "50 days ago"),
        ("2026-11-19T16:10Z", "hour", "UTC", "4 hours ago"),
        ("2026-11-04T04:00Z", "hour", "UTC", "15 days ago"),
    ],
)
def test_a_cohort_began_as_many_days_ago_as_its_date_says(tmp_path, since, period, zone, said):
    module = tmp_path / "format.mjs"
    module.write_text(SCRIPT.read_text(encoding="utf-8"), encoding="utf-8")
    program = (
        f"import {{ cohortAgo }} from {json.dumps(module.as_uri())};"
        "Date.now = () => Date.parse('2026-11-19T20:10Z');"
        f"process.stdout.write(cohortAgo({json.dumps(since)}, '{period}', '{zone}'));"
    )
    run = subprocess.run(
        [NODE, "--input-type=module", "-e", program], capture_output=True, text=True, check=True
    )
    assert run.stdout == said
