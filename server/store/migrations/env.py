"""Run by Alembic for every command, on the connection that the caller passes."""

from alembic import context

from server.store.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    # The caller's transaction spans the whole upgrade, in SQLite too.
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
