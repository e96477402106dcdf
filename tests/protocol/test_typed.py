"""Moves that people type at the table."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import FRENCH, TOKENS, LegendCard
from engine.choices import Choices, Pick
from protocol.typed import Ambiguous, TypedError, UnknownMove, attempted, names_a_move, resolve

HAND = Choices(("play 2C", "play QS@1", "play QS", "play QH@3", "play QH@5", "play TD", "play 9D"))
BIDS = Choices(("bid 0", "bid 1", "bid 2", "pass"))
LEAD = Choices(("play QH", "marry QH", "play JC", "close", "exchange"))
PASS = Choices(picks=(Pick("pass", ("2C", "2C", "3D", "TH", "KH"), 3, 3),))
TAROT = tuple(
    LegendCard(token=f"A{n}", label=f"Arcanum {n}", group="Arcana", order=n, colour="gold")
    for n in range(1, 4)
) + (LegendCard("FOOL", "Fool", "Fool", 0, "white"),)


def meant(typed: str, choices: Choices = HAND) -> str:
    return resolve(typed, choices, FRENCH)


class TestSpellings:
    @pytest.mark.parametrize("typed", ["play TD", "PLAY td", "10d", "d10", "TD", "dt", "10♦", "♦T"])
    def test_a_ten_has_many_names(self, typed: str) -> None:
        """A card is found by token or label, in either order, by letter or symbol, in any case."""
        assert meant(typed) == "play TD"

    @pytest.mark.parametrize("typed", ["♠q@1", "♠️Q@1", "♤q@1", "  QS@1 ", "play  q♠@1"])
    def test_symbols_as_phones_type_them(self, typed: str) -> None:
        """White suits, variant marks of symbols and stray blanks are accepted."""
        assert meant(typed) == "play QS@1"

    @given(token=st.sampled_from(TOKENS), data=st.data())
    def test_every_card_by_every_name(self, token: str, data: st.DataObject) -> None:
        """A legal card's own token and label always mean that card."""
        others = data.draw(st.lists(st.sampled_from(TOKENS), max_size=9))
        choices = Choices(tuple(f"play {card}" for card in {token: 0} | dict.fromkeys(others, 0)))
        label = next(card.label for card in FRENCH if card.token == token)
        for typed in (token, token.lower(), label, label[::-1].replace("01", "10")):
            assert resolve(typed, choices, FRENCH) == f"play {token}"

    def test_decks_that_are_not_french(self) -> None:
        """Cards of other decks are found by their legend; a one-card suit has no letter."""
        choices = Choices(("play A1", "play A2", "play FOOL"))
        assert resolve("a2", choices, TAROT) == "play A2"
        assert resolve("fool", choices, TAROT) == "play FOOL"
        assert resolve("p a1", choices, TAROT) == "play A1"

    def test_cards_that_the_legend_does_not_name(self) -> None:
        """A token is understood without a legend too."""
        assert resolve("xx", Choices(("play XX", "play YY")), ()) == "play XX"


class TestShortForms:
    @pytest.mark.parametrize(
        ("typed", "action"),
        [
            ("2", "play QS@1"),
            ("7", "play 9D"),
            ("@5", "play QH@5"),
            ("qs", "play QS"),
            ("qh@3", "play QH@3"),
            ("p 9d", "play 9D"),
        ],
    )
    def test_a_hand(self, typed: str, action: str) -> None:
        """Positions and places are accepted if one card fits, a hand's before a column's."""
        assert meant(typed) == action

    @pytest.mark.parametrize(
        ("typed", "action"),
        [("2", "bid 2"), ("0", "bid 0"), ("bid 1", "bid 1"), ("b 0", "bid 0"), ("pass", "pass")],
    )
    def test_bids(self, typed: str, action: str) -> None:
        """A number is the bid of that number."""
        assert meant(typed, BIDS) == action

    def test_nil(self) -> None:
        """A nil is the bid of no trick; the blind one is bid in full, as a slip costs much."""
        bids = Choices(("bid 0", "bid 1"))
        for typed in ("nil", "bid nil", "Null"):
            assert names_a_move(typed, bids, FRENCH)
            assert resolve(typed, bids, FRENCH) == "bid 0"
        assert attempted("nil", Choices(("bid 1", "bid 2")), FRENCH) == "bid 0"
        blind = Choices(("blind nil", "look"))
        assert resolve("blind nil", blind, FRENCH) == "blind nil"
        with pytest.raises(UnknownMove):
            resolve("nil", blind, FRENCH)

    def test_a_bid_that_is_barred_is_no_position(self) -> None:
        """Numbers are not positions among bids: a barred bid is refused."""
        for typed in ("1", "3"):
            with pytest.raises(UnknownMove):
                meant(typed, Choices(("bid 0", "bid 2", "pass")))

    @pytest.mark.parametrize(
        ("typed", "action"),
        [
            ("close", "close"),
            ("exchange", "exchange"),
            ("marry", "marry QH"),
        ],
    )
    def test_verbs(self, typed: str, action: str) -> None:
        """A verb alone is accepted if it leaves one move."""
        assert meant(typed, LEAD) == action

    @pytest.mark.parametrize(
        ("typed", "action"),
        [
            ("pass 3d 2c kh", "pass 2C 3D KH"),
            ("2C,2c;k♥", "pass 2C 2C KH"),
            ("5 4 3", "pass 3D TH KH"),
            ("1 2c 10h", "pass 2C 2C TH"),
            ("p 3d th kh", "pass 3D TH KH"),
        ],
    )
    def test_picks(self, typed: str, action: str) -> None:
        """Cards of a pick may come in any order and spelling, and are sent in the pick's order."""
        assert meant(typed, PASS) == action

    def test_picking_nothing(self) -> None:
        """The verb alone picks nothing, if the pick may be empty."""
        assert meant("show", Choices(picks=(Pick("show", ("2C",), 0, 1),))) == "show"


class TestRefusals:
    @pytest.mark.parametrize(
        ("typed", "choices", "candidates", "told"),
        [
            ("qh", HAND, ("play QH@3", "play QH@5"), "play Q♥@3, play Q♥@5"),
            ("qh", LEAD, ("play QH", "marry QH"), "play Q♥, marry Q♥"),
            ("s", HAND, ("play QS@1", "play QS"), "play Q♠@1, play Q♠; type it in full"),
            ("c", LEAD, ("play JC", "close"), "play J♣, close; type it in full"),
            ("p c", HAND, ("play 2C",), "play 2♣; type it in full"),
        ],
    )
    def test_ambiguity(
        self, typed: str, choices: Choices, candidates: tuple[str, ...], told: str
    ) -> None:
        """Ambiguous text is refused with the moves it could mean, as the table shows them."""
        with pytest.raises(Ambiguous, match=f"could be {told}") as caught:
            meant(typed, choices)
        assert caught.value.candidates == candidates

    @pytest.mark.parametrize(
        ("typed", "choices", "told"),
        [
            ("q", Choices(("play QS", "play 2C")), "play Q♠"),
            ("♦", Choices(("play 9D", "play 2C")), "play 9♦"),
            ("ex", LEAD, "exchange"),
            ("m", LEAD, "marry Q♥"),
            ("p", BIDS, "pass"),
        ],
    )
    def test_a_part_of_a_name(self, typed: str, choices: Choices, told: str) -> None:
        """Part of a card's name is refused with a hint, so that a slip plays no card."""
        with pytest.raises(Ambiguous) as caught:
            meant(typed, choices)
        assert str(caught.value) == f"'{typed}' could be {told}; type it in full"

    @pytest.mark.parametrize(
        ("pick", "typed", "why"),
        [
            (Pick("give", ("QS", "KH"), 1, 1), "q", "'q' could be Q♠; give 1 of Q♠ K♥"),
            (Pick("show", ("2C",), 0, 1), "s", "'s' is none of the cards; show 0 to 1 of 2♣"),
        ],
    )
    def test_a_part_of_a_name_in_a_pick(self, pick: Pick, typed: str, why: str) -> None:
        """Part of a card's name or of a verb chooses nothing in a pick."""
        with pytest.raises(UnknownMove) as caught:
            meant(typed, Choices(picks=(pick,)))
        assert str(caught.value) == why

    @pytest.mark.parametrize(
        "typed", ["", "xx", "0", "8", "99999", "9" * 9_999, "qs qs", "play", "KS", "QS@2", "²"]
    )
    def test_what_is_no_move(self, typed: str) -> None:
        """Text that fits no move is refused with moves that would fit."""
        with pytest.raises(TypedError, match="play 2♣") as caught:
            meant(typed)
        assert len(str(caught.value)) < 200

    @pytest.mark.parametrize(
        "typed",
        ["pass", "", "2c 3d", "2c 2c 2c", "1 1 2", "6 1 2", "2c 3d th kh", "as 2c 3d"],
    )
    def test_what_is_no_pick(self, typed: str) -> None:
        """A pick with wrong, doubled, too few or too many cards is refused with its pattern."""
        with pytest.raises(UnknownMove, match="pass 3 of 2♣ 2♣ 3♦ 10♥ K♥"):
            meant(typed, PASS)

    @pytest.mark.parametrize(
        ("typed", "why"),
        [
            ("pass", "no cards are named"),
            ("2c", "1 card is named"),
            ("p 2c 3d th kh", "4 cards are named"),
            ("2c as kh", "'as' is none of the cards"),
            ("2c 2c 9", "'9' is none of the cards"),
            ("2c c kh", "'c' could be 2♣; "),
            ("kh kh 2c", "the same card is named twice"),
            ("1 1 2", "the same card is named twice"),
            ("9" * 999, "'9999"),
        ],
    )
    def test_why_it_is_no_pick(self, typed: str, why: str) -> None:
        """The refusal of a pick starts with what is wrong."""
        with pytest.raises(UnknownMove) as caught:
            meant(typed, PASS)
        assert str(caught.value).startswith(why)
        assert len(str(caught.value)) < 100

    def test_a_word_for_several_cards_of_a_pick(self) -> None:
        """A word that means several cards of a pick is refused with a list of them."""
        choices = Choices(picks=(Pick("pass", ("QS", "KS", "KH"), 2, 2),))
        with pytest.raises(UnknownMove, match="'k' could be K♠ or K♥; pass 2 of Q♠ K♠ K♥"):
            meant("qs k", choices)

    def test_patterns_with_a_range(self) -> None:
        """The pattern of a pick shows how many cards it takes."""
        choices = Choices(picks=(Pick("show", ("2C", "3C"), 1, 2),))
        with pytest.raises(UnknownMove, match="show 1 to 2 of 2♣ 3♣"):
            meant("x", choices)

    def test_short_names_in_a_pattern(self) -> None:
        """A rank that two different cards share is ambiguous."""
        with pytest.raises(UnknownMove, match="give 1 of K♣ K♥"):
            meant("k", Choices(picks=(Pick("give", ("KC", "KH"), 1, 1),)))

    def test_several_patterns(self) -> None:
        """Cards that fit two picks need the verb."""
        choices = Choices(picks=(Pick("give", ("2C",), 1, 1), Pick("keep", ("2C",), 1, 1)))
        assert meant("keep 2c", choices) == "keep 2C"
        with pytest.raises(Ambiguous, match="give 2♣, keep 2♣"):
            meant("2c", choices)

    def test_moves_of_several_parts(self) -> None:
        """The cards of a move with several parts are named as the table shows them."""
        choices = Choices(("meld QS, KS@2", "discard XX"))
        with pytest.raises(UnknownMove, match="you may: meld Q♠, K♠@2, discard XX"):
            meant("nothing", choices)

    @pytest.mark.parametrize("typed", ["exchange", "marry qh", "bid 2", "abracadabra"])
    def test_a_move_of_another_moment(self, typed: str) -> None:
        """A move that is not legal now is refused as such, without saying it never is."""
        with pytest.raises(UnknownMove) as caught:
            meant(typed, Choices(("play JC", "play QH")))
        assert str(caught.value) == f"'{typed}' is not possible now; you may: play J♣, play Q♥"

    def test_out_of_turn(self) -> None:
        """A player without choices is told that it is not their turn."""
        with pytest.raises(UnknownMove, match=r"^it is not your turn$"):
            meant("qs", Choices())

    def test_long_lists_are_cut(self) -> None:
        """A long list of moves in an error is cut and counted."""
        choices = Choices(tuple(f"play {token}" for token in TOKENS))
        with pytest.raises(UnknownMove, match="and 44 more"):
            meant("x", choices)

    @given(typed=st.text(max_size=30), data=st.data())
    def test_noise(self, typed: str, data: st.DataObject) -> None:
        """Any typed text is a legal move or refused in words."""
        choices = data.draw(st.sampled_from([HAND, BIDS, LEAD, PASS, Choices()]))
        with suppress(TypedError):
            assert choices.allows(resolve(typed, choices, FRENCH))


class TestMovesThatAreNotOffered:
    @pytest.mark.parametrize(
        ("choices", "typed", "action"),
        [
            (HAND, "k♠", "play KS"),
            (HAND, "play KS", "play KS"),
            (HAND, "pl 4c", "play 4C"),
            (HAND, "JC@2", "play JC@2"),
            (LEAD, "marry KS", "marry KS"),
            (BIDS, "9", "bid 9"),
            (BIDS, "bid 9", "bid 9"),
            (BIDS, "QS", "play QS"),
            (BIDS, "play QS", "play QS"),
            # Without amounts a number is a place in the list, and cards to be picked are listed.
            (HAND, "99", None),
            (PASS, "QS", None),
            (HAND, "play", None),
            (HAND, "nonsense", None),
            (HAND, "QS please", None),
            (HAND, "  ", None),
        ],
    )
    def test_what_was_meant(self, choices: Choices, typed: str, action: str | None) -> None:
        """The meant action is found even if it is not legal now; None if the text is unclear."""
        assert attempted(typed, choices, FRENCH) == action

    @pytest.mark.parametrize(
        ("choices", "typed", "move"),
        [
            (HAND, "KS", True),
            (HAND, "play the queen", True),
            (HAND, "pl", True),
            (HAND, "k", True),
            (Choices(), "k", False),
            (Choices(), "KS", True),
            (Choices(), "play KS", True),
            (Choices(), "99", True),
            (PASS, "pa 2c th", True),
            (PASS, "pass the cards", True),
            (HAND, "as you like", False),
            (HAND, "hello", False),
            (HAND, "", False),
        ],
    )
    def test_what_looks_like_a_move(self, choices: Choices, typed: str, move: bool) -> None:
        """Text looks like a move if it has verbs, cards or numbers, but not if it is a sentence."""
        assert names_a_move(typed, choices, FRENCH) is move
