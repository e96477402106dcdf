"""A described game as an ordinary `Game`, and the fast ways into it for searching bots.

`Description.world(state)` and `Description.sampler(view, facts)` give a `World`.
"""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from random import Random

from engine.choices import NO_CHOICES, Action, Choices
from engine.errors import BadAction, IllegalAction, NotYourTurn
from engine.facts import SPECTATOR, AddressedFact, Fact, Seat, Viewer, private, public, to_others
from engine.game import (
    GameInfo,
    Option,
    Options,
    Outcome,
    Setup,
    Step,
    check_seats,
    complete_options,
)
from engine.match import options_of
from engine.phrases import Phrase
from engine.recycle.checking import check
from engine.recycle.compiling import program_of
from engine.recycle.errors import BadDescription
from engine.recycle.kept_worlds import KeptWorld, KeptWorlds
from engine.recycle.limits import PLAY_LIMITS
from engine.recycle.naming import naming_of
from engine.recycle.placing import placing_of
from engine.recycle.reading.parser import parse
from engine.recycle.running.program import VERSION, Program
from engine.recycle.running.program import Option as RunningOption
from engine.recycle.running.world import World
from engine.recycle.sampling.sampler import Sampler
from engine.recycle.state import State, freeze, limits_of, thaw
from engine.recycle.views.action_texts import is_action, option_text
from engine.recycle.views.facts import begun, chosen_unseen, revealed, told
from engine.recycle.views.frequent_words import frequent_words
from engine.recycle.views.labels import labels_of
from engine.recycle.views.layout import layout_of
from engine.recycle.views.offer import Offer
from engine.recycle.views.option_words import done_words
from engine.recycle.views.telling import tried_option
from engine.recycle.views.view import view_of
from engine.refusals import not_offered
from engine.titles import title_of
from engine.views import View

_UNKNOWN = "?"
"""In an action, something that was not known when it was offered."""


class Description:
    """One deal of a game that was described in `text`; `name` is that of its file.

    `digest` names the text: two games with the same one are the same.
    """

    def __init__(self, program: Program, name: str, text: str) -> None:
        self.program = program
        self._worlds = KeptWorlds()
        self.text = text
        self.digest = sha256(text.encode()).hexdigest()
        self.info = GameInfo(
            id=name.lower(),
            version=program.version,
            title=program.naming.title or title_of(name),
            seats=(program.players,),
            usual_seats=program.players,
            aim=program.aim,
            legend=program.components.decks.legend,
            labels=labels_of(program),
            layout=layout_of(program),
            words=frequent_words(program),
        )

    def options(self, seats: int) -> tuple[Option, ...]:
        """The options of a match: the number of deals, and the limits that stop a game."""
        check_seats(self.info, seats)
        return (
            Option("deals", "how many times the game is played", 1, low=1, high=100),
            Option("choices", "choices before it is stopped", PLAY_LIMITS.choices, 1, 1_000_000),
            Option(
                "steps", "steps without a choice before it is stopped", PLAY_LIMITS.steps, 1, 10_000
            ),
        )

    def start(self, setup: Setup) -> Step[State]:
        """Set the game up and run it to its first choice."""
        options = complete_options(self, setup.seats, setup.options)
        setup = replace(setup, options=options)
        world = World(self.program, setup.shuffler, limits_of(setup))
        world.begin()
        kept = KeptWorld(world)
        return self._step(kept, setup, (*begun(world, kept.values), *_ending(world)))

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """The seats to choose, in order."""
        return state.asked

    def choices(self, state: State, seat: Seat) -> Choices:
        """The options of a seat; none if it may not act now."""
        if seat not in state.asked:
            return NO_CHOICES
        offer = self._kept(state).offer(seat)
        return Choices(offer.actions, texts=offer.texts)

    def in_parts(self, state: State, seat: Seat, choices: Choices) -> Choices:
        """`choices`, those of `seat`, with their ways and parts (`engine.parts`)."""
        if seat not in state.asked:
            return choices
        ways, parts = self._kept(state).offer(seat).parts
        return Choices(choices.actions, choices.picks, choices.texts, ways, parts)

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        """Take an option and run the game to its next choice or its end.

        The cards of an action may be named in any order that means one option only.
        `NotYourTurn` if the seat is not asked, `BadAction` if the action is not written like one,
        `IllegalAction` if it is not on offer.
        """
        if seat not in state.asked:
            raise NotYourTurn(f"seat {seat} is not asked")
        if not is_action(action):
            raise BadAction(f"{action!r} is no move; moves look like 'play QS' or 'pass'")
        kept = self._kept(state)
        offer = kept.offer(seat)
        index = _index(action, offer.actions)
        if index is None:
            raise IllegalAction(f"{action!r} is not on offer", self._refusal(state, offer))
        # The world leaves the state: whoever comes back to that, as to undo a move, thaws another.
        self._worlds.forget(state)
        values = kept.values
        # Cards that an option made when it was tried leave traces in what counts as work.
        world = self.world(state) if self.program.grows else kept.world
        world.ask_first(seat)
        if len(state.asked) + len(state.chosen) > 1:
            facts, chosen = _chosen_unseen(world, state, seat, index)
        else:
            facts, chosen = _taken(world, seat, index, offer)
        world.play(index)
        after = KeptWorld(world, kept if len(state.asked) > 1 else None)
        since = told(state.piles, values, world, after.values, chosen)
        return self._step(after, state.setup, (*facts, *since, *_ending(world)))

    def _kept(self, state: State) -> KeptWorld:
        """The cached world of a state, or a new one that is cached from now on."""
        kept = self._worlds.get(state)
        if kept is None:
            kept = KeptWorld(self.world(state))
            self._worlds.keep(state, kept)
        return kept

    def _step(self, kept: KeptWorld, setup: Setup, facts: tuple[AddressedFact, ...]) -> Step[State]:
        """The step into a world's state; the world is cached beside it."""
        state = freeze(kept.world, setup)
        kept.world.state.log.clear()
        self._worlds.keep(state, kept)
        return Step(state, facts)

    def _refusal(self, state: State, offer: Offer) -> Phrase:
        """The refusal of a move: the question, in the file's words, and the possible actions."""
        question = self.program.naming.question(self.program.spans[state.pc])
        return not_offered(offer.texts, question.told)

    def view(self, state: State, viewer: Viewer) -> View:
        """The view of a viewer."""
        kept = self._kept(state)
        return view_of(kept.world, viewer, kept.values)

    def sample(self, view: View, facts: Sequence[Fact], rng: Random) -> State:
        """A state that agrees with what a seat knows, hidden cards dealt at random.

        It also heeds what other players' moves gave away. `NoDeal` if no such state is found.
        """
        options = complete_options(self, self.program.players, options_of(view))
        world = self.sampler(view, facts, infer=True).world(rng)
        setup = Setup(self.program.players, options, world.evaluator.shuffler)
        world.limits = limits_of(setup)
        return freeze(world, setup)

    def outcome(self, state: State) -> Outcome | None:
        """Scores and ranks; None while the game goes on."""
        return state.outcome

    def match_over(self, options: Options, totals: tuple[int, ...], deals: int) -> bool:
        """Whether the match is over after this number of deals."""
        return deals >= int(options["deals"])

    def world(self, state: State) -> World:
        """A world in the given state, to be run without facts and views."""
        return thaw(self.program, state)

    def sampler(self, view: View, facts: Sequence[Fact], infer: bool = False) -> Sampler:
        """Worlds that agree with what a seat sees, and with what it has seen this deal.

        With `infer` also with what the moves gave away.
        """
        return Sampler(self.program, view, facts, infer)


def load(text: str, name: str, version: int = VERSION) -> Description:
    """The game of a text, or `BadDescription` with all problems. Warnings do not matter.

    Matches that began under an older `version` of the rules continue with it.
    """
    parsed = parse(text)
    problems = check(parsed)
    if parsed.game is None or any(not problem.warning for problem in problems):
        raise BadDescription(problems)
    naming = naming_of(parsed)
    program = program_of(parsed.game, name, naming.reasons)
    program = replace(program, naming=naming, placing=placing_of(parsed), version=version)
    return Description(program, name, text)


def _index(action: Action, actions: Sequence[Action]) -> int | None:
    """The index of the meant action, whose words may come in another order after the verb."""
    if action in actions:
        return actions.index(action)
    verb, *words = action.split(" ")
    alike = [
        at
        for at, (other, *others) in enumerate(each.split(" ") for each in actions)
        if other == verb and sorted(others) == sorted(words)
    ]
    return alike[0] if len(alike) == 1 else None


def _taken(
    world: World, seat: Seat, index: int, offer: Offer
) -> tuple[tuple[AddressedFact, ...], int]:
    """The facts that name the taken option, and its number of operations.

    The chooser gets their own wording; other players may get less, or what is now face up.
    """
    action = offer.actions[index]
    outside, said, chosen = _outside(world, world.offered[index], seat)
    own, others = said
    # By now the chooser knows what everybody knows.
    known = (_UNKNOWN in action and world.program.version > 1) or (
        "#" in action and _UNKNOWN not in outside
    )
    words = own if action == outside or known else offer.texts[index]
    return _told_taken(seat, (action, words), (outside, others)), chosen


def _told_taken(
    seat: Seat, own: tuple[Action, str], others: tuple[Action, str]
) -> tuple[AddressedFact, ...]:
    """The facts of an option with its action and words, for its seat and for the others."""
    (action, words), (outside, said) = own, others
    return (
        private(seat, "option_taken", {"seat": seat, "action": action}, words=words),
        to_others(seat, "option_taken", {"seat": seat, "action": outside}, words=said),
    )


def _chosen_unseen(
    world: World, state: State, seat: Seat, index: int
) -> tuple[tuple[AddressedFact, ...], int]:
    """The facts that `seat` has chosen and, after the last of several, what all have chosen.

    The second result is the number of operations of the options that are taken now.
    """
    made = public("choice_made", {"seat": seat})
    if len(state.asked) > 1:
        return (made, chosen_unseen(seat, index)), 0
    words: list[AddressedFact] = []
    chosen = 0
    for other, at in sorted((*state.chosen, (seat, index))):
        world.ask_first(other)
        for option in world.offered[at : at + 1]:
            action, (own, said), count = _outside(world, option, other)
            words += _told_taken(other, (action, own), (action, said))
            chosen += count
    world.wait_for(state.asked)
    secret = [other for other, _ in state.chosen]
    return (made, *revealed(secret), *words), chosen


def _outside(
    world: World, option: RunningOption, seat: Seat
) -> tuple[Action, tuple[str, str], int]:
    """An option of `seat` as everybody knows it: the action, and words for the seat and others.

    The third result is its number of operations.
    """
    world.work.left = world.share
    ops = tried_option(world, option)
    return (
        option_text(world, ops, seat, 0, SPECTATOR),
        done_words(world, option, ops, seat),
        len(ops),
    )


def _ending(world: World) -> tuple[AddressedFact, ...]:
    if world.stop is None:
        return ()
    stop = world.stop
    return (
        public("game_stopped", {"reason": stop.reason, "line": stop.line, "column": stop.column}),
    )
