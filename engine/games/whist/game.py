"""The play of Whist: who may bid what, what may be played, who takes a trick, what it scores."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from engine.cards import SYMBOLS, Card, card_text, deck, suit_of, with_pile, without
from engine.choices import NO_CHOICES, Action, Choices
from engine.errors import IllegalAction
from engine.facts import Fact, Seat, Viewer
from engine.game import (
    GameInfo,
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
from engine.games.trick_games import (
    ASK_BID,
    BID,
    PLAY,
    ask_card,
    bid_or_play,
    bid_text,
    card_played,
    check_asked,
    dealer_of,
    play_text,
    sorted_hands,
)
from engine.games.whist.facts import bid_made, bidding_ended, dealing, trick_won
from engine.games.whist.sampling import sample_of, seats_of
from engine.games.whist.state import NO_BID, State, ladder, largest_hand, score
from engine.games.whist.view import LAYOUT, view_of
from engine.match import options_of
from engine.phrases import Phrase
from engine.refusals import BIDS_FIRST, BIDS_MADE, bid_too_high, must_follow_by, not_held
from engine.tricks import following, trick_winner
from engine.views import View


class Whist:
    """The rules as a game; engine/games/whist/rules.md tells them to players."""

    info = GameInfo(
        id="whist",
        version=1,
        title="Whist",
        seats=tuple(range(3, 8)),
        usual_seats=5,
        rules=rules_text("whist"),
        sheet=("bid", "tricks"),
        cycle=None,
        layout=LAYOUT,
        moves=(PLAY, BID),
    )

    def options(self, seats: int) -> tuple[Option, ...]:
        """The cards of the first deal, hook and score of nil; `BadSetup` for a wrong `seats`."""
        check_seats(self.info, seats)
        largest = largest_hand(seats)
        return (
            Option("cards", "cards a player in the first deal", largest, low=1, high=largest),
            Option("hook", "the bids may not add up to the tricks there are", True),
            Option("nil_score", "what a bid of none scores if it is made", 10, low=0, high=20),
        )

    def start(self, setup: Setup) -> Step[State]:
        """Start a deal: its number gives the hand size and, with the seed, the dealer."""
        seats = setup.seats
        options = complete_options(self, seats, setup.options)
        each = ladder(int(options["cards"]))[setup.shuffler.deal]
        pack = setup.shuffler.shuffled("deal", deck())
        dealer = dealer_of(setup.shuffler, seats)
        state = State(
            setup=replace(setup, options=options),
            cards=each,
            dealer=dealer,
            turned=pack[seats * each],
            stock=pack[seats * each + 1 :],
            hands=sorted_hands(pack, seats, each),
            bids=(NO_BID,) * seats,
            leader=(dealer + 1) % seats,
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
        if state.bidding:
            barred = _barred_bid(state)
            return Choices(tuple(bid_text(n) for n in range(state.cards + 1) if n != barred))
        return Choices(tuple(map(play_text, _playable(state))))

    def prompt(self, state: State, seat: Seat) -> Phrase | None:
        """The question for `seat`: its bid, without the barred one, or a card."""
        if seat not in self.to_act(state):
            return None
        if not state.bidding:
            return ask_card(state.trick, state.hands[seat])
        barred = _barred_bid(state)
        if barred is None or not 0 <= barred <= state.cards:
            return ASK_BID
        return Phrase("ask_last_bid", {"bid": barred, "tricks": state.cards})

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        """The deal after `action`, and the facts; `NotYourTurn`, `BadAction` or `IllegalAction`."""
        check_asked(seat, self.to_act(state))
        verb, number = bid_or_play(action)
        if state.bidding:
            if verb != "bid":
                raise IllegalAction(f"{action!r}: bids come first", BIDS_FIRST)
            return _bid(state, number)
        if verb != "play":
            raise IllegalAction(f"{action!r}: the bids are made", BIDS_MADE)
        return _play(state, number)

    def view(self, state: State, viewer: Viewer) -> View:
        """What `viewer` may see, zone by zone (`view_of`)."""
        return view_of(state, viewer)

    def sample(self, view: View, facts: Sequence[Fact], rng: Random) -> State:
        """A full deal that agrees with what a seat knows (`sample_of`)."""
        given = {"cards": view.number("deals") // 2, **options_of(view)}
        options = complete_options(self, seats_of(view), given)
        return sample_of(view, facts, options, rng)

    def outcome(self, state: State) -> Outcome | None:
        """Scores by bids and tricks, once the deal is over."""
        if not state.over:
            return None
        nil_score = int(state.setup.options["nil_score"])
        scores = [score(bid, state.tricks(seat), nil_score) for seat, bid in enumerate(state.bids)]
        return ranked(scores, self.info.aim)

    def match_over(self, options: Options, totals: tuple[int, ...], deals: int) -> bool:
        """Whether every deal from many cards to one and back has been played."""
        return deals >= len(ladder(int(options["cards"])))


def _barred_bid(state: State) -> int | None:
    """The bid barred to the dealer, which would make the bids add up to the tricks."""
    if state.turn != state.dealer or not state.setup.options["hook"]:
        return None
    return state.cards - sum(bid for bid in state.bids if bid != NO_BID)


def _playable(state: State) -> tuple[Card, ...]:
    hand = state.hands[state.turn]
    return following(hand, suit_of(state.trick[0])) if state.trick else hand


def _bid(state: State, number: int) -> Step[State]:
    seat = state.turn
    if number > state.cards:
        raise IllegalAction(
            f"'bid {number}': there are only {state.cards} tricks", bid_too_high(state.cards)
        )
    if number == _barred_bid(state):
        raise IllegalAction(
            f"'bid {number}': the bids may not add up to {state.cards}",
            Phrase("bids_would_add_up", {"bid": number, "tricks": state.cards}),
        )
    bids = (*state.bids[:seat], number, *state.bids[seat + 1 :])
    after = state._replace(bids=bids)
    made = bid_made(seat, number, after.turn)
    return Step(after, (made,) if after.bidding else (made, bidding_ended(after)))


def _play(state: State, card: Card) -> Step[State]:
    seat = state.turn
    hand = state.hands[seat]
    if card not in hand:
        raise IllegalAction(
            f"'play {card_text(card)}': there is no such card in the hand", not_held(card)
        )
    if card not in _playable(state):
        led = state.trick[0]
        raise IllegalAction(
            f"'play {card_text(card)}': {SYMBOLS[suit_of(led)]} was led and must be followed",
            must_follow_by(led, _playable(state)),
        )
    hands = with_pile(state.hands, seat, without(hand, card))
    after = state._replace(hands=hands, trick=(*state.trick, card))
    if len(after.trick) < state.setup.seats:
        return Step(after, (card_played(seat, card, after.turn),))
    step = _end_trick(after)
    return Step(step.state, (card_played(seat, card, None), *step.facts))


def _end_trick(full: State) -> Step[State]:
    """Give the full trick to its taker, who leads next."""
    taker = (full.leader + trick_winner(full.trick, trump=full.trump)) % full.setup.seats
    taken = with_pile(full.taken, taker, full.taken[taker] + full.trick)
    after = full._replace(leader=taker, trick=(), taken=taken)
    return Step(after, (trick_won(after, taker, full.trick),))
