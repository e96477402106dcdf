"""Referees of Whist and Klaverjassen: legal cards, trick winners and scores.

The referees follow a game by its open view and its moves, know the rules of the pages, and share
nothing with the descriptions.
"""

from collections.abc import Sequence
from random import Random

import pytest

from engine import SPECTATOR, Match, Setup, Shuffler, View, fold, seed_from_int
from engine.facts import OPEN, Seat, seen_by
from engine.teams import teams_in
from tests.counts import count
from tests.engine.recycle.games.playing import game, played, steps

pytestmark = pytest.mark.no_cover


def taker(trick: dict[Seat, str], led: str, trump: str, low_to_high: str, trumps: str) -> Seat:
    """The seat that takes a trick: the highest trump, or the highest card of the suit led."""

    def height(seat: Seat) -> tuple[int, int]:
        rank, suit = trick[seat][0], trick[seat][1]
        if suit == trump:
            return 2, trumps.index(rank)
        return int(suit == led), low_to_high.index(rank)

    return max(trick, key=height)


WHIST = "23456789TJQKA"


def test_whist_counts_the_tricks_of_its_referee() -> None:
    """Whist follows its referee: following suit, the trick's winner, and the sides' tricks."""
    for seed in range(count(10)):
        tricks, led = [0, 0], ""
        for before, seat, action, after in steps("Whist4", seed):
            trick = lying(before)
            card = action.removeprefix("play ")
            if not trick:
                led = card[1]
            hand = before.zones[f"hand/{seat}"].cards
            assert card[1] == led or all(other[1] != led for other in hand)
            trick[seat] = card
            if len(trick) == 4:
                trump = str(before.values["trump"])[0]
                winner = taker(trick, led, trump, WHIST, WHIST)
                tricks[winner % 2] += 1
                assert after.values["turn"] == ((winner,) if len(hand) > 1 else ())
        points = [max(0, taken - 6) for taken in tricks]
        assert [after.number(f"score_team/{team}") for team in (0, 1)] == points


def lying(view: View) -> dict[Seat, str]:
    """The cards of the trick, each with the seat that played it."""
    zones = {seat: view.zones[f"trick/{seat}"].cards for seat in range(4)}
    return {seat: cards[0] for seat, cards in zones.items() if cards}


PLAIN, TRUMPS, NEIGHBOURS = "789JQKTA", "78QKTA9J", "789TJQKA"
WORTH = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}


def honours(cards: Sequence[str], trump: str) -> int:
    """The points for runs, four of a rank, and king and queen of trumps in a trick."""
    ranks = {card[0] for card in cards}
    points = 20 * ({f"K{trump}", f"Q{trump}"} <= set(cards))
    if len(ranks) == 1:
        points += 200 if ranks == {"J"} else 100
    for suit in {card[1] for card in cards}:
        places = sorted(NEIGHBOURS.index(card[0]) for card in cards if card[1] == suit)
        for length in (4, 3):
            rows = [places[at : at + length] for at in range(len(places) - length + 1)]
            if any(row == [*range(row[0], row[0] + length)] for row in rows):
                points += {4: 50, 3: 20}[length]
                break
    return points


def worth(card: str, trump: str) -> int:
    if card[1] == trump and card[0] in "J9":
        return {"J": 20, "9": 14}[card[0]]
    return WORTH.get(card[0], 0)


def playable(hand: Sequence[str], lies: Sequence[str], led: str, trump: str) -> set[str]:
    """The legal cards: follow a plain suit, else overtrump, else trump, else any card."""
    suited = {card for card in hand if card[1] == led}
    if not lies:
        return set(hand)
    if suited and led != trump:
        return suited
    trumps = {card for card in hand if card[1] == trump}
    best = max((TRUMPS.index(card[0]) for card in lies if card[1] == trump), default=-1)
    higher = {card for card in trumps if TRUMPS.index(card[0]) > best}
    return higher or trumps or set(hand)


@pytest.mark.parametrize(
    ("cards", "points"),
    [("7C 8C 9C TC", 50), ("7C 9C 8C KH", 20), ("JC JD JS JH", 200), ("KH QH JH 7D", 40)],
)
def test_the_referee_of_klaverjassen_knows_honours(cards: str, points: int) -> None:
    """The referee counts honours correctly with hearts as trumps."""
    assert honours(cards.split(), "H") == points


def test_klaverjassen_goes_by_its_referee() -> None:
    """Klaverjassen follows its referee: legal cards, trick winners, card points, honours, pits."""
    for seed in range(count(10)):
        made, won, led, trump = [0, 0], [0, 0], "", ""
        moves = list(steps("Klaverjassen4", seed))
        for before, seat, action, _ in moves:
            if action.startswith("trump "):
                trump = action.removeprefix("trump ")[0]
                continue
            trick = lying(before)
            card = action.removeprefix("play ")
            led = card[1] if not trick else led
            hand = before.zones[f"hand/{seat}"].cards
            assert card in playable(hand, [*trick.values()], led, trump)
            trick[seat] = card
            if len(trick) == 4:
                winner = taker(trick, led, trump, PLAIN, TRUMPS)
                cards = [*trick.values()]
                points = sum(worth(each, trump) for each in cards) + honours(cards, trump)
                made[winner % 2] += points + 10 * (len(hand) == 1)
                won[winner % 2] += 1
        made = [points + 100 * (tricks == 8) for points, tricks in zip(made, won, strict=True)]
        if made[0] <= made[1]:
            made = [0, sum(made)]
        assert [moves[-1][3].number(f"score_team/{team}") for team in (0, 1)] == made


def test_all_that_klaverjassen_allows_is_offered() -> None:
    """Klaverjassen offers exactly the referee's legal cards."""
    described = game("Klaverjassen4")
    for seed in range(count(3)):
        rng = Random(seed)
        state = described.start(Setup(4, {}, Shuffler(seed_from_int(seed)))).state
        state = described.apply(state, 0, "trump HEARTS").state
        while asked := described.to_act(state):
            view = described.view(state, OPEN)
            trick = lying(view)
            led = str(view.values["lead"])[1:]
            hand = view.zones[f"hand/{asked[0]}"].cards
            offered = described.choices(state, asked[0]).actions
            allowed = playable(hand, [*trick.values()], led, "H")
            assert sorted(offered) == sorted(f"play {card}" for card in allowed)
            state = described.apply(state, asked[0], rng.choice(offered)).state


@pytest.mark.parametrize("name", ["Whist4", "Klaverjassen4"])
def test_partners_are_told_in_the_view(name: str) -> None:
    """The view names the player across as partner, and both have equal scores."""
    for before, _, _, after in steps(name, 1):
        for view in (before, after):
            teams = [view.values[f"team/{seat}"] for seat in range(4)]
            assert teams == [0, 1, 0, 1]
    scores = played(name, 1).scores
    assert scores[:2] == scores[2:]


def test_partners_who_are_drawn_by_lot_are_told_as_they_are() -> None:
    """Carnival draws new partners each deal; a team has a total while its players' totals agree."""
    match, rng = Match(game("Carnival4")), Random(1)
    step = match.start(Setup(4, {"deals": 6}, Shuffler(seed_from_int(3))))
    facts, partners, agreed = [*step.facts], set(), set()
    while asked := match.to_act(step.state):
        view = fold(seen_by(facts, SPECTATOR))
        assert view == match.view(step.state, SPECTATOR)
        teams = teams_in(view.values)
        assert sorted(map(len, teams)) == [2, 2]
        partners.add(teams)
        for team, seats in enumerate(teams):
            totals = {view.values[f"total/{seat}"] for seat in seats}
            told = view.values.get(f"team_total/{team}")
            assert totals == {told} if len(totals) == 1 else told is None
            agreed.add(len(totals) == 1)
        action = rng.choice(match.choices(step.state, asked[0]).actions)
        step = match.apply(step.state, asked[0], action)
        facts += step.facts
    assert len(partners) > 1
    assert agreed == {True, False}


def test_a_game_of_single_players_has_no_teams() -> None:
    """The view of a game without teams has none, neither at its beginning nor later."""
    for before, _, _, after in steps("Hearts4", 1):
        assert not teams_in(before.values) + teams_in(after.values)
