"""What players read of a described game: options, facts, refusals, labels, what is being chosen."""

from dataclasses import replace

import pytest

from engine import Setup
from engine.choices import Choices
from engine.errors import IllegalAction
from engine.facts import SPECTATOR, AddressedFact, Fact, seen_by
from engine.game import Step, complete_options
from engine.labels import Label
from engine.recycle import Description, load
from engine.recycle.games import description, names
from engine.recycle.state import State
from engine.shuffle import Shuffler, seed_from_int
from engine.views import fold
from tests.engine.recycle.running.playing import SETUP, described

HAND = "((current player) iloc HAND)"
DEAL = "(all player 'P (repeat 2 (move (top (game vloc STOCK)) (top ('P iloc HAND)))))"
"""Seat 0 gets 4H 4C, seat 1 3H 3C, seat 2 2H 2C; AC AH stay."""
SCORING = "(scoring max ((current player) sto SCORE))"


def started(game: Description) -> Step[State]:
    options = complete_options(game, game.info.usual_seats, {})
    return game.start(Setup(game.info.usual_seats, options, Shuffler(seed_from_int(1))))


def game(*children: str, before: str = "", setup: str = SETUP, above: str = "") -> Description:
    """A game in which everybody has two cards; `above` are comments."""
    parts = (above, "(game", setup, f"(do ({DEAL} {before}))", *children, SCORING, ")")
    return load("\n".join(parts), "Small3")


def texts(*options: str, **parts: str) -> list[str]:
    """The words for the options of one choice of seat 0."""
    made = game(f"(choice ({' '.join(options)}))", **parts)
    state = started(made).state
    assert state.stop is None, state.stop
    choices = made.choices(state, 0)
    assert choices == Choices(state.actions(0), texts=state.texts(0))
    assert len(set(choices.texts)) == len(choices.actions)
    return list(choices.texts)


def each(of: str, action: str) -> str:
    return f"(any {of} 'C {action})"


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (each(HAND, "(move 'C (top ((current player) vloc OUT)))"), "play {card 4H}"),
        (each(HAND, "(move 'C (top (game hloc CRIB)))"), "play {card 4H} to the crib"),
        (each(HAND, "(move 'C (top ((2 player) iloc HAND)))"), "give {card 4H} to {seat 1}"),
        (each(HAND, "(move 'C (top ((2 player) vloc ROW)))"), "give {card 4H} to {of 1} row"),
        (
            each("(top 1 (game vloc STOCK))", f"(move 'C (top {HAND}))"),
            "take {card AH} from the stock",
        ),
        (
            each("(top 1 (game vloc STOCK))", "(move 'C (top (game vloc UP 2)))"),
            "move {card AH} from the stock to the up 2",
        ),
        (f"(move (top ((2 player) iloc HAND)) (top {HAND}))", "take a card from {of 1} hand"),
        (
            f"(repeat 2 (move (top ((2 player) iloc HAND)) (top {HAND})))",
            "take 2 cards from {of 1} hand",
        ),
        (
            "(do ((move (top (game vloc STOCK)) (top ((current player) hloc DOWN)))"
            " (move (top ((current player) hloc DOWN)) (top (game vloc UP)))))",
            "take {card AH} from the stock to {own 0} down, "
            "play a card from {own 0} down to the up",
        ),
        ("(set (game sto BID) 3)", "bid 3"),
        ("(set ((2 player) sto BID) 3)", "{of 1} bid 3"),
        ("(set ((team (current player)) str BID) HIGH)", "bid high"),
        ("(set ((team (2 player)) str BID) A)", "team 2 bid A"),
        ("(set (game str BID) (game str OLD))", "bid none"),
        ("(set (game sto ASKED) (pid (2 player)))", "asked {seat 1}"),
        ("(do ((set (game sto ASKED) (pid (2 player))) (set (game sto ASKED) 0)))", "asked nobody"),
        ("(do ((set (game sto ASKED) (pid (2 player))) (set (game sto ASKED) 9)))", "asked 9"),
        ("(set (game points WORTH) (((SUIT : CLUBS) 1)))", "go on"),
        ("(turn pass)", "pass"),
        ("(create teams (1, 2) (3))", "go on"),
        ("(cycle next (2 player))", "next: {seat 1}"),
        ("(cycle current (2 player))", "next: {seat 1}"),
        ("(shuffle (game vloc STOCK))", "shuffle the stock"),
        ("(remember (top (game vloc STOCK)) (top (game mem M)))", "mark {card AH}"),
        ("(remember (top ((2 player) iloc HAND)) (top (game mem M)))", "mark a card"),
        ("(set (game sto FLAG) 1)", "pass"),
        (
            "(move (top (game vloc STOCK))"
            " (top (game vloc (cardatt SUIT (top (game vloc STOCK))))))",
            "move {card AH} from the stock to the hearts",
        ),
        ("(set (game sto (cardatt SUIT (top (game vloc STOCK)))) 2)", "hearts 2"),
    ],
)
def test_an_option_says_what_a_player_does(option: str, said: str) -> None:
    """Cards first, then values; where cards go if not everybody sees them there."""
    setup = SETUP.replace("(create deck", "(create teams (1, 3)) (create deck")
    assert texts(option, setup=setup)[0] == said


def test_marks_can_be_forgotten() -> None:
    """A mark is for everybody to see, and so is the end of one."""
    mark = "(remember (top (game vloc STOCK)) (top (game mem M)))"
    assert texts("(forget (top (game mem M)))", before=mark) == ["forget {card AH}"]


def test_values_that_every_option_sets_alike_are_left_out() -> None:
    """None of them is chosen; where nothing else would be said they stay."""
    options = [f"(do ((set (game sto X) {x}) (set (game sto Y) 2)))" for x in (5, 6)]
    assert texts(*options) == ["x 5", "x 6"]
    assert texts(options[0]) == ["x 5, y 2"]


def test_options_that_read_alike_say_more() -> None:
    """Where cards go, or the values in which they differ, or everything; else they are numbered."""
    play = "(move (top (game vloc STOCK)) (top ((current player) {})))"
    assert texts(
        f"(do ({play.format('vloc OUT')} (set (game sto X) 5) (set (game sto Y) 1)))",
        f"(do ({play.format('vloc OUT')} (set (game sto X) 6) (set (game sto Y) 1)))",
    ) == ["take {card AH} from the stock, x 5", "take {card AH} from the stock, x 6"]
    assert texts(play.format("vloc OUT"), play.format("vloc ROW")) == [
        "take {card AH} from the stock to {own 0} out",
        "take {card AH} from the stock to {own 0} row",
    ]
    assert texts(*[play.format("vloc OUT")] * 2, "(turn pass)") == [
        "take {card AH} from the stock (1)",
        "take {card AH} from the stock (2)",
        "pass",
    ]


def test_only_options_that_are_the_same_have_numbers() -> None:
    """One that reads like them but does something else says what."""
    draw = "(move (top (game vloc STOCK)) (top ((current player) vloc OUT)))"
    assert texts(draw, draw, f"(do ({draw} (set (game sto X) 5)))") == [
        "take {card AH} from the stock (1)",
        "take {card AH} from the stock (2)",
        "take {card AH} from the stock to {own 0} out, x 5",
    ]


def test_unseen_cards_are_told_apart_by_their_places() -> None:
    """As the actions tell them, and only where it is needed."""
    deal = "(repeat 2 (move (top (game vloc STOCK)) (top ((1 player) hloc DOWN))))"
    play = "(any ((current player) hloc DOWN) 'C (move 'C (top (game vloc UP))))"
    assert texts(play, before=deal) == [
        "play card 1 from {own 0} down to the up",
        "play card 2 from {own 0} down to the up",
    ]


DEALT = "(repeat 2 (move (top (game vloc STOCK)) (top ((1 player) hloc DOWN))))"
DOWN = "((current player) hloc DOWN)"
PLAY = "(move 'C (top (game vloc UP)))"


def test_values_of_unseen_cards_are_not_told() -> None:
    """Words tell no suit that the actions do not: the places tell the options apart."""
    suit = "(set (game str S) (cardatt SUIT 'C))"
    mark = "(remember 'C (top (game mem M)))"
    for more in (suit, f"{suit} {mark}"):
        assert texts(each(DOWN, f"(do ({PLAY} {more}))"), before=DEALT) == [
            "play card 1 from {own 0} down to the up",
            "play card 2 from {own 0} down to the up",
        ]


def test_piles_with_one_title_tell_no_values_of_unseen_cards() -> None:
    """Options that the actions tell apart by their piles alone have numbers."""
    options = (
        f"(do ((set (game str S) (cardatt SUIT ({end} {DOWN})))"
        f" (remember ({end} {DOWN}) (top (game mem M)))"
        f" (move (top {HAND}) (top (game vloc {name})))))"
        for end, name in (("top", "UP"), ("bottom", "DONE"))
    )
    assert texts(*options, before=DEALT, above=";; @pile UP heap\n;; @pile DONE heap") == [
        "play {card 4C} to the heap (1)",
        "play {card 4C} to the heap (2)",
    ]


def test_values_in_which_actions_differ_are_told_of_unseen_cards() -> None:
    """Where the same card can be played in two ways, and the actions say so, words do as well."""
    ways = [f"(do ({PLAY} (set (game sto X) {x})))" for x in (5, 6)]
    assert texts(*(each(f"(top 1 {DOWN})", way) for way in ways), before=DEALT) == [
        "play a card from {own 0} down, x 5",
        "play a card from {own 0} down, x 6",
    ]
    assert texts(each(DOWN, ways[0]), each(f"(top 1 {DOWN})", ways[1]), before=DEALT) == [
        "play card 1 from {own 0} down to the up",
        "play card 2 from {own 0} down to the up, x 5",
        "play card 2 from {own 0} down to the up, x 6",
    ]


def test_the_same_card_with_and_without_more() -> None:
    """Where everything is needed to tell two options apart, everything is said."""
    play = "(move (top (game vloc STOCK)) (top ((current player) vloc {})))"
    told = texts(
        f"(do ({play.format('OUT')} (set (game sto X) 5)))",
        f"(do ({play.format('ROW')} (set (game sto X) 5)))",
        f"(do ({play.format('OUT')} (set (game sto X) 6)))",
    )
    assert told[0] == "take {card AH} from the stock to {own 0} out, x 5"


ANNOTATED = """;; @pile CRIB the crib: it counts for the dealer
;; @value BID bid of tricks
;; @hide STEPS LEAD
(game
 (setup (create players 2)
  (create deck (game hloc STOCK) (deck (RANK (A, TWO, THREE, FOUR)) (SUIT (CLUBS, HEARTS)))))
 (do ((all player 'P (repeat 2 (move (top (game hloc STOCK)) (top ('P iloc HAND)))))
      (set (game sto LAST) (pid (1 player)))
      (move (top (game hloc STOCK)) (top (game vloc HAND)))
      (remember (top (game vloc HAND)) (top (game mem LEAD)))
      (remember (top (game vloc HAND)) (top (game mem BEST)))))
 ;; @stage The crib: everybody lays a card away.
 (stage player once
  (stage player once
   ;; @choice Lay away
   (choice ((any ((current player) iloc HAND) 'C
     (do ((move 'C (top (game hloc CRIB))) (inc (game sto STEPS))))))))
  (choice ((turn pass))))
 ;; @choice How many tricks? Say it!: the bids are added.
 (choice ((set (game sto BID) 1)))
 ;; @stage The end: nothing more.
 (stage player once (choice ((turn pass))))
 (choice ((turn pass)))
 (scoring max (+ (game sto BID) (size ('LAST iloc HAND)))))
""".replace("('LAST iloc HAND)", "(game mem BEST)")


def walked(made: Description, most: int = 100) -> list[tuple[State, tuple[AddressedFact, ...]]]:
    """Every state of a game in which everybody takes their first option, or the first of them."""
    step = started(made)
    states = [(step.state, step.facts)]
    while step.state.outcome is None and len(states) < most:
        seat = step.state.asked[0]
        step = made.apply(step.state, seat, step.state.actions(seat)[0])
        states.append((step.state, step.facts))
    return states


def test_labels_name_zones_and_values() -> None:
    """Where a name alone does not say it: by annotations, or by rule."""
    assert load(ANNOTATED, "Small2").info.labels == (
        Label("hand_iloc", "own hand"),
        Label("hand_vloc", "open hand"),
        Label("lead", "lead", "", "nothing"),
        Label("best", "best", "", "cards"),
        Label("crib", "crib", "it counts for the dealer"),
        Label("last", "last", "", "seat", 1),
        Label("steps", "steps", "", "nothing"),
        Label("bid", "bid of tricks"),
    )


def test_a_view_says_what_is_being_chosen() -> None:
    """The titles and sentences of the innermost titled stage and of the choice; facts tell them."""
    made = load(ANNOTATED, "Small2")
    keys = ("now/stage", "now/stage_text", "now/choice", "now/choice_text")
    seen: list[tuple[object, ...]] = []
    told: tuple[Fact, ...] = ()
    for state, facts in walked(made):
        view = made.view(state, SPECTATOR)
        told += seen_by(facts, SPECTATOR)
        assert fold(told) == view
        now = tuple(view.values.get(key) for key in keys)
        if now not in seen[-1:]:
            seen.append(now)
    crib = ("The crib", "everybody lays a card away.")
    assert seen == [
        (*crib, "Lay away", None),
        (*crib, None, None),
        (*crib, "Lay away", None),
        (*crib, None, None),
        (None, None, "How many tricks? Say it!", "the bids are added."),
        ("The end", "nothing more.", None, None),
        (None, None, None, None),
    ]


def test_what_is_no_longer_chosen_is_gone_when_a_pile_is_made() -> None:
    """Then the table is laid out anew, and yet nothing of the last choice stays."""
    hearts = "(cardatt SUIT (top (game vloc STOCK)))"
    made = game(
        ";; @choice The last one",
        "(choice ((turn pass)))",
        f"(do ((move (top (game vloc STOCK)) (top (game vloc {hearts})))))",
    )
    (_, facts), (over, more) = walked(made)
    view = fold(seen_by(facts + more, SPECTATOR))
    assert "now/choice" not in view.values
    assert view == made.view(over, SPECTATOR)


def test_a_refusal_names_the_stage_and_what_may_be_done() -> None:
    """In the words of the file; without any it tells what may be done."""
    made = load(ANNOTATED, "Small2")
    told = []
    for state, _ in walked(made)[:-1]:
        with pytest.raises(IllegalAction) as refused:
            made.apply(state, state.asked[0], "play 9C")
        assert refused.value.phrase is not None
        told.append((refused.value.phrase.code, dict(refused.value.phrase.args)))
    assert told[0][0] == "not_offered_at"
    assert told[0][1]["about"] == "The crib: Lay away."
    assert str(told[0][1]["options"]).startswith("play {card 4H} to the crib|play {card ")
    assert told[2] == (
        "not_offered_at",
        {"about": "The crib: everybody lays a card away.", "options": "pass"},
    )
    about = "How many tricks? Say it! the bids are added."
    assert ("not_offered_at", {"about": about, "options": "bid of tricks 1"}) in told
    assert told[-1] == ("not_offered", {"options": "pass"})


def test_what_was_done_is_told_in_words() -> None:
    """The player reads of their card, everybody else of a card; both beside the action."""
    made = load(ANNOTATED, "Small2")
    _, facts = walked(made)[1]
    for viewer, action, words in (
        (0, "play 4H", "play {card 4H} to the crib"),
        (1, "play ? to crib", "play a card to the crib"),
    ):
        (fact, *_) = [fact for fact in seen_by(facts, viewer) if fact.verb == "option_taken"]
        assert (str(fact.args["action"])[:5], fact.words[:10]) == (action[:5], words[:10])
        assert fact.words.endswith("to the crib")


def test_a_title_alone_tells_of_a_stage() -> None:
    """A stage without a sentence is named, and the choice's words follow."""
    bare = ANNOTATED.replace(": everybody lays a card away.", "").replace("@choice Lay away", "")
    made = load(bare, "Small2")
    with pytest.raises(IllegalAction) as refused:
        made.apply(started(made).state, 0, "play 9C")
    assert refused.value.phrase is not None
    assert refused.value.phrase.args["about"] == "The crib"


@pytest.mark.parametrize("name", names())
def test_annotations_change_no_action_and_no_fact(name: str) -> None:
    """A game without its annotations is the same game, so that logs stay what they are."""
    lines = description(name).split("\n")
    bare = "\n".join("" if "@" in line else line for line in lines)
    with_words, without = (walked(load(each, name), 9) for each in (description(name), bare))
    for (one, told), (other, said) in zip(with_words, without, strict=True):
        assert replace(one, words=()) == replace(other, words=())
        assert [fact.args for fact in told] == [fact.args for fact in said]


def test_a_number_from_nought_is_a_player_too() -> None:
    """Where players are counted from 0, the first of them is 0."""
    setup = SETUP.replace("(create deck", "(create teams (0, 1)) (create deck")
    assert texts("(set (game sto ASKED) (pid (0 player)))", setup=setup) == ["asked {seat 0}"]


def test_a_program_alone_has_words_by_rule() -> None:
    """A description that was made by hand has no annotations, and every name is a word."""
    made = described("(choice ((set (game sto BID) 1)))")
    assert started(made).state.texts(0) == ("bid 1",)
    assert started(made).state.texts(1) == ()
