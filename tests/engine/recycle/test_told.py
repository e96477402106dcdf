"""What players are told of a described game: facts, refusals, labels and prompts."""

from itertools import pairwise

import pytest

from engine.cards import FRENCH
from engine.errors import IllegalAction
from engine.facts import SPECTATOR, Fact, seen_by
from engine.labels import Label
from engine.recycle import load
from engine.recycle.games import description, names
from engine.views import fold
from protocol.texts import sentence, speaking
from tests.engine.recycle.small_games import ANNOTATED, HAND, game, started, texts, walked

NAMES = ("Ann", "Bob")


def test_labels_name_zones_and_values() -> None:
    """Zones and values have labels from annotations, or by rule if their name is not enough."""
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
    """The view has the titles and sentences of the innermost titled stage and of the choice."""
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
    crib = ("The crib", "Everybody lays a card away.")
    assert seen == [
        (*crib, "Lay away", None),
        (*crib, None, None),
        (*crib, "Lay away", None),
        (*crib, None, None),
        (None, None, "How many tricks? Say it!", "The bids are added."),
        ("The end", "Nothing more.", None, None),
        (None, None, None, None),
    ]


def test_what_is_no_longer_chosen_is_gone_when_a_pile_is_made() -> None:
    """The prompt of the last choice is removed when a new pile lays out the table anew."""
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
    """A refusal names the stage and the possible actions, in the words of the file."""
    made = load(ANNOTATED, "Small2")
    told = []
    for state, _ in walked(made)[:-1]:
        with pytest.raises(IllegalAction) as refused:
            made.apply(state, state.asked[0], "play 9C")
        assert refused.value.phrase is not None
        told.append((refused.value.phrase.code, dict(refused.value.phrase.args)))
    assert told[0][0] == "not_offered_at"
    assert told[0][1]["about"] == "The crib: Lay away."
    assert str(told[0][1]["options"]).startswith("play {card 4H}|play {card ")
    assert told[2] == (
        "not_offered_at",
        {"about": "The crib: Everybody lays a card away.", "options": "pass"},
    )
    about = "How many tricks? Say it! The bids are added."
    assert ("not_offered_at", {"about": about, "options": "bid of tricks 1"}) in told
    assert told[-1] == ("not_offered", {"options": "pass"})


def test_what_was_done_is_told_in_words() -> None:
    """A move is told in words that name the card only to the viewers that may see it."""
    made = load(ANNOTATED, "Small2")
    _, facts = walked(made)[1]
    for viewer, action, words in (
        (0, "play 4H", "play {card 4H} to the crib"),
        (1, "play ? to crib", "plays a card to the crib"),
    ):
        (fact, *_) = [fact for fact in seen_by(facts, viewer) if fact.verb == "option_taken"]
        assert (str(fact.args["action"])[:5], fact.words[:10]) == (action[:5], words[:10])
        assert fact.words.endswith("to the crib")


def test_a_title_alone_tells_of_a_stage() -> None:
    """A stage that has a title but no sentence is named, before the words of its choice."""
    bare = ANNOTATED.replace(": everybody lays a card away.", "").replace("@choice Lay away", "")
    made = load(bare, "Small2")
    with pytest.raises(IllegalAction) as refused:
        made.apply(started(made).state, 0, "play 9C")
    assert refused.value.phrase is not None
    assert refused.value.phrase.args["about"] == "The crib"


@pytest.mark.parametrize("name", names())
def test_annotations_change_no_action_and_no_fact(name: str) -> None:
    """Annotations change neither actions nor facts, so stored logs replay unchanged.

    Values that the file says to tell of are told beside what is told anyway.
    """
    lines = description(name).split("\n")
    bare = "\n".join(line.partition(";; @")[0] for line in lines)
    annotated, plain = (load(each, name) for each in (description(name), bare))
    for (one, told), (other, said) in zip(walked(annotated, 9), walked(plain, 9), strict=True):
        assert one == other
        for seat in one.asked:
            assert annotated.choices(one, seat).actions == plain.choices(other, seat).actions
        quiet = [fact.args for fact, _ in told if fact.verb not in ("gained", "lost")]
        assert quiet == [fact.args for fact, _ in said]


COUNTING = """;; @tell SCORE points
(game
 (setup (create players 2)
  (create deck (game vloc STOCK) (deck (RANK (A, TWO, THREE, FOUR)) (SUIT (CLUBS)))))
 (stage player (end (> ((1 player) sto SCORE) 5))
  (choice ((do ((inc ((current player) sto SCORE) 2) (inc ((current player) sto SCORE))
                (inc ((current player) sto OTHER) 7)
                (move (top (game vloc STOCK)) (top (game vloc PILE)))
                (dec ((next player) sto SCORE) 1) (inc (game sto SCORE) 5)
                (set ((current player) str SCORE) HIGH)
                (set ((current player) sto SCORE) ((current player) sto SCORE)))))))
 (scoring max ((current player) sto SCORE)))
"""


def test_points_are_told_as_they_are_made() -> None:
    """Points scored at once are told in one sentence, if the value is annotated."""
    told = [
        (fact.verb, dict(fact.args))
        for fact in seen_by(walked(load(COUNTING, "Small2"))[1][1], SPECTATOR)
        if fact.verb in ("gained", "lost")
    ]
    assert told == [
        ("gained", {"seat": 0, "count": 3, "what": "points"}),
        ("lost", {"seat": 1, "count": 1, "what": "points"}),
    ]


def test_cribbage_tells_of_points() -> None:
    """Cribbage tells everybody of points, in the play and in the show."""
    states = walked(load(description("Cribbage2"), "Cribbage2"), 60)
    told = [fact for _, facts in states for fact in seen_by(facts, 0) if fact.verb == "gained"]
    assert {fact.args["seat"] for fact in told} == {0, 1}
    assert {fact.args["what"] for fact in told} == {"points"}


REASONS = COUNTING.replace(
    "(choice ((do ((inc ((current player) sto SCORE) 2) (inc ((current player) sto SCORE))",
    """(choice ((do (;; @why a pair
                (inc ((current player) sto SCORE) 2)
                ;; @why a run of #
                (do ((inc ((current player) sto SCORE))))""",
)


def test_points_are_told_with_what_they_are_for() -> None:
    """An annotation above a form says what the points that change in it are for."""
    facts = seen_by(walked(load(REASONS, "Small2"))[1][1], SPECTATOR)
    told = [dict(fact.args) for fact in facts if fact.verb in ("gained", "lost")]
    assert told == [
        {"seat": 0, "count": 3, "what": "points", "why": "a pair|a run of 1", "each": (2, 1)},
        {"seat": 1, "count": 1, "what": "points"},
    ]
    assert [sentence(fact, NAMES, (), 1) for fact in facts if fact.verb in ("gained", "lost")] == [
        "Ann gets 3 points: a pair for 2, a run of 1 for 3.",
        "You lose 1 point.",
    ]
    # As nobody tells it today.
    assert (
        sentence(Fact("gained", {"seat": 1, "count": 2}), NAMES, (), 0) == "Bob: gained (count 2)."
    )


def test_a_reason_is_told_only_with_a_change_that_is_seen() -> None:
    """A move has a reason if a number changes that people see, once, with by how much."""
    option = "(do ((move (top (game vloc STOCK)) (top (game vloc PILE))) {}))".format
    run = ";; @why a run of #\n(inc (game sto {}) {})".format
    same = "(do ((inc (game sto N) 2) (inc (game sto N) 2)))"
    cases = {
        run("N", 3): ", a run of 3",
        run("N", 0): "",
        run("SECRET", 3): "",
        f";; @why two\n{same}": ", two",
    }
    hide = ";; @hide SECRET"
    for change, reason in cases.items():
        made = game(f"(choice ({option(change)}))", above=hide)
        state = started(made).state
        choices = made.choices(state, 0)
        (taken,) = [
            fact
            for fact in seen_by(made.apply(state, 0, choices.actions[0]).facts, SPECTATOR)
            if fact.verb == "option_taken"
        ]
        said = [words.partition(",") for words in (*choices.texts, taken.words)]
        assert [comma + rest for _, comma, rest in said] == [reason, reason]


def test_very_many_reasons_are_not_told() -> None:
    """Points for very many things are told in one sentence without them."""
    for many, told in ((30, True), (31, False)):
        made = REASONS.replace(
            "(do ((inc ((current player) sto SCORE))))",
            f"(all (range 1 .. {many - 1}) 'N (inc ((current player) sto SCORE) 1))",
        )
        assert made != REASONS
        facts = seen_by(walked(load(made, "Small2"))[1][1], SPECTATOR)
        (gained,) = [fact.args for fact in facts if fact.verb == "gained"]
        assert (gained["count"], "why" in gained) == (many + 1, told)


def test_points_of_a_team_are_told() -> None:
    """The points of a team are told with the names of its players."""
    team = COUNTING.replace(
        "((current player) sto SCORE) 2)", "((team (current player)) sto SCORE) 2)"
    )
    (fact, *_) = [
        fact
        for fact in seen_by(walked(load(team, "Small2"))[1][1], SPECTATOR)
        if fact.verb == "gained"
    ]
    assert dict(fact.args) == {"team": (0,), "count": 2, "what": "points"}
    both = Fact("gained", {"team": (0, 1), "count": 2, "what": "points", "why": "a run"})
    assert sentence(both, NAMES, (), 1) == "You and Ann get 2 points: a run."
    lost = Fact("lost", {"seat": 0, "count": 1, "what": "chips", "why": "the ante"})
    assert sentence(lost, NAMES, (), 1) == "Ann loses 1 chip: the ante."


def test_a_move_is_a_sentence_behind_its_player() -> None:
    """What players do has the form for its reader; plain moves are told in every language."""
    made = load(description("GoFish3"), "GoFish3")
    (_, facts), *_ = walked(made)[1:]
    for viewer, said in ((0, "You ask Bob for"), (1, "Ann asks you for")):
        (fact, *_) = [fact for fact in seen_by(facts, viewer) if fact.verb == "option_taken"]
        told = sentence(fact, (*NAMES, "Cid"), made.info.legend, viewer)
        assert told is not None
        assert told.startswith(said)
    for words, you, they, german in (
        ("plays {card QS}", "You play Q♠.", "Ann plays Q♠.", "Ann spielt Q♠."),
        ("passes", "You pass.", "Ann passes.", "Ann passt."),
        ("press on", "You press on.", "Ann: press on.", "Ann: press on."),
        ("", "You: play QS.", "Ann: play QS.", "Ann: play QS."),
    ):
        fact = Fact("option_taken", {"seat": 0, "action": "play QS"}, words=words)
        own = Fact(
            "option_taken", fact.args, words=words.replace("s {", " {").replace("sses", "ss")
        )
        legend = FRENCH if words else ()
        assert sentence(own, NAMES, legend, 0) == you
        assert sentence(fact, NAMES, legend, 1) == they
        with speaking("de"):
            assert sentence(fact, NAMES, legend, 1) == german


def test_a_description_has_verbs_of_its_own() -> None:
    """Annotated verbs replace the built-in ones; the pile is named only to tell options apart."""
    play = f"(any {HAND} 'C (move 'C (top (game vloc {{}}))))"
    verbs = ";; @verb MELD lay down\n;; @verb vloc WASTE throw away\n"
    assert texts(play.format("MELD"), play.format("WASTE"), above=verbs) == [
        "lay down {card 4H}",
        "lay down {card 4C}",
        "throw away {card 4H}",
        "throw away {card 4C}",
    ]
    two = texts(play.format("MELD 1"), play.format("MELD 2"), above=verbs)
    assert two[::2] == ["lay down {card 4H} to the meld 1", "lay down {card 4H} to the meld 2"]
    draw = f"(move (top (game vloc STOCK)) (top {HAND}))"
    assert texts(draw, above=";; @verb HAND pick up") == ["pick up {card AH} from the stock"]


def test_rummy_lays_down_and_discards() -> None:
    """Rummy names its actions lay down and discard."""
    made = load(description("Rummy2"), "Rummy2")
    verbs = {
        text.split(" {")[0]
        for state, _ in walked(made, 40)
        for text in made.choices(state, state.asked[0] if state.asked else 0).texts
    }
    assert "discard" in verbs
    assert "play" not in verbs


@pytest.mark.parametrize(("name", "holds"), [("Hearts4", 13), ("Golf4", 0), ("Rummy2", 0)])
def test_what_lies_open_is_held_before_it_is_swept_away(name: str, holds: int) -> None:
    """Open cards are held for a moment before they are swept away, unless players move them."""
    states = walked(load(description(name), name))
    assert sum(fact.holds for _, facts in states for fact in seen_by(facts, SPECTATOR)) == holds


def test_the_show_of_cribbage_is_a_sequence() -> None:
    """The show of Cribbage holds each hand for a moment after its points are told."""
    made = load(description("Cribbage2"), "Cribbage2")
    seen = [seen_by(facts, SPECTATOR) for _, facts in walked(made)]
    shows = [facts for facts in seen if any(fact.args.get("source") == "crib" for fact in facts)]
    assert shows
    for facts in shows:
        for before, fact in pairwise(facts):
            if before.verb == "gained" and fact.verb == "cards_moved":
                assert fact.holds
        crib = next(at for at, fact in enumerate(facts) if fact.args.get("source") == "crib")
        assert not facts[crib].holds
        assert sum(fact.holds for fact in facts[crib:]) == 1
