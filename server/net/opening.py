"""What `blackqueen play --browser` has its page open: told to the browser that has the key, once.

A link that says by itself what is to be opened could come from anybody, and open tables in
somebody's name. So the program that starts its own server gives it that with a key, and the link
names the key alone.
"""

from hmac import compare_digest

PATH = "/opening"
BEARER = "Bearer "


class Opening:
    """`said` is the setting `opening`: the key, a blank, and the JSON that the page is told."""

    def __init__(self, said: str | None) -> None:
        self._key, _, self._told = (said or "").partition(" ")

    def take(self, authorization: str) -> bytes | None:
        """What the page is told for the header `Authorization`; None for any but the key."""
        expected = f"{BEARER}{self._key}".encode()
        if not self._key or not compare_digest(authorization.encode("utf-8", "replace"), expected):
            return None
        self._key = ""
        return self._told.encode()
