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
from engine.phrases import Phrase, not_offered
from engine.recycle.checking import check
from engine.recycle.compiling import program_of
from engine.recycle.errors import BadDescription
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
from engine.recycle.views.labels import labels_of
from engine.recycle.views.layout import layout_of
from engine.recycle.views.option_parts import option_parts
from engine.recycle.views.option_words import public_words
from engine.recycle.views.telling import telling_of, tried_option
from engine.recycle.views.view import view_of
from engine.views import View

_UNKNOWN = "?"
"""In an action, something that was not known when it was offered."""


class Description:
    """One deal of a game that was described in `text`; `name` is that of its file.

    `digest` names the text: two games with the same one are the same.
    """

    def __init__(self, program: Program, name: str, text: str) -> None:
        self.program = program
        self.text = text
        self.digest = sha256(text.encode()).hexdigest()
        self.info = GameInfo(
            id=name.lower(),
            version=program.version,
            title=title_of(name),
            seats=(program.players,),
            usual_seats=program.players,
            aim=program.aim,
            legend=program.components.decks.legend,
            labels=labels_of(program),
            layout=layout_of(program),
        )

    def options(self, seats: int) -> tuple[Option, ...]:
        """The options of a match: how many deals, and when a game is stopped."""
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
        return Step(freeze(world, setup), (*begun(world), *_ending(world)))

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """The seats whose choice is waited for, in their order."""
        return state.asked

    def choices(self, state: State, seat: Seat) -> Choices:
        """The options of a seat; none if it is not asked."""
        actions = state.actions(seat)
        return Choices(actions, texts=state.texts(seat)) if actions else NO_CHOICES

    def in_parts(self, state: State, seat: Seat, choices: Choices) -> Choices:
        """`choices`, those of `seat`, with their ways and parts (`engine.parts`)."""
        world = self.world(state)
        if len(state.asked) > 1:
            world.ask_first(seat)
        ways, parts = option_parts(telling_of(world))
        return replace(choices, ways=ways, parts=parts)

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        """Take an option and run the game to its next choice or its end.

        The cards of an action may be named in any order that means one option only.
        `NotYourTurn` if the seat is not asked, `BadAction` if the action is not written like one,
        `IllegalAction` if it is not on offer.
        """
        actions = state.actions(seat)
        if not actions:
            raise NotYourTurn(f"seat {seat} is not asked")
        if not is_action(action):
            raise BadAction(f"{action!r} is no move; moves look like 'play QS' or 'pass'")
        index = _index(action, actions)
        if index is None:
            raise IllegalAction(f"{action!r} is not on offer", self._refusal(state, seat))
        before = self.world(state)
        after = before.clone()
        if len(state.asked) + len(state.chosen) > 1:
            return self._choose_unseen(state, seat, index, before, after)
        taken = _taken(before, seat, index, state)
        chosen = len(tried_option(before, before.offered[index]))
        after.play(index)
        facts = (*taken, *told(before, after, chosen), *_ending(after))
        return Step(freeze(after, state.setup), facts)

    def _choose_unseen(
        self, state: State, seat: Seat, index: int, before: World, after: World
    ) -> Step[State]:
        after.ask_first(seat)
        after.play(index)
        made = public("choice_made", {"seat": seat})
        if after.chosen:
            facts = (made, chosen_unseen(seat, index), *told(before, after, 0))
            return Step(freeze(after, state.setup), facts)
        everybody = sorted((*state.chosen, (seat, index)))
        words: list[AddressedFact] = []
        chosen = 0
        for other, at in everybody:
            before.ask_first(other)
            for option in before.offered[at : at + 1]:
                action, said = _outside(before, option, other)
                words.append(public("option_taken", {"seat": other, "action": action}, words=said))
                chosen += len(tried_option(before, option))
        before.wait_for(state.asked)
        secret = [other for other, _ in state.chosen]
        facts = (made, *revealed(secret), *words, *told(before, after, chosen), *_ending(after))
        return Step(freeze(after, state.setup), facts)

    def _refusal(self, state: State, seat: Seat) -> Phrase:
        """What is being chosen, in the words of the file, and what may be done."""
        question = self.program.naming.question(self.program.spans[state.pc])
        return not_offered(state.texts(seat), question.told)

    def view(self, state: State, viewer: Viewer) -> View:
        """What a viewer sees."""
        return view_of(thaw(self.program, state), viewer)

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
        """Whether that many deals are a match."""
        return deals >= int(options["deals"])

    def world(self, state: State) -> World:
        """A world in that state, to be driven without facts and views."""
        return thaw(self.program, state)

    def sampler(self, view: View, facts: Sequence[Fact], infer: bool = False) -> Sampler:
        """Worlds that agree with what a seat sees, and with what it has seen this deal.

        With `infer` also with what the moves gave away.
        """
        return Sampler(self.program, view, facts, infer)


def load(text: str, name: str, version: int = VERSION) -> Description:
    """The game, or `BadDescription` with everything that is wrong. Warnings are no hindrance.

    Games of an older `version` of the rules go on as they were begun.
    """
    parsed = parse(text)
    problems = check(parsed)
    if parsed.game is None or any(not problem.warning for problem in problems):
        raise BadDescription(problems)
    program = program_of(parsed.game, name)
    program = replace(
        program, naming=naming_of(parsed), placing=placing_of(parsed), version=version
    )
    return Description(program, name, text)


def title_of(name: str) -> str:
    """``CrazyEights4`` is called Crazy Eights.

    >>> title_of("CrazyEights4"), title_of("LAMA3")
    ('Crazy Eights', 'LAMA')
    """
    letters = name.rstrip("0123456789") or name
    title = "".join(
        f" {letter}" if letter.isupper() and before.islower() else letter
        for before, letter in zip(" " + letters, letters, strict=False)
    )
    return title.replace("_", " ").strip()


def _index(action: Action, actions: Sequence[Action]) -> int | None:
    """Which of `actions` is meant: the same words behind the verb, if need be in another order."""
    if action in actions:
        return actions.index(action)
    verb, *words = action.split(" ")
    alike = [
        at
        for at, (other, *others) in enumerate(each.split(" ") for each in actions)
        if other == verb and sorted(others) == sorted(words)
    ]
    return alike[0] if len(alike) == 1 else None


def _taken(before: World, seat: Seat, index: int, state: State) -> tuple[AddressedFact, ...]:
    """The chooser gets their own wording; other players may get less, or what is now face up."""
    action, words = state.actions(seat)[index], state.texts(seat)[index]
    outside, said = _outside(before, before.offered[index], seat)
    if _UNKNOWN in action and before.program.version > 1:
        # By now the chooser knows what everybody knows.
        words = said
    if action == outside:
        return (public("option_taken", {"seat": seat, "action": action}, words=said),)
    return (
        private(seat, "option_taken", {"seat": seat, "action": action}, words=words),
        to_others(seat, "option_taken", {"seat": seat, "action": outside}, words=said),
    )


def _outside(world: World, option: RunningOption, seat: Seat) -> tuple[Action, str]:
    """An option of `seat` as everybody else is told of it: the action, and words for people."""
    world.work.left = world.share
    ops = tried_option(world, option)
    return option_text(world, ops, seat, 0, SPECTATOR), public_words(world, ops, seat)


def _ending(world: World) -> tuple[AddressedFact, ...]:
    if world.stop is None:
        return ()
    stop = world.stop
    return (
        public("game_stopped", {"reason": stop.reason, "line": stop.line, "column": stop.column}),
    )
