"""The play of Schnapsen: what a move does, when a deal is over, and what follows a trick."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from engine.cards import Card, Piles, suit_of, with_pile, without
from engine.choices import NO_CHOICES, Action, Choices
from engine.errors import IllegalAction
from engine.facts import Fact, Seat, Viewer
from engine.game import (
    GameInfo,
    MoveForm,
    Option,
    Options,
    Outcome,
    Setup,
    Step,
    check_seats,
    complete_options,
    ranked,
)
from engine.games.rules import rules_text
from engine.games.schnapsen import facts as deal_facts
from engine.games.schnapsen import scoring
from engine.games.schnapsen.cards import LEGEND, jack_of, partner_of, value_of
from engine.games.schnapsen.moves import CLAIM, CLOSE, EXCHANGE, PASS, legal, parse_action, why_not
from engine.games.schnapsen.prompts import prompt
from engine.games.schnapsen.sampling import sample_of
from engine.games.schnapsen.state import EMPTY, ENOUGH, SEATS, Closing, State, dealt
from engine.games.schnapsen.view import LAYOUT, view_of
from engine.games.trick_games import PLAY, card_played, check_asked
from engine.match import options_of
from engine.phrases import Phrase
from engine.tricks import trick_winner
from engine.views import View

_ROYAL, _COMMON = 40, 20
"""What a marriage in trumps counts, and any other."""


class Schnapsen:
    """The rules as a game; engine/games/schnapsen/rules.md tells them to players."""

    info = GameInfo(
        id="schnapsen",
        version=1,
        title="Schnapsen",
        seats=(SEATS,),
        usual_seats=SEATS,
        legend=LEGEND,
        rules=rules_text("schnapsen"),
        layout=LAYOUT,
        moves=(
            PLAY,
            MoveForm("marry", "announce the marriage with", source="hand"),
            MoveForm(EXCHANGE, "exchange the jack of trumps", target="turned"),
            MoveForm(CLOSE, "close the talon", target="talon"),
            MoveForm(CLAIM, "claim 66"),
            MoveForm(PASS, "pass"),
        ),
    )

    def options(self, seats: int) -> tuple[Option, ...]:
        """The length of a match, and the variants; `BadSetup` unless two play."""
        check_seats(self.info, seats)
        return (
            Option("target", "game points that win the match", 7, low=1, high=21),
            Option("min_talon", "cards in the talon to exchange or close", 2, low=2, high=10),
            Option("freeze", "a closer wins by what the opponent had at that time", True),
            Option("claim", "who counts the points", "auto", words=("auto", "manual")),
        )

    def start(self, setup: Setup) -> Step[State]:
        """Start a deal, before the first card."""
        options = complete_options(self, setup.seats, setup.options)
        return self.begin(dealt(replace(setup, options=options)))

    def begin(self, state: State) -> Step[State]:
        """Start a deal from given cards without shuffling: a puzzle, a lesson or a test."""
        return Step(state, tuple(deal_facts.dealing(state)))

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """The seats that may act now; none once the deal is over."""
        return () if state.result else (state.turn,)

    def choices(self, state: State, seat: Seat) -> Choices:
        """Every legal move of `seat`; none if it may not act now."""
        if state.result or seat != state.turn:
            return NO_CHOICES
        return Choices(tuple(legal(state)))

    def prompt(self, state: State, seat: Seat) -> Phrase | None:
        """The question for `seat`: to play a card, and what it may do instead of leading one."""
        return prompt(state) if seat in self.to_act(state) else None

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        """The deal after `action`, and the facts; `NotYourTurn`, `BadAction` or `IllegalAction`."""
        check_asked(seat, self.to_act(state))
        verb, card = parse_action(action)
        if obstacle := why_not(state, verb, card):
            raise IllegalAction(f"{action!r}: {obstacle.words}", obstacle.phrase)
        match verb:
            case "play":
                return _play(state, card)
            case "marry":
                return _marry(state, card)
            case "exchange":
                return _exchange(state)
            case "close":
                return _close(state)
            case "claim":
                return _claim(state)
            case _:
                return _play_out(state)

    def view(self, state: State, viewer: Viewer) -> View:
        """What `viewer` may see, zone by zone (`view_of`)."""
        return view_of(state, viewer)

    def sample(self, view: View, facts: Sequence[Fact], rng: Random) -> State:
        """A full deal that agrees with what a seat knows (`sample_of`)."""
        options = complete_options(self, SEATS, options_of(view))
        return sample_of(view, facts, options, rng)

    def outcome(self, state: State) -> Outcome | None:
        """Game points for the winner, once the deal is over."""
        if state.result is None:
            return None
        scores = [0] * SEATS
        scores[state.result.winner] = state.result.score
        return ranked(scores, self.info.aim)

    def match_over(self, options: Options, totals: tuple[int, ...], deals: int) -> bool:
        """Whether a player has reached the option `target`."""
        return max(totals) >= int(options["target"])


def _play(state: State, card: Card) -> Step[State]:
    seat = state.turn
    trick = (*state.trick, card)
    after = _laid_down(state, seat, card)._replace(trick=trick, announced=EMPTY)
    if len(trick) < SEATS:
        return Step(after, (card_played(seat, card, after.turn),))
    step = _end_trick(after)
    return Step(step.state, (card_played(seat, card, None), *step.facts))


def _marry(state: State, card: Card) -> Step[State]:
    """Announce a marriage; unless players claim, its card is led in the same move."""
    seat, partner = state.leader, partner_of(card)
    assert partner is not None
    pair = (card, partner)
    points = _ROYAL if suit_of(card) == state.trump else _COMMON
    own = state.marriages[seat] + points
    # A card that is led at once need not be shown before.
    seen = (*state.shown[seat],) if state.manual else (*state.shown[seat], card)
    new = tuple(each for each in pair if each not in seen)
    rest = tuple(each for each in state.hands[seat] if each not in new)
    after = state._replace(
        hands=with_pile(state.hands, seat, rest + new),
        shown=with_pile(state.shown, seat, state.shown[seat] + new),
        marriages=(own, state.marriages[1]) if seat == 0 else (state.marriages[0], own),
        announced=card,
    )
    announced = deal_facts.marriage_announced(after, seat, pair, new, points)
    if state.manual:
        return Step(after, announced)
    led = _play(after, card)
    step = _counted(led.state, seat)
    return Step(step.state, (*announced, *led.facts, *step.facts))


def _exchange(state: State) -> Step[State]:
    seat, jack, turned = state.leader, jack_of(state.trump), state.turned
    after = _taken_up(_laid_down(state, seat, jack), seat, turned)._replace(turned=jack)
    return Step(after, (deal_facts.exchanged(seat, jack, turned),))


def _close(state: State) -> Step[State]:
    seat = state.leader
    closing = Closing(seat, state.points(1 - seat), state.tricks(1 - seat))
    return Step(state._replace(closing=closing), (deal_facts.talon_closed(seat),))


def _claim(state: State) -> Step[State]:
    seat = state.leader
    after = state._replace(result=scoring.claimed(state, seat))
    right = state.points(seat) >= ENOUGH
    ended = deal_facts.sixty_six(after, seat) if right else deal_facts.claim_failed(after, seat)
    return Step(after, (deal_facts.claim_made(seat), ended))


def _end_trick(full: State) -> Step[State]:
    """Give the full trick to its taker, who draws first and leads next."""
    taker = full.leader ^ trick_winner(full.trick, trump=full.trump, rank=value_of)
    taken = with_pile(full.taken, taker, full.taken[taker] + full.trick)
    after = full._replace(trick=(), leader=taker, taken=taken)
    first = deal_facts.trick_taken(after, full.trick)
    step = _counted(after, taker)
    if step.state.result is None:
        step = _draw(after)
    if step.state.result is None and not step.state.hands[taker] and not full.manual:
        step = _play_out(step.state)
    return Step(step.state, (first, *step.facts))


def _counted(state: State, seat: Seat) -> Step[State]:
    """End the deal if `seat` has 66 now, unless players have to claim."""
    if state.manual or state.points(seat) < ENOUGH:
        return Step(state)
    after = state._replace(result=scoring.reached(state, seat))
    return Step(after, (deal_facts.sixty_six(after, seat),))


def _draw(state: State) -> Step[State]:
    """Let both players draw while the talon is open, the upturned trump last."""
    if state.strict:
        return Step(state)
    taker, other = state.leader, 1 - state.leader
    first, *rest = state.talon
    after = state._replace(talon=tuple(rest), hands=_with_card(state.hands, taker, first))
    facts = deal_facts.card_drawn(taker, first)
    if rest:
        hands = _with_card(after.hands, other, rest[0])
        after = after._replace(talon=tuple(rest[1:]), hands=hands)
        return Step(after, (*facts, *deal_facts.card_drawn(other, rest[0])))
    after = _taken_up(after, other, state.turned)._replace(turned=EMPTY)
    return Step(after, (*facts, deal_facts.trump_drawn(other, state.turned)))


def _play_out(state: State) -> Step[State]:
    """End a deal whose cards are played: the closer has failed, or the last trick wins."""
    after = state._replace(result=scoring.played_out(state))
    if state.closing is not None:
        return Step(after, (deal_facts.closing_failed(after, state.closing.seat),))
    return Step(after, (deal_facts.played_out(after, state.leader),))


def _laid_down(state: State, seat: Seat, card: Card) -> State:
    """Remove `card` from the hand, shown or not."""
    hands = with_pile(state.hands, seat, without(state.hands[seat], card))
    shown = state.shown
    if card in shown[seat]:
        shown = with_pile(shown, seat, without(shown[seat], card))
    return state._replace(hands=hands, shown=shown)


def _taken_up(state: State, seat: Seat, card: Card) -> State:
    """Add `card` to the hand openly."""
    shown = _with_card(state.shown, seat, card)
    return state._replace(hands=_with_card(state.hands, seat, card), shown=shown)


def _with_card(piles: Piles, seat: Seat, card: Card) -> Piles:
    return with_pile(piles, seat, (*piles[seat], card))
