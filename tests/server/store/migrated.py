"""Databases of older schemas, made from the oldest one by the migrations."""

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine

from server.store.database import MIGRATIONS
from tests.server.store.oldest_schema import OLDEST, REVISION


def migrated(engine: Engine, revision: str = "head") -> None:
    """Make the oldest schema in an empty database, and bring it to a revision."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        OLDEST.create_all(connection)
        config.attributes["connection"] = connection
        command.stamp(config, REVISION)
        command.upgrade(config, revision)
