"""The output of the command for people."""

from server.admin.views import LINES, LISTS, NOTES, JsonObject, columns, failure_lines


def test_tables_stand_in_columns() -> None:
    """Tables stand in columns, with bots' strengths, absent players and free seats."""
    seats = [
        {"kind": "human", "name": "Ann", "strength": None, "away": False, "stand_in": False},
        {"kind": "human", "name": "Bea", "strength": None, "away": True, "stand_in": True},
        {"kind": "bot", "name": "Carl", "strength": 2, "away": False, "stand_in": False},
        {"kind": "empty", "name": "", "strength": None, "away": False, "stand_in": False},
    ]
    table = {
        "table": "K7QX2",
        "title": "Hearts",
        "phase": "playing",
        "private": True,
        "spectators": 3,
        "seats": seats,
    }
    assert list(LISTS["tables"]([table])) == [
        "TABLE  GAME    PHASE             WATCHED BY  SEATS",
        "K7QX2  Hearts  playing, private  3           "
        "Ann, Bea [away, stand-in], Carl [bot 2], [empty]",
        "1 table",
    ]
    away = [{**table, "spectators": None, "node": node} for node in ("t2", "")]
    lines = list(LISTS["tables"](away))
    assert ("(at t2)" in lines[1], "(at no node)" in lines[2]) == (True, True)


def test_an_empty_list_is_a_number() -> None:
    """An empty list is a number without column heads."""
    assert list(columns(("A", "B"), [])) == []
    assert list(LISTS["players"]([])) == ["0 players"]


def test_bans_say_how_long() -> None:
    """Bans show their end in UTC, or that they have none."""
    ban = {"kind": "player", "subject": "p1", "reason": "spam", "created": 0.0}
    lines = list(LISTS["bans"]([{**ban, "until": 86_400.0}, {**ban, "until": None}]))
    assert lines[1].split()[:2] == ["p1", "player"]
    assert "1970-01-02 00:00 UTC" in lines[1]
    assert "for ever" in lines[2]
    told = {"ban": {**ban, "until": None}, "kicked": []}
    assert next(iter(LINES["ban"](told))) == "banned p1 for ever"
    until = {"ban": {**ban, "until": 86_400.0}, "kicked": []}
    assert next(iter(LINES["ban"](until))) == "banned p1 until 1970-01-02 00:00 UTC"
    assert list(LINES["unban"](told)) == ["p1 is no longer banned"]
    assert list(LINES["balance"]({"tables": 2, "drained": ["t2"]})) == [
        "2 tables on the way to other nodes; `blackqueen admin nodes` shows who has how many",
        "t2 is drained and gets none; `blackqueen admin undrain t2` ends that",
    ]
    assert list(LINES["drain"]({"node": "t1", "tables": 1})) == [
        "t1 gives away 1 table; `blackqueen admin nodes` shows how many are left",
        "It takes none until it is started again, or `blackqueen admin undrain t1`",
    ]
    assert list(LINES["undrain"]({"node": "t1"})) == [
        "t1 takes tables again; `blackqueen admin balance` gives it its share now"
    ]


def test_acts_say_what_they_did() -> None:
    """Acts report who was removed and from where, and how many were told."""
    gone = {"player": "p1", "name": "Ann", "address": "192.0.2.1", "tables": ["K7QX2", "PLUM2"]}
    absent = {"player": "p2", "name": "Bea", "address": "", "tables": ["K7QX2"], "online": False}
    assert list(LINES["kick"]({"kicked": [gone]})) == [
        "disconnected p1 (Ann); their seat at K7QX2 and PLUM2 is given up",
        "They may come back; `blackqueen admin ban p1` keeps them out.",
    ]
    assert next(iter(LINES["kick"]({"kicked": [absent]}))) == (
        "p2 (Bea) is away; their seat at K7QX2 is given up"
    )
    assert list(LINES["announce"]({"clients": 1})) == ["shown to 1 client"]
    assert list(LINES["close"]({"table": "K7QX2"})) == ["table K7QX2 is closed"]


def test_players_who_are_away_are_marked() -> None:
    """Absent players are marked; an older server neither lists them nor says who is online."""
    online = {"player": "p1", "name": "Ann", "address": "192.0.2.1", "tables": ["K7QX2"]}
    away = {"player": "p2", "name": "Bea", "address": "", "tables": ["K7QX2"], "online": False}
    assert list(LISTS["players"]([online, away]))[1:] == [
        "p1      Ann   192.0.2.1  K7QX2",
        "p2      Bea   (away)     K7QX2",
        "2 players",
    ]
    two = {**online, "tables": ["K7QX2", "PLUM2"], "seats": [3, 1]}
    assert list(LISTS["players"]([two]))[1].endswith("K7QX2 (seat 3), PLUM2 (seat 1)")


def test_a_ban_says_what_it_does_not_do() -> None:
    """A ban warns that a player may be a new guest, and that an address may be a proxy's."""
    ban = {"kind": "player", "subject": "p1", "until": None, "reason": "", "created": 0.0}
    gone = {"player": "p1", "name": "Ann", "address": "192.0.2.1", "tables": []}
    assert list(LINES["ban"]({"ban": ban, "kicked": [gone]})) == [
        "banned p1 for ever",
        "disconnected p1 (Ann)",
        "They can come back as somebody new, unless their address (192.0.2.1) is banned too.",
    ]
    address = {**ban, "kind": "address", "subject": "192.0.2.1/32"}
    assert len(list(LINES["ban"]({"ban": address, "kicked": []}))) == 1
    here = {**address, "subject": "127.0.0.1/32"}
    assert (
        "behind a proxy that --trusted-proxies does not name"
        in (list(LINES["ban"]({"ban": here, "kicked": []}))[1])
    )


def test_status_is_a_few_lines() -> None:
    """Status is a few lines: uptime, readiness and load."""
    told = {
        "version": "1.0",
        "python": "3.11",
        "pid": 7,
        "uptime": 93_784.0,
        "trouble": "",
        "connections": 2,
        "seated": 3,
        "tables": {"lobby": 1, "playing": 2},
        "in_memory": 2,
        "bans": 0,
    }
    assert list(LINES["status"](told)) == [
        "blackqueen 1.0, Python 3.11, process 7",
        "up 1 d 2 h, ready",
        "tables: 3 (1 lobby, 2 playing), 2 in memory",
        "players: 2 connected, 3 with a seat",
        "bans: 0",
    ]
    bots = [{"game": "hearts", "strength": 2, "seats": 3}]
    assert "bots at tables in memory: 3 of hearts 2" in LINES["status"]({**told, "bots": bots})
    assert "draining" in list(LINES["status"]({**told, "trouble": "draining", "tables": {}}))[1]


def test_the_audit_log_stands_in_columns() -> None:
    """The audit log stands in columns: caller, act, arguments and result."""
    line = {"time": "2026-01-02T03:04:05.000+00:00", "uid": 0, "user": "root", "pid": 7}
    log = [
        {**line, "act": "kick", "arguments": {"player": "Ann"}, "result": "ok"},
        {**line, "user": None, "uid": None, "act": "enter", "arguments": {}, "result": "ok"},
    ]
    lines = list(LINES["log"]({"log": log}))
    assert [each.split()[1:] for each in lines] == [
        ["USER", "ACT", "RESULT", "WITH"],
        ["root", "kick", "ok", "player=Ann"],
        ["enter", "ok"],
        ["lines"],
    ]


def test_a_link_says_how_long_it_works() -> None:
    """A link stands alone on its line, with its validity."""
    told = {"url": "https://cards.example.org/admin#abc", "seconds": 600.0}
    first, second = LINES["link"](told)
    assert first == told["url"]
    assert "within 10 minutes" in second


def test_nodes_are_shown_in_columns() -> None:
    """Nodes stand in columns with lease and tables, as far as known."""
    shared = {"lease": "held", "tables": 3}
    lines: list[JsonObject] = [
        {"node": "a", "here": True, **shared},
        {"node": "b", "here": False, **shared},
    ]
    assert [line.split() for line in LISTS["nodes"](lines)] == [
        ["NODE", "STATE", "LEASE", "TABLES"],
        ["a", "here", "held", "3"],
        ["b", "not", "here", "held", "3"],
        ["1", "of", "2", "here"],
    ]
    drained = [{**shared, "node": "t", "here": True, "takes": False, "tables": n} for n in (2, 0)]
    assert [line.split()[1] for line in LISTS["nodes"](drained)][1:3] == ["draining", "drained"]
    gone = {**shared, "node": "t", "here": False, "takes": True, "gone": 61.0, "lease": "over"}
    assert "gone since 1970-01-01 00:01:01 UTC  over" in list(LISTS["nodes"]([gone]))[1]
    away = {"unknown": "the store does not answer", "lease": None, "tables": None}
    told = [{**lines[0], "unknown": ""}, *({**lines[1], "here": True, **away} for _ in "ab")]
    assert [line.split() for line in LISTS["nodes"](told)][2:] == [
        *(["b", "here", "?", "?"] for _ in "ab"),
        ["3", "of", "3", "here"],
        ["?:", "the", "store", "does", "not", "answer"],
    ]
    assert list(LISTS["nodes"]([])) == ["No other server shares this one's database."]


def test_of_several_nodes_each_is_named() -> None:
    """Answers of several nodes name each node, and those that have not done it."""
    seated = {"player": "p1", "name": "Ann", "address": "", "tables": ["K7QX2"], "online": None}
    assert "(elsewhere)" in list(LISTS["players"]([seated]))[1]
    (note,) = NOTES["players"]({"players": [seated], "node": "a"})
    assert note.startswith("Connections and addresses are those of node a;")
    assert list(NOTES["players"]({"players": [seated]})) == []
    line = {"time": "now", "uid": 1, "user": None, "act": "kick", "result": "ok", "arguments": {}}
    heads, *rows = LINES["log"]({"log": [line, {**line, "node": "b"}]})
    assert heads.split() == ["TIME", "NODE", "USER", "ACT", "RESULT", "WITH"]
    assert rows[1].split() == ["now", "b", "1", "kick", "ok"]
    failed = [
        {"node": "b", "code": "no_answer", "reason": "node 'b' has not answered"},
        {"node": "c", "code": "internal", "reason": "a mistake"},
    ]
    assert list(failure_lines({"failed": failed})) == [
        "not done everywhere: node 'b' has not answered",
        "not done everywhere: node c: a mistake",
    ]
    assert list(failure_lines({})) == []
