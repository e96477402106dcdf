"""Bots that are not ready yet, in sentences: who plays or advises meanwhile, and for how long."""

from client_cli.names import bot_text, seat_name, strength_text
from client_cli.text import Look
from protocol.mirror import TableMirror
from protocol.strengths import Wished, plainer_strength
from protocol.to_client import GameCard, HintAnswer, Notice


def warm_up_text(notice: Notice, table: TableMirror, look: Look) -> str:
    """What a notice `warming`, `warmed` or `not_warmed` says; without seats it is about hints."""
    if not notice.seats:
        return _about_hints(notice, table)
    names = [seat_name(table.info, seat, look) for seat in notice.seats]
    who, many = _listed(names), len(names) > 1
    plays = _plays(notice, table, many)
    match notice.kind:
        case "warming" if notice.strength is None:
            wait = "This table has a seed, so the match waits: it must be the same every time."
            return f"{who} {'are' if many else 'is'} warming up, {_seconds(notice.seconds)}. {wait}"
        case "warming":
            meanwhile = f"and {plays} meanwhile, for {_seconds(notice.seconds)}"
            return f"{who} {'are' if many else 'is'} warming up {meanwhile}."
        case "warmed":
            return f"{who} {'are' if many else 'is'} ready and {plays} from now on."
        case _:
            return f"{who} cannot be prepared on this server and {plays}."


def plainer_text(card: GameCard, wished: Wished) -> str:
    """That a plainer bot plays than the word means, and how to get the other; else empty."""
    strength = plainer_strength(card, wished)
    if strength is None:
        return ""
    return (
        f"The {wished} bot of {card.title} needs Numba, which the server does not have: the "
        f"{bot_text(strength, card.bots)} plays instead. "
        "To install it: pip install 'blackqueen[strong]'"
    )


def stronger_text(hint: HintAnswer) -> str:
    """Whether a stronger bot will give hints than the plain one that gave this."""
    if hint.seconds is None:
        return "no stronger bot is ready here"
    return f"a stronger hint is being prepared, {_seconds(hint.seconds)}"


def _about_hints(notice: Notice, table: TableMirror) -> str:
    strength = "" if notice.strength is None else strength_text(notice.strength, table.bots)
    match notice.kind:
        case "warming" if notice.strength is None:
            wait = "This table has a seed, so your hint waits: it must be the same every time."
            return f"The bot that gives hints is warming up, {_seconds(notice.seconds)}. {wait}"
        case "warming":
            meanwhile = f"one of strength {strength} gives them meanwhile"
            return (
                f"The bot that gives hints is warming up, {_seconds(notice.seconds)}; {meanwhile}."
            )
        case "warmed":
            return f"The bot that gives hints is ready: strength {strength}."
        case _:
            return (
                "The bot that gives hints cannot be prepared on this server; "
                f"one of strength {strength} gives them."
            )


def _plays(notice: Notice, table: TableMirror, many: bool) -> str:
    seats = table.info.seats
    own = {seats[seat].strength for seat in notice.seats if seat < len(seats)}
    verb = "play" if many else "plays"
    if notice.kind != "warmed" and own == {notice.strength}:
        # A plainer relative stands in, which has no number of its own and never searches.
        return f"{verb} by simple rules of thumb"
    strength = "" if notice.strength is None else strength_text(notice.strength, table.bots)
    return f"{verb} at strength {strength}"


def _seconds(left: float | None) -> str:
    """About how long it takes; the server guesses, so no exact figure is shown.

    >>> _seconds(23)
    'about 25 s'
    """
    seconds = round(left or 1)
    return f"about {seconds if seconds < 10 else 5 * round(seconds / 5)} s"


def _listed(names: list[str]) -> str:
    """``Ada``, ``Ada and Carl``, ``Ada, Blaise and Carl``."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
