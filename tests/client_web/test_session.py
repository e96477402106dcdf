"""The page's session and connection without a server: messages in, events and messages out."""

from typing import Any

from tests.client_web.modules import Modules

# A session that has been welcomed, and short ways to say what comes and to see what goes.
BEGIN = """
const { Session } = await import("/session.js");
const session = new Session({ client: "page", name: "Ann", first: "ws://cards.example/" });
const welcome = (id) => ({
    type: "welcome", id, player: "p", name: "Ann", token: "secret", features: ["lobby"],
    limits: { message_bytes: 1000, messages_per_second: 50, chat_length: 500 },
});
const info = {
    table: "PLUM", game: "hearts", version: 1, title: "Hearts", phase: "playing", host: 0,
    seats: [{ kind: "human", name: "Ann" }, { kind: "bot", name: "Ada" }],
    options: {}, settings: {}, match: 1,
};
const table = (seq, seat = 0) => ({
    type: "table", table: "PLUM", seq, seat, info, view: { zones: { deck: { backs: 2 } } },
    facts: [], question: { turn: 1 }, legend: [],
});
const event = (seq, ...changes) => ({
    type: "event", table: "PLUM", seq, facts: [{ verb: "x", changes }],
});
const set = (value) => ({ do: "set", key: "k", value });
const hear = (...frame) => session.receive(frame);
const sent = () => session.takeOutbox();
const begin = () => hear(welcome(session.connected().id));
"""


def story(modules: Modules, script: str, given: Any = None) -> Any:
    """The result of a script after `BEGIN`."""
    return modules.evaluate(f"async (given) => {{ {BEGIN} {script} }}", given)


def test_a_hello_says_who_comes_back_and_what_was_seen(modules: Modules) -> None:
    """Hello has the last welcome's token, and the last event of each table."""
    first, second = story(
        modules,
        """const first = session.connected(); hear(welcome(first.id), table(4), event(5));
        return [first, session.connected()];""",
    )
    wanted = [
        "legend",
        "choices.parts",
        "pick.way",
        "chat.apart",
        "notice.outage",
        "choices.prompt",
        "unchanged",
        "chat.earlier",
        "join.seeded",
        "moved",
    ]
    assert first.pop("features") == second["features"] == wanted
    assert first.pop("facts") == second["facts"] == 40
    assert first.pop("alongside")
    assert second["alongside"]
    assert first == {"type": "hello", "id": 1, "version": 1, "client": "page", "name": "Ann"}
    assert second["token"] == "secret"
    assert second["resume"] == {"PLUM": 5}
    assert second["id"] > first["id"]


def test_what_is_unanswered_is_sent_again_in_order(modules: Modules) -> None:
    """Unanswered commands are sent again in order with their numbers on the next connection."""
    again = story(
        modules,
        """begin(); const ids = ["ready", "chat", "act"].map((type) => session.command(type).id);
        sent(); hear({ type: "ok", id: ids[1] }); session.disconnected();
        session.command("ping"); const early = sent(); begin();
        return [early, sent().map((each) => each.type)];""",
    )
    assert again == [[], ["ready", "act", "ping"]]


def test_an_answer_is_told_once(modules: Modules) -> None:
    """An answer that comes again is ignored."""
    told = story(
        modules,
        """begin(); const { id } = session.command("ready");
        return [1, 2].map(() => hear({ type: "ok", id }).map((each) => each.kind));""",
    )
    assert told == [["answered"], []]


def test_what_tables_of_a_game_have_in_common_comes_once(modules: Modules) -> None:
    """A table's legend comes once by digest, and the next hello names it."""
    label, known = story(
        modules,
        """begin(); const { legend: _, ...bare } = table(4);
        hear({ type: "legend", digest: "d1", legend: [{ token: "QS", label: "Q" }],
            labels: [{ kind: "hand", title: "hand" }] });
        const [{ picture }] = hear({ ...bare, digest: "d1", earlier: 7 });
        const { legend, labels, layout, earlier } = picture;
        return [[legend[0].label, labels[0].title, layout.zones, earlier],
            session.connected().legends];""",
    )
    assert label == ["Q", "hand", [], 7]
    assert known == ["d1"]


def test_a_legend_that_came_with_a_game_is_kept(modules: Modules) -> None:
    """A legend that came with a game is stored; hello names the latest, and none too long."""
    label, known = story(
        modules,
        """begin(); const { legend: _, ...bare } = table(4);
        const { id } = session.command("games", { game: "hearts" });
        const card = (digest) => ({ digest, legend: [{ token: "QS", label: digest }] });
        const many = Array.from({ length: 40 }, (_, at) => card(`d${at}`));
        hear({ type: "games", id, games: [{}, card("x".repeat(65)), ...many] });
        const [{ picture }] = hear({ ...bare, digest: "d3" });
        return [picture.legend[0].label, session.connected().legends];""",
    )
    assert label == "d3"
    assert known == [f"d{at}" for at in range(8, 40)]


def test_a_new_deal_leaves_nothing_out(modules: Modules) -> None:
    """A new deal shows all facts, as omitted ones belonged to the last deal."""
    told = story(
        modules,
        """begin(); hear({ ...table(4), earlier: 7 });
        const same = hear(event(5, set(1)))[0].picture.earlier;
        const facts = [{ verb: "deal_started" }];
        const next = hear({ type: "event", table: "PLUM", seq: 6, facts })[0].picture.earlier;
        return [same, next];""",
    )
    assert told == [7, 0]


def test_an_event_that_was_seen_is_dropped(modules: Modules) -> None:
    """An event whose number was seen is dropped."""
    told = story(
        modules,
        """begin(); hear(table(4)); const kinds = [event(4), event(5, set(1)), event(5, set(2))]
            .map((each) => hear(each).map((one) => one.kind));
        return [kinds, session.tables.get("PLUM").view.values];""",
    )
    assert told == [[[], ["event"], []], {"k": 1}]


def test_after_a_gap_a_snapshot_is_asked_for_once(modules: Modules) -> None:
    """A gap asks for one snapshot, and the table's events wait for it."""
    told = story(
        modules,
        """begin(); hear(table(4)); hear(event(6)); hear(event(7)); const asked = sent();
        hear({ type: "ok", id: asked[0].id }, table(7)); const after = hear(event(8, set(8)));
        return [asked, after.map((each) => each.kind), session.tables.get("PLUM").seq];""",
    )
    assert [command["type"] for command in told[0]] == ["sync"]
    assert told[1:] == [["event"], 8]


def test_an_event_that_does_not_fit_is_asked_for_less_and_less_often(modules: Modules) -> None:
    """An event that does not fit asks for a snapshot, at once and then less often."""
    told = story(
        modules,
        """begin(); hear(table(4)); const odd = { do: "juggle" };
        const first = hear(event(5, odd)); const [sync] = sent();
        hear({ type: "ok", id: sync.id }, table(5));
        const second = hear(event(6, odd)); const then = sent();
        session.again(second[0].command.id);
        const { kind, error } = second[0];
        return [first, sync.type, kind, error.retry_after, then, sent().length];""",
    )
    assert told == [[], "sync", "later", 1, [], 1]


def test_a_snapshot_leaves_out_changes_that_are_not_known(modules: Modules) -> None:
    """A snapshot drops unknown changes, and its view is complete."""
    changes = story(
        modules,
        """begin(); const facts = [{ verb: "x", changes: [{ do: "juggle" }] }];
        const odd = { ...table(4), facts };
        return hear(odd)[0].picture.facts[0].changes;""",
    )
    assert changes == []


def test_an_entered_table_that_did_not_come_is_asked_for(modules: Modules) -> None:
    """If the snapshot of an entered table was lost, it is requested."""
    asked = story(
        modules,
        """begin(); const { id } = session.command("join", { table: "PLUM" }); sent();
        hear({ type: "ok", id, table: "PLUM" }); return sent().map((each) => each.type);""",
    )
    assert asked == ["sync"]


def test_a_guest_whom_the_server_forgot_is_somebody_new(modules: Modules) -> None:
    """A forgotten guest becomes a new one, unless they have a seat."""
    told = story(
        modules,
        """begin(); session.disconnected(); const hello = session.connected();
        const said = hear({ type: "error", id: hello.id, code: "unauthorized", reason: "who?" });
        const fresh = session.startAfresh(); const token = session.token;
        begin(); hear(table(4)); return [said, fresh, token, session.startAfresh()];""",
    )
    assert told == [[], True, None, False]


def test_a_code_makes_the_page_another_players_device(modules: Modules) -> None:
    """A device code replaces the token until the welcome; a wrong one keeps the token."""
    first, fresh, second = story(
        modules,
        """session.token = "mine"; session.code = "once"; session.device = "browser";
        const first = session.connected();
        hear({ type: "error", id: first.id, code: "unauthorized", reason: "used" });
        const fresh = session.startAfresh();
        session.disconnected(); hear(welcome(session.connected().id));
        session.disconnected(); return [first, fresh, session.connected()];""",
    )
    assert (first["code"], first["device"], first.get("token")) == ("once", "browser", None)
    assert not fresh
    assert (second.get("code"), second["token"]) == (None, "secret")


def test_a_page_that_is_one_too_many_stays_away(modules: Modules) -> None:
    """A replaced page does not reconnect."""
    told = story(
        modules,
        """begin(); hear({ type: "notice", kind: "replaced" }); return session.refused.code;""",
    )
    assert told == "replaced"


def test_tables_without_a_seat_any_more_are_closed(modules: Modules) -> None:
    """Tables at which one has no seat any more are closed."""
    told = story(
        modules,
        """begin(); hear(table(4));
        const closed = hear({ type: "closed", table: "PLUM", reason: "kicked" });
        hear(table(9)); const { id } = session.command("leave", { table: "PLUM" });
        const left = hear({ type: "ok", id });
        const ends = left.map((each) => each.reason ?? each.kind);
        return [closed[0].reason, ends, session.tables.size];""",
    )
    assert told == ["kicked", ["answered", "left"], 0]


def test_a_table_is_watched_no_longer_at_once(modules: Modules) -> None:
    """A table is unwatched at once: later events are ignored, and hello does not name it.

    Leaving again on another connection would cost the player a seat taken meanwhile.
    """
    leaves, of_table, resumed, outbox, offline = story(
        modules,
        """begin(); sent(); hear(table(4, null)); session.unwatch("PLUM");
        const [leave, ...others] = sent();
        const heard = [...hear(event(5)), ...hear({ type: "ok", id: leave.id, table: "PLUM" })];
        const again = session.connected(); hear(welcome(again.id));
        const outbox = sent();
        hear(table(6, null)); session.disconnected(); session.unwatch("PLUM");
        hear(welcome(session.connected().id));
        return [[leave.type, leave.table, others.length], heard, again.resume ?? null, outbox,
            sent()];""",
    )
    assert leaves == ["leave", "PLUM", 0]
    assert of_table == outbox == offline == []
    assert resumed is None


def test_times_are_set_right_on_coming_back_where_nothing_was_missed(modules: Modules) -> None:
    """A resumed table without news has its clocks set, keeps its question and tells presence."""
    kinds, question, presences, late, again = story(
        modules,
        """begin();
        const question = { turn: 1, to_act: [0], clock: 90, reserve: [300, 300],
            choices: { actions: ["play QS"] } };
        hear({ ...table(4), question });
        const { since } = session.tables.get("PLUM");
        const later = performance.now() + 5000;
        performance.now = () => later;
        hear(welcome(session.connected().id));
        const gone = { ...info.seats[1], away: true };
        const told = { type: "unchanged", table: "PLUM", clock: 0, reserve: [0, 300],
            info: { ...info, seats: [{ ...info.seats[0], away: true }, gone] } };
        const heard = hear(told);
        const picture = session.tables.get("PLUM");
        const { turn, clock, reserve, choices } = picture.question;
        const up = { type: "notice", kind: "time_up", table: "PLUM", seats: [0] };
        delete performance.now;
        const late = [up, told, up].map((each) => hear(each).map(({ kind }) => kind));
        const again = hear({ ...table(5), question: { turn: 2 } })[0].picture.late;
        return [heard.map(({ kind }) => kind),
            [turn, clock, reserve, choices.actions, picture.since > since],
            heard.map(({ presence }) => presence ?? null), late, again];""",
    )
    assert kinds == ["changed", "changed"]
    assert question == [1, 0, [0, 300], ["play QS"], True]
    assert presences == [{"seat": 1, "away": True}, None]
    assert late == [["notice", "changed"], ["changed"], []]
    assert again == []


def test_a_page_that_lagged_counts_no_spectators_until_it_is_told(modules: Modules) -> None:
    """After a lag the number of spectators is unknown until it is told."""
    told = story(
        modules,
        """begin(); hear(table(4));
        const count = () => session.tables.get("PLUM").spectators;
        hear({ type: "notice", kind: "spectators", table: "PLUM", count: 2 });
        const before = count();
        hear({ type: "notice", kind: "lagging" }, table(9));
        return [before, count()];""",
    )
    assert told == [2, 0]


def test_what_was_said_meanwhile_is_told_once(modules: Modules) -> None:
    """Missed chat is told once, also after a reload; that of a lost table is dropped."""
    first, told, second, third = story(
        modules,
        """session.heard.set("PLUM", [5, 0]);
        const first = session.connected().heard;
        begin(); hear(table(4));
        const line = (number, more) => hear({ type: "chat", table: "PLUM", seat: 1, name: "Bob",
            text: "x", number, ...more }).length;
        const earlier = { earlier: true }, apart = { apart: true };
        const told = [line(5, earlier), line(6, earlier), line(6, earlier), line(7), line(3),
            line(4, { ...earlier, ...apart }), line(undefined)];
        const second = session.connected().heard;
        begin(); hear({ type: "closed", table: "PLUM", reason: "kicked" });
        return [first, told, second, session.connected().heard ?? null];""",
    )
    assert first == {"PLUM": [5, 0]}
    assert told == [0, 1, 0, 1, 1, 1, 1]
    assert second == {"PLUM": [3, 4]}
    assert third is None


# A browser's sockets and timers, turned by hand.
WORLD = """
const { Connection } = await import("/connection.js");
const timers = [], sockets = [], states = [];
const world = {
    open: (url) => { const s = { url, sent: [], isOpen: true,
            send: (text) => s.sent.push(JSON.parse(text)), close: () => { s.isOpen = false; } };
        sockets.push(s); return s; },
    later: (seconds, call) => timers.push({ seconds, call }) - 1,
    cancel: (at) => { if (timers[at]) timers[at] = null; },
    chance: () => 1,
    now: () => world.time,
    time: 0,
};
const connection = new Connection("ws://cards.example/", session, (each) => {
    if (each.kind === "state") states.push([each.state, each.seconds ?? null]);
}, world);
const socket = () => sockets.at(-1);
const up = () => { socket().onopen(); say(welcome(socket().sent[0].id)); };
const say = (...frame) => socket().onmessage({ data: JSON.stringify(frame) });
const drop = (code = 1006, reason = "") => socket().onclose({ code, reason });
const pass = () => { const due = timers.splice(0).filter(Boolean); due.at(-1).call(); };
"""


def test_a_lost_connection_is_made_again_and_waits_longer_each_time(modules: Modules) -> None:
    """Each reconnection attempt waits longer, until a welcome resets the delay.

    The delay is at most two and a half seconds, so that a player is back within three.
    """
    states = story(
        modules,
        WORLD
        + """connection.open(); up(); drop(); pass(); drop(); pass(); drop(); pass(); up(); drop();
        for (let again = 0; again < 6; again += 1) { pass(); drop(); }
        return states;""",
    )
    waits = [seconds for state, seconds in states if state == "waiting"]
    assert waits == [0.25, 0.5, 1.0, 0.25, 0.5, 1.0, 2.0, 2.5, 2.5, 2.5]
    assert [state for state, _ in states][:4] == ["connecting", "online", "waiting", "connecting"]


def test_a_move_made_without_a_connection_is_sent_later(modules: Modules) -> None:
    """A move made without a connection is sent later, once, and its answer is reported."""
    told = story(
        modules,
        WORLD
        + """connection.open(); up(); drop();
        const asked = connection.ask("act", { table: "PLUM" });
        pass(); up(); const moves = socket().sent.filter((each) => each.type === "act");
        say({ type: "ok", id: moves[0].id, seq: 7 }); return [moves.length, (await asked).seq];""",
    )
    assert told == [1, 7]


def test_a_refused_connection_is_not_made_again(modules: Modules) -> None:
    """A refused connection is not opened again, unless the reason is temporary."""
    told = story(
        modules,
        WORLD
        + """connection.open(); up(); drop(4001, "internal"); const passes = connection.state;
        pass(); drop(4001, "hello_first"); const late = connection.state;
        pass(); up(); drop(4000, "replaced"); const other = connection.state;
        connection.open(); up(); drop(4001, "forbidden");
        return [passes, late, other, connection.state];""",
    )
    assert told == ["waiting", "waiting", "refused", "refused"]


def test_a_silent_server_is_asked_and_then_left(modules: Modules) -> None:
    """A silent server is pinged and then left, before the browser notices anything."""
    told = story(
        modules,
        WORLD
        + """connection.open(); up(); pass(); const asked = socket().sent.at(-1).type; pass();
        return [asked, connection.state];""",
    )
    assert told == ["ping", "waiting"]


# What the timers that run wait for, and to let the one that waits so long ring.
TIMERS = """
const waits = () => timers.filter(Boolean).map(({ seconds }) => seconds).sort((a, b) => a - b);
const ring = (seconds) => {
    const at = timers.findIndex((each) => each?.seconds === seconds);
    const [{ call }] = timers.splice(at, 1, null);
    world.time += seconds;
    call();
};
const pings = () => socket().sent.filter(({ type }) => type === "ping");
const pong = () => say({ type: "pong", id: pings().at(-1).id });
"""


def test_a_page_that_is_shown_again_knows_within_three_seconds(modules: Modules) -> None:
    """A page that is shown again checks its connection with one ping within three seconds."""
    lives, slow, lost, doubled = story(
        modules,
        WORLD
        + TIMERS
        + """connection.open(); up();
        connection.check(); connection.check();
        const lives = [waits(), pings().length]; pong(); lives.push(waits(), connection.state);
        connection.check(); ring(0.7);
        const slow = [connection.state]; pong(); slow.push(connection.state);
        connection.check(); ring(3); const lost = [connection.state, waits()];
        connection.check(); lost.push(connection.state);
        up(); connection.check();
        const doubled = [waits()]; pong(); connection.check(); doubled.push(waits());
        return [lives, slow, lost, doubled];""",
    )
    assert lives == [[0.7, 3], 1, [15], "online"]
    assert slow == ["checking", "online"]
    assert lost == ["waiting", [0.25], "connecting"]
    assert doubled == [[0.7, 6], [0.7, 3]]


def test_a_command_without_an_answer_has_the_connection_checked(modules: Modules) -> None:
    """An unanswered command causes a ping after three seconds, repeated while it waits."""
    first, lives, answered, lost = story(
        modules,
        WORLD
        + TIMERS
        + """connection.open(); up();
        const asked = connection.ask("act", { table: "PLUM" });
        const act = socket().sent.at(-1).id;
        const first = waits();
        const lives = [1, 2].map(() => {
            ring(3); const limit = waits(); pong();
            return [limit, waits()];
        });
        say({ type: "ok", id: act, seq: 7 });
        const answered = waits();
        connection.tell("chat", { table: "PLUM", text: "hello" });
        ring(3); ring(3);
        return [first, lives, answered, connection.state];""",
    )
    assert first == [3]
    assert lives == [[[0.7, 3], [3]]] * 2
    assert answered == [15]
    assert lost == "waiting"


def test_where_a_table_is_in_play_silence_is_noticed_sooner(modules: Modules) -> None:
    """At a table in play silence is noticed sooner, and any data ends it."""
    quiet, asked, heard, states_then, lobby = story(
        modules,
        WORLD
        + TIMERS
        + """connection.open(); up(); say(table(4));
        const quiet = waits(); ring(4); const asked = [waits(), pings().length];
        say(event(5, set(1))); const heard = waits();
        ring(4); ring(3); const lost = connection.state;
        const lobby = [lost];
        pass(); up(); say({ ...table(6), info: { ...table(6).info, phase: "lobby" } });
        lobby.push(waits());
        return [quiet, asked, heard, states.map(([state]) => state), lobby];""",
    )
    assert quiet == [4]
    assert asked == [[3], 1]
    assert heard == [3], "the pong is still to come"
    assert "checking" not in states_then
    assert lobby == ["waiting", [15]]


def test_a_page_that_was_put_to_rest_reads_first_what_has_come(modules: Modules) -> None:
    """A page from the background reads what has arrived before it judges the silence."""
    late, there, gone = story(
        modules,
        WORLD
        + TIMERS
        + """connection.open(); up(); say(table(4));
        ring(4); world.time += 60; ring(3); const late = [connection.state, waits()];
        pong(); const there = [connection.state, waits()];
        ring(4); world.time += 60; ring(3); ring(0.5);
        return [late, there, connection.state];""",
    )
    assert late == ["online", [0.5]]
    assert there == ["online", [4]]
    assert gone == "waiting"


def test_a_page_from_the_memory_of_a_browser_opens_its_connection_anew(modules: Modules) -> None:
    """A page restored from the browser's cache opens a new connection."""
    closed, opening = story(
        modules,
        WORLD
        + TIMERS
        + """connection.open(); up(); socket().readyState = 3;
        connection.check(); const closed = [connection.state, sockets.length];
        socket().readyState = 0; connection.check(); connection.check();
        const opening = [waits()]; ring(3); opening.push(connection.state);
        return [closed, opening];""",
    )
    assert closed == ["connecting", 2]
    assert opening == [[3], "waiting"]


def test_a_command_that_is_put_off_is_sent_again_and_given_up_in_the_end(modules: Modules) -> None:
    """A postponed command is sent again after the server's delay, and given up in the end."""
    told = story(
        modules,
        WORLD
        + """connection.open(); up(); const asked = connection.ask("ready", { table: "PLUM" });
        const id = socket().sent.at(-1).id; let waited = 0;
        for (let tries = 0; tries < 9; tries++) {
            timers.length = 0;
            say({ type: "error", id, code: "try_again", reason: "busy", retry_after: 3 });
            const due = timers.filter(Boolean);
            const again = due.find((each) => each.seconds > 3 && each.seconds < 15);
            if (again) { waited += 1; again.call(); }
        }
        const answer = await asked;
        return [waited, answer.code, socket().sent.filter((each) => each.id === id).length];""",
    )
    assert told == [8, "try_again", 9]


def test_a_message_that_is_too_long_is_not_sent(modules: Modules) -> None:
    """A message too long for the server is not sent."""
    told = story(
        modules,
        WORLD
        + """connection.open(); up(); const before = socket().sent.length;
        const answer = await connection.ask("chat", { text: "x".repeat(2000) });
        return [answer.code, socket().sent.length - before];""",
    )
    assert told == ["message_too_big", 0]
