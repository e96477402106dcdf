"""Hearts in three versions: the document's description, our description and the native game.

The description and the native game, by its rule set ``recycle``, are dealt the same hands and play
side by side; at every card both must offer the same and in the end score the same. The document is
not ours and stays outside: it is looked for in ``../shared/seeds`` beside the repository, or where
`BLACKQUEEN_DOCUMENT` says. Its test whether hearts are broken is printed with two mistakes, which
are mended here.
"""

import os
import re
from pathlib import Path
from random import Random

import pytest

from engine import Setup, Shuffler, seed_from_int
from engine.cards import parse_card
from engine.facts import OPEN
from engine.games.hearts import Hearts
from engine.games.hearts.state import State
from engine.recycle import Description, load
from engine.recycle.games import description
from engine.recycle.state import State as Dealt
from tests.counts import count

pytestmark = pytest.mark.no_cover

ROOT = Path(__file__).parents[4]
DOCUMENT = Path(
    os.environ.get("BLACKQUEEN_DOCUMENT")
    or ROOT.parent / "shared" / "seeds" / "004_978b7685d0e768bc.txt"
)
SEATS = 4
CODE = re.compile(r"\{% highlight racket %\}(.*?)\{% endhighlight %\}", re.DOTALL)
BROKEN = re.compile(
    r"\(== (\(size \(filter \(union \(all player 'P \('P vloc TRICK\)\)\)\s+"
    r"'PH \(== \(cardatt SUIT )'H(\) HEARTS\)\)\) 0\))"
)


def documents_own() -> str:
    """The description that the document prints in pieces, mended."""
    if not DOCUMENT.exists():
        pytest.skip(f"NOT RUN: there is no {DOCUMENT.name} here; our own Hearts stands in for it")
    printed = "\n".join(CODE.findall(DOCUMENT.read_text("utf-8")))
    mended, times = BROKEN.subn(r"(!= \1'PH\2", printed)
    assert times == 1
    return mended


def native_deal(described: Description, setup: Setup) -> tuple[Dealt, State]:
    """A native deal with the hands of the description's deal."""
    step = described.start(setup)
    view = described.view(step.state, OPEN)
    hands = tuple(
        tuple(sorted(parse_card(card) for card in view.zones[f"hand/{seat}"].cards))
        for seat in range(SEATS)
    )
    native = Hearts()
    options = {option.name: option.default for option in native.options(SEATS)}
    state = State(
        setup=Setup(SEATS, {**options, "rules": "recycle"}, setup.shuffler),
        hands=hands,
        shift=0,
        passed=((),) * SEATS,
        leader=0,
        trick=(),
        taken=((),) * SEATS,
        broken=False,
    )
    return step.state, native.begin(state).state


def in_step(described: Description, seed: int) -> None:
    """Play both games side by side, card by card."""
    ours, theirs = native_deal(described, Setup(SEATS, {}, Shuffler(seed_from_int(seed))))
    native, rng = Hearts(), Random(seed)
    while asked := native.to_act(theirs):
        assert described.to_act(ours) == asked
        actions = native.choices(theirs, asked[0]).actions
        assert sorted(described.choices(ours, asked[0]).actions) == sorted(actions)
        action = rng.choice(actions)
        ours = described.apply(ours, asked[0], action).state
        theirs = native.apply(theirs, asked[0], action).state
    assert described.to_act(ours) == ()
    assert described.outcome(ours) == native.outcome(theirs)


def always_in_step(described: Description, games: int) -> None:
    for seed in range(games):
        in_step(described, seed)


def test_the_documents_hearts_is_the_native_one() -> None:
    """The document's description offers and scores what the rule set `recycle` does."""
    always_in_step(load(documents_own(), "Hearts4"), count(100))


def test_our_hearts_is_the_native_one() -> None:
    """Our own description offers and scores what the native rule set `recycle` does."""
    always_in_step(load(description("Hearts4"), "Hearts4"), count(100))


@pytest.mark.parametrize(
    ("rule", "other"),
    [
        ("(set (game sto BROKEN) 1)", "(turn pass)"),
        ("(== 'POINTS 26) (dec ('P sto SCORE) 26)", "(== 'POINTS 26) (inc ('P sto SCORE) 26)"),
    ],
    ids=["hearts are never broken", "nobody shoots the moon"],
)
def test_another_rule_would_be_noticed(rule: str, other: str) -> None:
    """The comparison fails if one rule of the description differs, even a rare one."""
    text = description("Hearts4")
    assert text.count(rule) == 1
    described = load(text.replace(rule, other), "Hearts4")
    with pytest.raises(AssertionError):
        always_in_step(described, 400)
