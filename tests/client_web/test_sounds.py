"""Sounds: what has one, and that nothing sounds unless somebody wants it."""

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
    """The end of a deal before all else, then your turn, then a card."""
    told = modules.evaluate(
        """async ([facts, asked, wasAsked]) => {
            const { soundFor } = await import("/sounds.js");
            return soundFor(facts, { asked, wasAsked });
        }""",
        [[{"verb": verb} for verb in verbs], asked, before],
    )
    assert told == sound


def test_only_wanted_sounds_are_made(modules: Modules) -> None:
    """The first of them opens what the browser sounds with, and it is asked to begin."""
    told: list[Any] = modules.evaluate(
        """async () => {
            const { Sounds } = await import("/sounds.js");
            const heard = [];
            const part = () => ({ setValueAtTime() {}, exponentialRampToValueAtTime() {} });
            class Context {
                state = "suspended";
                currentTime = 5;
                constructor() { heard.push("open"); }
                resume() { heard.push("resume"); return Promise.resolve(); }
                createOscillator() {
                    const start = (at) => heard.push(at);
                    return { frequency: part(), connect: (to) => to, start, stop() {} };
                }
                createGain() { return { gain: part(), connect() {} }; }
            }
            let wanted = false;
            const sounds = new Sounds(() => wanted, Context);
            sounds.play("turn");
            wanted = true;
            sounds.play("nothing");
            sounds.play("turn");
            new Sounds(() => true, undefined).play("turn");
            return heard;
        }"""
    )
    assert told == ["open", "resume", 5, 5.12]
