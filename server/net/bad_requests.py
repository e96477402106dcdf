"""Answers to invalid HTTP requests, whose connection would otherwise just end."""

from http import HTTPStatus

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import InvalidMessage

BODY = ("unsupported request body", "transfer codings aren't supported")
"""How the parser names a request that has a body."""
NO_BODY = "a request here has no body: ask for pages with GET or HEAD\n"
NO_REQUEST = "this is no request that can be answered here\n"


class AnsweringConnection(ServerConnection):
    """Answers an invalid request with its error before the connection ends."""

    __slots__ = ("_is_refused",)

    def send_data(self) -> None:
        """Send the waiting bytes, and first the answer if a request is refused without one."""
        failure = self.protocol.handshake_exc
        if isinstance(failure, InvalidMessage) and not hasattr(self, "_is_refused"):
            self._is_refused = True
            # Nobody waits for an answer to a request that ends before it is over.
            if not isinstance(failure.__cause__, EOFError):
                has_body = str(failure.__cause__) in BODY
                self.transport.write(_bad_request(NO_BODY if has_body else NO_REQUEST))
        super().send_data()


def _bad_request(words: str) -> bytes:
    status = HTTPStatus.BAD_REQUEST
    head = (
        f"HTTP/1.1 {status.value} {status.phrase}\r\nConnection: close\r\n"
        "Content-Type: text/plain; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\n"
        f"Content-Length: {len(words)}\r\n\r\n"
    )
    return (head + words).encode()
