"""What a viewer cannot know changes nothing of what he sees and is offered."""

from dataclasses import replace
from random import Random

from engine.choices import Action
from engine.facts import SPECTATOR, Fact, Seat, seen_by
from engine.recycle import Description
from engine.recycle.state import State
from engine.recycle.wording import action_texts
from engine.views import fold


def keeps_secrets(
    game: Description, state: State, facts: list[Fact], rng: Random, hides: bool = True
) -> None:
    """Facts fold to views; a state that a viewer cannot tell from this one gives him the same.

    Where conditions read hidden cards and so `hides` is false, offers may tell of them.
    """
    for viewer in (SPECTATOR, *range(game.info.usual_seats)):
        seen = seen_by(tuple(facts), viewer)
        view = game.view(state, viewer)
        assert fold(seen) == view
        twin = game.sample(view, seen, rng)
        assert game.view(twin, viewer) == view
        assert game.to_act(twin) == game.to_act(state)
        if hides and viewer >= 0:
            # Lots drawn while options are found are no secret: the twin draws the same.
            setup = replace(twin.setup, shuffler=state.setup.shuffler)
            same = replace(twin, setup=setup, draws=state.draws)
            assert offered(game, same, viewer) == offered(game, state, viewer)


def offered(game: Description, state: State, seat: Seat) -> tuple[Action, ...]:
    """What `seat` may do, found anew."""
    world = game.world(state)
    if seat not in world.asked:
        return ()
    world.ask_first(seat)
    return action_texts(world)
