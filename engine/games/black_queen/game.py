"""The play of Black Queen: what may be played, who takes a trick, what is turned up, who wins."""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import chain
from random import Random

from engine.cards import (
    SYMBOLS,
    Card,
    Suit,
    card_text,
    deck,
    parse_card,
    suit_of,
    with_pile,
    without,
)
from engine.choices import NO_CHOICES, Action, Choices
from engine.errors import BadAction, IllegalAction
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
from engine.games.black_queen.cards import pack, points, score
from engine.games.black_queen.facts import card_flipped, dealing, trick_taken
from engine.games.black_queen.sampling import sample_of
from engine.games.black_queen.state import EMPTY, State, with_card
from engine.games.black_queen.view import LAYOUT, view_of
from engine.games.black_queen.view import column as column_zone
from engine.games.rules import rules_text
from engine.games.trick_games import ask_card, card_played, check_asked
from engine.phrases import Phrase
from engine.refusals import must_follow
from engine.tricks import Ties, trick_winner
from engine.views import View

_MOVE = re.compile(r"play ([2-9TJQKA][CDSH])(?:@([1-9][0-9]?))?")
# EMPTY is in none of these sets.
_ANY_CARD = frozenset(deck())
_OF_SUIT = tuple(
    frozenset(card for card in deck() if suit_of(card) == suit) for suit in range(len(SYMBOLS))
)


class BlackQueen:
    """The rules as a game; engine/games/black_queen/rules.md tells them to players."""

    info = GameInfo(
        id="black_queen",
        version=1,
        title="Black Queen",
        seats=tuple(range(2, 9)),
        usual_seats=4,
        rules=rules_text("black_queen"),
        layout=LAYOUT,
        moves=(MoveForm("play", "play", source="hand", target="trick", slots="column"),),
    )

    def options(self, seats: int) -> tuple[Option, ...]:
        """The number of deals and of face-down cards a player; `BadSetup` for a wrong `seats`."""
        check_seats(self.info, seats)
        held = len(pack(seats)) // seats
        return (
            Option("deals", "deals in a match", 4, low=1, high=100),
            Option("columns", "face-down cards a player", held // 3, low=0, high=held // 2),
        )

    def start(self, setup: Setup) -> Step[State]:
        """Deal each seat its face-down cards, the face-up cards on them, and then the hand."""
        seats = setup.seats
        columns = int(complete_options(self, seats, setup.options)["columns"])
        cards = setup.shuffler.shuffled("deal", pack(seats))
        held = len(cards) // seats
        piles = [cards[seat * held : (seat + 1) * held] for seat in range(seats)]
        first = setup.shuffler.of_match().below("leader", seats)
        state = State(
            setup=setup,
            hands=tuple(tuple(sorted(pile[2 * columns :])) for pile in piles),
            up=tuple(pile[columns : 2 * columns] for pile in piles),
            down=tuple(pile[:columns] for pile in piles),
            leader=(setup.shuffler.deal + first) % seats,
            trick=(),
            taken=((),) * seats,
        )
        return self.begin(state)

    def begin(self, state: State) -> Step[State]:
        """Start a deal from given cards without shuffling: a puzzle, a lesson or a test."""
        return Step(state, tuple(dealing(state)))

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """The seats that may act now; none once the deal is over."""
        return () if state.over else (state.turn,)

    def choices(self, state: State, seat: Seat) -> Choices:
        """Every legal move of `seat`; none if it may not act now."""
        if state.over or seat != state.turn:
            return NO_CHOICES
        suit = _must_follow(state, seat)
        allowed = _ANY_CARD if suit is None else _OF_SUIT[suit]
        from_hand = sorted(allowed.intersection(state.hands[seat]))
        from_columns = [
            _play(card, column)
            for column, card in enumerate(state.up[seat], start=1)
            if card in allowed
        ]
        return Choices((*map(_play, from_hand), *from_columns))

    def prompt(self, state: State, seat: Seat) -> Phrase | None:
        """The question for `seat`: to play a card of its hand or an open one."""
        if seat not in self.to_act(state):
            return None
        open_cards = (card for card in state.up[seat] if card != EMPTY)
        return ask_card(state.trick, (*state.hands[seat], *open_cards))

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        """The deal after `action`, and the facts; `NotYourTurn`, `BadAction` or `IllegalAction`."""
        check_asked(seat, self.to_act(state))
        card, column = _parse(action)
        hands, up = state.hands, state.up
        hand, row = hands[seat], up[seat]
        if card not in (row[column - 1 : column] if column else hand):
            raise IllegalAction(
                f"{action!r}: there is no such card to play",
                Phrase("not_in_hand", {"card": action.partition(" ")[2]}),
            )
        follows = not state.trick or suit_of(card) == suit_of(state.trick[0])
        if not follows and (suit := _must_follow(state, seat)) is not None:
            either = (move.partition(" ")[2] for move in self.choices(state, seat).actions)
            raise IllegalAction(
                f"{action!r}: {SYMBOLS[suit]} was led and must be followed",
                must_follow(state.trick[0], either),
            )
        if column:
            up = with_pile(up, seat, with_card(row, column, EMPTY))
        else:
            hands = with_pile(hands, seat, without(hand, card))
        trick = (*state.trick, card)
        after = state._replace(hands=hands, up=up, trick=trick)
        source = column_zone(seat, column) if column else None
        if len(trick) == len(hands):
            step = _end_trick(after)
            return Step(step.state, (card_played(seat, card, None, source), *step.facts))
        return Step(after, (card_played(seat, card, after.turn, source),))

    def view(self, state: State, viewer: Viewer) -> View:
        """What `viewer` may see, zone by zone (`view_of`)."""
        return view_of(state, viewer)

    def sample(self, view: View, facts: Sequence[Fact], rng: Random) -> State:
        """A full deal that agrees with what a seat knows (`sample_of`)."""
        return sample_of(view, facts, rng)

    def outcome(self, state: State) -> Outcome | None:
        """Scores by what each seat took, once the deal is over."""
        if not state.over:
            return None
        everything = points(chain.from_iterable(state.taken))
        return ranked([score(pile, everything) for pile in state.taken], self.info.aim)

    def match_over(self, options: Options, totals: tuple[int, ...], deals: int) -> bool:
        """Whether the option `deals` has been reached."""
        return deals >= int(options["deals"])


def _must_follow(state: State, seat: Seat) -> Suit | None:
    """The suit that `seat` must play, in hand or face up; None if any card is allowed."""
    if not state.trick:
        return None
    led = suit_of(state.trick[0])
    of_suit = _OF_SUIT[led]
    void = of_suit.isdisjoint(state.hands[seat]) and of_suit.isdisjoint(state.up[seat])
    return None if void else led


@cache
def _play(card: Card, column: int = 0) -> Action:
    return f"play {card_text(card)}@{column}" if column else f"play {card_text(card)}"


@lru_cache(maxsize=1024)
def _parse(action: Action) -> tuple[Card, int]:
    """Card and column of ``play QS@5``; column 0 is the hand."""
    match = _MOVE.fullmatch(action)
    if match is None:
        raise BadAction(f"{action!r} is no move; moves look like 'play QS' or 'play QS@5'")
    card, column = match.groups()
    return parse_card(card), int(column or 0)


def _end_trick(full: State) -> Step[State]:
    """Give the full trick to its taker, who leads next, and turn up uncovered cards."""
    seats = full.setup.seats
    taker = (full.leader + trick_winner(full.trick, ties=Ties.LAST)) % seats
    taken = with_pile(full.taken, taker, full.taken[taker] + full.trick)
    up, down, flipped = list(full.up), list(full.down), []
    for seat, column in _bare(full):
        card = down[seat][column - 1]
        up[seat] = with_card(up[seat], column, card)
        down[seat] = with_card(down[seat], column, EMPTY)
        flipped.append(card_flipped(seat, column, card))
    after = full._replace(up=tuple(up), down=tuple(down), leader=taker, trick=(), taken=taken)
    return Step(after, (trick_taken(after, taker, full.trick), *flipped))


def _bare(state: State) -> list[tuple[Seat, int]]:
    """The seat and column of every face-down card that has lost its cover."""
    return [
        (seat, column)
        for seat, row in enumerate(state.up)
        if EMPTY in row
        for column, (up, down) in enumerate(zip(row, state.down[seat], strict=True), start=1)
        if up == EMPTY != down
    ]
