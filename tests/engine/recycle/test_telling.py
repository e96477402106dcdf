"""What players are told of their options: nothing that is drawn or seen only after the choice."""

import operator
from dataclasses import replace

import pytest

from engine.choices import Action
from engine.facts import seen_by
from engine.recycle import Description, load
from engine.recycle.limits import ACTION
from engine.recycle.running.unknown import UNKNOWN, Drawn, Marked, Unseen, Unsure
from tests.engine.recycle.small_games import HAND, game, started

SETUP = """(setup (create players 3)
  (create deck (game vloc STOCK)
          (deck (RANK (A, TWO, THREE, FOUR)) (SUIT (CLUBS, HEARTS)) (COLOR (RED))))
  (create deck (game hloc DECK)
          (deck (RANK (FIVE, SIX)) (SUIT (CLUBS, HEARTS)) (COLOR (RED)))))"""
"""Everybody has two cards of the stock, seat 0 4H and 4C; AC and AH stay."""
WORTH = """(set (game points WORTH) (((RANK : FIVE) 5) ((RANK : SIX) 6) ((RANK : THREE) 3)
  ((RANK : FOUR) 4)))"""
FORK = "(any (range 1 .. 2) 'N (set (game sto BID) 'N))"
USING = "using (game points WORTH)"
DECK, OUT = "(game hloc DECK)", "(game vloc OUT)"
ALONE = "(game vloc ALONE)"
DIE = "(set ((current player) sto DIE) (random 1 .. 6))"
SCORE = "((current player) sto SCORE)"


def made(*options: str, version: int = 2, before: str = "") -> Description:
    text = game(f"(choice ({' '.join(options)}))", before=f"{WORTH} {before}", setup=SETUP).text
    return load(text, "Small3", version)


def offered(*options: str, version: int = 2, before: str = "") -> tuple[Action, ...]:
    """The actions offered to seat 0."""
    described = made(*options, version=version, before=before)
    state = started(described).state
    assert state.stop is None, state.stop
    return described.choices(state, 0).actions


CASES = {
    "a number": (DIE, "die 4", "die ?"),
    "a number that is worked with": (
        f"(do ({DIE} (dec {SCORE} (+ 1 (* 2 ((current player) sto DIE))))))",
        "die 4, score -9",
        "die ?",
    ),
    "one number alone": (DIE.replace("6", "1"), "die 1", "die 1"),
    "a number up to another one": (
        f"(do ({DIE} (set (game sto X) (random 1 .. ((current player) sto DIE)))))",
        "die 4, x 1",
        "die ?, x ?",
    ),
    "a shuffled pile": (
        f"(do ((shuffle (game vloc STOCK)) (move (top (game vloc STOCK)) (top {OUT}))))",
        "move AC from stock to out",
        "move from stock to out",
    ),
    "a shuffled pile of one card": (
        f"(do ((shuffle {ALONE}) (move (top {ALONE}) (top {OUT}))))",
        "move AH from alone to out",
        "move AH from alone to out",
    ),
    "one of several cards": (f"(move (max {HAND} {USING}) (top {OUT}))", "play 4C", "play to out"),
    "the best card": (
        f"(move (max (union {HAND} (top 1 (game vloc STOCK))) {USING}) (top {OUT}))",
        "play 4C",
        "play to out",
    ),
    "whose turn is next": ("(cycle next ((random 1 .. 3) player))", "next 0", "go on ?"),
    "how many cards": (
        f"(repeat (random 1 .. 3) (move (top {DECK}) (top {OUT})))",
        "move from deck to out",
        "go on ?",
    ),
    "a card turned up": (
        f"(do ((move (top {DECK}) (top {OUT})) (inc {SCORE} (score (top {OUT}) {USING}))))",
        "move from deck to out",
        "move from deck to out",
    ),
    "a hidden card": (f"(set {SCORE} (score (top {DECK}) {USING}))", "score 6", "score ?"),
    "a string": (f"(set (game str X) (cardatt SUIT (top {DECK})))", "x HEARTS", "x ?"),
    "what a hidden card decides": (
        f"(do (((== (cardatt RANK (top {DECK})) SIX) (inc {SCORE})) (turn pass)))",
        "score 1",
        "go on ?",
    ),
    "the name of a pile": (
        f"(move (top {HAND}) (top (game vloc (cardatt SUIT (top {DECK})))))",
        "play 4C",
        "go on ?",
    ),
    "the name of a value": (
        f"(set (game sto (cardatt SUIT (top {DECK}))) 3)",
        "hearts 3",
        "go on ?",
    ),
    "a card that is marked": (f"(remember (top {DECK}) (top (game mem M)))", "mark ?", "mark ?"),
    "a card of several that is marked": (
        f"(remember (max {HAND} {USING}) (top (game mem M)))",
        "mark 4C",
        "mark ?",
    ),
    "where a marked card lies": (
        "(cycle next (owner (top (game mem SPY))))",
        "next 2",
        "go on ?",
    ),
    "a mark": (
        "(set (game str X) (cardatt SUIT (top (game mem SPY))))",
        "x CLUBS",
        "x CLUBS",
    ),
    "a mark that goes": (f"(do ((forget (top (game mem SPY))) (shuffle {DECK})))", "", ""),
}
"""An option; its action by the rules of version 1, and by those of version 2."""
SPY = (
    "(remember (top ((3 player) iloc HAND)) (top (game mem SPY)))"
    f" (create deck {ALONE} (deck (RANK (A)) (SUIT (HEARTS)) (COLOR (RED))))"
)


@pytest.mark.parametrize("case", CASES)
def test_what_is_not_known_is_not_told(case: str) -> None:
    """Actions name no unknown card, except in matches that began under rules version 1."""
    option, first, now = CASES[case]
    versions = [offered(option, version=at, before=SPY) for at in (1, 2)]
    if first:
        assert versions == [(first,), (now,)]


def test_options_alike_are_numbered() -> None:
    """Options that look alike are numbered, under either version of the rules."""
    versions = [offered("(turn pass)", "(turn pass)", version=at) for at in (1, 2)]
    assert versions == [("pass #1", "pass #2")] * 2


@pytest.mark.parametrize("case", CASES)
def test_worlds_that_a_player_cannot_tell_apart(case: str) -> None:
    """The options offered are equal bytes in worlds that the player cannot tell apart."""
    before = f"(shuffle {DECK}) (shuffle ((2 player) iloc HAND)) {SPY}"
    described = made(CASES[case][0], "(turn pass)", before=before)
    told = set()
    for seed in range(10):
        state = started(described, seed).state
        choices = described.choices(state, 0)
        told.add(repr((choices, described.in_parts(state, 0, choices))))
    assert len(told) == 1


AGAIN = {
    "in a loop": "(repeat 2 (do ({look} {turn})))",
    "in a loop that decides": "(repeat 2 (do (((> (sum {out} {using}) 5) (inc {score})) {turn})))",
    "by a variable": "(let {out} 'V (do ({turn} (inc {score} (sum 'V {using})))))",
    "by two variables": (
        "(let {out} 'V (let {out} 'W (do ({turn} (inc {score} (sum 'V {using}))))))"
    ),
    "by one that any binds": (
        "(any (all player 'P ('P vloc OUT)) 'V"
        " (do ((move (top {deck}) (top ((current player) vloc OUT)))"
        " (inc {score} (sum 'V {using})))))"
    ),
    "by one that all binds": "(all player 'P (do ({look} {turn})))",
}


@pytest.mark.parametrize("again", AGAIN)
def test_a_pile_that_is_looked_at_again(again: str) -> None:
    """An expression before a card is turned up may read the card's pile all the same."""
    parts = {
        "deck": DECK,
        "out": OUT,
        "using": USING,
        "look": f"(inc {{score}} (sum {OUT} {USING}))",
        "turn": f"(move (top {DECK}) (top {OUT}))",
    }
    text = AGAIN[again].replace("{look}", parts["look"])
    # Where two do the same with cards, they tell of values, too.
    options = [text.format(**parts, score=at) for at in (SCORE, SCORE.replace("SCORE", "BID"))]
    described = made(*options, before=f"(shuffle {DECK})")
    worlds = [started(described, seed).state for seed in range(10)]
    assert {state.stop for state in worlds} == {None}
    assert len({described.choices(state, 0) for state in worlds}) == 1


PICKS = {
    "a player": ("(other player)", "(+ {die} (sum ('X iloc HAND) {using}))", "player/1 player/2"),
    "a team": ("team", "(+ {die} (tid 'X))", "team/0 team/1 team/2"),
    "a number": ("(range 1 .. 2)", "(random 'X)", "1 2"),
    "a string": ("(A, BIG)", "(+ {die} (size (game vloc 'X)))", "A BIG"),
    "a card": (HAND, "(+ {die} (score 'X {using}))", "4H 4C"),
    "cards": (f"(subsets {HAND} == 1)", "(+ {die} (size 'X))", "4H 4C"),
    "a pile": ("(all player 'P ('P vloc OUT))", "(+ {die} (size 'X))", "out/0 out/1 out/2"),
    "an unseen card": (f"(top 2 {DECK})", "(score 'X {using})", "#1 #2"),
    "nothing that matters": ("(A, BIG)", "{die}", "#1 #2"),
}
"""What an `any` goes over, what is done with an item, and how the actions say which one it is."""
TEXTS = {
    "a player": "{seat 1}|{seat 2}",
    "a team": "team 1|team 2|team 3",
    "a number": "1|2",
    "a string": "A|big",
    "a card": "{card 4H}|{card 4C}",
    "cards": "{card 4H}|{card 4C}",
    "a pile": "{own 0} out|{of 1} out|{of 2} out",
}
PARTS = {
    "a player": [((), (1,), (), ()), ((), (2,), (), ())],
    "a number": [((), (), (), (1,)), ((), (), (), (2,))],
    "a string": [((), (), ("A",), ()), ((), (), ("big",), ())],
    "a card": [(("4H",), (), (), ()), (("4C",), (), (), ())],
    "cards": [(("4H",), (), (), ()), (("4C",), (), (), ())],
}


@pytest.mark.parametrize("pick", PICKS)
def test_what_any_bound_is_told(pick: str) -> None:
    """Options that do the same, as far as their player knows, name the chosen `any`."""
    over, value, told = PICKS[pick]
    value = value.format(die="(random 6)", using=USING)
    described = made(f"(any {over} 'X (set (game sto Y) {value}))")
    state = started(described).state
    choices = described.choices(state, 0)
    assert choices.actions == tuple(f"y ? {each}" for each in told.split())
    if pick in TEXTS:
        texts = TEXTS[pick].split("|")
        assert choices.texts == tuple(f"y ?, {each}" for each in texts)
    parts = described.in_parts(state, 0, choices).parts
    if pick in PARTS:
        assert [(p.cards, p.seats, p.words, p.numbers) for p in parts] == PARTS[pick]
    assert len(set(parts)) == len(parts)


def test_what_is_drawn_before_an_any() -> None:
    """A draw made before an `any` is not revealed by the options."""
    play = f"(any {HAND} 'C (do ((move 'C (top {OUT})) (set (game sto X) {{}}))))"
    for option in (
        f"(let (random 1 .. 6) 'D {play.format(chr(39) + 'D')})",
        f"(do ({DIE} {play.format('((current player) sto DIE)')}))",
    ):
        described = made(option)
        worlds = [started(described, seed).state for seed in range(10)]
        assert len({described.choices(state, 0) for state in worlds}) == 1
        assert described.choices(worlds[0], 0).actions == ("play 4H", "play 4C")


def test_options_that_exist_by_chance() -> None:
    """Options that exist by chance reveal the deciding draw and no other."""
    roll = "(any (range 1 .. (random 1 .. 6)) 'N (set (game sto X) (+ 'N (random 1 .. 6))))"
    some = offered(roll)
    assert some == tuple(f"x ? {at + 1}" for at in range(len(some)))
    fork = "(any (range 1 .. 2) 'N (do ((set (game sto X) (random 'N)) (swap {} {}))))"
    first = f"(move (top {DECK}) (top {OUT}))"
    top = f"(== (cardatt SUIT (top {OUT})) HEARTS)"
    turned = offered(f"(do ({first} ({top} {fork.format(HAND, OUT)})))")
    assert turned in (("go on ? 1", "go on ? 2"), ("move from deck to out",))
    cards = f"(any (filter {DECK} 'C (== (cardatt SUIT 'C) HEARTS)) 'C (move 'C (top {OUT})))"
    sets = (
        f"(any (filter (subsets {DECK}) 'L (== (size 'L) 4)) 'L (all 'L 'C (move 'C (top {OUT}))))"
    )
    assert [each.partition(" from")[0] for each in offered(cards)] == [
        "move @2",
        "move @4",
    ]
    assert offered(sets) == ("move 4 from deck to out",)


def test_once_chosen_everybody_is_told() -> None:
    """The result of a chosen action is told to everybody after the choice."""
    described = made(DIE, "(turn pass)")
    step = described.apply(started(described).state, 0, "die ?")
    for viewer, action in ((0, "die ?"), (1, "die 4")):
        taken = next(f for f in seen_by(step.facts, viewer) if f.verb == "option_taken")
        words = f"{'choose' if viewer == 0 else 'chooses'} die 4"
        assert (taken.args["action"], taken.words) == (action, words)
    assert described.view(step.state, 1).number("die/0") == 4


def test_an_option_that_goes_wrong() -> None:
    """An option that fails is described up to the failure."""
    wrong = f"(do ({DIE} (move (top {ALONE}) (top {OUT})) (set (game sto Z) 1)))"
    assert offered(wrong) == ("die ?",)
    nothing = "((> (random 1 .. 6) 6) (turn pass))"
    assert offered(nothing, "(turn pass)") == ("pass",)
    late = f"(do ({DIE} {FORK}))"
    half = "(do ((repeat 1 (inc (game sto X))) ((> (random 1 .. 6) 3) (inc (game sto X)))))"
    assert offered(half, late)[0] == "x 1"
    unsure = "(repeat (random 1 .. 2) (inc (game sto X)))"
    assert offered(unsure, late) == ("go on ?", "go on ? 1", "go on ? 2")
    surely = "((> (random 1 .. 6) 0) (turn pass))"
    assert offered(surely, late) == ("pass", "go on ? 1", "go on ? 2")


def test_what_is_unknown() -> None:
    """An unknown value can be computed with, but decides nothing; an unseen card may be any."""
    assert (UNKNOWN + 1) is (3 - UNKNOWN) is (UNKNOWN < 2) is (UNKNOWN != 2) is UNKNOWN
    for ask in (bool, hash, len, iter, int, lambda each: 7 // each, lambda each: [1][each]):
        with pytest.raises(Unsure):
            ask(UNKNOWN)
    one, two, drawn, mark = Unseen(1), Unseen(2), Drawn(1), Marked(1)
    assert one == one
    assert one != two
    assert not operator.ne(one, one)
    assert one != 1
    assert (one == drawn) is (drawn == 1) is (drawn != two) is UNKNOWN
    assert drawn == drawn
    assert (one == mark) is (mark == one) is (one != mark) is UNKNOWN
    assert mark == 1 == Marked(1) != Marked(2)
    assert {1: "face"}[mark] == "face"  # type: ignore[index]
    assert (mark < 0, mark >= 0, mark % 52) == (False, True, 1)
    with pytest.raises(Unsure):
        [1, 2][mark]


def test_what_can_be_put_into_words_is_bounded() -> None:
    """Options with too long texts are shortened, and can still be chosen."""
    many = f"(choice ((any (range 1 .. 2000) 'N (inc {SCORE} 'N))))"
    first, now = (load(game(many).text, "Small3", version) for version in (1, 2))
    for described in (first, now):
        described.program = replace(described.program, work=40_000)
    assert len(first.choices(started(first).state, 0).actions) == 2000
    stop = started(now).state.stop
    assert stop is not None
    assert stop.reason == "too much is worked out between two choices"
    sets = " ".join(f"(set (game sto {'A' * at}B) 'N)" for at in range(1, 60))
    long = made(f"(any (range 1 .. 30) 'N (do ({sets})))")
    long.program = replace(long.program, work=10_000)
    state = started(long).state
    assert state.stop is None, state.stop
    actions = long.choices(state, 0).actions
    assert actions[0].startswith("ab 1, aab 1, aaab 1")
    assert actions[-1] == "go on ? 30"
    assert max(map(len, actions)) <= ACTION
    assert long.apply(state, 0, actions[0]).state.stop is None


def test_a_card_of_which_chance_says_where_it_lies() -> None:
    """An option over a card in a random pile names no pile and asks for no place."""
    best = f"(min (union (game vloc STOCK) {ALONE}) {USING})"
    described = made(f"(move {best} (top {OUT}))", before=SPY)
    state = started(described).state
    choices = described.choices(state, 0)
    assert choices.texts == ("move a card to the out",)
    (parts,) = described.in_parts(state, 0, choices).parts
    assert (parts.cards, parts.backs) == ((), ())
