"""Says which tests of whole programs run on PostgreSQL at night: all but those named here."""

import pytest

from tests.counts import NIGHT

on_postgresql = pytest.mark.parametrize("programs", ["postgresql"], indirect=True)

ONLY_ON_A_FILE = {
    "test_admin_page": "a server with a file of its own answers administrators unasked",
    "test_disk": "what happens to a file; test_postgresql has what happens to PostgreSQL",
    "test_page_faults": "clicks in a browser; test_kill and test_drain run on both",
    "test_page_matches": "clicks in a browser; matches of other tests are stored in both",
    "test_play": "the tables of a player's own server are always in a file",
    "test_postgresql": "PostgreSQL itself, by day too",
    "test_postgresql_troubles": "the same",
    "test_postgresql_tls": "has databases of its own",
    "test_recordings": "the recordings are files",
    "test_a_folder_that_cannot_be_written_is_named": "the folder of a file",
    "test_a_server_runs_without_a_socket_unless_it_must_have_one": "the default is another one",
    "test_failover": "has two servers of its own",
    "test_whole_nodes_faults": "has a database of its own, which it kills",
    "test_local_cluster": "has a database of its own",
    "test_another_programs_file_is_left_alone": "a file",
}
"""Why a module or a test has nothing to do with PostgreSQL."""


def databases(module: str, test: str) -> list[str]:
    """Return the databases on which a test runs now, unless the test names them itself."""
    if NIGHT and not {module, test} & ONLY_ON_A_FILE.keys():
        return ["sqlite", "postgresql"]
    return ["sqlite"]
