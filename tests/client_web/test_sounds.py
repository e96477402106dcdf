"""Sounds: which events have one, and that they need consent."""

from typing import Any

import pytest

from tests.client_web.modules import Modules


@pytest.mark.parametrize(
    ("verbs", "asked", "before", "sound"),
    [
        (["card_played"], False, False, "card"),
        (["card_played"], True, False, "turn"),
        (["card_played"], True, True, "card"),
        (["card_played", "deal_scored"], True, False, "deal"),
        (["match_ended"], False, False, "deal"),
        (["player_ready"], False, False, ""),
    ],
)
def test_what_happens_has_a_sound(
    modules: Modules, verbs: list[str], asked: bool, before: bool, sound: str
) -> None:
    """The end of a deal has the first sound, then one's turn, then a card."""
    told = modules.evaluate(
        """async ([facts, asked, wasAsked]) => {
            const { soundFor } = await import("/sounds.js");
            return soundFor(facts, { asked, wasAsked });
        }""",
        [[{"verb": verb} for verb in verbs], asked, before],
    )
    assert told == sound


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
    unwanted, wanted = story(
        modules,
        """wanted = false;
        await sounds.play("turn"); touch("pointerup");
        const unwanted = take();
        wanted = touched = true;
        await sounds.play("nothing");
        await sounds.play("turn");
        await new Sounds(() => true, undefined).play("turn");
        return [unwanted, take()];""",
    )
    assert unwanted == []
    assert wanted == ["open", "resume", 5, 5.12]


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
