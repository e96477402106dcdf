"""Access rules of a broker for public events: servers write below their prefix, all may read there.

    python -m server.events.access blackqueen cards > acl

prints those of Mosquitto; with `--emqx` those of EMQX. The first word is what the topics begin with
(the path of `--events`), then come the users as whom servers come in there. Nodes that share a
database tell their events below one prefix, and may share one user.
"""

import argparse
from collections.abc import Iterator, Sequence

from protocol.safe_text import say
from server.events.broker import checked_prefix


def mosquitto_lines(prefix: str, users: Sequence[str]) -> Iterator[str]:
    """Return a file for Mosquitto's `acl_file`, which allows nothing else."""
    # Whoever comes in without a user, and then whoever has one.
    yield f"topic read {prefix}/#"
    yield f"pattern read {prefix}/#"
    for user in users:
        yield ""
        yield f"user {user}"
        yield f"topic readwrite {prefix}/#"


def emqx_lines(prefix: str, users: Sequence[str]) -> Iterator[str]:
    """Return a file `acl.conf` for EMQX, whose last line refuses everything else."""
    for user in users:
        yield f'{{allow, {{user, "{user}"}}, publish, ["{prefix}/#"]}}.'
    yield f'{{allow, all, subscribe, ["{prefix}/#"]}}.'
    yield "{deny, all}."


def main(words: Sequence[str] | None = None) -> None:
    """Print the rules; the arguments are those of the command line."""
    description = "Access rules of an MQTT broker for public events, and for nothing else."
    parser = argparse.ArgumentParser(prog="python -m server.events.access", description=description)
    parser.add_argument("prefix", help="what the topics begin with")
    parser.add_argument("users", nargs="+", metavar="USER", help="as whom servers come in")
    parser.add_argument("--emqx", action="store_true", help="for EMQX in place of Mosquitto")
    arguments = parser.parse_args(words)
    lines = emqx_lines if arguments.emqx else mosquitto_lines
    try:
        prefix = checked_prefix(arguments.prefix)
        if not all(user.isprintable() and not set(user) & set('" #+') for user in arguments.users):
            raise ValueError('the name of a user has no ", #, + or space here')
    except ValueError as error:
        parser.error(str(error))
    say(*lines(prefix, arguments.users))


if __name__ == "__main__":
    main()
