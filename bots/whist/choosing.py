"""The moves to try, and the decision after a race between them."""

from collections.abc import Sequence
from dataclasses import replace

from bots.bot import Candidate, Decision, Measure
from bots.search.racing import Race
from bots.whist.knowledge import Knowledge
from bots.whist.simulation import BID
from bots.whist.worlds import Worlds
from engine.cards import parse_card
from engine.choices import Action
from engine.games.whist import NO_BID


def move_of(action: Action) -> int:
    """The number of an action in a search: a card, or `BID` and the bid."""
    verb, what = action.split(" ")
    return BID + int(what) if verb == "bid" else parse_card(what)


def moves_to_try(actions: Sequence[Action], worlds: Worlds) -> list[int]:
    """All bids, or of equivalent cards the highest; in order."""
    numbers = [move_of(action) for action in actions]
    if worlds.known.bids[worlds.known.seat] == NO_BID:
        return numbers
    cards = worlds.cards()
    wanted = {next(card for card in cards if card >= number) for number in numbers}
    return [card for card in cards if card in wanted]


def decision_of(
    actions: Sequence[Action], moves: Sequence[int], race: Race, measure: Measure
) -> Decision:
    """The winner, and every action with the standing of its move; `measure` says of what.

    An untried card has the value of the next higher card of the hand that was tried.
    """
    standings = race.standings()
    candidates = []
    chosen = actions[0]
    for action in actions:
        number = move_of(action)
        at = next(at for at, move in enumerate(moves) if move >= number)
        candidates.append(Candidate(action, standings[at].worth, standings[at].why()))
        if number == moves[race.best]:
            chosen = action
    return Decision(chosen, tuple(candidates), measure=measure)


def never_too_low(decision: Decision, known: Knowledge) -> Decision:
    """The decision, or the best other bid if that is below the certain tricks.

    Two bids that fail in every world are equally good to a search.
    """
    if known.bids[known.seat] != NO_BID:
        return decision
    if move_of(decision.action) - BID >= known.certain:
        return decision
    by = decision.by
    possible = [each for each in decision.candidates if move_of(each.action) - BID >= known.certain]
    if not possible:
        return decision
    best = max(possible, key=lambda each: each.value if by == "value" else each.why[by])
    return replace(decision, action=best.action)
