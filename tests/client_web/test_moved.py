"""The page's session with several nodes: connections to several addresses of its server."""

from typing import Any

import pytest

from tests.client_web.modules import Modules
from tests.client_web.test_session import TIMERS, WORLD, story

FIRST = "ws://cards.example/"
A, B = f"{FIRST}n/a/", f"{FIRST}n/b/"

# A page that came by the first address, with the sockets that it opens by their address.
NODES = (
    WORLD
    + TIMERS
    + """
const { FIRST, A, B } = given;
const at = (url) => sockets.findLast((each) => each.url === url);
const hears = (url, ...frame) => at(url).onmessage({ data: JSON.stringify(frame) });
const comesUp = (url, ...more) => {
    at(url).onopen(); hears(url, welcome(at(url).sent[0].id), ...more);
};
const breaks = (url) => {
    at(url).isOpen = false;
    at(url).onclose({ code: 1006, reason: "" });
};
const moved = (url, id) => ({ type: "moved", id, table: "PLUM", url });
const types = (url) => at(url).sent.slice(1).map(({ type }) => type);
const open = () => sockets.filter((each) => each.isOpen).map(({ url }) => url);
const told = () => states.map(([state]) => state);
connection.open(); comesUp(FIRST);
"""
)


def nodes(modules: Modules, script: str) -> Any:
    """The result of a script after `NODES`."""
    return story(modules, f"{NODES} {script}", {"FIRST": FIRST, "A": A, "B": B})


def test_a_table_that_came_back_to_where_it_was_is_watched_again(modules: Modules) -> None:
    """Its node has given it away meanwhile, and tells this connection nothing more by itself."""
    asked, seen = nodes(
        modules,
        """connection.ask("join", { table: "PLUM" });
        hears(FIRST, moved(A, at(FIRST).sent.at(-1).id));
        comesUp(A, table(4));
        hears(A, moved(A));
        const watch = at(A).sent.at(-1);
        hears(A, { type: "ok", id: watch.id, table: "PLUM" }, table(6));
        return [[watch.type, watch.table], session.tables.get("PLUM").seq];""",
    )
    assert asked == ["watch", "PLUM"]
    assert seen == 6


def test_a_command_is_sent_where_its_table_is(modules: Modules) -> None:
    """A `moved` answer sends the command on with its number, and no loss is reported."""
    hello, again, first, seen, standing = nodes(
        modules,
        """const answer = connection.ask("join", { table: "PLUM" });
        const [join] = at(FIRST).sent.slice(-1);
        hears(FIRST, moved(A, join.id));
        const online = session.reaches("PLUM");
        comesUp(A);
        const [hello, again] = at(A).sent;
        hears(A, { type: "ok", id: join.id, table: "PLUM" }, table(4));
        connection.tell("chat", { table: "PLUM", text: "hello" });
        connection.tell("games");
        return [hello, [again.id === join.id, again.type, (await answer).type, types(A)],
            types(FIRST), [online, session.tables.get("PLUM").seq], [told(), open()]];""",
    )
    assert (hello["client"], hello["token"], hello["alongside"]) == ("page", "secret", True)
    assert "resume" not in hello
    assert again == [True, "join", "ok", ["join", "chat"]]
    assert first == ["join", "games"]
    assert seen == [True, 4]
    assert set(standing[0]) == {"connecting", "online"}
    assert standing[0].count("connecting") == 1
    assert standing[1] == [FIRST, A]


def test_a_table_that_moves_takes_what_is_unanswered_along(modules: Modules) -> None:
    """A table that moves takes its unanswered commands along, and its old connection is closed."""
    resume, sent, tables, standing = nodes(
        modules,
        """hears(FIRST, moved(A)); comesUp(A, table(4));
        connection.tell("act", { table: "PLUM" });
        const [act] = at(A).sent.slice(-1);
        hears(A, moved(B));
        const reaches = session.reaches("PLUM");
        comesUp(B, { type: "unchanged", table: "PLUM", info });
        const there = at(B).sent.slice(1);
        hears(B, { type: "ok", id: act.id }, event(5, set(1)));
        return [at(B).sent[0].resume, there.map(({ type, id }) => [type, id === act.id]),
            [session.tables.get("PLUM").seq, session.waits, reaches], [told(), open()]];""",
    )
    assert resume == {"PLUM": 4}
    assert sent == [["act", True]]
    assert tables == [5, False, True]
    assert set(standing[0][1:]) == {"online"}
    assert standing[1] == [FIRST, B]


def test_a_lost_address_is_asked_for_after_the_second_failure(modules: Modules) -> None:
    """After the second failure of an address the first connection is asked for its table."""
    asked, sent, standing, seen = nodes(
        modules,
        """hears(FIRST, moved(A)); comesUp(A, table(4));
        connection.tell("act", { table: "PLUM" });
        breaks(A); const asked = [types(FIRST)]; ring(0.25);
        const lost = [session.reaches("PLUM"), connection.state];
        breaks(A); asked.push(types(FIRST));
        const [watch] = at(FIRST).sent.slice(-1);
        hears(FIRST, { type: "ok", id: watch.id, table: "PLUM" }, table(6));
        return [[...asked, watch.failed === A], types(FIRST), [lost, told().at(-1), open()],
            [session.tables.get("PLUM").seq, session.reaches("PLUM")]];""",
    )
    assert asked == [[], ["watch"], True]
    assert sent == ["watch", "act"]
    assert standing == [[False, "connecting"], "online", [FIRST]]
    assert seen == [6, True]


def test_a_lost_address_may_have_a_successor(modules: Modules) -> None:
    """A search ends with `moved`, and meanwhile the old address is tried on."""
    same, other, standing = nodes(
        modules,
        """hears(FIRST, moved(A)); comesUp(A, table(4));
        breaks(A); ring(0.25); breaks(A);
        const search = () => at(FIRST).sent.findLast(({ type }) => type === "watch").id;
        hears(FIRST, moved(A, search())); const same = [open().at(-1), waits()];
        ring(0.5); breaks(A);
        hears(FIRST, moved(B, search())); comesUp(B, table(4));
        return [same, [at(B).sent[0].resume, types(B), session.waits], open()];""",
    )
    assert same[1].count(0.5) == 1
    assert other == [{"PLUM": 4}, [], False]
    assert standing == [FIRST, B]


def test_a_search_for_a_table_that_is_gone_closes_it(modules: Modules) -> None:
    """A search for a table that is gone closes the table and its connection."""
    searches, closed, standing = nodes(
        modules,
        """hears(FIRST, moved(A)); comesUp(A, table(4));
        breaks(A); ring(0.25); breaks(A); ring(0.5); breaks(A);
        const searches = at(FIRST).sent.filter(({ type }) => type === "watch");
        hears(FIRST, { type: "error", id: searches[0].id, code: "unknown_table", reason: "gone" });
        return [searches.length, session.tables.size, open()];""",
    )
    assert (searches, closed) == (1, 0)
    assert standing == [FIRST]


def test_an_address_that_only_welcomes_is_come_back_to_ever_more_slowly(modules: Modules) -> None:
    """An address that welcomes but shows no table is retried ever more slowly."""
    delays, after = nodes(
        modules,
        """hears(FIRST, moved(A)); comesUp(A, table(4));
        const delays = [];
        const lose = () => { breaks(A); delays.push(states.at(-1)[1]); ring(delays.at(-1)); };
        lose(); comesUp(A); lose(); comesUp(A); lose();
        comesUp(A, { type: "unchanged", table: "PLUM", info }); lose();
        return [delays.slice(0, 3), delays[3]];""",
    )
    assert delays == [0.25, 0.5, 1.0]
    assert after == 0.25


def test_an_address_that_refuses_is_asked_for_at_once(modules: Modules) -> None:
    """An address that refuses is searched for at once, and the player is kept."""
    asked, refused, state = nodes(
        modules,
        """hears(FIRST, moved(A)); comesUp(A, table(4)); breaks(A); ring(0.25);
        at(A).onopen();
        hears(A, { type: "error", id: at(A).sent[0].id, code: "unauthorized", reason: "who?" });
        return [types(FIRST), session.refused, connection.state];""",
    )
    assert asked == ["watch"]
    assert refused is None
    assert state == "waiting"


def test_a_command_that_goes_to_and_fro_takes_its_time(modules: Modules) -> None:
    """A command that is sent back and forth is delayed until the table is shown."""
    hops, waited, sent = nodes(
        modules,
        """connection.tell("join", { table: "PLUM" }); const [{ id }] = at(FIRST).sent.slice(-1);
        hears(FIRST, moved(A, id)); comesUp(A);
        hears(A, moved(B, id)); comesUp(B);
        hears(B, { ...table(3), table: "PEAR" }, moved(A, id)); comesUp(A);
        hears(A, moved(B, id));
        const waited = [types(B), waits().includes(1.25)];
        ring(1.25);
        return [sockets.length, waited, types(B)];""",
    )
    assert hops == 4
    assert waited == [["join"], True]
    assert sent == ["join", "join"]


def test_others_know_no_better_where_a_table_is_that_is_followed(modules: Modules) -> None:
    """Only the address of a followed table tells where it is."""
    first, second, standing = nodes(
        modules,
        """hears(FIRST, table(4));
        hears(FIRST, { ...moved(B), table: "PEAR" }); comesUp(B);
        hears(B, moved(A), { ...table(7), table: "PEAR" });
        const first = open();
        hears(FIRST, moved(A)); const second = open().length; comesUp(A, table(5));
        return [first, second, [session.tables.get("PLUM").seq, open()]];""",
    )
    assert first == [FIRST, B]
    assert second == 3
    assert standing == [5, [FIRST, B, A]]


def test_no_token_goes_to_another_server(modules: Modules) -> None:
    """A command for another server fails with a reason, and no connection is opened."""
    answer, standing, kinds = nodes(
        modules,
        """const asked = connection.ask("join", { table: "PLUM" });
        hears(FIRST, moved("ws://other.example/n/a/", at(FIRST).sent.at(-1).id));
        const kinds = session.receive([moved("ws://other.example/n/a/")]).map(({ kind }) => kind);
        return [await asked, open(), kinds];""",
    )
    assert (answer["code"], answer["phrase"]["code"]) == ("elsewhere", "refused_other_server")
    assert standing == [FIRST]
    assert kinds == ["error"]


@pytest.mark.parametrize(
    ("first", "url", "leads"),
    [
        ("wss://cards.example/", "wss://cards.example/n/a/", True),
        ("wss://cards.example/play/", "wss://cards.example:443/play/n/a/", True),
        ("wss://cards.example/", "ws://cards.example/n/a/", False),
        ("wss://cards.example/", "wss://cards.example:8443/n/a/", False),
        ("wss://cards.example/", "wss://cards.example.net/", False),
        ("wss://cards.example/", "wss://ann@cards.example/", False),
        ("wss://cards.example/", "nonsense", False),
        ("ws://localhost:8765/", "ws://127.0.0.1:8766/", True),
        ("ws://[::1]:8765/", "ws://localhost:9000/", True),
        ("ws://192.0.2.7:8765/", "ws://192.0.2.7:8766/", False),
        ("", "wss://cards.example/", False),
    ],
)
def test_where_the_page_may_go(modules: Modules, first: str, url: str, leads: bool) -> None:
    """The page connects to its own scheme, host and port only; locally to any port."""
    assert modules.call("routes.js", "leadsOn", first, url) == leads


def test_a_first_connection_that_comes_back_at_once_is_not_missed(modules: Modules) -> None:
    """A short loss of the first connection is not reported while a table goes on elsewhere."""
    quiet, loud, pings = nodes(
        modules,
        """hears(FIRST, moved(A)); comesUp(A, table(4));
        breaks(FIRST); const quiet = [connection.state, session.reaches("PLUM")];
        ring(0.25); breaks(FIRST); const loud = connection.state;
        connection.check();
        return [quiet, loud, types(A)];""",
    )
    assert quiet == ["online", True]
    assert loud == "waiting"
    assert pings == ["ping"]


def test_a_table_that_comes_to_a_connection_is_watched_there(modules: Modules) -> None:
    """A table that moves to an open connection is watched there, after its welcome."""
    online, greeting, seen = nodes(
        modules,
        """hears(FIRST, { ...moved(B), table: "PEAR" }); comesUp(B, { ...table(7), table: "PEAR" });
        hears(FIRST, table(4)); hears(FIRST, moved(B));
        const online = types(B); const [watch] = at(B).sent.slice(-1);
        hears(B, table(5), { type: "ok", id: watch.id, table: "PLUM" });
        hears(B, moved(A), { ...moved(A), table: "PEAR" }); at(A).onopen();
        const hello = at(A).sent[0];
        hears(FIRST, { ...table(1), table: "KIWI" }, { ...moved(A), table: "KIWI" });
        hears(A, welcome(hello.id));
        return [online, [Object.keys(hello.resume), at(A).sent.slice(1)],
            [session.tables.get("PLUM").seq, open()]];""",
    )
    assert online == ["watch"]
    assert greeting[0] == ["PEAR", "PLUM"]
    assert [(each["type"], each["table"]) for each in greeting[1]] == [("watch", "KIWI")]
    assert seen == [5, [FIRST, A]]


def test_a_table_that_comes_to_the_node_of_the_first_address_is_watched_there(
    modules: Modules,
) -> None:
    """A table that moves to the first connection's node is watched there."""
    sent, standing, later = nodes(
        modules,
        """hears(FIRST, table(4)); breaks(FIRST); ring(0.25); at(FIRST).onopen();
        hears(FIRST, { ...welcome(at(FIRST).sent[0].id), node: A });
        hears(FIRST, moved(B), { ...moved(B), table: "PEAR" }); comesUp(B, table(4));
        connection.tell("act", { table: "PLUM" });
        hears(B, moved(A));
        const [asked, standing] = [types(FIRST), open()];
        breaks(FIRST); hears(B, { ...moved(A), table: "KIWI" });
        return [asked, standing, open()];""",
    )
    assert sent == ["watch", "act"]
    assert standing == [FIRST, B]
    assert later == [B, A]


def test_a_first_address_that_has_not_heard_where_it_leads_takes_tables(modules: Modules) -> None:
    """The first connection takes over tables of a connection that its node has closed."""
    sent, standing = nodes(
        modules,
        """hears(FIRST, moved(A)); comesUp(A, table(4));
        connection.tell("act", { table: "PLUM" });
        breaks(FIRST); ring(0.25); at(FIRST).onopen();
        hears(FIRST, { ...welcome(at(FIRST).sent[0].id), node: A });
        return [types(FIRST), [open(), told().includes("waiting"), session.refused]];""",
    )
    assert sorted(sent) == ["act", "watch"]
    assert standing == [[FIRST], False, None]


def test_a_first_address_that_leads_to_a_known_node_takes_its_tables(modules: Modules) -> None:
    """A first connection that leads to a known node takes over its tables."""
    sent, standing = nodes(
        modules,
        """hears(FIRST, moved(A)); comesUp(A, table(4));
        breaks(FIRST); ring(0.25); at(FIRST).onopen();
        at(A).onclose({ code: 4000, reason: "replaced" });
        hears(FIRST, welcome(at(FIRST).sent[0].id));
        return [types(FIRST), [told().includes("waiting"), session.refused]];""",
    )
    assert sent == ["watch"]
    assert standing == [False, None]


def test_the_node_may_have_heard_the_newer_hello_first(modules: Modules) -> None:
    """If the node read the newer hello first, the connection of the earlier hello serves."""
    refused, sent, standing = nodes(
        modules,
        """hears(FIRST, moved(A)); comesUp(A, table(4));
        breaks(FIRST); breaks(A); ring(0.25); ring(0.25);
        at(FIRST).onopen(); at(A).onopen();
        const [first, second] = [FIRST, A].map((url) => at(url).sent[0].id);
        hears(A, welcome(second), { type: "notice", kind: "replaced" });
        const refused = [first < second, session.refused];
        hears(FIRST, welcome(first));
        return [refused, types(FIRST), open()];""",
    )
    assert refused == [True, None]
    assert sent == ["watch"]
    assert standing == [FIRST]


def test_the_newer_connection_may_have_been_given_up(modules: Modules) -> None:
    """The older connection comes back if the newer one that replaced it was given up."""
    before, after, state = nodes(
        modules,
        """hears(FIRST, moved(A)); comesUp(A, table(4));
        breaks(A); ring(0.25); at(A).onopen(); breaks(A);
        const isReplaced = () => {
            hears(FIRST, { type: "notice", kind: "replaced" });
            at(FIRST).onclose({ code: 4000, reason: "replaced" });
        };
        isReplaced(); const before = session.refused;
        comesUp(FIRST); isReplaced();
        return [before, session.refused?.code, connection.state];""",
    )
    assert before is None
    assert (after, state) == ("replaced", "refused")


def test_a_connection_that_is_not_needed_after_all_may_replace_the_first(modules: Modules) -> None:
    """An unneeded connection may replace the first; its table is shown and no loss reported."""
    reaches, hello, sent, standing = nodes(
        modules,
        """hears(FIRST, moved(A)); comesUp(A, table(4));
        connection.tell("act", { table: "PLUM" });
        hears(A, moved(B)); at(B).onopen(); hears(FIRST, table(4));
        const left = open();
        hears(FIRST, { type: "notice", kind: "replaced" });
        at(FIRST).onclose({ code: 4000, reason: "replaced" });
        const reaches = session.reaches("PLUM");
        comesUp(FIRST, { type: "unchanged", table: "PLUM", info });
        return [reaches, at(FIRST).sent[0].resume, types(FIRST), [left, told().slice(1)]];""",
    )
    assert reaches is True
    assert hello == {"PLUM": 4}
    assert sent == ["act"]
    assert standing[0] == [FIRST]
    assert set(standing[1]) == {"online"}


def test_a_hello_that_was_overtaken_is_said_again(modules: Modules) -> None:
    """A hello replaced by a newer one of the page is sent again; otherwise it is final."""
    again, state = nodes(
        modules,
        """hears(FIRST, moved(A)); comesUp(A, table(4));
        breaks(FIRST); ring(0.25);
        const overtaken = () => { at(FIRST).onopen(); hears(FIRST,
            { type: "error", id: at(FIRST).sent[0].id, code: "replaced", reason: "anew" }); };
        overtaken(); const again = [session.refused, waits().includes(0.5)];
        breaks(A); ring(0.5); overtaken();
        return [again, connection.state];""",
    )
    assert again == [None, True]
    assert state == "refused"


def test_a_request_to_be_let_in_keeps_its_connection(modules: Modules) -> None:
    """A request to join keeps its connection open, and ends with it."""
    kept, withdrawn, after = nodes(
        modules,
        """const events = [];
        connection._hear = (event) => events.push(event);
        connection.ask("join", { table: "PLUM" }); const [{ id }] = at(FIRST).sent.slice(-1);
        hears(FIRST, moved(A, id)); comesUp(A);
        hears(A, { type: "asked", id, table: "PLUM", request: 1, seconds: 60 });
        const kept = open();
        breaks(A); ring(0.25); comesUp(A);
        const withdrawn = events.filter(({ kind }) => kind === "withdrawn");
        return [kept, withdrawn.map(({ tables }) => tables), open()];""",
    )
    assert kept == [FIRST, A]
    assert withdrawn == [["PLUM"]]
    assert after == [FIRST]


def test_what_several_addresses_tell_is_heard_once(modules: Modules) -> None:
    """Server news is taken from the first open connection, and a table's from its own."""
    kinds, seqs = nodes(
        modules,
        """hears(FIRST, moved(A)); comesUp(A, table(4));
        const outage = { type: "notice", kind: "outage" };
        const line = { type: "chat", table: "PLUM", seat: 1, name: "Bob", text: "x" };
        const kinds = () => ["", A.slice(0, -1)].map((address) =>
            session.receive([outage, line], address).map(({ kind }) => kind));
        const heard = kinds();
        session.receive([event(5), { type: "closed", table: "PLUM", reason: "left" }, table(4)]);
        const seqs = [session.tables.get("PLUM").seq];
        breaks(FIRST); heard.push(...kinds());
        session.receive([table(6)]); seqs.push(session.tables.get("PLUM").seq);
        return [heard, seqs];""",
    )
    assert kinds == [["notice"], ["chat"], [], ["notice", "chat"]]
    assert seqs == [4, 6]


def test_players_who_follow_their_table_are_not_back(modules: Modules) -> None:
    """Players who moved with their table are not reported as back; later news is."""
    told = nodes(
        modules,
        """hears(FIRST, table(4));
        const shown = table(4);
        const seats = shown.info.seats.map((seat) => ({ ...seat, away: true }));
        hears(FIRST, moved(A));
        const there = { ...shown, info: { ...shown.info, seats } };
        comesUp(A, there, there);
        const tells = (away) => {
            const presence = { type: "presence", table: "PLUM", seat: 1, away };
            const [event] = session.receive([presence], A.slice(0, -1));
            return [Boolean(event.presence), event.picture.info.seats[1].away];
        };
        return [tells(false), tells(true), tells(false)];""",
    )
    assert told == [[False, False], [True, True], [True, False]]
