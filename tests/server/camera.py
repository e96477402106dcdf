"""A game seen by a camera above the table: where every card lies, and who has been shown it.

Written from the rules alone and without the engine, to judge what a server sends. It is told how a
deal was dealt and which moves were made; the rest it works out. Here is what any such camera can
tell.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Protocol, TypeAlias

from engine import Viewer

TOKEN = re.compile(r"(?<![0-9A-Za-z])[2-9TJQKA][CDSH](?![0-9A-Za-z])")
"""A card wherever it stands in a text."""

Reveal: TypeAlias = tuple[str, str, str]
"""From where, to where, and which card: one face that goes over the table."""


class Camera(Protocol):
    """One moment of a deal."""

    def played(self, seat: int, action: str) -> "Camera":
        """The next moment."""
        ...

    def moved(self, viewer: Viewer) -> Iterable[Reveal]:
        """The faces `viewer` saw move on the way to this moment from the one before."""
        ...

    def dealt(self, viewer: Viewer) -> Iterable[Reveal]:
        """The faces `viewer` sees when this moment is laid on the table."""
        ...

    def shown(self, viewer: Viewer) -> Mapping[str, Counter[str]]:
        """The faces `viewer` may see now, by zone."""
        ...

    def tokens(self, viewer: Viewer) -> AbstractSet[str]:
        """Every card that `viewer` may be told of."""
        ...

    def spoken(self, viewer: Viewer) -> AbstractSet[str]:
        """Those that may be named to the viewer without being moved."""
        ...

    def allowed(self, seat: int) -> set[str]:
        """What `seat` may do now."""
        ...
