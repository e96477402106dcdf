"""Access rules for the broker: each process reads what is for it, and writes under its own name.

    python -m server.bus.access blackqueen-bus gateway=g1,g2 tables=t1 > acl

prints those of Mosquitto; with `--emqx` those of EMQX. The first word is what the topics begin with
(the path of `--bus`), then come the processes by role, as `--node` calls them; where a process has
several roles, ``gateway,tables=n1``. Each has a user of its own at the broker, whose name is
the process's on the bus: ``gateway.g1``; of several roles that of its tables, or else of its
gateway. The topics are those of `over_courier`: a seat's hidden cards go to its gateway,
which alone may read there. The last level of a topic is the name of its writer, so no process can
speak as another.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from protocol.safe_text import say
from server.bus.over_courier import NAMES
from server.crossing.names import GATEWAY, TABLES, peer_name, process_name

ROLES = (GATEWAY, TABLES)
SPEAKS_TO = {GATEWAY: (TABLES,), TABLES: ROLES}
"""To whom the processes of a role send packets."""


class Access(NamedTuple):
    """What a process may read and write: topics, some with a `+`."""

    name: str
    reads: tuple[str, ...]
    writes: tuple[str, ...]


def accesses(root: str, members: Mapping[str, Sequence[str]]) -> Iterator[Access]:
    """What each process may do; `members` has the names of their nodes by role.

    Processes with several roles are named by these, with commas in between. `ValueError` if a role
    is not known, or if a name fits into no topic or comes twice.
    """
    processes = [(roles.split(","), node) for roles, nodes in members.items() for node in nodes]
    for role in {role for roles in members for role in roles.split(",")} - set(ROLES):
        raise ValueError(f"{role!r} is no role; these are: {', '.join(ROLES)}")
    peers = [(role, peer_name(role, node)) for roles, node in processes for role in roles]
    for peer in peers:
        if not NAMES.fullmatch(peer[1]) or peer[1] in ROLES or peers.count(peer) > 1:
            raise ValueError(f"{peer[1]!r} is no name of a process, or of two of them")
    for roles, node in processes:
        reads, writes = [], []
        for role in roles:
            name = peer_name(role, node)
            reads += [f"{root}/to/{name}/+", f"{root}/alive/+"]
            others = (peer for peer in sorted(peers, key=_rank) if peer[1] != name)
            heard = (other for to, other in others if to in SPEAKS_TO[role])
            writes += [f"{root}/alive/{name}", *(f"{root}/to/{other}/{name}" for other in heard)]
        yield Access(process_name(roles, node), tuple(dict.fromkeys(reads)), tuple(writes))


def _rank(peer: tuple[str, str]) -> int:
    return ROLES.index(peer[0])


def mosquitto_lines(given: Iterator[Access]) -> Iterator[str]:
    """A file for Mosquitto's `acl_file`; what it does not allow is not allowed."""
    for access in given:
        yield f"user {access.name}"
        yield from (f"topic read {topic}" for topic in access.reads)
        yield from (f"topic write {topic}" for topic in access.writes)
        yield ""


def emqx_lines(given: Iterator[Access]) -> Iterator[str]:
    """A file `acl.conf` for EMQX, whose last line refuses everything else."""
    for access in given:
        for verb, topics in (("subscribe", access.reads), ("publish", access.writes)):
            listed = ", ".join(f'"{topic}"' for topic in topics)
            yield f'{{allow, {{user, "{access.name}"}}, {verb}, [{listed}]}}.'
    yield "{deny, all}."


def main(words: Sequence[str] | None = None) -> None:
    """Print the rules; the arguments are those of the command line."""
    parser = argparse.ArgumentParser(prog="python -m server.bus.access")
    parser.add_argument("root", help="what the topics begin with")
    parser.add_argument("members", nargs="+", metavar="ROLE=NODE,…", help=", ".join(ROLES))
    parser.add_argument("--emqx", action="store_true", help="for EMQX in place of Mosquitto")
    arguments = parser.parse_args(words)
    members: dict[str, list[str]] = {}
    for member in arguments.members:
        role, _, names = member.partition("=")
        members.setdefault(role, []).extend(names.split(","))
    lines = emqx_lines if arguments.emqx else mosquitto_lines
    try:
        say(*lines(accesses(arguments.root, members)))
    except ValueError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
