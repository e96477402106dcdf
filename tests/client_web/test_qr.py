"""The page's QR codes equal those of the library used in terminals."""

from collections.abc import Iterator, Sequence

import pytest
import segno

from tests.client_web.modules import Modules

FULL = [17, 32, 53, 78, 106, 134, 154, 192, 230, 271, 321, 367, 425]
"""The bytes that fill a code of each version: the library pads shorter ones in a way of its own."""
LINK = "http://192.0.2.9:8765/t/K7QX"
CODE = """async ([text, mask]) => {
    const { qrCode } = await import("/sharing/qr.js");
    return qrCode(text, mask)?.map((row) => row.map(Number)) ?? null;
}"""


@pytest.mark.parametrize("length", FULL)
def test_a_code_has_the_right_modules(modules: Modules, length: int) -> None:
    """A QR code has the right modules in every version and mask, with UTF-8 text."""
    text = (20 * LINK)[: length - 2] + "ß"
    code = segno.make_qr(
        text, error="l", boost_error=False, mode="byte", mask=length % 8, encoding="utf-8"
    )
    assert modules.evaluate(CODE, [text, length % 8]) == [list(row) for row in code.matrix]


def test_one_of_the_masks_is_chosen(modules: Modules) -> None:
    """Whichever mask is chosen, the code names it."""
    chosen = modules.evaluate(CODE, [LINK, None])
    assert chosen in [modules.evaluate(CODE, [LINK, mask]) for mask in range(8)]


def test_a_short_text_is_padded_and_a_long_one_refused(modules: Modules) -> None:
    """A short text is padded with two alternating bytes, and one that is too long refused."""
    told = list(codewords(modules.evaluate(CODE, ["h", 1])))
    assert told[:19] == [0x40, 0x16, 0x80, *(8 * [0xEC, 0x11])]
    assert modules.evaluate(CODE, [426 * "x", None]) is None


def codewords(rows: Sequence[Sequence[int]]) -> Iterator[int]:
    """The codewords of a version 1 code with mask 1, as a phone reads them."""
    size = len(rows)
    bits = ""
    for number, right in enumerate([20, 18, 16, 14, 12, 10, 8, 5, 3, 1]):
        for step in range(size):
            y = step if number % 2 else size - 1 - step
            for x in (right, right - 1):
                corner = ((x < 9 or x >= size - 8) and y < 9) or (x < 9 and y >= size - 8)
                if not corner and 6 not in (x, y):
                    bits += str(rows[y][x] ^ (y % 2 == 0))
    for at in range(0, len(bits), 8):
        yield int(bits[at : at + 8], 2)
