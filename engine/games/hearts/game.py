"""The play of Hearts: what is passed, what may be played, who takes a trick, what it scores."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from engine.cards import SYMBOLS, Card, card_text, card_texts, deck, suit_of, with_pile, without
from engine.choices import NO_CHOICES, Action, Choices, Pick
from engine.errors import IllegalAction
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
from engine.games.hearts.cards import (
    ALL_POINTS,
    HEART_CARDS,
    OF_SUIT,
    PENALTY_CARDS,
    TWO_OF_CLUBS,
    parse_action,
    points,
)
from engine.games.hearts.facts import (
    HEARTS_BROKEN,
    cards_chosen,
    cards_exchanged,
    dealing,
    moon_shot,
    trick_taken,
)
from engine.games.hearts.rule_sets import RULE_SETS
from engine.games.hearts.sampling import sample_of
from engine.games.hearts.state import NOBODY, PASSED, SEATS, State, giver_to, receiver_of
from engine.games.hearts.view import LAYOUT, asked, view_of
from engine.games.rules import rules_text
from engine.games.trick_games import (
    PLAY,
    ask_card,
    card_played,
    check_asked,
    play_text,
    sorted_hands,
)
from engine.match import options_of
from engine.phrases import Phrase
from engine.refusals import must_follow_by, not_held
from engine.tricks import trick_winner
from engine.views import View

_STANDARD = {"rules": ("standard",)}
"""The other set of rules decides for itself."""


class Hearts:
    """The rules as a game; engine/games/hearts/rules.md tells them to players."""

    info = GameInfo(
        id="hearts",
        version=1,
        title="Hearts",
        seats=(SEATS,),
        usual_seats=SEATS,
        aim="low",
        rules=rules_text("hearts"),
        cycle=4,
        layout=LAYOUT,
        moves=(PLAY, MoveForm("pass", "pass", source="hand", target="passing", own=True)),
    )

    def options(self, seats: int) -> tuple[Option, ...]:
        """The rule set, what a moon scores, and the target; `BadSetup` unless four play."""
        check_seats(self.info, seats)
        return (
            Option("rules", "set of rules", "standard", words=tuple(RULE_SETS)),
            Option(
                "moon",
                "who scores when all points are taken (standard rules)",
                "others",
                words=("others", "shooter"),
                depends=_STANDARD,
            ),
            Option(
                "target",
                "points that end the match (standard rules)",
                100,
                low=1,
                high=1000,
                depends=_STANDARD,
            ),
        )

    def start(self, setup: Setup) -> Step[State]:
        """Start a deal: cards are passed first unless this is a deal without passing."""
        options = complete_options(self, setup.seats, setup.options)
        rules = RULE_SETS[str(options["rules"])]
        cards = setup.shuffler.shuffled("deal", deck())
        shift = rules.shifts[setup.shuffler.deal % len(rules.shifts)]
        state = State(
            setup=replace(setup, options=options),
            hands=sorted_hands(cards, SEATS, len(cards) // SEATS),
            shift=shift,
            passed=((),) * SEATS,
            leader=NOBODY,
            trick=(),
            taken=((),) * SEATS,
            broken=False,
        )
        return self.begin(state if shift else state._replace(leader=_first_leader(state)))

    def begin(self, state: State) -> Step[State]:
        """Start a deal from given cards without shuffling: a puzzle, a lesson or a test."""
        return Step(state, tuple(dealing(state)))

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """The seats that may act now; none once the deal is over."""
        return asked(state)

    def choices(self, state: State, seat: Seat) -> Choices:
        """Every legal move of `seat`; none if it may not act now."""
        if seat not in asked(state):
            return NO_CHOICES
        if state.passing:
            return Choices(picks=(Pick("pass", card_texts(state.hands[seat]), PASSED, PASSED),))
        return Choices(tuple(map(play_text, _playable(state))))

    def prompt(self, state: State, seat: Seat) -> Phrase | None:
        """The question for `seat`: to pass cards to another player, or to play a card."""
        if seat not in asked(state):
            return None
        if state.passing:
            receiver = receiver_of(seat, state.shift)
            return Phrase("ask_pass", {"count": PASSED, "receiver": receiver})
        return ask_card(state.trick, state.hands[seat])

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        """The deal after `action`, and the facts; `NotYourTurn`, `BadAction` or `IllegalAction`."""
        check_asked(seat, asked(state))
        cards = parse_action(action)
        if state.passing != (len(cards) == PASSED):
            wanted = "cards are passed first" if state.passing else "no cards are passed now"
            phrase = Phrase("pass_first", {"count": PASSED}) if state.passing else Phrase("no_pass")
            raise IllegalAction(f"{action!r}: {wanted}", phrase)
        if state.passing:
            return _pass(state, seat, cards)
        return _play(state, seat, cards[0])

    def view(self, state: State, viewer: Viewer) -> View:
        """What `viewer` may see, zone by zone (`view_of`)."""
        return view_of(state, viewer)

    def sample(self, view: View, facts: Sequence[Fact], rng: Random) -> State:
        """A full deal that agrees with what a seat knows, by the options in `view` or defaults."""
        return sample_of(view, facts, complete_options(self, SEATS, options_of(view)), rng)

    def outcome(self, state: State) -> Outcome | None:
        """The points of each seat, changed by a moon, once the deal is over."""
        if not state.over:
            return None
        scores = list(map(points, state.taken))
        if ALL_POINTS in scores:
            shooter = scores.index(ALL_POINTS)
            if state.rules.moon_of(state.setup.options) == "shooter":
                scores[shooter] = -ALL_POINTS
            else:
                scores = [0 if seat == shooter else ALL_POINTS for seat in range(SEATS)]
        return ranked(scores, self.info.aim)

    def match_over(self, options: Options, totals: tuple[int, ...], deals: int) -> bool:
        """Whether the match is over by its rule set."""
        return RULE_SETS[str(options["rules"])].match_over(options, totals, deals)


def _first_leader(state: State) -> Seat:
    """The seat with the two of clubs, or seat 0 if the rule set has no opening."""
    if not state.rules.opening:
        return 0
    return next(seat for seat, cards in enumerate(state.hands) if TWO_OF_CLUBS in cards)


def _playable(state: State) -> tuple[Card, ...]:
    """The cards that the player to move may play."""
    hand = state.hands[state.turn]
    opening = state.first_trick and state.rules.opening
    barred: frozenset[Card] = frozenset()
    if state.trick:
        of_suit = OF_SUIT[suit_of(state.trick[0])]
        if following := tuple([card for card in hand if card in of_suit]):
            return following
        if opening:
            barred = PENALTY_CARDS
    elif opening:
        return (TWO_OF_CLUBS,)
    elif not state.broken:
        barred = HEART_CARDS
    return tuple([card for card in hand if card not in barred]) or hand


def _why_not(state: State, card: Card) -> tuple[str, Phrase]:
    """Why a card may not be played, as far as its player's hand tells."""
    hand = state.hands[state.turn]
    if card not in hand:
        return "there is no such card in the hand", not_held(card)
    if not state.trick:
        if state.first_trick and state.rules.opening:
            first = card_text(TWO_OF_CLUBS)
            return f"{first} is led first", Phrase("must_lead", {"card": first})
        return "hearts are not led before one has been played", Phrase("hearts_not_broken")
    led = state.trick[0]
    if any(suit_of(held) == suit_of(led) for held in hand):
        words = f"{SYMBOLS[suit_of(led)]} was led and must be followed"
        return words, must_follow_by(led, _playable(state))
    words = "no card that counts may be played to the first trick"
    return words, Phrase("no_points_in_first_trick")


def _pass(state: State, seat: Seat, cards: tuple[Card, ...]) -> Step[State]:
    """Lay cards aside; when all seats have chosen, the cards change hands."""
    hand = state.hands[seat]
    text = " ".join(card_texts(cards))
    if not set(cards) <= set(hand):
        lacking = next(card for card in cards if card not in hand)
        raise IllegalAction(
            f"'pass {text}': there are no such cards in the hand", not_held(lacking)
        )
    if list(cards) != sorted(set(cards)):
        raise IllegalAction(
            f"'pass {text}': name different cards, in the order of the hand",
            Phrase("pass_different", {"count": PASSED}),
        )
    kept = tuple(card for card in hand if card not in cards)
    hands, passed = with_pile(state.hands, seat, kept), with_pile(state.passed, seat, cards)
    after = state._replace(hands=hands, passed=passed)
    chosen = tuple(cards_chosen(after, seat))
    if after.choosing:
        return Step(after, chosen)
    hands = tuple(
        tuple(sorted(kept + passed[giver_to(seat, state.shift)])) for seat, kept in enumerate(hands)
    )
    after = after._replace(hands=hands)
    after = after._replace(leader=_first_leader(after))
    return Step(after, (*chosen, *cards_exchanged(after)))


def _play(state: State, seat: Seat, card: Card) -> Step[State]:
    if card not in _playable(state):
        words, phrase = _why_not(state, card)
        raise IllegalAction(f"{play_text(card)!r}: {words}", phrase)
    hands = with_pile(state.hands, seat, without(state.hands[seat], card))
    trick = (*state.trick, card)
    breaks = not state.broken and card in HEART_CARDS
    after = state._replace(hands=hands, trick=trick, broken=state.broken or breaks)
    full = len(trick) == SEATS
    played: tuple[AddressedFact, ...] = (card_played(seat, card, None if full else after.turn),)
    if breaks:
        played = (*played, HEARTS_BROKEN)
    if not full:
        return Step(after, played)
    step = _end_trick(after)
    return Step(step.state, played + step.facts)


def _end_trick(full: State) -> Step[State]:
    """Give the full trick to its taker, who leads next."""
    taker = (full.leader + trick_winner(full.trick)) % SEATS
    taken = with_pile(full.taken, taker, full.taken[taker] + full.trick)
    after = full._replace(leader=taker, trick=(), taken=taken)
    facts: tuple[AddressedFact, ...] = (trick_taken(after, taker, full.trick),)
    if after.over and points(taken[taker]) == ALL_POINTS:
        facts = (*facts, moon_shot(taker))
    return Step(after, facts)
