"""Playing the deals of a contest, in this process or on every core.

Every draw follows from the seed and the number of the deal, so it does not matter which process
plays a deal, and when.
"""

from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from multiprocessing import active_children
from operator import add
from random import Random
from statistics import fmean
from time import process_time_ns

from bots.arena.contest import Contest, arrange, lead, rotations, win_share
from bots.bot import Bot, Budget, WarmsUp, position_of
from bots.roster import make_bot
from bots.spec import Spec
from bots.workers import serve_the_parent
from engine.catalogue import GAMES, AnyGame
from engine.errors import EngineError
from engine.facts import Fact, Value
from engine.game import Setup
from engine.shuffle import Shuffler, seed_from_int

_WAITING_PER_WORKER = 3


class BrokenBot(Exception):
    """A bot made a move that the rules do not allow; the message says which bot and where."""


class RefusedMove(Exception):
    """A refused move; its arguments are the seat that was to move, and the reason."""


@dataclass(frozen=True, slots=True)
class Thinking:
    """The moves for which a bot was asked, and the processor time that they took."""

    moves: int = 0
    nanoseconds: int = 0

    @property
    def milliseconds_a_move(self) -> float:
        """The mean processor time of a move in milliseconds; 0 without a move."""
        return self.nanoseconds / 1e6 / self.moves if self.moves else 0.0

    def __add__(self, other: "Thinking") -> "Thinking":
        return Thinking(self.moves + other.moves, self.nanoseconds + other.nanoseconds)


@dataclass(frozen=True, slots=True)
class Played:
    """The result of `deals` deals of one match at one seating: scores and thinking by seat."""

    scores: tuple[int, ...]
    thinking: tuple[Thinking, ...]
    deals: int = 1


@dataclass(frozen=True, slots=True)
class ArenaResult:
    """The result of one deal or match over all rotations of the lineup.

    `lead` is the second bot's mean score a deal less the first's, `win_share` its share of wins.
    """

    deal: int
    lead: float
    win_share: float
    thinking: tuple[Thinking, Thinking]


def play_deals(contest: Contest, deals: int, workers: int) -> Generator[ArenaResult, None, None]:
    """The results of deals 0 … `deals` − 1; closing the generator stops the work at once."""
    if workers == 1:
        yield from (play_deal(contest, deal) for deal in range(deals))
        return
    others = set(active_children())
    pool = ProcessPoolExecutor(workers, initializer=serve_the_parent)
    pending: set[Future[ArenaResult]] = set()
    try:
        for deal in range(deals):
            pending.add(pool.submit(play_deal, contest, deal))
            if len(pending) >= _WAITING_PER_WORKER * workers:
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        while pending:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)
    finally:
        if pending:
            for worker in set(active_children()) - others:
                worker.terminate()
        pool.shutdown(cancel_futures=True)


def play_deal(contest: Contest, deal: int) -> ArenaResult:
    """The result of deal number `deal`, played in every rotation."""
    game = GAMES.game(contest.game)
    players = [_player(contest.game, spec) for spec in contest.bots]
    number = contest.numbers[deal % len(contest.numbers)]
    shuffler = Shuffler(_cards_seed(contest.seed, deal), number)
    setup = Setup(contest.seats, contest.options, shuffler)
    leads, shares, thinking = [], [], [Thinking(), Thinking()]
    for turn, lineup in enumerate(rotations(contest.lineup)):
        seated = [players[which] for which in lineup]
        budgets = [contest.budgets[which] for which in lineup]
        rngs = [Random(f"{contest.seed}/{deal}/{turn}/{seat}") for seat in range(contest.seats)]
        try:
            played = play_once(game, setup, seated, rngs, budgets, whole=contest.matches)
        except RefusedMove as error:
            seat, reason = error.args
            spec = contest.bots[lineup[seat]]
            raise BrokenBot(f"bot {spec} broke the rules in deal {deal}: {reason}") from error
        leads.append(lead(played.scores, lineup, game.info.aim) / played.deals)
        shares.append(win_share(played.scores, lineup, game.info.aim))
        for which, spent in zip(lineup, played.thinking, strict=True):
            thinking[which] += spent
    return ArenaResult(deal, fmean(leads), fmean(shares), (thinking[0], thinking[1]))


@cache
def _player(game: str, spec: Spec) -> Bot:
    """A bot, made once a process, so that loading its kernels does not count as thinking."""
    bot = make_bot(game, spec)
    warm(game, bot)
    return bot


def warm(game: str, bot: Bot) -> None:
    """Prepare `bot` to move at its usual speed: by its `warm_up`, or by playing a deal quickly."""
    if isinstance(bot, WarmsUp):
        bot.warm_up()
        return
    contest = arrange(game, (0, 0), seed=0)
    setup = Setup(contest.seats, contest.options, Shuffler(_cards_seed(0, 0)))
    bots, hurry = [bot] * setup.seats, [Budget(samples=1)] * setup.seats
    with suppress(RefusedMove):  # reported when it counts, with the bot and the deal
        play_once(GAMES.game(game), setup, bots, [Random(0)] * setup.seats, hurry)


def play_once(
    game: AnyGame,
    setup: Setup,
    bots: Sequence[Bot],
    rngs: Sequence[Random],
    budgets: Sequence[Budget] = (),
    *,
    whole: bool = False,
) -> Played:
    """The result of one deal: the first of a match, or the one of `setup`'s shuffler.

    With `whole` the match is played to its end. The bots play and see as at a table; facts of the
    match say when a deal begins and when it is scored, so that this works for every game.
    """
    seats = range(setup.seats)
    allowed = budgets or [Budget()] * setup.seats
    thinking = [Thinking()] * setup.seats
    known: list[list[Fact]] = [[] for _ in seats]
    totals, deals = [0] * setup.seats, 0
    step = game.start(setup)
    while True:
        for fact in step.facts:
            if fact.verb == "deal_started":
                known = [[] for _ in seats]
            elif fact.verb == "deal_scored":
                totals = list(map(add, totals, _scores(fact.args["scores"])))
                deals += 1
            for seat in seats:
                if bots[seat].needs_facts and fact.seen_by(seat):
                    known[seat].append(fact.fact)
        if deals and not (whole and game.to_act(step.state)):
            return Played(tuple(totals), tuple(thinking), deals)
        seat = game.to_act(step.state)[0]
        position = position_of(game, step.state, seat, setup.options, tuple(known[seat]))
        before = process_time_ns()
        decision = bots[seat].choose(position, allowed[seat], rngs[seat])
        thinking[seat] += Thinking(1, process_time_ns() - before)
        try:
            step = game.apply(step.state, seat, decision.action)
        except EngineError as error:
            raise RefusedMove(seat, f"{decision.action!r}: {error}") from error


def _cards_seed(seed: int, deal: int) -> bytes:
    return sha256(b"blackqueen.arena" + seed_from_int(seed) + deal.to_bytes(8, "big")).digest()


def _scores(value: Value) -> tuple[int, ...]:
    assert isinstance(value, tuple)
    return value
