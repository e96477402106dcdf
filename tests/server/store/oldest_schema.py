"""The oldest schema that a stored database may have, that of migration 0003."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    text,
)

from server.store.schema import METADATA

REVISION = "0003"
OLDEST = MetaData(naming_convention=METADATA.naming_convention)
NAMED = text("command IS NOT NULL AND kind <> 'act'")

Table(
    "players",
    OLDEST,
    Column("id", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("token_hash", String, nullable=False),
    Column("created", Double, nullable=False),
    Index(None, "token_hash", unique=True),
)
Table(
    "tables",
    OLDEST,
    Column("code", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("version", Integer, nullable=False),
    Column("private", Boolean, nullable=False),
    Column("phase", String, nullable=False),
    Column("due", Double),
    Column("seq", BigInteger, nullable=False),
    Column("created", Double, nullable=False),
    Column("summary", Text, nullable=False),
    Index(None, "phase"),
)
Table(
    "entries",
    OLDEST,
    Column("table_code", ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", String, nullable=False),
    Column("time", Double, nullable=False),
    Column("body", Text, nullable=False),
    Column("player", String),
    Column("client", String),
    Column("command", BigInteger),
    Index(
        None,
        "player",
        "client",
        "command",
        unique=True,
        sqlite_where=NAMED,
        postgresql_where=NAMED,
    ),
)
Table(
    "answers",
    OLDEST,
    Column("player", String, primary_key=True),
    Column("client", String, primary_key=True),
    Column("command", BigInteger, primary_key=True, autoincrement=False),
    Column("answer", Text, nullable=False),
    Column("time", Double, nullable=False),
    sqlite_with_rowid=False,
)
Table(
    "results",
    OLDEST,
    Column("table_code", ForeignKey("tables.code", ondelete="CASCADE"), primary_key=True),
    Column("match", Integer, primary_key=True, autoincrement=False),
    Column("game", String, nullable=False),
    Column("finished", Double, nullable=False),
    Column("body", Text, nullable=False),
    Index(None, "finished"),
    sqlite_with_rowid=False,
)
Table(
    "descriptions",
    OLDEST,
    Column("digest", String, primary_key=True),
    Column("text", Text, nullable=False),
)
