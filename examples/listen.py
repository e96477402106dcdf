"""Says what happens at every public table of a server, and whose turn it is.

    python listen.py localhost 1883 blackqueen

Needs aiomqtt. docs/events.md explains the topics and the messages.
"""

import asyncio
import json
import sys

from aiomqtt import Client, ProtocolVersion


async def listen(host: str, port: int, prefix: str) -> None:
    """Print until somebody ends it."""
    async with Client(host, port, protocol=ProtocolVersion.V5) as broker:
        await broker.subscribe(f"{prefix}/#")
        async for message in broker.messages:
            if not message.payload:
                continue  # A table is closed, and what the broker kept of it is gone.
            said = json.loads(message.payload)
            if said["type"] == "server":
                print("The server is", "there." if said["online"] else "gone.", flush=True)
            elif said["type"] == "turn" and said["players"]:
                print(said["table"], "It is", said["players"][0]["name"] + "'s turn.", flush=True)
            elif said.get("text"):
                print(said["table"], said["text"], flush=True)


asyncio.run(listen(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
