"""The page's session with several nodes keeps the promises of the Python session."""

from typing import Any

from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from protocol.mirror import TableMirror
from protocol.wire_form import wire_form
from tests.client_web.modules import Modules
from tests.client_web.page_session import PageSession
from tests.counts import count
from tests.protocol.model_nodes import ENTRY
from tests.protocol.model_server import ModelServer
from tests.protocol.test_moving_machine import SeveralNodes


def test_the_page_keeps_up_with_tables_that_move(modules: Modules) -> None:
    """Whatever breaks, all commands are done and answered once, and all tables are seen."""

    class ThePage(SeveralNodes):
        def new_session(self) -> Any:  # the same calls, of another class
            return PageSession(modules, ENTRY)

        def check_seen(self, table: str, model: ModelServer) -> None:
            session: Any = self.session
            assert session.pictures()[table] == picture(model.truth())

    run_state_machine_as_test(
        ThePage, settings=settings(max_examples=count(20), stateful_step_count=40, deadline=None)
    )


def picture(mirror: TableMirror) -> Any:  # as the page has it, in JSON
    """The picture of a table."""
    zones = {
        name: {"cards": [*zone.cards], "backs": zone.backs}
        for name, zone in mirror.view.zones.items()
    }
    values = wire_form(mirror.view.values)
    return {"seq": mirror.seq, "seat": mirror.seat, "zones": zones, "values": values}
