"""Settings that earlier versions had: each is refused by name, with what to do instead."""

from collections.abc import Mapping

REMOVED: Mapping[str, str] = {
    "trace_endpoint": "spans are not exported any more; leave it out: all log lines of a command "
    "have its `trace_id`",
    "trace_share": "spans are not exported any more; leave it out",
}
"""What to do in place of each setting."""

REMOVED_ROLES: Mapping[str, str] = {
    "bots": "bots think beside their tables, in as many processes as --bot-workers says; leave it "
    "out, and start more processes with tables if you have many bots",
}
"""What to do in place of each role."""
