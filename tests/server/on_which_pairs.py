"""Which tests run on which store (`pairs.py`).

Every test of a file that uses `open_server` runs on both at night, except those listed here. By day
the files in `BY_DAY` do.
"""

import os
from pathlib import Path

import pytest

from tests.counts import NIGHT
from tests.server import harness
from tests.server.pairs import LOCAL, REMOTE

HERE = Path(__file__).parent
ALL = NIGHT or os.environ.get("BLACKQUEEN_PAIRS") == "all"
"""Whether this run has time for every test on both pairs."""

BY_DAY = frozenset(
    {
        "admin/test_pages.py",
        "commands/test_store_failures.py",
        "sessions/test_siblings.py",
        "lobby/test_programs.py",
        "secrecy/test_undo.py",
        "tables/test_restart.py",
    }
)
"""A quick file of each folder in which much is stored."""

EXCEPTED: dict[str, dict[str, tuple[str, ...]]] = {
    "It opens no server by `open_server`: it is about a part, or about several nodes.": {
        "admin/test_listener.py": ("test_users_are_named_in_a_thread",),
        "admin/test_overview.py": ("test_only_the_end_of_a_long_log_is_read",),
        "admin/test_wide_bans.py": (
            "test_a_ban_that_hits_many_is_not_made_at_once",
            "test_other_bans_are",
        ),
        "commands/test_invitations.py": (
            "test_other_hosts_are_named_as_they_are",
            "test_the_machine_is_asked_without_sending_anything",
            "test_who_listens_everywhere_is_reached_by_the_network",
        ),
        "commands/test_moves_again.py": (
            "test_a_number_below_that_of_hello_may_be_a_repetition",
            "test_a_number_is_new_once",
            "test_a_number_the_store_knows_may_be_a_repetition",
        ),
        "sessions/test_prices.py": ("test_addresses_whose_budget_is_full_are_forgotten",),
        "events/test_inference.py": ("test_an_alias_is_worth_nothing_without_the_servers_secret",),
        "events/test_reference.py": (
            "test_drift_is_found_and_written_anew",
            "test_the_document_is_whole",
            "test_the_reference_is_up_to_date",
        ),
        "events/test_several_nodes.py": (
            "test_a_giver_leaves_what_is_retained_to_the_taker",
            "test_nodes_share_a_broker",
            "test_nothing_is_told_without_the_lease",
            "test_only_what_no_node_knows_is_removed",
        ),
        "games/test_option_texts.py": (
            "test_default_and_bounds_are_told_for_every_number_of_players",
            "test_every_option_is_explained",
            "test_every_setting_is_explained",
            "test_options_of_described_games_are_explained",
        ),
        "lobby/test_programs.py": ("test_people_who_sat_down_before_there_were_programs",),
        "ops/test_access_log.py": (
            "test_a_banned_address_is_refused_before_the_websocket",
            "test_a_refused_connection_is_logged_with_the_client_behind_the_proxy",
        ),
        "ops/test_tracing.py": (
            "test_a_line_names_the_trace_in_whose_block_it_is",
            "test_an_id_is_that_of_the_commands_name",
        ),
        "players/test_guests.py": ("test_absent_guests_are_kept_for_a_day_and_not_without_bound",),
        "secrecy/test_public_events.py": (
            "test_worlds_that_spectators_cannot_tell_apart_publish_the_same_bytes",
        ),
        "secrecy/test_public_events_described.py": (
            "test_described_worlds_seen_from_a_seat_differ",
            "test_described_worlds_that_spectators_cannot_tell_apart_publish_the_same_bytes",
        ),
        "secrecy/test_undo.py": ("test_worlds_that_look_alike_do_so_after_an_undo",),
        "tables/test_listing.py": (
            "test_a_page_that_is_none",
            "test_it_is_what_a_list_made_anew_would_be",
            "test_private_and_closed_tables_are_not_listed",
            "test_tables_that_stay_are_told_once_though_others_change",
            "test_tables_with_free_seats_come_first",
            "test_the_pages_are_the_list",
            "test_what_one_looks_for",
        ),
        "tables/test_spectators.py": ("test_at_a_socket",),
        "test_recordings.py": (
            "test_an_old_database_comes_to_what_it_came_to",
            "test_every_kind_of_entry_is_recorded",
            "test_no_recording_was_left_out",
        ),
        "test_survival.py": (
            "test_a_batch_is_reported_whatever_counting_it_raises",
            "test_a_connection_that_cannot_be_closed_does_not_end_the_server",
            "test_a_turn_that_fails_costs_its_own_reader",
            "test_connections_are_counted_down_whatever_their_end_raises",
            "test_what_goes_on_for_ever_does_so_after_an_exception",
        ),
    },
    "It looks into SQLite's file, or at what earlier releases wrote there.": {
        "tables/test_damaged_logs.py": (
            "test_a_page_that_cannot_be_read_is_the_trouble_of_its_tables",
        ),
        "test_recordings.py": (
            "test_a_server_goes_on_with_an_old_database",
            "test_an_old_answer_is_given_again",
            "test_an_old_match_is_played_to_its_end",
            "test_this_version_can_be_recorded",
        ),
    },
    "It is about a server that has its database alone, which is no node.": {
        "admin/test_overview.py": ("test_a_server_alone_has_no_nodes",),
        "admin/test_service.py": ("test_a_table_that_cannot_be_stored_stays_open",),
        # A node has its address at the public one.
        "commands/test_invitations.py": ("test_others_invite_to_the_address_by_which_they_came",),
        "events/test_publisher.py": (
            "test_after_a_restart_the_broker_is_told_anew",
            "test_what_the_broker_says_is_bounded",
        ),
        "events/test_reference.py": ("test_what_is_sent_can_be_read_by_the_models",),
        "tables/test_seats.py": ("test_a_server_alone_does_not_ask_where_its_players_sit",),
    },
}
"""By reason and file the tests that run on the local pair alone."""

_NOT_REMOTE = {
    f"{file}::{test}"
    for files in EXCEPTED.values()
    for file, tests in files.items()
    for test in tests
}


def pairs_of(test: pytest.Function) -> tuple[str, ...]:
    """The pairs on which a test runs."""
    file = test.path.relative_to(HERE).as_posix()
    if getattr(test.module, "open_server", None) is not harness.open_server:
        return (LOCAL,)
    if not (ALL or file in BY_DAY) or f"{file}::{test.originalname}" in _NOT_REMOTE:
        return (LOCAL,)
    return (LOCAL, REMOTE)
