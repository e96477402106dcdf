"""One connection's side of the protocol, without the connection."""

from server.session.rate import TokenBucket
from server.session.session import Session

__all__ = ["Session", "TokenBucket"]
