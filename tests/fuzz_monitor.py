"""Attack a monitor by its own description: no request may make it fail.

``python tests/fuzz_monitor.py schemathesis [examples]`` starts a monitor at loopback and lets the
command schemathesis ask it: once with any names, and once about a model that has rows.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.request
from pathlib import Path

EXAMPLES = 10
SETTINGS = '[server]\nrequire_tokens = true\n[[alerts.channel]]\ntype = "log"\nname = "log"\n'
# Names and times have more rules than a schema says: what follows it may be refused.
LEFT_OUT = "positive_data_acceptance"
STREAM = "/v1/events"  # which never ends
# Of what exists; the second run does not remove it.
KNOWN = '[parameters]\n"path.model" = "credit"\n"path.name" = "log"\n'


def main(command: str, examples: int) -> int:
    """Run both; return the exit code."""
    program = Path(shutil.which(command) or command).absolute()
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        (folder / "monitor.toml").write_text(SETTINGS)
        (folder / "known.toml").write_text(KNOWN)
        (folder / "any.toml").write_text("")
        monitor = subprocess.Popen(
            [
                *(sys.executable, "-m", "roclab", "monitor", "serve", "--port", "0"),
                *("--data", str(folder / "data"), "--config", str(folder / "monitor.toml")),
            ],
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            address, token, log = started(monitor)
            feed(address, token)
            common = [
                *("run", f"{address}/v1/openapi.json", "-H", f"Authorization: Bearer {token}"),
                *("--exclude-path", STREAM, "--exclude-checks", LEFT_OUT, "--seed", "1"),
                *("--max-examples", str(examples), "--warnings", "off"),
            ]
            codes = [
                subprocess.run(
                    [program, "--config-file", str(folder / config), *common, *more], cwd=folder
                ).returncode
                for config, more in (
                    ("known.toml", ["--exclude-method", "DELETE", "--phases", "fuzzing"]),
                    ("any.toml", ["--phases", "coverage,fuzzing"]),
                )
            ]
            alive = json.loads(asked(f"{address}/readyz", token))["status"] == "ok"
        finally:
            monitor.terminate()
            monitor.wait(30)
    failed = [line for line in log if '"level": "error"' in line]
    sys.stderr.writelines(failed)
    return int(any(codes) or not alive or bool(failed) or monitor.returncode != 0)


def started(monitor: "subprocess.Popen[str]") -> tuple[str, str, list[str]]:
    """Address, first token, and the list that its log goes to."""
    address = token = None
    log: list[str] = []
    assert monitor.stderr is not None
    for line in monitor.stderr:
        log.append(line)
        address = address or re.search(r"http://127\.0\.0\.1:\d+", line)
        token = token or re.search(r"rlm_[\w-]+", line)
        if address and token:
            break
    assert address, "".join(log)
    assert token, "".join(log)
    threading.Thread(target=lambda: log.extend(monitor.stderr or ()), daemon=True).start()
    return address[0], token[0], log


def feed(address: str, token: str) -> None:
    """Rows of a model, so that there is something to ask about."""
    rows = [
        {
            "model": "credit",
            "id": str(one),
            "score": one % 17 / 17,
            "label": one % 3 == 0,
            "version": "1",
            "segments": {"region": "north" if one % 2 else "south"},
        }
        for one in range(500)
    ]
    asked(f"{address}/v1/predictions", token, rows)


def asked(address: str, token: str, content: object = None) -> bytes:
    """The answer to a question, or to rows."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    body = None if content is None else json.dumps(content).encode()
    request = urllib.request.Request(address, body, headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return bytes(answer.read())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else EXAMPLES))
