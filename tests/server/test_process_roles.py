"""Which roles a process has: what contradicts itself is refused, and no password is shown."""

from typing import Any

import pytest

from server.ops.settings import Settings, SettingsError
from server.ops.settings_sources import settings_from
from server.process_roles import BusOptions, bus_options
from tests.server.ops.test_settings import parsed

SECRET = "open-sesame"
BUS = f"mqtts://ann:{SECRET}@broker.example:8884/clubs/bus"


def options(**settings: Any) -> BusOptions | None:
    return bus_options(Settings(**settings))


def refusal(**settings: Any) -> str:
    with pytest.raises(SettingsError) as refused:
        options(**settings)
    assert SECRET not in str(refused.value)
    return str(refused.value)


def test_one_process_has_all_roles() -> None:
    """It needs no bus and no name."""
    assert options() is None
    assert options(roles="tables, gateway") is None
    assert Settings().has_admin


def test_a_role_of_its_own_is_found_on_the_bus() -> None:
    """By its role and its name; the topics begin as the address says."""
    found = options(roles="gateway", bus=BUS, node="g1")
    assert found is not None
    assert (found.name, found.prefix, found.broker.password) == ("gateway.g1", "clubs/bus", SECRET)
    assert SECRET not in f"{found} {Settings(roles='tables', bus=BUS)!r}"
    assert found.roles == ("gateway",)
    assert not Settings(roles=("gateway",)).has_admin


def test_a_process_with_all_roles_may_be_one_of_several() -> None:
    """Where a broker is named: with the roles written out, or without."""
    for roles in ({}, {"roles": "tables,gateway"}):
        found = options(bus=BUS, node="n1", **roles)
        assert found is not None
        assert (found.name, found.roles) == ("tables.n1", ("gateway", "tables"))


def test_a_name_is_made_where_none_is_given() -> None:
    """No two processes get the same."""
    names = {
        found.name for _ in range(9) if (found := options(roles="tables", bus="mqtt://localhost"))
    }
    assert len(names) == 9
    assert all(name.startswith("tables.") for name in names)


def test_what_contradicts_itself_is_refused() -> None:
    """The message says what to do."""
    assert "with the role tables are needed too" in refusal(roles="gateway")
    assert "leave --node out" in refusal(node="g1")
    assert "process that has the tables" in refusal(roles="gateway", bus=BUS, admin=True)
    assert "begins with mqtts://" in refusal(roles="tables", bus=f"http://ann:{SECRET}@b")


@pytest.mark.parametrize("words", [["--roles", "dealer"], ["--roles", ""], ["--node", "a/b"]])
def test_what_cannot_be_is_refused(words: list[str]) -> None:
    """A role that there is not, none at all, a name that fits into no topic."""
    with pytest.raises(SettingsError, match="cannot be used"):
        settings_from(parsed(*words))
