"""Reads and writes the common frame without the parser: one whole message, not compressed.

All other frames are left to the parser: parts of messages, control frames, frames that came in
pieces or several at once, and violations of the standard (RFC 6455, section 5.2).
"""

try:
    from websockets.speedups import apply_mask
except ImportError:  # where websockets was built without a compiler
    from websockets.utils import apply_mask

TEXT, BINARY = 0x81, 0x82
"""The first byte of a whole message."""
MASKED = 0x80
"""In the second byte: the data is masked, as all that a client sends has to be."""


def message_in(data: bytes) -> bytes | str | None:
    """Return the message in `data` if that is exactly one whole and masked frame, else None."""
    size = len(data)
    if size < 6 or (data[0] != BINARY and data[0] != TEXT):
        return None
    length, mask = data[1] - MASKED, 2
    if length == 126:
        length, mask = int.from_bytes(data[2:4], "big"), 4
    elif length == 127:
        # So much is never read at once.
        return None
    if length < 0 or size != mask + 4 + length:
        return None
    payload = apply_mask(data[mask + 4 :], data[mask : mask + 4])
    if data[0] == BINARY:
        return payload
    try:
        return payload.decode()
    except UnicodeDecodeError:
        return None


def framed(message: bytes | str) -> bytes:
    """Return a whole message as a server's frame: one frame, which is not masked."""
    if isinstance(message, str):
        first, payload = TEXT, message.encode()
    else:
        first, payload = BINARY, message
    size = len(payload)
    if size < 126:
        return bytes((first, size)) + payload
    if size < 65_536:
        return b"%c\x7e%b%b" % (first, size.to_bytes(2, "big"), payload)
    return b"%c\x7f%b%b" % (first, size.to_bytes(8, "big"), payload)
