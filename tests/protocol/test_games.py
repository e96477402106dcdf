"""What the list of games says of options."""

from protocol.to_client.games import OptionBounds, OptionInfo


def test_an_option_has_other_bounds_for_other_numbers_of_players() -> None:
    """An option has bounds for each number of players, with defaults for others."""
    seven = OptionBounds(seats=7, default=7, low=1, high=7)
    cards = OptionInfo(name="cards", title="Cards", default=10, low=1, high=10, by_seats=(seven,))
    told = cards.for_seats(7)
    assert (told.default, told.low, told.high) == (7, 1, 7)
    assert cards.for_seats(5) is cards
