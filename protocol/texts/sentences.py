"""Facts and phrases as sentences: "You play Q♠.", "You must follow spades: 9♠ or J♠."

A verb without a text gets a plain sentence of its words, so that a newer server or a new game is
understood before anybody has written its texts.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate

from engine.cards import LegendCard
from engine.facts import Fact, Seat, Value
from engine.phrases import Phrase
from protocol.isolates import isolated
from protocol.texts.language import spoken
from protocol.texts.speaker import Speaker

_PLAYED = re.compile(r"plays? \{card ([^{} ]+)\}")


def sentence(
    fact: Fact, names: Sequence[str], legend: Sequence[LegendCard], you: Seat | None
) -> str | None:
    """The sentence of a fact for the reader at seat `you` (None watches); None if it needs no line.

    `names` are those by seat as they were when it happened.
    """
    speaker = Speaker(names, legend, you)
    template, args = _chosen(fact, speaker)
    if template is None:
        return _plainly(fact, speaker)
    try:
        return speaker.fill(template, args) or None
    except (KeyError, TypeError, ValueError):
        # An argument is missing or of another kind than the text was written for.
        return _plainly(fact, speaker)


def worded(
    phrase: Phrase | None,
    legend: Sequence[LegendCard] = (),
    names: Sequence[str] = (),
    you: Seat | None = None,
    game: str = "",
) -> str | None:
    """A phrase as a sentence; None if there is none, or this client has no text for it.

    Moves are said as they are typed, those of a `game` that ships in its words.
    """
    entry = None if phrase is None else spoken().phrases.get(phrase.code)
    if phrase is None or entry is None or entry.text is None:
        return None
    try:
        said = Speaker(names, legend, you, game).fill(entry.text, phrase.args)
        return said[:1].upper() + said[1:]
    except (KeyError, TypeError, ValueError):
        # The phrase is of a newer server, which fills in something else.
        return None


def advice(code: str) -> str:
    """Advice for a person on an error of this code."""
    return spoken().errors.get(code, spoken().words["unknown_error"])


def closing(reason: str) -> str:
    """The reason for losing one's place at a table: ``nobody came back``."""
    return spoken().reasons.get(reason, reason.replace("_", " "))


def parting(reason: str) -> str:
    """The sentence for a player who has lost their place at a table."""
    told = spoken().closings.get(reason)
    return told or spoken().words["no_longer"].format(reason=closing(reason))


def game_title(game: str, title: str) -> str:
    """A game's title with the other name that people know it by: ``Whist (Oh Hell)``."""
    other = spoken().games.get(game)
    return f"{isolated(title)} ({other})" if other else isolated(title)


def game_summary(game: str) -> str:
    """A one-line description of a game that ships; empty for every other one."""
    return spoken().summaries.get(game, "")


def game_aim(game: str) -> str:
    """The aim of a game that ships, in a sentence; empty for every other one."""
    return spoken().aims.get(game, "")


def shipped_games() -> str:
    """The ids of the games that ship, with other names: ``hearts, whist (Oh Hell)``."""
    return ", ".join(game_title(game, game) for game in spoken().games)


def _chosen(fact: Fact, speaker: Speaker) -> tuple[str | None, Mapping[str, Value]]:
    """The text for a fact and its arguments; None if there is no text."""
    entry = spoken().facts.get(fact.verb)
    if entry is None:
        return None, fact.args
    args = {**fact.args, **_result(fact.args, speaker)}
    if fact.words:
        # Cards and players have their names already.
        args["action"] = speaker.words(fact.words)
    about = args.get(entry.about)
    # A bool is an int, but no seat.
    reader = type(about) is int and about == speaker.you
    special = _special(fact, args, speaker, reader)
    if type(about) is not int:
        return spoken().movements.get(special, entry.text), args
    # Who has just left may be known by nothing but the name that came along.
    args["who"] = _with_program(args.get("name"), args.get("program")) or about
    told = entry.you if reader else entry.they
    return spoken().movements.get(f"{special}_you" if reader else special, told), args


def _special(fact: Fact, args: dict[str, Value], speaker: Speaker, reader: bool) -> str:
    """The text for a fact of a described game that is more than its verb's; "" for any other.

    What the text needs is added to `args`. A move is a sentence in English behind its player's
    name; the plainest moves have texts in every language. Older servers say what others do as they
    say it to the player.
    """
    if fact.verb in ("gained", "lost"):
        if isinstance(what := args.get("what"), str):
            args["what"] = _counted(what, args.get("count"))
        key = fact.verb
        if isinstance(team := args.get("team"), tuple):
            args["together"] = speaker.together([seat for seat in team if isinstance(seat, int)])
            key += "_by"
        if isinstance(why := args.get("why"), str):
            args["why"] = _reasons(why, args.get("each"))
            key += "_for"
        return key
    if fact.verb != "option_taken":
        return ""
    if fact.words in ("pass", "passes"):
        return "passes"
    if played := _PLAYED.fullmatch(fact.words):
        args["card"] = played[1]
        return "plays"
    verb = fact.words.partition(" ")[0]
    inflected = verb.endswith("s") and not verb.endswith("ss")
    return "" if (fact.words and reader) or inflected else "named"


def _counted(what: str, count: Value) -> str:
    """What is counted: ``points``, or ``point`` if there is one, in the current language."""
    one = what.removesuffix("s") if count == 1 else what
    return spoken().titles.get("", {}).get(one, one)


def _reasons(why: str, each: Value) -> str:
    """What points are for, one after the other with their sums: ``fifteen for 2, a pair for 4``."""
    reasons = why.split("|")
    points = [one for one in each if isinstance(one, int)] if isinstance(each, tuple) else []
    if len(reasons) == 1 or len(points) != len(reasons):
        return ", ".join(reasons)
    form = spoken().words["for_points"]
    sums = accumulate(points)
    return ", ".join(
        form.format(why=isolated(one), points=so_far)
        for one, so_far in zip(reasons, sums, strict=True)
    )


def _with_program(name: Value, program: Value) -> Value:
    """The name of a player with that of the program that plays their seat."""
    if not (name and program):
        return name
    form = spoken().words["program"]
    return form.format(name=isolated(str(name)), program=isolated(str(program)))


def _result(args: Mapping[str, Value], speaker: Speaker) -> Mapping[str, Value]:
    """Further arguments for `match_ended`: the ranking, and who is first."""
    totals, ranks = args.get("totals"), args.get("ranks")
    if not isinstance(totals, tuple) or not isinstance(ranks, tuple) or len(totals) != len(ranks):
        return {}
    first = [seat for seat, rank in enumerate(ranks) if rank == 1]
    told: dict[str, Value] = {"ranking": speaker.ranking(totals, ranks)}
    told |= {"winners": speaker.together(first)}
    return told | ({"winner": first[0]} if len(first) == 1 else {})


def in_words(
    text: str, legend: Sequence[LegendCard], names: Sequence[str], you: Seat | None
) -> str:
    """A text of a game (`engine.labels`) with the names of its cards and players."""
    return Speaker(names, legend, you).words(text)


def _plainly(fact: Fact, speaker: Speaker) -> str:
    words = fact.verb.replace("_", " ")
    told = {name: value for name, value in fact.args.items() if name not in ("seat", "name")}
    details = ", ".join(f"{name} {speaker.say(name, value)}" for name, value in told.items())
    seat = fact.args.get("seat")
    line = f"{words} ({details})." if details else f"{words}."
    if type(seat) is int:
        return f"{speaker.name(seat, start=True)}: {line}"
    return line[:1].upper() + line[1:]
