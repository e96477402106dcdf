"""Settings of earlier versions: each is refused by name, with its replacement."""

from collections.abc import Mapping

_NO_BUS = (
    "processes reach each other by no broker any more; leave it out: several servers share a "
    "database in PostgreSQL, and each has its own --node-url"
)

REMOVED: Mapping[str, str] = {
    "trace_endpoint": "spans are not exported any more; leave it out: all log lines of a command "
    "have its `trace_id`",
    "trace_share": "spans are not exported any more; leave it out",
    "roles": "every process is a whole server, with connections, tables and bots; leave it out: "
    "several share a database in PostgreSQL, and each has its own --node-url",
    "node": "the name of a server among others is the end of its --node-url; leave it out",
    "bus": _NO_BUS,
    "bus_password_file": _NO_BUS,
    "bus_ca_file": _NO_BUS,
    "bus_certificate_file": _NO_BUS,
    "bus_key_file": _NO_BUS,
}
"""What to do in place of each setting."""
