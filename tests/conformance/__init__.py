"""What every game must do, whatever its rules; `games.SUBJECTS` lists the games under test."""
