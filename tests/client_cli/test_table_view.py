"""Tables as a person sees them: golden texts, and random views."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from client_cli.effects import Show
from client_cli.output import LineOutput
from client_cli.table_view import draw_scores, draw_table, draw_turn, title_lines
from client_cli.text import Look, Span, width
from engine.facts import Value
from engine.phrases import Phrase
from engine.views import View, Zone
from protocol.mirror import TableMirror
from protocol.to_client import Snapshot
from tests.client_cli.tables import (
    ANN_AND_BOTS,
    ANNS_TURN,
    ASCII,
    NARROW,
    WIDE,
    bot,
    human,
    table,
    text_of,
)
from tests.protocol.strategies import instances


def test_a_turn_of_black_queen() -> None:
    """A turn of Black Queen shows rows, the trick in order, and numbered legal cards."""
    assert (
        text_of(draw_table(ANNS_TURN, WIDE))
        == """
── Black Queen · table K7Q2X · deal 2 of 4 ────────────────────────────────────
                 points  total  hand  taken  1   2
▸ Ann     you         0      5     6      0  J♣▒ 5♥
  Blaise  bot 2       0    -30     3      2  Q♥▒ ▒
  Carl    bot 2     -14     10     5      3  ·   10♦▒

trick    Blaise 4♣  Carl K♣

hand      1)2♣   2)9♣   3)10♣
            4♦
            Q♠
            A♥
column    4)J♣@1
"""
    )


def test_a_bid_of_whist() -> None:
    """A bid of Whist shows the dealer, bids, trumps and the allowed bids."""
    bidding = table(
        zones={
            "deck": "? " * 36,
            "turned": "7H",
            "trick": "",
            "hand/0": "2C 9C TS 4H AH",
            "hand/1": "? ? ? ? ?",
            "hand/2": "? ? ? ? ?",
            "taken/0": "",
            "taken/1": "",
            "taken/2": "",
        },
        values={
            "deal": 6,
            "deals": 20,
            "cards": 5,
            "trump": "♥",
            "dealer": 0,
            "leader": 1,
            "turn": (0,),
            "bid/1": 2,
            "bid/2": 1,
            "tricks/0": 0,
            "tricks/1": 0,
            "tricks/2": 0,
            "total/0": 31,
            "total/1": 20,
            "total/2": 33,
        },
        to_act=(0,),
        actions=("bid 0", "bid 1", "bid 3", "bid 4", "bid 5"),
    )
    whist = replace(
        bidding, info=bidding.info.model_copy(update={"title": "Whist", "options": {"cards": 10}})
    )
    assert (
        text_of(draw_table(whist, WIDE))
        == """
── Whist · table K7Q2X · deal 6 of 20 · cards 5 · trump ♥ ─────────────────────
                       bid  tricks  total  hand
▸ Ann     you, dealer            0     31     5
  Blaise  bot 2          2       0     20     5
  Carl    bot 2          1       0     33     5

deck     ▒×36  turned 7♥
trick    -

hand     2♣  9♣
         10♠
         4♥  A♥
bid      0  1  3  4  5
"""
    )
    question = bidding.question
    choices = replace(bidding.choices, prompt=Phrase("ask_bid"))
    asked = replace(bidding, question=question.model_copy(update={"choices": choices}))
    assert "\nHow many tricks do you bid?\nhand " in text_of(draw_table(asked, WIDE))


STOCK = table(
    seats=(human("Ann"), bot("Blaise")),
    zones={
        "talon": "? ? ? ? ?",
        "turned": "JD",
        "trick": "",
        "hand/0": "QS KS AH TD",
        "hand/1": "KH ? ? ? ?",
        "taken/0": "",
        "taken/1": "",
    },
    values={"turn": (0,), "marriages/0": 0, "marriages/1": 20, "closed/1": True},
    to_act=(0,),
    actions=("play TD", "play QS", "play KS", "play AH", "marry QS", "marry KS", "close"),
)
"""Cards are drawn from a stock; a king in the other hand is known; some moves need no card."""


def test_a_stock_a_known_card_and_moves_without_a_card() -> None:
    """Piles stand side by side, known cards of a hand have a line, words have numbers."""
    assert (
        text_of(draw_table(STOCK, WIDE))
        == """
── Black Queen · table K7Q2X ──────────────────────────────────────────────────
                 closed  marriages  hand  taken
▸ Ann     you                    0     4      0
  Blaise  bot 2     yes         20     5      0

talon    ▒×5  turned J♦
trick    -
Blaise, hand K♥  ▒×4

hand      1)10♦
          2)Q♠   3)K♠
          4)A♥
moves     5)marry Q♠   6)marry K♠   7)close
"""
    )
    assert "\ntalon    # x5  turned JD\n" in text_of(draw_table(STOCK, ASCII))


def test_letters_instead_of_symbols() -> None:
    """In ASCII the cards are tokens, and no lines are drawn."""
    drawn = text_of(draw_table(ANNS_TURN, ASCII))
    assert drawn.isascii()
    assert "> Ann     you         0      5     6      0  JC# 5H\n" in drawn
    assert "\nhand      1)2C   2)9C   3)TC\n" in drawn


def test_a_narrow_terminal_gets_the_columns_below() -> None:
    """In a narrow terminal the columns follow below, with the names again."""
    assert (
        text_of(draw_table(ANNS_TURN, Look(width=50))).split("\n\n")[0]
        == """
── Black Queen · table K7Q2X · deal 2 of 4 ───────
                 points  total  hand  taken
▸ Ann     you         0      5     6      0
  Blaise  bot 2       0    -30     3      2
  Carl    bot 2     -14     10     5      3
          1   2
▸ Ann     J♣▒ 5♥
  Blaise  Q♥▒ ▒
  Carl    ·   10♦▒"""
    )


def test_values_without_an_owner_stand_in_the_title() -> None:
    """Values without an owner stand in the title, except mere markers."""
    trumps = table(values={"trump": "♠", "turn": (1,), "leader": 0, "option/deals": 4, "deal": 1})
    assert text_of(title_lines(trumps, WIDE)).startswith(
        "\n── Black Queen · table K7Q2X · trump ♠ · deal 1 of 4 ─"
    )


def test_practice_stands_in_the_title() -> None:
    """A practice match is marked in the title."""
    here = table(values={"deal": 1})
    here = replace(here, info=here.info.model_copy(update={"practice": True}))
    assert "table K7Q2X · practice · deal 1 of 4 ─" in text_of(title_lines(here, WIDE))


def test_a_title_never_cuts_a_score() -> None:
    """A title that is too long continues in the next line."""
    values: dict[str, Value] = {"score_team/0": 1234, "score_team/1": -567, "deal": 3}
    lines = text_of(title_lines(table(values=values), Look(40))).splitlines()[1:]
    assert lines == [
        "── Black Queen · table K7Q2X ───────────",
        "── score team 1 1234 ───────────────────",
        "── score team 2 -567 · deal 3 of 4 ─────",
    ]


def test_a_value_may_say_how_many_deals_there_are() -> None:
    """The number of deals stands beside the number of the deal."""
    values = {"deals": 20, "cards": 8, "deal": 3}
    whist = replace(table(values=values), info=table().info.model_copy(update={"options": {}}))
    assert text_of(title_lines(whist, WIDE)).startswith(
        "\n── Black Queen · table K7Q2X · cards 8 · deal 3 of 20 ─"
    )


def test_who_is_played_for_reads_how_to_come_back() -> None:
    """A player for whom a bot plays reads how to come back."""
    mine = table(seats=(human("Ann", stand_in=True), human("Bea")), to_act=(0,))
    said = "\nA bot plays your seat. Type back to play it yourself.\n"
    assert text_of(draw_turn(mine, WIDE)) == said
    narrow = draw_turn(mine, Look(20, symbols=True, colour=False))
    assert text_of(narrow) == "\nA bot plays your\nseat. Type back to\nplay it yourself.\n"


def test_whose_turn_it_is() -> None:
    """One sentence says whose turn it is, if anybody's."""
    assert text_of(draw_turn(ANNS_TURN, WIDE)) == "\nYour turn.\n"
    both = table(to_act=(1, 2))
    assert text_of(draw_turn(both, WIDE)) == "\nWaiting for Blaise, Carl.\n"
    assert draw_turn(table(), WIDE) == []


def test_a_spectator_is_offered_nothing() -> None:
    """A spectator has no hand and no numbers."""
    watched = replace(ANNS_TURN, seat=None)
    assert " 1)" not in text_of(draw_table(watched, WIDE))


def test_a_name_cannot_break_the_picture() -> None:
    """Control characters in names do not reach the terminal."""
    rude = table(seats=(human("A\x1b[2J\nnn"), *ANN_AND_BOTS[1:]))
    spans = [span for each in draw_table(rude, WIDE) for span in each]
    assert Span("A[2J nn") in spans


ZONES = st.one_of(
    st.sampled_from(["deck", "trick", "hand", "taken", "column", "x"]),
    st.builds(
        "{}/{}".format,
        st.sampled_from(["hand", "taken", "column", "meld"]),
        st.one_of(st.integers(0, 12), st.sampled_from(["", "x", "-1", "²", "9" * 5000])),
    ),
    st.builds("{}/{}/{}".format, st.just("column"), st.integers(0, 9), st.integers(0, 12)),
    st.text(max_size=12),
)
TOKENS = st.one_of(st.sampled_from(["QS", "2C", "TH", "AD"]), st.text(max_size=5))
PILES = st.builds(Zone, st.lists(TOKENS, max_size=9).map(tuple), st.integers(0, 30))
VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=9), st.just((1, 2)), st.just(())
)
KEYS = st.one_of(
    st.sampled_from(["deal", "turn", "leader", "points/0", "total/1", "bid/x", "option/a/b", "/"]),
    st.text(max_size=8),
)
VIEWS = st.builds(
    View, st.dictionaries(ZONES, PILES, max_size=12), st.dictionaries(KEYS, VALUES, max_size=8)
)
LOOKS = st.builds(Look, st.integers(20, 130), st.booleans(), st.booleans())


@given(instances(Snapshot).map(TableMirror.of), VIEWS, LOOKS)
def test_no_view_breaks_the_picture(mirror: TableMirror, view: View, look: Look) -> None:
    """Every random view is drawn, fits, and is ASCII if needed."""
    shown = replace(mirror, view=view)
    drawn = [*draw_table(shown, look), *draw_turn(shown, look), *draw_scores(shown, look)]
    assert all(width(each) <= look.width for each in drawn)
    written: list[str] = []
    output = LineOutput(lambda: look, written.append)
    for what in ("table", "score", "final", "help"):
        output.show(Show(what), shown)
    text = "".join(written)
    assert look.symbols or text.isascii()
    assert look.colour or "\x1b" not in text


def test_eight_players_and_four_packs_fit_sixty_columns() -> None:
    """The largest table of Black Queen fits sixty columns."""
    seats = tuple(bot(f"Player number {seat + 1}") for seat in range(8))
    zones = {f"column/{seat}/{slot}": "? TH" for seat in range(8) for slot in range(1, 9)}
    values = {f"{key}/{seat}": -100 for seat in range(8) for key in ("points", "total")}
    drawn = draw_table(table(seats=seats, zones=zones, values=values), NARROW)
    assert all(width(each) <= 59 for each in drawn)
    row = "  Player number 3  10♥▒ 10♥▒ 10♥▒ 10♥▒ 10♥▒ 10♥▒ 10♥▒ 10♥▒"
    assert row in text_of(drawn)


def test_what_no_longer_says_anything_is_not_told() -> None:
    """Values that have lost their meaning are not shown."""
    assert "pass left" in text_of(title_lines(table(values={"pass": "left"}), WIDE))
    assert "pass" not in text_of(title_lines(table(values={"pass": "left", "leader": 1}), WIDE))
    led, unset = (table(values={"led": suit}) for suit in ("CLUBS", "NONE"))
    assert "led clubs" in text_of(title_lines(led, WIDE))
    assert "led" not in text_of(title_lines(unset, WIDE))


def test_after_a_match_the_title_tells_results() -> None:
    """After a match the title has results."""
    values: dict[str, Value] = {"count": 17, "deal": 4, "leader": 1}
    title = text_of(title_lines(table(values=values, phase="finished"), WIDE))
    assert "count" not in title
    assert "deal 4 of 4" in title
