"""The `opening` of the page by `blackqueen play --browser`, sent once to the browser with the key.

A link that names by itself what is to be opened could come from anybody, and open tables in a
player's name. So the program that starts its own server gives the server this and a key, and the
link has the key alone.
"""

from hmac import compare_digest

PATH = "/opening"
BEARER = "Bearer "


class Opening:
    """The setting `opening` in `said`: the key, a blank, and the JSON for the page."""

    def __init__(self, said: str | None) -> None:
        self._key, _, self._told = (said or "").partition(" ")

    def take(self, authorization: str) -> bytes | None:
        """Return the page's JSON for the header `Authorization`; None for a wrong key."""
        expected = f"{BEARER}{self._key}".encode()
        if not self._key or not compare_digest(authorization.encode("utf-8", "replace"), expected):
            return None
        self._key = ""
        return self._told.encode()
