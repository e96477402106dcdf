"""The server that may write to a database which several servers could reach."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Bring the schema to this version."""
    op.add_column("database_info", sa.Column("owner", sa.String))
