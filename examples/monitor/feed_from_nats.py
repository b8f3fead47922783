"""Feed the monitor from a stream of NATS: a message has the fields of a prediction, in JSON.

A message is acknowledged when the monitor has it on disk. What is sent twice, after a crash on
either side, does no harm: the monitor knows its id. Needs the package nats-py.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys

import nats

from roclab.monitor import Client

SERVER, SUBJECT = "nats://127.0.0.1:4222", "predictions"
MONITOR = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8711"


async def main() -> None:
    """Pass on batches of up to 1,000 messages, for ever."""
    client = Client(MONITOR)
    stream = (await nats.connect(SERVER)).jetstream()
    messages = await stream.pull_subscribe(SUBJECT, durable="monitor")
    while True:
        try:
            batch = await messages.fetch(1000, timeout=1)
        except TimeoutError:  # nothing has come
            continue
        for one in batch:
            try:
                client.log_prediction(**json.loads(one.data))
            except (TypeError, ValueError) as error:  # no JSON, or fields that there are not
                logging.warning("%s: %s", error, one.data)
        while not await asyncio.to_thread(client.flush):  # until the monitor has them
            pass
        for one in batch:
            await one.ack()


if __name__ == "__main__":
    asyncio.run(main())
