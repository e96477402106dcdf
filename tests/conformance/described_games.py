"""The viewers of each pile of our described games, written independently of the descriptions."""

from collections.abc import Mapping

from tests.conformance.subject import Sight

_TRICKS = {"stock": Sight.NOBODY, "hand": Sight.OWNER, "trick": Sight.EVERYBODY}

SIGHTS: Mapping[str, Mapping[str, Sight]] = {
    "Agram": {**_TRICKS, "taken": Sight.EVERYBODY},
    "BlackQueen": {
        **_TRICKS,
        "covered": Sight.NOBODY,
        "open": Sight.EVERYBODY,
        "taken": Sight.EVERYBODY,
    },
    "BlindMan": {
        "stock": Sight.NOBODY,
        "forehead": Sight.OTHERS,
        "shown": Sight.EVERYBODY,
        "discard": Sight.EVERYBODY,
    },
    "Bouquet": {"garden": Sight.NOBODY, "hand": Sight.OWNER, "bunch": Sight.EVERYBODY},
    "Carnival": {
        "stock": Sight.NOBODY,
        "cut": Sight.NOBODY,
        "hand": Sight.OWNER,
        **dict.fromkeys(("red", "green", "blue", "yellow", "gold"), Sight.EVERYBODY),
    },
    "CrazyEights": {"stock": Sight.NOBODY, "hand": Sight.OWNER, "pile": Sight.EVERYBODY},
    "Cribbage": {
        "stock": Sight.NOBODY,
        "hand": Sight.OWNER,
        "crib": Sight.NOBODY,
        "starter": Sight.EVERYBODY,
        "table": Sight.EVERYBODY,
    },
    "GoFish": {
        "pool": Sight.NOBODY,
        "hand": Sight.OWNER,
        "books": Sight.EVERYBODY,
        "caught": Sight.EVERYBODY,
    },
    "Golf": {
        "stock": Sight.NOBODY,
        "down": Sight.NOBODY,
        "up": Sight.EVERYBODY,
        "discard": Sight.EVERYBODY,
        "drawn": Sight.OWNER,
        "taken": Sight.EVERYBODY,
    },
    "Goofspiel": {
        "prizes": Sight.NOBODY,
        "bids": Sight.NOBODY,
        **dict.fromkeys(("hand", "prize", "bid", "won", "lost", "spent"), Sight.EVERYBODY),
    },
    "Hearts": {**_TRICKS, "taken": Sight.EVERYBODY},
    "Klaverjassen": {**_TRICKS, "taken": Sight.EVERYBODY},
    "NinetyEight": {"stock": Sight.NOBODY, "hand": Sight.OWNER, "pile": Sight.EVERYBODY},
    "Pairs": {
        "stock": Sight.NOBODY,
        "burnt": Sight.NOBODY,
        "row": Sight.EVERYBODY,
        "penalty": Sight.EVERYBODY,
        "discard": Sight.EVERYBODY,
    },
    "Rummy": {
        "stock": Sight.NOBODY,
        "hand": Sight.OWNER,
        "discard": Sight.EVERYBODY,
        "meld": Sight.EVERYBODY,
    },
    "SixtySix": {
        "talon": Sight.NOBODY,
        "turned": Sight.EVERYBODY,
        "hand": Sight.OWNER,
        "trick": Sight.EVERYBODY,
        "won": Sight.EVERYBODY,
    },
    "Whist": {**_TRICKS, "turned": Sight.EVERYBODY, "taken": Sight.EVERYBODY},
}
"""By family and kind of zone."""
