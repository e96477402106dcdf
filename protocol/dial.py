"""One attempt to open a WebSocket to a server, why one was closed, and when to try again."""

import re
from dataclasses import dataclass
from errno import ECONNREFUSED
from http import HTTPStatus
from ipaddress import ip_address
from random import Random
from ssl import SSLCertVerificationError
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import (
    ConnectionClosed,
    InvalidStatus,
    InvalidURI,
    WebSocketException,
)
from websockets.protocol import State
from websockets.typing import Subprotocol

from protocol.errors import ERROR_CODES, PASSING, ConnectionLost, ProtocolError
from protocol.version import CLOSE_REFUSED, CLOSE_REPLACED

MAX_FRAME = 8 * 2**20
"""More than any frame of an honest server."""
MOST_SAID = 500
"""Characters that are shown of what a server says instead of opening a WebSocket."""


@dataclass(frozen=True, slots=True)
class Backoff:
    """The delays between attempts, in seconds from `first` to `longest`, and when to give up.

    `opening` bounds one attempt; `retries` how often a command that is put off is sent again.
    A server that is silent for `ping` is asked for a sign of life, and has as long to give it.
    Where a table is in play it is asked after `table`, where a command goes unanswered after
    `answer`; it has no more than `sign` then, and after each loss twice as long.
    """

    first: float = 0.25
    longest: float = 8.0
    opening: float = 10.0
    give_up_after: float = 60.0
    retries: int = 8
    ping: float = 10.0
    table: float = 4.0
    answer: float = 3.0
    sign: float = 3.0

    def delay(self, attempt: int, rng: Random, at_least: float = 0.0) -> float:
        """The delay before attempt 0, 1, … in seconds; random, so that clients do not come at once.

        `at_least` is the delay that the server asked for.
        """
        doubled: float = self.first * 2**attempt
        return max(0.0, at_least) + rng.uniform(0.5, 1.0) * min(self.longest, doubled)


PATIENT = Backoff()


class ServerSocket(ClientConnection):
    """A WebSocket to a server that records when data came last, parts of messages included."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.heard_at = self.loop.time()

    @property
    def is_open(self) -> bool:
        """Whether neither side has begun to close the socket."""
        return self.state is State.OPEN

    def data_received(self, data: bytes) -> None:
        """Record the time, and process the data."""
        self.heard_at = self.loop.time()
        super().data_received(data)


async def dial(url: str, subprotocol: str, patience: Backoff) -> ServerSocket:
    """An open socket that speaks `subprotocol`.

    `ConnectionLost` if there is no server, `ProtocolError` if it speaks something else or refuses
    clients from this address.
    """
    try:
        socket = await connect(
            url,
            subprotocols=[Subprotocol(subprotocol)],
            compression=None,
            max_size=MAX_FRAME,
            open_timeout=patience.opening,
            # `SilenceWatcher` asks.
            ping_interval=None,
            create_connection=ServerSocket,
            close_timeout=1,
            proxy=None if _is_here(url) else True,
        )
    # It is a ValueError, too.
    except SSLCertVerificationError as error:
        raise ConnectionLost(
            f"{url} shows a certificate that is not trusted here: {error.verify_message}. Is the "
            "address right? An authority of one's own is named by SSL_CERT_FILE=ca.pem"
        ) from None
    # Some broken addresses fail before websockets looks at them.
    except (InvalidURI, ValueError):
        reason = f"{url!r} is no address of a server; one looks like ws://localhost:8765"
        raise ConnectionLost(reason) from None
    except TimeoutError:
        raise ConnectionLost(f"no answer from {url}; is the address right?") from None
    except InvalidStatus as error:
        raise _refusal(url, error) from None
    # ImportError: what a SOCKS proxy needs is not installed.
    except (OSError, WebSocketException, ImportError) as error:
        if _nobody_listens(url, error):
            reason = f"nothing answers at {url}. Is the server running, and on this port?"
        else:
            reason = f"cannot reach {url}: {error}; is the server running?"
        raise ConnectionLost(reason) from None
    assert isinstance(socket, ServerSocket)
    if socket.subprotocol != subprotocol:
        await socket.close()
        raise ProtocolError("version_unsupported", f"{url} does not speak {subprotocol}")
    return socket


def parting(error: ConnectionClosed) -> str:
    """The reason for which the connection was closed; `ProtocolError` if the refusal is final."""
    code, reason = (error.rcvd.code, error.rcvd.reason) if error.rcvd else (None, "")
    refusal = next((known for known in ERROR_CODES if known == reason), None)
    if code in (CLOSE_REPLACED, CLOSE_REFUSED) and refusal and refusal not in PASSING:
        raise ProtocolError(refusal, f"the server closed the connection: {reason}")
    return reason or str(error)


def _refusal(url: str, error: InvalidStatus) -> ConnectionLost | ProtocolError:
    """The error for an HTTP answer instead of a WebSocket; 403 is final."""
    response = error.response
    said = bytes(response.body or b"").decode("utf-8", "replace").partition("\n")[0]
    plain = response.headers.get("Content-Type", "").startswith("text/plain")
    if response.status_code == HTTPStatus.FORBIDDEN and plain and said:
        return ProtocolError("forbidden", said[:MOST_SAID])
    return ConnectionLost(f"cannot reach {url}: {error}; is the server running?")


def _nobody_listens(url: str, error: Exception) -> bool:
    """Whether the machine refused the port at each of its addresses; a proxy has others."""
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "wss" else 80)
    refused = re.findall(rf"\[Errno {ECONNREFUSED}\][^\[]*', {port}[,)]", str(error))
    return 0 < len(refused) == str(error).count("[Errno ")


def _is_here(url: str) -> bool:
    """Whether the server runs on this machine, so that no proxy is needed."""
    try:
        host = urlsplit(url).hostname or ""
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
