"""What a command costs of the messages its sender may send: so many as if it were that many.

One is what it costs to receive and to answer a `ping`, some 60 µs of the server's time with its
way through the socket. The others are rounded from what they cost beyond it, measured on one
machine: a snapshot or a list of games 0.2 to 0.4 ms and thousands of bytes, a new table 0.8 ms.
Taking moves back tells a deal again like a snapshot, and writes like a new table. A page of a log
is as long as several snapshots, and for it as for a review a whole log is read from the store; the
playing behind both is bounded where it is done. A hint is 0.5 ms; the work of a bot behind it is
bounded where it is done, by one hint a player. A move costs one, whatever it sets going.
"""

from types import MappingProxyType

PRICES = MappingProxyType(
    {
        "hello": 5,
        "games": 5,
        "list_tables": 3,
        "follow_tables": 5,
        "unfollow_tables": 1,
        "my_tables": 3,
        "create_table": 10,
        "configure": 2,
        "join": 5,
        "sit": 2,
        "leave": 2,
        "ready": 1,
        "add_bot": 2,
        "remove_bot": 2,
        "kick": 2,
        "stand_in": 2,
        "make_host": 2,
        "back": 2,
        "admit": 2,
        "start": 5,
        "act": 1,
        "undo": 10,
        "hint": 4,
        "chat": 2,
        "watch": 5,
        "sync": 5,
        "log": 15,
        "review": 15,
        "add_device": 5,
        "whose_code": 5,
        "devices": 3,
        "revoke_device": 5,
        "rematch": 5,
        "ping": 1,
    }
)
"""The price of each command, by its type."""

STORED_REFUSAL = 10
"""What a refusal costs beside its command if it is stored: nothing has changed, yet it was looked
up and written, because the same command could be carried out later. A command that is carried out
and changes nothing, such as `back` in one's own seat, costs the same."""
