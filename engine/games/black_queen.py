"""Black Queen: avoid hearts and queens of spades, with a third of the cards on the table.

Rules: engine/games/black_queen.md. Each player has a hand, columns of one face-up card lying on
one face-down card, and takes what he wins. Columns are numbered from 1, as people count them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from random import Random

from engine.cards import (
    CLUBS,
    DIAMONDS,
    HEARTS,
    SPADES,
    Card,
    card_text,
    card_texts,
    deck,
    parse_card,
    suit_of,
    without,
)
from engine.choices import NO_CHOICES, Action, Choices
from engine.errors import BadAction, BadOption, IllegalAction, NotYourTurn
from engine.facts import (
    OPEN,
    SPECTATOR,
    Fact,
    Lay,
    Move,
    Seat,
    Set,
    Show,
    Value,
    Viewer,
    ZoneId,
    all_but,
    only,
)
from engine.game import GameInfo, Option, Options, Outcome, Setup, Step, check_seats, ranked
from engine.games.rules import rules_text
from engine.shuffle import Shuffler
from engine.tricks import Ties, following, trick_winner
from engine.unseen import Place, deal_unseen
from engine.views import View, Zone

BLACK_QUEEN: Card = parse_card("QS")
EMPTY = -1
"""In place of a column's card that is not there."""

Piles = tuple[tuple[Card, ...], ...]
"""One tuple of cards for each seat."""


def pack(seats: int) -> tuple[Card, ...]:
    """One deck for every two players, less the low cards that do not divide by `seats`.

    First every copy of 2♦ goes, then one 2♣, one 2♠, and the next copies of these two.
    """
    check_seats(BlackQueen.info, seats)
    copies = seats // 2
    cards = deck(copies)
    two = {suit: suit * 13 for suit in (CLUBS, DIAMONDS, SPADES)}
    removals = [two[DIAMONDS]] * copies + [two[CLUBS], two[SPADES]] * copies
    for card in removals[: len(cards) % seats]:
        cards = without(cards, card)
    return cards


def penalty(card: Card) -> int:
    """What a taken card counts: −1 a heart, −12 a queen of spades."""
    return -12 if card == BLACK_QUEEN else -1 if suit_of(card) == HEARTS else 0


def points(cards: Sequence[Card]) -> int:
    return sum(map(penalty, cards))


def score(taken: Sequence[Card], all_points: int) -> int:
    """A player's score for a deal in which `all_points` (negative) were to be had."""
    if not taken:
        return 10
    own = points(taken)
    if own == 0:
        return 5
    return -own if own == all_points else own


@dataclass(frozen=True, slots=True)
class State:
    """`up` and `down` hold a card or EMPTY a column; `trick` is in the order of play."""

    setup: Setup
    hands: Piles
    up: Piles
    down: Piles
    leader: Seat
    trick: tuple[Card, ...]
    taken: Piles

    @property
    def turn(self) -> Seat:
        return (self.leader + len(self.trick)) % self.setup.seats

    @property
    def over(self) -> bool:
        return not self.trick and all(
            not hand and all(card == EMPTY for card in row)
            for hand, row in zip(self.hands, self.up, strict=True)
        )


class BlackQueen:
    info = GameInfo(
        id="black_queen",
        version=1,
        title="Black Queen",
        seats=tuple(range(2, 9)),
        usual_seats=4,
        rules=rules_text("black_queen"),
    )

    def options(self, seats: int) -> tuple[Option, ...]:
        held = len(pack(seats)) // seats
        return (
            Option("deals", "deals in a match", 4, low=1, high=100),
            Option("columns", "face-down cards a player", held // 3, low=0, high=held // 2),
        )

    def start(self, setup: Setup) -> Step[State]:
        seats, columns = setup.seats, int(setup.options["columns"])
        cards = setup.shuffler.shuffled("deal", pack(seats))
        held = len(cards) // seats
        if not 0 <= columns <= held // 2:
            raise BadOption(f"option columns: {columns} must be 0 to {held // 2} for {seats} seats")
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
        return Step(state, tuple(_dealing(state, self.view(state, SPECTATOR))))

    def to_act(self, state: State) -> tuple[Seat, ...]:
        return () if state.over else (state.turn,)

    def choices(self, state: State, seat: Seat) -> Choices:
        if seat not in self.to_act(state):
            return NO_CHOICES
        hand, row = state.hands[seat], state.up[seat]
        playable = [*hand, *(card for card in row if card != EMPTY)]
        if state.trick:
            playable = list(following(playable, suit_of(state.trick[0])))
        allowed = set(playable)
        in_hand = (f"play {card_text(card)}" for card in sorted(set(hand) & allowed))
        in_columns = (
            f"play {card_text(card)}@{column}"
            for column, card in enumerate(row, start=1)
            if card in allowed
        )
        return Choices((*in_hand, *in_columns))

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        if seat not in self.to_act(state):
            raise NotYourTurn(f"seat {seat} is not asked")
        card, column = _parse(action)
        if action not in self.choices(state, seat).actions:
            raise IllegalAction(f"{action!r} is not allowed; see the legal actions of this turn")
        source = f"column/{seat}/{column}" if column else f"hand/{seat}"
        if column:
            state = replace(state, up=_with(state.up, seat, _emptied(state.up[seat], column)))
        else:
            state = replace(state, hands=_with(state.hands, seat, without(state.hands[seat], card)))
        state = replace(state, trick=(*state.trick, card))
        token = card_text(card)
        played = Move(source, "trick", (token,))
        if len(state.trick) < state.setup.seats:
            turn = Set("turn", (state.turn,))
            return Step(state, (_fact("card_played", (played, turn), seat=seat, card=token),))
        taken = _end_trick(state)
        return Step(
            taken.state, (_fact("card_played", (played,), seat=seat, card=token), *taken.facts)
        )

    def view(self, state: State, viewer: Viewer) -> View:
        seats = range(state.setup.seats)
        zones: dict[ZoneId, Zone] = {"deck": Zone(), "trick": Zone(card_texts(state.trick))}
        for seat in seats:
            seen = viewer in (seat, OPEN)
            zones[f"hand/{seat}"] = _zone(state.hands[seat], seen)
            zones[f"taken/{seat}"] = Zone(card_texts(state.taken[seat]))
            for column, (up, down) in enumerate(
                zip(state.up[seat], state.down[seat], strict=True), start=1
            ):
                under = _zone((down,) if down != EMPTY else (), viewer == OPEN)
                top = () if up == EMPTY else (card_text(up),)
                zones[f"column/{seat}/{column}"] = Zone(under.cards + top, under.backs)
        values: dict[str, Value] = {"leader": state.leader, "turn": self.to_act(state)}
        values |= {f"points/{seat}": points(state.taken[seat]) for seat in seats}
        return View(zones, values)

    def sample(self, view: View, facts: Sequence[Fact], rng: Random) -> State:
        seats = sum(1 for zone in view.zones if zone.startswith("taken/"))
        columns = sum(1 for zone in view.zones if zone.startswith("column/0/"))
        rows = [[f"column/{seat}/{k + 1}" for k in range(columns)] for seat in range(seats)]
        unseen = _unseen(view, seats)
        voids = _voids(facts, seats)
        hidden_hands = [
            Place(view.zones[f"hand/{seat}"].backs, frozenset(voids[seat])) for seat in range(seats)
        ]
        hidden_columns = [Place(view.zones[zone].backs) for row in rows for zone in row]
        dealt = deal_unseen(unseen, hidden_hands + hidden_columns, rng)
        hands = tuple(
            tuple(sorted(cards + tuple(map(parse_card, view.cards("hand", seat)))))
            for seat, cards in enumerate(dealt[:seats])
        )
        under = [cards[0] if cards else EMPTY for cards in dealt[seats:]]
        down = tuple(tuple(under[s * columns : (s + 1) * columns]) for s in range(seats))
        return State(
            setup=Setup(seats, {"columns": columns}, Shuffler(b"")),
            hands=hands,
            up=tuple(tuple(_top(view.zones[zone]) for zone in row) for row in rows),
            down=down,
            leader=int(str(view.values["leader"])),
            trick=tuple(map(parse_card, view.cards("trick"))),
            taken=tuple(tuple(map(parse_card, view.cards("taken", s))) for s in range(seats)),
        )

    def outcome(self, state: State) -> Outcome | None:
        if not state.over:
            return None
        everything = points(tuple(chain.from_iterable(state.taken)))
        return ranked([score(pile, everything) for pile in state.taken], self.info.aim)

    def match_over(self, options: Options, totals: tuple[int, ...], deals: int) -> bool:
        return deals >= int(options["deals"])


def _parse(action: Action) -> tuple[Card, int]:
    """Card and column of ``play QS@5``; column 0 is the hand."""
    verb, _, rest = action.partition(" ")
    token, at, column = rest.partition("@")
    if verb != "play" or (at and not (column.isascii() and column.isdigit())):
        raise BadAction(f"{action!r} is no move; moves look like 'play QS' or 'play QS@5'")
    return parse_card(token), int(column) if at else 0


def _dealing(state: State, blank: View) -> list[Fact]:
    """The facts of the deal: hands to their owners, columns to everybody, backs to the rest."""
    seats, held = range(state.setup.seats), len(state.hands[0])
    laid = dict.fromkeys(blank.zones, 0)
    laid["deck"] = sum(2 * len(row) + held for row in state.up)
    values = tuple(Set(key, value) for key, value in blank.values.items())
    facts = [Fact("deal_laid", {"leader": state.leader}, (Lay(laid), *values))]
    for seat in seats:
        texts = card_texts(state.hands[seat])
        args: dict[str, Value] = {"seat": seat, "count": held}
        named, backs = Move("deck", f"hand/{seat}", texts), Move("deck", f"hand/{seat}", held)
        facts.append(Fact("hand_dealt", args, (named,), only(seat)))
        facts.append(Fact("hand_dealt", args, (backs,), all_but(seat)))
        piles = [f"column/{seat}/{k + 1}" for k in range(len(state.up[seat]))]
        under = tuple(Move("deck", pile, 1) for pile in piles)
        over = tuple(
            Move("deck", pile, (card_text(card),))
            for pile, card in zip(piles, state.up[seat], strict=True)
        )
        if piles:
            facts.append(_fact("columns_dealt", under + over, seat=seat, count=len(piles)))
    return facts


def _end_trick(state: State) -> Step[State]:
    """The full trick goes to its taker, who leads next; uncovered cards are turned up."""
    seats = state.setup.seats
    taker = (state.leader + trick_winner(state.trick, ties=Ties.LAST)) % seats
    taken = _with(state.taken, taker, state.taken[taker] + state.trick)
    flips = [
        (seat, column, under)
        for seat in range(seats)
        for column, (over, under) in enumerate(
            zip(state.up[seat], state.down[seat], strict=True), start=1
        )
        if over == EMPTY and under != EMPTY
    ]
    up, down = state.up, state.down
    for seat, column, card in flips:
        up = _with(up, seat, (*up[seat][: column - 1], card, *up[seat][column:]))
        down = _with(down, seat, _emptied(down[seat], column))
    after = replace(state, up=up, down=down, leader=taker, trick=(), taken=taken)
    shown = (
        _fact(
            "card_flipped",
            (Show(f"column/{seat}/{column}", (card_text(card),)),),
            seat=seat,
            card=card_text(card),
        )
        for seat, column, card in flips
    )
    collected = (
        Move("trick", f"taken/{taker}", card_texts(state.trick)),
        Set(f"points/{taker}", points(taken[taker])),
        Set("leader", taker),
        Set("turn", () if after.over else (taker,)),
    )
    cost = points(state.trick)
    return Step(after, (_fact("trick_taken", collected, seat=taker, points=cost), *shown))


def _fact(verb: str, changes: tuple[Move | Set | Show, ...], **args: Value) -> Fact:
    return Fact(verb, args, changes)


def _zone(cards: tuple[Card, ...], seen: bool) -> Zone:
    return Zone(card_texts(cards)) if seen else Zone(backs=len(cards))


def _top(zone: Zone) -> Card:
    return parse_card(zone.cards[-1]) if zone.cards else EMPTY


def _with(piles: Piles, seat: Seat, pile: tuple[Card, ...]) -> Piles:
    return (*piles[:seat], pile, *piles[seat + 1 :])


def _emptied(row: tuple[Card, ...], column: int) -> tuple[Card, ...]:
    return (*row[: column - 1], EMPTY, *row[column:])


def _unseen(view: View, seats: int) -> tuple[Card, ...]:
    """The cards of the pack that lie face down for the owner of `view`."""
    unseen = pack(seats)
    for zone in view.zones.values():
        for token in zone.cards:
            unseen = without(unseen, parse_card(token))
    return unseen


def _voids(facts: Sequence[Fact], seats: int) -> list[set[int]]:
    """Suits each hand is known to lack: hands never grow, so who once did not follow never can."""
    voids: list[set[int]] = [set() for _ in range(seats)]
    led: int | None = None
    for fact in facts:
        if fact.verb == "trick_taken":
            led = None
        elif fact.verb == "card_played":
            suit = suit_of(parse_card(str(fact.args["card"])))
            if led is None:
                led = suit
            elif suit != led:
                voids[int(str(fact.args["seat"]))].add(led)
    return voids
