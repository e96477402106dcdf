"""The drawings of the page's cards, which a script makes."""

from tools import card_art


def test_art_is_what_the_script_draws() -> None:
    """The module of card paths equals what the script writes."""
    assert card_art.TARGET.read_text(encoding="utf-8") == card_art.module()


def test_art_is_small() -> None:
    """The drawings of courts, suits and back are at most 25 kB."""
    assert len(card_art.module().encode()) <= card_art.MOST_BYTES
