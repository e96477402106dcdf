"""The tool that goes through a folder of descriptions."""

from pathlib import Path

import pytest

from engine.recycle.games import description
from tools.survey import main

ENDLESS = "(end (== 0 1))"


def test_a_folder_is_gone_through(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It says what plays, what cannot be read and why, and what comes to no end and where."""
    good = description("Agram2")
    (tmp_path / "Good2.rcy").write_text(good, encoding="utf-8-sig")
    (tmp_path / "Wrong2.gdl").write_text(good.replace("(shuffle", "(shufle"))
    endless = description("Goofspiel3").replace("(end (== (size (game hloc PRIZES)) 0))", ENDLESS)
    assert ENDLESS in endless
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "Endless3.rcy").write_text(endless)
    (tmp_path / "notes.txt").write_text("no game")
    assert main([str(tmp_path), "--games", "3"]) == 1
    plays, wrong, stopped, total = capsys.readouterr().out.splitlines()
    assert plays == "Good2.rcy: plays"
    assert wrong.startswith("Wrong2.gdl: not read: 22:4: error [unknown_word] 'shufle'")
    assert stopped.startswith("sub/Endless3.rcy: stopped 3 times: line ")
    assert total == "2 of 3 accepted, 1 play 3 random games"


def test_a_folder_in_which_all_is_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Then the exit code says so."""
    (tmp_path / "Good2.rcy").write_text(description("Agram2"))
    assert main([str(tmp_path), "--games", "2"]) == 0
    assert capsys.readouterr().out.endswith("1 of 1 accepted, 1 play 2 random games\n")
