"""What is pasted into the page where a table's code is asked for."""

import pytest

from tests.client_web.modules import Modules
from tests.protocol.test_pasted import CODES, DEVICE_LINKS, IN_SENTENCES


@pytest.mark.parametrize(("text", "code"), [*CODES.items(), *IN_SENTENCES.items()])
def test_a_code_is_found_in_what_is_pasted(modules: Modules, text: str, code: str) -> None:
    """The page reads what the terminal reads, and whole sentences."""
    assert modules.call("lobby/pasted.js", "read", text) == {"table": code}


def test_the_link_of_a_device_is_no_table(modules: Modules) -> None:
    """Nor is what has no code."""
    for link in (*DEVICE_LINKS, " http://192.0.2.7:8765/t/K7QXA#device=0123abcd. "):
        assert modules.call("lobby/pasted.js", "read", link) == {"device": "0123abcd"}
    for text in ("", " ", "http://192.0.2.7:8765/", "no code here", "ABCDEFGHIJKLMNOPQ"):
        assert modules.call("lobby/pasted.js", "read", text) == {}


def test_a_name_is_cleaned(modules: Modules) -> None:
    """Of line ends and of what nobody sees; a joiner that shapes a letter stays."""
    told = [
        modules.call("dom.js", "pastedName", text)
        for text in ("\u200b Ann\nLee\ufeff ", "می\u200cخواهم")
    ]
    assert told == ["Ann Lee", "می\u200cخواهم"]
