"""`blackqueen replay` finds what was played, and what does not agree with it."""

import asyncio
import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import pytest

from server.replay import add_arguments, run
from server.store import EntryRow, ResultRow, Store, Write
from tests.server.log_builder import black_queen_log, finished_log


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("BLACKQUEEN_CONFIG", raising=False)
    return tmp_path


def store(data: Path, *writes: Write) -> None:
    """What a server has written, one commit after the other."""

    async def write_all() -> None:
        store = await Store.open(f"sqlite:///{data / 'blackqueen.sqlite3'}")
        for write in writes:
            await store.save(write)
        await store.close()

    asyncio.run(write_all())


def replay(data: Path, *words: str) -> int:
    parser = ArgumentParser()
    add_arguments(parser)
    return run(parser.parse_args([*words, "--data", str(data)]))


def objects(text: str) -> list[dict[str, Any]]:  # what the command printed
    return [json.loads(line) for line in text.splitlines()]


def stored_result(write: Write) -> dict[str, Any]:  # JSON
    (result,) = write.results
    body: dict[str, Any] = json.loads(result.body)
    return body


def with_result(write: Write, **changes: object) -> Write:
    (result,) = write.results
    body = json.dumps({**stored_result(write), **changes})
    return write._replace(results=(result._replace(body=body),))


def test_finished_match_agrees_with_its_result(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The names, totals and ranks replayed from the log equal the stored result."""
    write = finished_log().write("ABCD")
    store(data, write)
    assert replay(data, "ABCD", "--json") == 0
    (told,) = objects(capsys.readouterr().out)
    (match,) = told["matches"]
    result = stored_result(write)
    assert {name: match[name] for name in result} == result
    assert result["names"] == ["Ann", "Bea", "Cid"]
    assert told["entries"] == len(write.entries)
    assert (told["table"], told["phase"], told["agrees"]) == ("ABCD", "finished", True)


def test_text_names_players_and_totals(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The text has one line a table and one a match."""
    write = finished_log().write("ABCD")
    store(data, write)
    assert replay(data, "ABCD") == 0
    ann, bea, cid = stored_result(write)["totals"]
    assert capsys.readouterr().out.splitlines() == [
        f"ABCD  black_queen, finished, {len(write.entries)} entries",
        f"  match 1: Ann {ann}, Bea {bea}, Cid {cid}",
    ]


@pytest.mark.parametrize(
    "changes",
    [{"totals": [0, 0, 99]}, {"ranks": [9, 9, 9]}, {"names": ["Ann", "Bea", "Mallory"]}],
    ids=["totals", "ranks", "names"],
)
def test_result_that_differs_is_told(
    changes: dict[str, object], data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A stored result that differs is shown with exit code 1."""
    store(data, with_result(finished_log().write("ABCD"), **changes))
    assert replay(data, "ABCD") == 1
    out = capsys.readouterr().out
    assert "DIFFERS" in out
    assert json.dumps(changes)[1:-1] in out


def test_missing_result_is_told(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A finished match without a result is reported."""
    store(data, finished_log().write("ABCD")._replace(results=()))
    assert replay(data, "ABCD") == 1
    assert "DIFFERS from what is stored: null" in capsys.readouterr().out


def test_result_of_a_match_that_was_never_played_is_told(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A result without its match is reported."""
    write = finished_log().write("ABCD")
    extra = ResultRow("ABCD", 2, "black_queen", 60.0, "{}")
    store(data, write._replace(results=(*write.results, extra)))
    assert replay(data, "ABCD") == 1
    assert "ERROR the log has no match 2" in capsys.readouterr().out


def test_every_match_of_a_table_is_told(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every match of a table is listed with its result."""
    log = finished_log()
    log.rematch()
    log.finish()
    log.close()
    write = log.write("ABCD")
    store(data, write)
    assert replay(data, "ABCD", "--json") == 0
    (told,) = objects(capsys.readouterr().out)
    assert [match["totals"] for match in told["matches"]] == [
        json.loads(result.body)["totals"] for result in write.results
    ]
    assert [match["match"] for match in told["matches"]] == [1, 2]
    assert told["phase"] == "closed"


def test_practice_has_no_result(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A practice match has no result."""
    log = black_queen_log()
    log.start()
    log.take_back()
    log.finish()
    log.rematch()
    log.finish()
    store(data, log.write("ABCD"))
    assert replay(data, "ABCD", "--json") == 0
    (told,) = objects(capsys.readouterr().out)
    assert [match.get("practice") for match in told["matches"]] == [True, None]
    assert replay(data, "ABCD") == 0
    assert "  match 1 (practice): Ann " in capsys.readouterr().out


def test_a_result_of_practice_is_told(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A stored result of a practice match is reported."""
    log = black_queen_log()
    log.start()
    log.take_back()
    log.finish()
    extra = ResultRow("ABCD", 1, "black_queen", 60.0, "{}")
    store(data, log.write("ABCD")._replace(results=(extra,)))
    assert replay(data, "ABCD") == 1
    assert "DIFFERS from what is stored: {}" in capsys.readouterr().out


def test_match_in_play_has_no_result_yet(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A match in play has no result, which is right."""
    log = black_queen_log()
    log.start()
    log.move()
    store(data, log.write("ABCD"))
    assert replay(data, "ABCD", "--json") == 0
    (told,) = objects(capsys.readouterr().out)
    assert (told["phase"], told["matches"]) == ("playing", [])


def test_all_replays_every_table_by_age(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--all` replays every table by age, closed ones too, and goes on after a difference."""
    closed = finished_log(2)
    closed.close()
    store(
        data,
        closed.write("AAAA"),
        with_result(finished_log(3).write("BBBB"), totals=[1, 2, 3]),
        finished_log(4).write("CCCC"),
    )
    assert replay(data, "--all", "--json") == 1
    told = objects(capsys.readouterr().out)
    assert [(table["table"], table["agrees"]) for table in told] == [
        ("AAAA", True),
        ("BBBB", False),
        ("CCCC", True),
    ]


def test_damaged_log_is_told_with_its_place(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A damaged log is reported with its last good entry."""
    gap, illegal, garbled = (finished_log().write(code) for code in ("GAP1", "RULE", "JSON"))
    acts = [number for number, row in enumerate(illegal.entries) if row.kind == "act"]
    third = acts[2]
    store(
        data,
        gap._replace(entries=gap.entries[:third] + gap.entries[third + 1 :]),
        illegal._replace(entries=_with_body(illegal, third, '{"seat":0,"action":"play XX"}')),
        garbled._replace(entries=_with_body(garbled, third, '{"seat":')),
    )
    assert replay(data, "--all", "--json") == 1
    told = {table["table"]: table["error"] for table in objects(capsys.readouterr().out)}
    assert told.keys() == {"GAP1", "RULE", "JSON"}
    assert all(error.startswith(f"after entry {third}: ") for error in told.values())
    assert f"entry {third + 2} follows entry {third}" in told["GAP1"]


def test_table_that_is_not_there_is_refused(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown table has an exit code of its own."""
    store(data, finished_log().write("ABCD"))
    assert replay(data, "ABCD", "NONE") == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "no table NONE" in captured.err


def test_people_may_write_codes_in_small_letters(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Codes may be in small letters, and doubled ones are replayed once."""
    store(data, finished_log().write("ABCD"))
    assert replay(data, "abcd", "ABCD", "--json") == 0
    (told,) = objects(capsys.readouterr().out)
    assert told["table"] == "ABCD"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "name the tables to replay, or --all for every one"),
        (("ABCD", "--all"), "--all replays every table, so name no tables beside it"),
    ],
)
def test_question_must_name_tables_or_all(
    words: tuple[str, ...], says: str, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command needs tables or `--all`, and not both."""
    assert replay(data, *words) == 2
    assert says in capsys.readouterr().err


def test_missing_database_is_not_created(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A missing database is reported and not created."""
    assert replay(data / "none", "--all") == 2
    assert "there is no such file" in capsys.readouterr().err
    assert not data.joinpath("none").exists()


async def test_running_server_is_not_disturbed(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A log can be replayed while a server uses the database."""
    server = await Store.open(f"sqlite:///{data / 'blackqueen.sqlite3'}")
    await server.save(finished_log().write("ABCD"))
    assert await asyncio.to_thread(replay, data, "--all") == 0
    await server.save(finished_log(2).write("WXYZ"))
    await server.close()
    assert "ABCD" in capsys.readouterr().out


def _with_body(write: Write, number: int, body: str) -> tuple[EntryRow, ...]:
    entries = list(write.entries)
    entries[number] = entries[number]._replace(body=body)
    return tuple(entries)


HOSTILE = "\x1b]0;owned\x07\x9b2J\u202e\u2028\n\x7f"


def test_what_a_database_holds_does_not_steer_the_terminal(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Control characters of the database are printed as escapes."""
    write = finished_log().write("ABCD")
    entries = tuple(
        entry._replace(body=entry.body.replace('"Ann"', json.dumps(f"{HOSTILE}Ann")))
        for entry in write.entries
    )
    named = with_result(write, names=[f"{HOSTILE}Mallory", HOSTILE, HOSTILE])
    code, game, kind = f"EF{HOSTILE}", f"gone{HOSTILE}", f"kind{HOSTILE}"
    (row,) = write.tables
    store(
        data,
        named._replace(entries=entries),
        Write(tables=(row._replace(code=code, game=game),)),
        Write(
            tables=(row._replace(code="GHIJ"),),
            entries=tuple(
                each._replace(table="GHIJ", kind=kind, body=json.dumps({"kind": kind}))
                for each in entries
            ),
        ),
    )
    assert replay(data, "--all") == 1
    assert replay(data, f"NONE{HOSTILE}") == 2
    # What would be read from the right keeps that to itself: isolates are no harm.
    told = "".join(capsys.readouterr()).translate(dict.fromkeys(map(ord, "\u2068\u2069")))
    assert told.count("owned") >= 7
    assert all(line.isprintable() for line in told.split("\n")), repr(told)
    assert replay(data, "--all", "--json") == 1
    assert all(line.isprintable() for line in capsys.readouterr().out.split("\n"))
