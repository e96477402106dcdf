"""The last trick of a table in a snapshot, compared with the match's real one."""

from collections.abc import Sequence
from typing import Any

import pytest

from protocol.wire_form import WireForm
from tests.client_web.modules import Modules
from tests.client_web.pictures import pictures_of

FACTS = 40
"""So many the page asks for."""

LAST = """async ([pictures, most]) => {
    const { lastTrick, takerOf } = await import("/table/last_trick.js");
    const { pictureOf } = await import("/picture.js");
    return pictures.map((message) => {
        const told = pictureOf(message);
        const earlier = Math.max(0, told.facts.length - most);
        const [facts, scene] = [told.facts.slice(earlier), { ...told, earlier }];
        return [lastTrick(facts, scene), takerOf(facts, scene)];
    });
}"""


def taken(picture: WireForm) -> tuple[list[dict[str, Any]] | None, int | None]:
    """The cards of the last trick, and who took it, from the facts of the plays."""
    trick: list[dict[str, Any]] = []
    last, taker = None, None
    for fact in picture["facts"]:
        args = fact.get("args", {})
        if fact["verb"] == "card_played":
            trick.append({"seat": args["seat"], "token": args["card"], "zone": "trick"})
        if fact["verb"] in ("trick_taken", "trick_won"):
            last, trick, taker = trick, [], args["seat"]
    return last, taker


def some(pictures: Sequence[WireForm]) -> list[WireForm]:
    return list(pictures[:: max(1, len(pictures) // 25)])


@pytest.mark.parametrize("subject", ["whist-5", "black_queen-8", "hearts-4", "schnapsen-2"])
def test_the_last_facts_tell_the_last_trick(modules: Modules, subject: str) -> None:
    """The last facts give the last trick and its taker, as all facts do; null before the first."""
    pictures = some(pictures_of(subject))
    expected = [list(taken(picture)) for picture in pictures]
    assert any(trick for trick, _ in expected)
    assert modules.evaluate(LAST, [pictures, FACTS]) == expected


def test_a_trick_that_was_not_seen_from_its_beginning_is_not_told(modules: Modules) -> None:
    """A trick of which the snapshot has only a part is not shown."""
    pictures = [each for each in pictures_of("whist-5") if taken(each)[0]]
    told = modules.evaluate(LAST, [some(pictures), 5])
    assert {trick for trick, _ in told} == {None}
