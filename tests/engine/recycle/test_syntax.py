"""Syntax trees: the parts of a node and the walk over all nodes."""

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
    """The parts of a node are its child nodes in order of the fields, tuples included."""
    award = Award(((Name("SUIT"), Name("H")),), ONE)
    assert list(parts(award)) == [Name("SUIT"), Name("H"), ONE]
    assert list(parts(ONE)) == []


def test_a_walk_meets_every_node_outermost_first() -> None:
    """A walk visits every node depth first, in the order of the text."""
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
