"""The page's fold and sentences equal those of the Python client after each event."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.cards import FRENCH
from engine.facts import Fact
from engine.phrases import Phrase
from protocol.texts import card_name, in_words, sentence, worded
from protocol.texts.catalogue import LANGUAGES, english
from protocol.texts.language import speaking
from protocol.wire_form import wire_form
from server.net.page_files import FOLDER
from server.net.page_texts import later_texts, page_texts
from tests.client_web.modules import Modules
from tests.client_web.transcripts import PLAYED, transcripts

TEXTS = {language: page_texts(FOLDER, language) for language in LANGUAGES}
for language, texts in TEXTS.items():
    # Those of reviews and of what is seldom refused come later, where one is wanted.
    later = later_texts(language)
    texts["phrases"] = {**texts["phrases"], **later["reviews"], **later["refusals"]}
LEGEND = [wire_form(card) for card in FRENCH]
NAMES = ("Ann", "Boris", "", "Dora")

FOLLOW = """async ([messages, texts]) => {
    const { pictureOf, follow, factOf } = await import("/picture.js");
    const { Speaker } = await import("/words.js");
    const { sentences } = await import("/movements.js");
    let picture = null;
    return messages.map((message) => {
        let facts = [];
        if (message.type === "table") {
            picture = pictureOf(message, picture);
            facts = picture.facts;
        } else if (message.seq > picture.seq) {
            picture = follow(picture, message);
            facts = (message.facts ?? []).map(factOf);
        }
        const { view, info, legend, seat, seq, question } = picture;
        const speaker = new Speaker(texts, info.seats.map((chair) => chair.name), legend, seat);
        return {
            seq, seat, zones: view.zones, values: view.values, facts: picture.facts.length,
            turn: question.turn, to_act: question.to_act,
            told: sentences(facts, speaker, picture),
        };
    });
}"""

SPEAK = """async ([texts, names, legend, facts, phrases, tokens, words]) => {
    const { Speaker } = await import("/words.js");
    const { factOf } = await import("/picture.js");
    return [null, 0, 1, 3].map((you) => {
        const speaker = new Speaker(texts, names, legend, you);
        return {
            facts: facts.map((fact) => speaker.sentence(factOf(fact))),
            phrases: phrases.map((phrase) => speaker.worded(phrase)),
            cards: tokens.map((token) => speaker.cardName(token)),
            words: words.map((text) => speaker.inWords(text)),
        };
    });
}"""


@pytest.mark.parametrize("game", PLAYED)
async def test_the_page_sees_what_the_python_client_sees(
    modules: Modules, tmp_path: Path, game: str
) -> None:
    """The page's zones, values, questions and sentences equal the Python client's."""
    told = await transcripts(tmp_path, game, seed=3)
    assert len(told) > 1
    for transcript in told:
        pictures = modules.evaluate(FOLLOW, [list(transcript.messages), TEXTS["en"]])
        for message, picture, expected in zip(
            transcript.messages, pictures, transcript.pictures, strict=True
        ):
            assert picture == expected, message


def plain(value: Any) -> Any:
    return json.loads(json.dumps(wire_form(value)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_said_in_the_same_words(modules: Modules, language: str) -> None:
    """Every fact and phrase is told in equal words by page and Python, for each reader."""
    texts = english()
    facts = [Fact(verb, entry.example) for verb, entry in texts.facts.items()]
    facts += [
        Fact(fact.verb, {**fact.args, "words": "x"}, words="{seat 0}: {card QS}") for fact in facts
    ]
    facts += [
        Fact("danced", {"seat": 1, "steps": 3, "cards": "QS TH", "well": True}),
        Fact("rained", {"scores": (0, -2, 5, 1)}),
        Fact("card_played", {"seat": 1}),
        Fact("card_played", {"seat": "x", "card": "QS"}),
        Fact("player_left", {"seat": 2, "name": "Eve", "program": "bot 7"}),
        Fact("gained", {"seat": 0, "count": 0, "what": "{who}"}),
        Fact("match_ended", {"totals": (3, 3, 1, 0), "ranks": (1, 1, 3, 4)}),
        Fact("constructor", {"seat": 0}),
        Fact("{seat}", {"{card}": "{{x}}"}),
    ]
    phrases = [Phrase(code, entry.example) for code, entry in texts.phrases.items()]
    phrases += [replace(phrase, args={}) for phrase in phrases] + [
        Phrase("hint", {"move": "play QS@5"}),
        Phrase("hint", {"move": "meld QS, KS@12, XX@1"}),
        Phrase("follow_suit", {"suit": "S", "either": "9S JS@8"}),
        Phrase("unknown", {}),
        Phrase("toString", {}),
    ]
    words = [
        "{card QS} for {seat 0}",
        "{of 1} hand, {own 1} hand",
        "{seat x} {seat 9} {of 0}",
        "{}{card}",
    ]
    given = [TEXTS[language], NAMES, LEGEND, [plain(fact) for fact in facts]]
    given += [[plain(phrase) for phrase in phrases], [card.token for card in FRENCH], words]
    with speaking(language):
        for you, said in zip((None, 0, 1, 3), modules.evaluate(SPEAK, given), strict=True):
            assert said["facts"] == [sentence(fact, NAMES, FRENCH, you) for fact in facts]
            assert said["phrases"] == [worded(phrase, FRENCH, NAMES, you) for phrase in phrases]
            assert said["cards"] == [card_name(card) for card in FRENCH]
            assert said["words"] == [in_words(text, FRENCH, NAMES, you) for text in words]
