"""Trees: what lies in them."""

from engine.recycle.syntax import (
    Arithmetic,
    Award,
    Do,
    Integer,
    Name,
    Pass,
    PointMap,
    SetPoints,
    Table,
    parts,
    walk,
)

ONE, TWO = Integer(1), Integer(2)


def test_parts_are_the_nodes_directly_inside() -> None:
    """In the order of the fields, within tuples of tuples too, without words and numbers."""
    award = Award(((Name("SUIT"), Name("H")),), ONE)
    assert list(parts(award)) == [Name("SUIT"), Name("H"), ONE]
    assert list(parts(ONE)) == []


def test_a_walk_meets_every_node_outermost_first() -> None:
    """Depth first, in the order of the text."""
    points = PointMap(Table(), Name("P"))
    total = Arithmetic("+", (ONE, TWO))
    tree = Do((Pass(), SetPoints(points, (Award((), total),))))
    assert list(walk(tree)) == [
        tree,
        Pass(),
        SetPoints(points, (Award((), total),)),
        points,
        Table(),
        Name("P"),
        Award((), total),
        total,
        ONE,
        TWO,
    ]
