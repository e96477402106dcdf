"""A bot's strength, given as a number or a word."""

from typing import Any, cast

import pytest

from bots import Level as BotsLevel
from protocol.connection import Client
from protocol.message import Level
from protocol.strengths import (
    LEVELS,
    Wished,
    lower_word,
    plainer_strength,
    strength_in,
    strength_number,
    wished_strength,
)
from protocol.to_client import GameCard, GameList, StrengthInfo
from protocol.to_server import Games

OLD = GameCard(
    id="queens", version=1, title="Queens", seats=(4,), usual_seats=4, options=(), strengths=(0, 1)
)
NEW = OLD.model_copy(
    update={
        "bots": (
            StrengthInfo(strength=0),
            StrengthInfo(strength=4, levels=("easy", "medium")),
            StrengthInfo(strength=7, levels=("strong", "invincible")),
        )
    }
)


class Asked:
    """A connection to a server with one game, which counts the requests for it."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def ask(self, kind: type[Games], game: str) -> GameList:
        self.asked.append(game)
        return GameList(id=1, games=(NEW,))


def test_bots_and_messages_know_the_same_words() -> None:
    """The words of `bots` and `protocol` are equal, since neither imports the other."""
    assert Level == BotsLevel


@pytest.mark.parametrize(
    ("text", "wished"),
    [("0", 0), ("9", 9), ("easy", "easy"), ("MEDIUM", "medium"), ("strong", "strong")]
    + [(wrong, None) for wrong in ("", "10", "-1", "²", "best", "easy 2")],
)
def test_what_is_typed_is_a_number_or_a_word(text: str, wished: Wished | None) -> None:
    """A typed strength is a number or a word, in any case; other text is refused."""
    assert wished_strength(text) == wished


def test_the_game_says_what_a_word_means() -> None:
    """The game defines the number of each word; two words may share one."""
    assert [strength_in(NEW, level) for level in LEVELS] == [4, 4, 7]
    assert strength_in(NEW, 2) == 2


@pytest.mark.parametrize(
    ("offered", "meant"),
    [((0,), [0, 0, 0]), ((0, 1), [1, 1, 1]), ((0, 1, 2), [1, 1, 2]), ((0, 1, 2, 3), [1, 2, 3])],
)
def test_an_older_server_has_only_numbers(offered: tuple[int, ...], meant: list[int]) -> None:
    """With an older server words mean its weakest, middle and strongest bot."""
    card = OLD.model_copy(update={"strengths": offered})
    assert [strength_in(card, level) for level in LEVELS] == meant


def test_a_word_may_name_a_weaker_bot_than_it_means() -> None:
    """A word may name a weaker bot if the intended one is unavailable; a number may not."""
    card = NEW.model_copy(update={"lowered": ("strong",)})
    told = [plainer_strength(card, wished) for wished in ("strong", "medium", 7)]
    assert told == [7, None, None]
    assert plainer_strength(NEW, "strong") is None


def test_two_words_may_name_the_same_bot() -> None:
    """If two words name one bot, the higher one is dropped, unless a stronger bot is missing."""
    assert [lower_word(NEW, wished) for wished in (*LEVELS, 4)] == [None, "easy", None, None]
    without = NEW.model_copy(update={"lowered": ("medium",)})
    assert lower_word(without, "medium") is None
    assert lower_word(OLD, "medium") is None


async def test_a_server_is_asked_for_words_alone() -> None:
    """The server is asked for strengths only if a word is used."""
    server = Asked()
    client = cast(Client, cast(Any, server))
    assert await strength_number(client, "queens", 3) == 3
    assert server.asked == []
    assert await strength_number(client, "queens", "strong") == 7
    assert server.asked == ["queens"]
