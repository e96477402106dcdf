"""Teams in the values of a match: the players and the total of each team."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from engine import OPEN, SPECTATOR, Match, MatchState, Setup, Shuffler, View, fold
from engine.choices import Choices
from engine.facts import AddressedFact, Fact, Lay, Seat, Set, Value, Viewer, public, seen_by
from engine.game import GameInfo, Option, Options, Outcome, Step, ranked
from engine.teams import Teams, team_values

ACROSS: Teams = ((0, 2), (1, 3))
BESIDE: Teams = ((0, 1), (2, 3))
ALONE: Teams = ((0,), (1,), (2,), (3,))


@dataclass(frozen=True, slots=True)
class Done:
    setup: Setup
    over: bool


class Partners:
    """A game in which seat 0 ends each deal by its one move; teams differ by deal."""

    info = GameInfo(id="partners", version=1, title="Partners", seats=(4,), usual_seats=4)

    def __init__(self, *deals: Teams) -> None:
        self.deals = deals

    def options(self, seats: int) -> tuple[Option, ...]:
        return ()

    def start(self, setup: Setup) -> Step[Done]:
        state = Done(setup, over=False)
        values = self.view(state, SPECTATOR).values
        sets = tuple(Set(key, value) for key, value in values.items())
        return Step(state, (public("deal_laid", {"leader": 0}, (Lay({}), *sets)),))

    def to_act(self, state: Done) -> tuple[Seat, ...]:
        return () if state.over else (0,)

    def choices(self, state: Done, seat: Seat) -> Choices:
        return Choices(("end",))

    def apply(self, state: Done, seat: Seat, action: str) -> Step[Done]:
        return Step(Done(state.setup, over=True))

    def view(self, state: Done, viewer: Viewer) -> View:
        return View({}, team_values(self._teams(state)))

    def sample(self, view: View, facts: Sequence[Fact], rng: Random) -> Done:
        return Done(Setup(4, {}, Shuffler(rng.randbytes(32), view.number("deal") - 1)), over=False)

    def outcome(self, state: Done) -> Outcome | None:
        if not state.over:
            return None
        teams = self._teams(state)
        score = {seat: 10 * at + 5 for at, seats in enumerate(teams) for seat in seats}
        return ranked([score[seat] for seat in range(4)], "high")

    def match_over(self, options: Options, totals: tuple[int, ...], deals: int) -> bool:
        return deals == len(self.deals)

    def _teams(self, state: Done) -> Teams:
        return self.deals[state.setup.shuffler.deal]


def played(*deals: Teams) -> list[tuple[MatchState[Done], tuple[AddressedFact, ...]]]:
    """The states of a match with the given teams, and the facts that led to each."""
    game = Match(Partners(*deals))
    step = game.start(Setup(4, {}, Shuffler(bytes(32))))
    steps = [(step.state, step.facts)]
    while game.to_act(step.state):
        step = game.apply(step.state, 0, "end")
        steps.append((step.state, step.facts))
    return steps


def told(teams: Sequence[Teams]) -> list[dict[str, Value]]:
    """The values about teams after each step, on which facts and views agree."""
    game, facts, found = Match(Partners(*teams)), list[AddressedFact](), []
    for state, more in played(*teams):
        facts += more
        view = fold(seen_by(facts, SPECTATOR))
        assert view == game.view(state, SPECTATOR) == game.view(state, 3) == game.view(state, OPEN)
        found.append({key: value for key, value in view.values.items() if "team" in key})
    return found


PARTNERS_ACROSS = {"team/0": 0, "team/1": 1, "team/2": 0, "team/3": 1}
PARTNERS_BESIDE = {"team/0": 0, "team/1": 0, "team/2": 1, "team/3": 1}


def test_everybody_sees_the_teams_and_their_totals() -> None:
    """Everybody sees the teams and their totals, which change when a deal is scored."""
    assert told([ACROSS, ACROSS]) == [
        {**PARTNERS_ACROSS, "team_total/0": 0, "team_total/1": 0},
        {**PARTNERS_ACROSS, "team_total/0": 5, "team_total/1": 15},
        {**PARTNERS_ACROSS, "team_total/0": 10, "team_total/1": 30},
    ]


def test_partners_with_different_totals_have_none_together() -> None:
    """A team has a total only while the totals of its players agree."""
    assert told([ACROSS, BESIDE, ACROSS]) == [
        {**PARTNERS_ACROSS, "team_total/0": 0, "team_total/1": 0},
        PARTNERS_BESIDE,
        # 5 + 5 and 5 + 15 for one team, 15 + 5 and 15 + 15 for the other.
        PARTNERS_ACROSS,
        PARTNERS_ACROSS,
    ]


def test_teams_that_end_with_a_deal_leave_nothing() -> None:
    """The values about teams are removed in a deal without partners."""
    assert told([ACROSS, ALONE]) == [
        {**PARTNERS_ACROSS, "team_total/0": 0, "team_total/1": 0},
        {},
        {},
    ]


def test_a_sample_keeps_the_totals_of_teams() -> None:
    """A sample has the team totals of the view it was made from."""
    game = Match(Partners(ACROSS, ACROSS))
    state, _ = played(ACROSS, ACROSS)[1]
    view = game.view(state, 1)
    assert game.view(game.sample(view, (), Random(1)), 1) == view


def test_players_without_partners_are_told_nothing_of_teams() -> None:
    """A match of single players has no values about teams in any fact."""
    facts = [fact for _, more in played(ALONE, ALONE) for fact in more]
    sets = [change for fact in facts for change in fact.changes if isinstance(change, Set)]
    assert sets
    assert not [change for change in sets if change.key.startswith("team")]
