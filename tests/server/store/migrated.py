"""Databases of older schemas, made by the migrations alone."""

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine

from server.store.database import MIGRATIONS


def migrated(engine: Engine, revision: str = "head") -> None:
    """Bring a database to a revision by the migrations alone."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
