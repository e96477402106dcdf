"""Requests between nodes, their answers, and the codes for further devices."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Bring the schema to this version."""
    op.create_table(
        "node_requests",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("asked_by", sa.String, nullable=False),
        sa.Column("node", sa.String),
        sa.Column("epoch", sa.BigInteger),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("time", sa.Double, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("id", name="pk_node_requests"),
    )
    op.create_index("ix_node_requests_changed", "node_requests", ["changed"])
    op.create_table(
        "node_answers",
        sa.Column("request", sa.String, nullable=False),
        sa.Column("node", sa.String, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("request", "node", name="pk_node_answers"),
        sa.ForeignKeyConstraint(
            ["request"],
            ["node_requests.id"],
            name="fk_node_answers_request",
            ondelete="CASCADE",
        ),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "device_codes",
        sa.Column("code_hash", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
        sa.Column("token_hash", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("code_hash", name="pk_device_codes"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_device_codes_player", "device_codes", ["player"])
    op.create_index("ix_device_codes_token_hash", "device_codes", ["token_hash"])
