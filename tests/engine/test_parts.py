"""Actions in parts: what their texts name, and picks instead of long lists."""

from engine import GAMES, Choices, GameInfo, Pick, Setup, Shuffler, complete_options
from engine.choices import Parts, Way
from engine.game import MoveForm
from engine.match import Match
from engine.parts import by_their_texts, gathered, in_parts
from engine.shuffle import seed_from_int

MOVES = (
    MoveForm("play", "play", source="hand", target="trick", slots="column"),
    MoveForm("show", "show", source="hand"),
    MoveForm("pass", "pass", source="hand", target="passing", own=True),
    MoveForm("blind nil", "bid nil blind"),
)
INFO = GameInfo("game", 1, "Game", (2,), 2, moves=MOVES)


def test_an_action_is_what_its_text_names() -> None:
    """An action's parts are the cards with their zone, numbers and words that its text names."""
    actions = ("play 2C", "play QS@5", "show 2C", "show 2C@1", "blind nil", "bid 3", "lay 2C", "go")
    told = by_their_texts(Choices(actions), INFO, seat=1)
    assert told.ways == (
        Way("play", "hand/1", "trick"),
        Way("play", "column/1/5", "trick"),
        Way("show", "hand/1"),
        Way("bid nil blind"),
        Way("bid"),
        Way("lay 2C"),
        Way("go"),
    )
    assert told.parts == (
        Parts(0, ("2C",)),
        Parts(1, ("QS",)),
        Parts(2, ("2C",)),
        Parts(2, ("2C",)),
        Parts(3),
        Parts(4, numbers=(3,)),
        Parts(5),
        Parts(6),
    )


def test_a_pick_has_a_way() -> None:
    """A pick has a form whose zones its cards follow; actions and picks share the forms."""
    picks = (Pick("pass", ("2C", "3C"), 1, 1),)
    told = by_their_texts(Choices(("play 2C",), picks), INFO, seat=0)
    assert told.ways[told.picks[0].way] == Way("pass", "hand/0", "passing/0")


def test_a_match_has_the_moves_of_its_game() -> None:
    """A match gives the moves of its game's deal in parts, or by text for other games."""
    match = GAMES.game("schnapsen")
    assert isinstance(match, Match)
    step = match.start(Setup(2, complete_options(match, 2, {}), Shuffler(seed_from_int(1))))
    (seat,) = match.to_act(step.state)
    told = match.choices(step.state, seat)
    assert told.actions
    parts = in_parts(match, step.state, seat, told)
    assert parts == by_their_texts(told, match.info, seat)
    assert parts.ways[0] == Way("play", f"hand/{seat}", "trick")


def listed(*cards: str, texts: bool = False) -> Choices:
    """Choices to lay one of several sets of cards, or pass."""
    laid = tuple(tuple(one) for one in cards)
    return Choices(
        (*(" ".join(("lay", *one)) for one in laid), "pass"),
        texts=(*(f"lay {one}" for one in cards), "pass") if texts else (),
        ways=(Way("lay"), Way("pass")),
        parts=(*(Parts(0, one) for one in laid), Parts(1)),
    )


def test_every_choice_of_so_many_cards_is_a_pick() -> None:
    """A list of all choices of so many cards becomes a pick; other actions stay listed."""
    pairs = ("BA", "BC", "BD", "AC", "AD", "CD")
    short = gathered(listed(*pairs, texts=True), {"A": 1, "B": 2, "C": 3, "D": 4})
    assert short.picks == (Pick("lay", ("A", "B", "C", "D"), 2, 2, way=0),)
    assert (short.actions, short.texts) == (("pass",), ("pass",))
    assert short.parts == (Parts(1),)
    one_or_two = gathered(listed("A", "B", "C", "AB", "AC", "BC"), {})
    assert one_or_two.picks == (Pick("lay", ("A", "B", "C"), 1, 2, way=0),)


def test_other_lists_stay() -> None:
    """Lists of single cards, with missing or doubled sets, or with more than cards stay lists."""
    for choices in (
        listed("A", "B", "C"),
        listed("AB", "AC", "BC"),
        listed("AB", "AC", "AD", "BC", "BD"),
        listed("AB", "AC", "AD", "BC", "BD", "DB"),
        listed("AB", "AC", "AD", "BC", "BD", "CC"),
        Choices(),
    ):
        assert gathered(choices, {}) is choices
    pairs = listed("AB", "AC", "AD", "BC", "BD", "CD")
    worded = Choices(
        pairs.actions, ways=pairs.ways, parts=(Parts(0, ("A", "B"), numbers=(1,)), *pairs.parts[1:])
    )
    assert gathered(worded, {}) is worded
    ended = Choices(("lay A B down", *pairs.actions[1:]), ways=pairs.ways, parts=pairs.parts)
    assert gathered(ended, {}) is ended
