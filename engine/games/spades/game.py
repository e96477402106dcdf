"""The play of Spades: who may bid what, what may be played, who takes a trick, what it scores."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random

from engine.cards import SPADES, SYMBOLS, Card, card_text, deck, suit_of, with_pile, without
from engine.choices import NO_CHOICES, Action, Choices
from engine.errors import BadAction, IllegalAction
from engine.facts import AddressedFact, Fact, Seat, Viewer
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
from engine.games.spades.facts import (
    SPADES_BROKEN,
    bid_made,
    bidding_ended,
    blind_nil_bid,
    dealing,
    results_told,
    trick_won,
)
from engine.games.spades.sampling import sample_of
from engine.games.spades.scoring import (
    TeamResult,
    bags_of,
    may_bid_blind,
    nil_value,
    result_of,
    scores_of,
)
from engine.games.spades.state import NIL, NO_BID, SEATS, TEAMS, TRICKS, State
from engine.games.spades.view import LAYOUT, asked, view_of
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
    hand_dealt,
    play_text,
    sorted_hands,
)
from engine.match import options_of
from engine.phrases import Phrase
from engine.refusals import BIDS_FIRST, BIDS_MADE, bid_too_high, must_follow_by, not_held
from engine.tricks import following, trick_winner
from engine.views import View

LOOK: Action = "look"
BLIND_NIL: Action = "blind nil"


class Spades:
    """One deal of Spades; `engine.match.Match` plays deals to the target."""

    info = GameInfo(
        id="spades",
        version=1,
        title="Spades",
        seats=(SEATS,),
        usual_seats=SEATS,
        rules=rules_text("spades"),
        sheet=("bid", "tricks"),
        layout=LAYOUT,
        moves=(
            PLAY,
            BID,
            MoveForm(LOOK, "look at your cards"),
            MoveForm(BLIND_NIL, "bid nil without a look at your cards"),
        ),
    )

    def options(self, seats: int) -> tuple[Option, ...]:
        """The options of a table; all of them are explained in rules.md."""
        check_seats(self.info, seats)
        return (
            Option("target", "points that win the match", 500, low=1, high=10_000),
            Option("floor", "points at which a team has lost", -200, low=-10_000, high=-1),
            Option("bags", "ten overtricks cost 100 points", True),
            Option(
                "nil", "what a nil scores, or costs if it fails", "100", words=("100", "50", "off")
            ),
            Option(
                "blind",
                "who may bid nil blind, for twice as much",
                "behind",
                words=_BLIND,
                depends=_WITH_NIL,
            ),
            Option(
                "nil_tricks",
                "tricks of a failed nil count for the partner's bid",
                False,
                depends=_WITH_NIL,
            ),
            Option("breaking", "no spade is led before one has been played", True),
        )

    def start(self, setup: Setup) -> Step[State]:
        """Start a deal: seed and number give the dealer, and `setup.totals` who may bid blind."""
        options = complete_options(self, setup.seats, setup.options)
        totals = setup.totals or (0,) * SEATS
        dealer = dealer_of(setup.shuffler, SEATS)
        state = State(
            setup=replace(setup, options=options),
            dealer=dealer,
            bags=tuple(bags_of(totals[seats[0]]) for seats in TEAMS),
            hands=sorted_hands(setup.shuffler.shuffled("deal", deck()), SEATS, TRICKS),
            looked=tuple(not may_bid_blind(options, totals, seat) for seat in range(SEATS)),
            bids=(NO_BID,) * SEATS,
            blind=(False,) * SEATS,
            leader=(dealer + 1) % SEATS,
            trick=(),
            taken=((),) * SEATS,
            broken=False,
        )
        return self.begin(state)

    def begin(self, state: State) -> Step[State]:
        """Start a deal from given cards without shuffling: a puzzle, a lesson or a test."""
        return Step(state, tuple(dealing(state)))

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """The seat whose turn it is; nobody once the deal is over."""
        return asked(state)

    def choices(self, state: State, seat: Seat) -> Choices:
        """Bids, cards, or the decision about blind nil; nothing if `seat` may not act now."""
        if seat not in asked(state):
            return NO_CHOICES
        if not state.bidding:
            return Choices(tuple(map(play_text, _playable(state))))
        if not state.looked[seat]:
            return Choices((LOOK, BLIND_NIL))
        return Choices(tuple(map(bid_text, range(_least_bid(state), TRICKS + 1))))

    def prompt(self, state: State, seat: Seat) -> Phrase | None:
        """The question for `seat`: the decision about blind nil, its bid, or a card."""
        if seat not in asked(state):
            return None
        if not state.bidding:
            return ask_card(state.trick, state.hands[seat])
        if not state.looked[seat]:
            return Phrase("ask_blind")
        return Phrase("ask_bid_nil") if _least_bid(state) == NIL else ASK_BID

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        """The deal after a move; `NotYourTurn`, `BadAction` or `IllegalAction` for any other."""
        check_asked(seat, asked(state))
        verb, number = _parse(action)
        if not state.bidding:
            if verb != "play":
                raise IllegalAction(f"{action!r}: the bids are made", BIDS_MADE)
            return _play(state, seat, number)
        if not state.looked[seat]:
            if verb not in (LOOK, BLIND_NIL):
                raise IllegalAction(
                    f"{action!r}: decide first whether to bid nil blind", Phrase("look_first")
                )
            return _look(state, seat, blind=verb == BLIND_NIL)
        if verb != "bid":
            if verb == "play":
                raise IllegalAction(f"{action!r}: bids come first", BIDS_FIRST)
            raise IllegalAction(f"{action!r}: the cards have been seen", Phrase("looked_already"))
        return _bid(state, seat, number)

    def view(self, state: State, viewer: Viewer) -> View:
        """What a viewer sees; engine/games/spades/view.py lists it."""
        return view_of(state, viewer)

    def sample(self, view: View, facts: Sequence[Fact], rng: Random) -> State:
        """A full deal that agrees with what a seat knows, by the options in `view` or defaults."""
        return sample_of(view, facts, complete_options(self, SEATS, options_of(view)), rng)

    def outcome(self, state: State) -> Outcome | None:
        """The scores by seat once the deal is over, equal for partners; None before."""
        if not state.over:
            return None
        return ranked(scores_of(_results(state)), self.info.aim)

    def match_over(self, options: Options, totals: tuple[int, ...], deals: int) -> bool:
        """Whether a team has won or lost; with equal totals another deal is played."""
        best, worst = max(totals), min(totals)
        if best == worst:
            return False
        return best >= int(options["target"]) or worst <= int(options["floor"])


@lru_cache(maxsize=1024)
def _parse(action: Action) -> tuple[str, int]:
    """The verb, and the number bid or the card played; 0 for a verb that stands alone."""
    if action in (LOOK, BLIND_NIL):
        return action, 0
    try:
        return bid_or_play(action)
    except BadAction:
        reason = f"{action!r} is no move; moves look like 'bid 3', 'play QS' or 'look'"
        raise BadAction(reason) from None


_WITH_NIL = {"nil": ("100", "50")}
_BLIND = ("behind", "always", "never")


def _results(state: State) -> list[TeamResult]:
    """The results of the teams in a deal that is over."""
    return [result_of(state, team) for team in range(len(TEAMS))]


def _least_bid(state: State) -> int:
    return 1 if nil_value(state.setup.options) is None else NIL


def _playable(state: State) -> tuple[Card, ...]:
    """The cards that the player to move may play."""
    hand = state.hands[state.turn]
    if state.trick:
        return following(hand, suit_of(state.trick[0]))
    if state.broken or not state.setup.options["breaking"]:
        return hand
    return tuple([card for card in hand if suit_of(card) != SPADES]) or hand


def _look(state: State, seat: Seat, *, blind: bool) -> Step[State]:
    """Give the seat its cards, after or without a blind nil bid."""
    looked = (*state.looked[:seat], True, *state.looked[seat + 1 :])
    after = state._replace(looked=looked)
    if not blind:
        return Step(after, tuple(hand_dealt(seat, after.hands[seat])))
    bids = (*state.bids[:seat], NIL, *state.bids[seat + 1 :])
    blinds = (*state.blind[:seat], True, *state.blind[seat + 1 :])
    after = after._replace(bids=bids, blind=blinds)
    told = (blind_nil_bid(seat, after.turn), *hand_dealt(seat, after.hands[seat]))
    return Step(after, _with_end(after, told))


def _bid(state: State, seat: Seat, number: int) -> Step[State]:
    if number > TRICKS:
        raise IllegalAction(f"'bid {number}': there are only {TRICKS} tricks", bid_too_high(TRICKS))
    if number < _least_bid(state):
        raise IllegalAction(f"'bid {number}': this table knows no nil", Phrase("no_nil"))
    bids = (*state.bids[:seat], number, *state.bids[seat + 1 :])
    after = state._replace(bids=bids)
    return Step(after, _with_end(after, (bid_made(seat, number, after.turn),)))


def _with_end(after: State, told: tuple[AddressedFact, ...]) -> tuple[AddressedFact, ...]:
    """The facts of a bid and, after the last one, of the end of the bidding."""
    return told if after.bidding else (*told, bidding_ended(after))


def _play(state: State, seat: Seat, card: Card) -> Step[State]:
    hand = state.hands[seat]
    if card not in hand:
        raise IllegalAction(
            f"'play {card_text(card)}': there is no such card in the hand", not_held(card)
        )
    if card not in _playable(state):
        words, phrase = _why_not(state)
        raise IllegalAction(f"'play {card_text(card)}': {words}", phrase)
    breaks = not state.broken and suit_of(card) == SPADES
    after = state._replace(
        hands=with_pile(state.hands, seat, without(hand, card)),
        trick=(*state.trick, card),
        broken=state.broken or breaks,
    )
    full = len(after.trick) == SEATS
    told: tuple[AddressedFact, ...] = (card_played(seat, card, None if full else after.turn),)
    if breaks:
        told = (*told, SPADES_BROKEN)
    if not full:
        return Step(after, told)
    step = _end_trick(after)
    return Step(step.state, told + step.facts)


def _why_not(state: State) -> tuple[str, Phrase]:
    """Why a card of the hand may not be played now."""
    if state.trick:
        led = state.trick[0]
        words = f"{SYMBOLS[suit_of(led)]} was led and must be followed"
        return words, must_follow_by(led, _playable(state))
    return "spades are not led before one has been played", Phrase("spades_not_broken")


def _end_trick(full: State) -> Step[State]:
    """Give the full trick to its taker, who leads next; after the last tell the teams' results."""
    taker = (full.leader + trick_winner(full.trick, trump=SPADES)) % SEATS
    taken = with_pile(full.taken, taker, full.taken[taker] + full.trick)
    after = full._replace(leader=taker, trick=(), taken=taken)
    told: tuple[AddressedFact, ...] = (trick_won(after, taker, full.trick),)
    if after.over:
        told = (*told, *results_told(_results(after)))
    return Step(after, told)
