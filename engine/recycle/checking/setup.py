"""Checks of players, teams and decks: within the limits, and each once."""

from collections.abc import Iterable
from math import prod

from engine.recycle import syntax
from engine.recycle.checking.scopes import Scope, seen
from engine.recycle.limits import TextLimits
from engine.recycle.problems import Code, Report
from engine.recycle.syntax import Node


def check(game: syntax.Game, report: Report, limits: TextLimits) -> None:
    """Report impossible players, teams and decks."""
    players = _players(game, report, limits)
    for here in seen(game):
        match here.node:
            case syntax.CreateTeams() as teams:
                _teams(teams, players, game.numbering, report)
            case syntax.NumberedPlayer(syntax.Integer(number)):
                last = players - 1 + game.numbering
                if players and not game.numbering <= number <= last:
                    expected = f"a number from {game.numbering} to {last}"
                    report(Code.BAD_PLAYERS, here.node.at, "there is no such player", expected)
            case syntax.CreateDeck(attributes=attributes) as deck:
                _repeated(attributes, (), report)
                times = prod(_times(node, here.scope) for node in here.around)
                if times * prod(map(_size, attributes)) > limits.cards:
                    message, expected = "too many cards", f"at most {limits.cards}"
                    report(Code.TOO_MANY_CARDS, deck.at, message, expected)


def _players(game: syntax.Game, report: Report, limits: TextLimits) -> int:
    """The number of players, or 0 after a report."""
    scope: dict[str, Node] = {each.variable: each.value for each in game.declarations}
    node: Node = game.setup.players
    while isinstance(node, syntax.Variable) and node.name in scope:
        node = scope.pop(node.name)
    if isinstance(node, syntax.Integer) and 1 <= node.value <= limits.players:
        return node.value
    if not isinstance(node, syntax.Variable):
        message, expected = "no number of players", f"a number from 1 to {limits.players}"
        report(Code.BAD_PLAYERS, game.setup.players.at, message, expected)
    return 0


def _teams(teams: syntax.CreateTeams, players: int, numbering: int, report: Report) -> None:
    seats = [seat for team in teams.teams for seat in team]
    if len(set(seats)) < len(seats):
        report(Code.BAD_TEAMS, teams.at, "a player is in two teams", "each player once")
    if players and not all(0 <= seat < players for seat in seats):
        expected = f"numbers from {numbering} to {players - 1 + numbering}"
        hint = "players count from 0 where a team mentions a player 0, else from 1"
        report(Code.BAD_TEAMS, teams.at, "a player whom there is not", expected, hint)


def _repeated(
    attributes: Iterable[syntax.DeckAttribute], known: tuple[str, ...], report: Report
) -> tuple[str, ...]:
    """The keys that a card has after `attributes`; a key that comes twice is reported."""
    for attribute in attributes:
        if attribute.key and attribute.key in known:
            message, expected = "these cards have this attribute already", "another name"
            report(Code.REPEATED_ATTRIBUTE, attribute.at, message, expected)
        inner = known = (*known, attribute.key)
        for value in attribute.values:
            found = _repeated(value.attributes, inner, report)
            known = (*known, *(key for key in found if key not in known))
    return known


def _size(attribute: syntax.DeckAttribute) -> int:
    """The number of cards that an attribute's values and their attributes make."""
    return sum(prod(map(_size, value.attributes)) for value in attribute.values)


def _times(node: Node, scope: Scope) -> int:
    """How often `node` runs its body, as far as the text tells."""
    match node:
        case syntax.Repeat(syntax.Integer(times)):
            return times
    return 1
