"""Pasted text where a table's code is expected."""

import pytest

from tests.client_web.modules import Modules
from tests.protocol.test_pasted import CODES, DEVICE_LINKS, IN_SENTENCES


@pytest.mark.parametrize(("text", "code"), [*CODES.items(), *IN_SENTENCES.items()])
def test_a_code_is_found_in_what_is_pasted(modules: Modules, text: str, code: str) -> None:
    """A code is found in pasted text as the terminal finds it, in whole sentences too."""
    assert modules.call("lobby/pasted.js", "read", text) == {"table": code}


def test_the_link_of_a_device_is_no_table(modules: Modules) -> None:
    """The link of a device, and text without a code, give no table."""
    for link in (*DEVICE_LINKS, " http://192.0.2.7:8765/t/K7QXA#device=0123abcd. "):
        assert modules.call("lobby/pasted.js", "read", link) == {"device": "0123abcd"}
    for text in ("", " ", "http://192.0.2.7:8765/", "no code here", "ABCDEFGHIJKLMNOPQ"):
        assert modules.call("lobby/pasted.js", "read", text) == {}


def test_a_name_is_cleaned(modules: Modules) -> None:
    """A name is cleaned of line ends and invisible characters, except joiners in use."""
    told = [
        modules.call("dom.js", "pastedName", text)
        for text in ("\u200b Ann\nLee\ufeff ", "می\u200cخواهم")
    ]
    assert told == ["Ann Lee", "می\u200cخواهم"]
