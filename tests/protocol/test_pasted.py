"""Pasted text: codes, links, names and addresses, with what copying adds."""

import pytest

from protocol.address import server_address
from protocol.exits import UsageError
from protocol.pasted import (
    device_code,
    is_code,
    is_written_code,
    pasted,
    server_and_table,
    table_code,
    word,
)

CODES = {
    "K7QXA": "K7QXA",
    " k7qxa \n": "K7QXA",
    "\u200bK7QXA\ufeff": "K7QXA",
    "\u201cK7QXA\u201d.": "K7QXA",
    "K7Q XA": "K7QXA",
    "K7Q-XA": "K7QXA",
    "\uff2b7QXA": "K7QXA",
    "http://192.0.2.7:8765/t/K7QXA": "K7QXA",
    "https://cards.example.org/play/t/k7qxa/replay?x=1#from=Ann&game=Whist": "K7QXA",
    "<https://cards.example.org/t/K7QXA>,": "K7QXA",
    "cards.example.org/t/K7QXA.": "K7QXA",
    "https://cards.example.org/t/\nK7QXA": "K7QXA",
    "/t/K7QX": "K7QX",
}
"""What is pasted, and the code of a table that it means."""
IN_SENTENCES = {
    "blackqueen join ws://192.0.2.7:8765 K7QXA": "K7QXA",
    "blackqueen join localhost K7QXA": "K7QXA",
    "Come to my table K7QXA, please!": "K7QXA",
    "Zoë invites you: http://192.0.2.7:8765/t/K7QXA#from=Zo%C3%AB": "K7QXA",
}
"""The same where a line or a field takes whole sentences."""
SERVERS = {
    "localhost": "ws://localhost:8765",
    " localhost ": "ws://localhost:8765",
    "http://192.0.2.7:8765": "ws://192.0.2.7:8765",
    "http://192.0.2.7:8765/": "ws://192.0.2.7:8765",
    "HTTPS://cards.example.org/play/": "wss://cards.example.org/play",
    "https://cards.example.org/play/t/K7QXA#from=Ann": "wss://cards.example.org/play",
    "https://cards.example.org/t/K7QXA/replay": "wss://cards.example.org",
    "http://localhost:8765/#device=0123abcd": "ws://localhost:8765",
    "http://localhost:8765/#device= 0123abcd": "ws://localhost:8765",
    "http://localhost:8765/#x": "ws://localhost:8765",
    "'ws://localhost:8765'": "ws://localhost:8765",
    "<ws://localhost:8765>.": "ws://localhost:8765",
    "ws://localhost:8765\u200b": "ws://localhost:8765",
    "192.0.2.7:8765/t/K7QXA": "ws://192.0.2.7:8765",
    "localhost/t/K7QXA": "ws://localhost:8765",
    "wss://cards.example.org.": "wss://cards.example.org",
}
DEVICE_LINKS = [
    "http://localhost:8765/#device=0123abcd",
    " http://localhost:8765/#device=0123abcd. ",
    "http://localhost:8765/#device= 0123abcd",
    "http://localhost:8765/#device=\r\n0123abcd",
    "http://localhost:8765/\n#device =\u200b 0123abcd",
]
"""As they are sent, and as mail programs break them in two."""
LINK = "http://192.0.2.7:8765/t/K7QXA#from=Ann&game=Whist"
PLACES = [
    (("ws://here:1", "K7QXA"), ("ws://here:1", "K7QXA")),
    (("K7QXA", "ws://here:1"), ("ws://here:1", "K7QXA")),
    (("k7qxa", "here.example"), ("here.example", "K7QXA")),
    (("k7qxa", "localhost"), ("localhost", "K7QXA")),
    (("tower", "K7QXA"), ("tower", "K7QXA")),
    (("tower", "k7qxa"), ("tower", "K7QXA")),
    (("K7QXA", "myserver"), ("myserver", "K7QXA")),
    (("K7QXA", None), (None, "K7QXA")),
    (("tower", None), ("tower", None)),
    (("http://192.0.2.7:8765/t/", "K7QXA"), ("http://192.0.2.7:8765", "K7QXA")),
    ((LINK, None), ("http://192.0.2.7:8765", "K7QXA")),
    ((None, LINK), ("http://192.0.2.7:8765", "K7QXA")),
    (("localhost", LINK), ("http://192.0.2.7:8765", "K7QXA")),
    ((LINK, "K7QXA"), ("http://192.0.2.7:8765", "K7QXA")),
    (("ws://here:1", " k7qxa\n"), ("ws://here:1", "K7QXA")),
    (("ws://here:1", "K7QX"), ("ws://here:1", "K7QX")),
    ((None, None), (None, None)),
]


@pytest.mark.parametrize(("text", "code"), [*CODES.items(), *IN_SENTENCES.items()])
def test_a_code_is_found_in_what_is_pasted(text: str, code: str) -> None:
    """A code is found in any case, in quotes, links, commands and sentences."""
    assert table_code(text) == code


@pytest.mark.parametrize(("text", "address"), SERVERS.items())
def test_a_server_is_found_in_what_is_pasted(text: str, address: str) -> None:
    """A server's address is found in the link to its page or to a table."""
    assert server_address(text) == address


@pytest.mark.parametrize("text", ["", " ", "ftp://localhost", "http://", "http:///t/K7QXA"])
def test_what_names_no_server_is_refused(text: str) -> None:
    """Text that names no server is refused."""
    with pytest.raises(UsageError):
        server_address(text)


@pytest.mark.parametrize(("words", "meant"), PLACES)
def test_server_and_table_come_in_either_order(
    words: tuple[str | None, str | None], meant: tuple[str | None, str | None]
) -> None:
    """Server and table are found in either order or in one link."""
    assert server_and_table(*words) == meant


def test_names_and_codes_of_devices_are_cleaned() -> None:
    """Names and device codes are cleaned, keeping quotes and joiners that belong to them."""
    assert pasted("\u200b Ann\nLee\u00ad ") == "Ann Lee"
    assert pasted('"Ann"') == '"Ann"'
    assert pasted("می\u200cخواهم") == "می\u200cخواهم"
    assert word("'K7QXA',") == "K7QXA"
    for text in ("0123abcd", " 0123abcd\n", "'0123abcd'", *DEVICE_LINKS):
        assert device_code(text) == "0123abcd"


def test_a_code_is_told_from_other_words() -> None:
    """A word in capitals is a code; one in small letters may be a host's name too."""
    assert is_written_code("K7QXA")
    assert not is_written_code("k7qxa")
    assert is_code("k7qxa")
    assert not is_code("k7qxa.example")
