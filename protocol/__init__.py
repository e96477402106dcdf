"""What a client and a server say to each other. docs/protocol.md tells how it works.

    to_server, to_client     the messages, one closed union a direction
    message, table_settings  what they are made of: room for news; how a table is run
    codec, parse, wire_form  frames to messages and back; what the server sends, by hand
    client                   the client's session without I/O: resend and resume
    followed_tables, mirror  the tables that the session follows, and one of them: fold
    features                 the names of what came later
    client_events            what the session tells its owner
    connection, dial         the asyncio shell around the session
    awaited_answers          the commands whose senders wait there
    listing                  a server's public tables, page after page
    strengths                how strong a bot is, by number or in a word
    typed, texts             from what people type to moves, from facts to words
    lines, exits             client programs in a pipe: JSON lines, exit codes
    asyncapi, reference      the written reference

Only what costs nothing to import is here; take the rest from its module.
"""

from protocol.errors import ERROR_CODES, ConnectionLost, ErrorCode, ProtocolError
from protocol.version import JSON, MSGPACK, OLDEST, SUBPROTOCOLS, VERSION

__all__ = [
    "ERROR_CODES",
    "JSON",
    "MSGPACK",
    "OLDEST",
    "SUBPROTOCOLS",
    "VERSION",
    "ConnectionLost",
    "ErrorCode",
    "ProtocolError",
]
