"""Sounds: which events have one, and that they need consent."""

from typing import Any

import pytest

from tests.client_web.modules import Modules

PLAYED = {"verb": "card_played", "args": {"seat": 1, "card": "QS"}}
TAKEN = {"verb": "trick_taken", "args": {"seat": 0, "points": 13}}


@pytest.mark.parametrize(
    ("facts", "asked", "before", "sounds"),
    [
        ([{"verb": "card_played"}], False, False, ["card"]),
        ([{"verb": "card_played"}], True, False, ["turn"]),
        ([{"verb": "card_played"}], True, True, ["card"]),
        ([{"verb": "cards_moved"}], False, False, ["card"]),
        ([{"verb": "card_played"}, {"verb": "deal_scored"}], True, False, ["deal"]),
        ([{"verb": "deal_scored"}, {"verb": "match_ended"}], False, False, ["over"]),
        ([{"verb": "card_played"}, {"verb": "hearts_broken"}], True, False, ["broken", "turn"]),
        ([PLAYED], False, False, ["queen"]),
        ([{**PLAYED, "args": {"seat": 1, "card": "QH"}}], False, False, ["card"]),
        ([TAKEN], True, False, ["taken", "turn"]),
        ([{**TAKEN, "args": {"seat": 2}}], False, False, []),
        ([{"verb": "player_ready"}], False, False, []),
    ],
)
def test_what_happens_has_a_sound(
    modules: Modules, facts: list[Any], asked: bool, before: bool, sounds: list[str]
) -> None:
    """The end of a match or deal has the only sound; one's turn comes behind what happened."""
    told = modules.evaluate(
        """async ([facts, asked, wasAsked]) => {
            const { soundsFor } = await import("/sounds.js");
            return soundsFor(facts, { asked, wasAsked, seat: 0, game: "hearts" });
        }""",
        [facts, asked, before],
    )
    assert told == sounds


def test_the_queen_of_spades_is_feared_in_some_games_only(modules: Modules) -> None:
    """In a game without a dreaded queen she sounds like any card."""
    told = modules.evaluate(
        """async (facts) => {
            const { soundsFor } = await import("/sounds.js");
            return ["black_queen", "Hearts4", "whist"].map((game) => soundsFor(facts, { game }));
        }""",
        [PLAYED],
    )
    assert told == [["queen"], ["queen"], ["card"]]


# What a browser sounds with, which says what is asked of it; `sounds` are wanted.
HEARD = """
const { Sounds } = await import("/sounds.js");
const heard = [];
let touched = false, wanted = true;
const contexts = [];
const part = () => ({ setValueAtTime() {}, exponentialRampToValueAtTime() {} });
class Context {
    state = "suspended";
    currentTime = 5;
    constructor() { heard.push("open"); contexts.push(this); }
    async resume() {
        heard.push("resume");
        if (!touched) throw new DOMException("not in a gesture", "NotAllowedError");
        this.state = "running";
    }
    createOscillator() {
        const start = (at) => heard.push(at);
        return { frequency: part(), connect: (to) => to, start, stop() {} };
    }
    createGain() { return { gain: part(), connect() {} }; }
}
const sounds = new Sounds(() => wanted, Context);
const touch = (name) => { touched = true; window.dispatchEvent(new Event(name)); touched = false; };
const take = () => heard.splice(0);
"""


def story(modules: Modules, script: str) -> Any:
    """The result of a script after `HEARD`."""
    return modules.evaluate(f"async () => {{ {HEARD} {script} }}")


def test_only_wanted_sounds_are_made(modules: Modules) -> None:
    """Only wanted sounds are played; the first one opens the audio context."""
    unwanted, wanted, both = story(
        modules,
        """wanted = false;
        await sounds.play("turn"); touch("pointerup");
        const unwanted = take();
        wanted = touched = true;
        await sounds.play("nothing");
        await sounds.play("turn");
        await new Sounds(() => true, undefined).play("turn");
        const first = take();
        await sounds.play("card", "turn");
        return [unwanted, first, take()];""",
    )
    assert unwanted == []
    assert wanted == ["open", "resume", 5, 5.12]
    assert both == [5, 5.45, 5.57]


@pytest.mark.parametrize("gesture", ["pointerup", "touchend", "keydown"])
@pytest.mark.parametrize("state", ["suspended", "interrupted"])
def test_a_browser_that_went_silent_is_woken_by_a_touch(
    modules: Modules, state: str, gesture: str
) -> None:
    """A suspended browser resumes sound at a touch, without the missed ones."""
    silent, woken, sounding = story(
        modules,
        f"""touch("pointerup"); take();
        contexts[0].state = {state!r};
        await sounds.play("card"); const silent = take();
        touch({gesture!r}); const woken = take();
        await sounds.play("card"); touch({gesture!r});
        return [silent, woken, take()];""",
    )
    assert silent == woken == ["resume"]
    assert sounding == [5]


def test_a_page_that_comes_back_asks_to_sound_again(modules: Modules) -> None:
    """A page that is shown again resumes its sound, or opens it anew."""
    returned, closed = story(
        modules,
        """touch("pointerup"); take();
        const returns = [[document, "visibilitychange"], [window, "pageshow"], [window, "focus"]];
        const returned = returns.map(([where, name]) => {
            contexts[0].state = "interrupted";
            where.dispatchEvent(new Event(name));
            return take();
        });
        contexts[0].state = "closed"; touch("keydown");
        return [returned, take()];""",
    )
    assert returned == [["resume"]] * 3
    assert closed == ["open", "resume"]


def test_a_real_browser_sounds_again_at_a_click(modules: Modules) -> None:
    """Chromium resumes suspended sound at a click."""

    async def story() -> None:
        begin = """async () => {
            const { Sounds } = await import("/sounds.js");
            window.made = new Sounds(() => true);
            await made.wake();
            await made._context.suspend();
        }"""
        await modules.page.evaluate(begin)
        state = "made._context.state"
        assert await modules.page.evaluate(state) == "suspended"
        await modules.page.mouse.click(5, 5)
        await modules.page.wait_for_function(f"{state} === 'running'")

    modules.run(story())
