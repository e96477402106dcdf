"""Protocol versions and the names of the WebSocket subprotocols."""

VERSION = 1
"""The version this code speaks best."""
OLDEST = 1
"""The oldest version it still understands; a client one behind keeps working."""

MSGPACK = "blackqueen.v1.msgpack"
JSON = "blackqueen.v1.json"
SUBPROTOCOLS = (MSGPACK, JSON)
