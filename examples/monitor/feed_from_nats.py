"""Feed the monitor from a stream of NATS: a message is a row of ``POST /v1/predictions``, in JSON.

A message is acknowledged when the monitor has it on disk. What is sent twice, after a crash on
either side, does no harm: the monitor knows its id. Needs the package nats-py.
"""

from __future__ import annotations

import asyncio
import json
import sys
import urllib.error
import urllib.request

import nats

SERVER, SUBJECT = "nats://127.0.0.1:4222", "predictions"
MONITOR = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8711"


def sent(rows: list[bytes]) -> bool:
    """Whether the monitor has the rows; if not, they are to be sent again."""
    try:
        body = b"\n".join(row.replace(b"\n", b" ") for row in rows)  # one a line
        kind = {"Content-Type": "application/x-ndjson"}
        request = urllib.request.Request(f"{MONITOR}/v1/predictions", body, kind)
        with urllib.request.urlopen(request, timeout=60) as answer:
            refused = json.load(answer)
    except urllib.error.HTTPError as error:
        if error.code in (429, 503):  # busy, or the disk is full
            return False
        if error.code != 422:  # no token, or larger than the limits allow
            raise
        refused = json.load(error)
    except OSError:  # it is being restarted
        return False
    for row in refused["rows"]:
        if row["outcome"] == "rejected":
            print(row["reason"], rows[row["row"]], file=sys.stderr)
    return True


async def main() -> None:
    """Pass on batches of up to 1,000 messages, for ever."""
    stream = (await nats.connect(SERVER)).jetstream()
    messages = await stream.pull_subscribe(SUBJECT, durable="monitor")
    while True:
        try:
            batch = await messages.fetch(1000, timeout=1)
        except TimeoutError:  # nothing has come
            continue
        while batch and not await asyncio.to_thread(sent, [one.data for one in batch]):
            await asyncio.sleep(1)
        for one in batch:
            await one.ack()


if __name__ == "__main__":
    asyncio.run(main())
