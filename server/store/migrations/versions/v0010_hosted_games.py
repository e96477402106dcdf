"""The described games on offer at all nodes, and the nodes that added them."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Bring the schema to this version."""
    op.create_table(
        "hosted_games",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("source", sa.String, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("rules_digest", sa.String, nullable=False),
        sa.Column("brought", sa.Double, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", "source", name="pk_hosted_games"),
    )
