"""The conformance suite: what every game must do; `games.SUBJECTS` lists the games under test."""
