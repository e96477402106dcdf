"""Protocol versions and the names of the WebSocket subprotocols."""

VERSION = 1
"""The version this code speaks best."""
OLDEST = 1
"""The oldest version it still understands; a client one behind keeps working."""

MSGPACK = "blackqueen.v1.msgpack"
JSON = "blackqueen.v1.json"
SUBPROTOCOLS = (MSGPACK, JSON)

CLOSE_REPLACED = 4000
"""The WebSocket close code for a connection that a newer one of the same player took over."""
CLOSE_REFUSED = 4001
"""The close code after a refused `hello`. With both codes, the close reason is an error code."""
