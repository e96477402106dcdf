"""What connections say: each command goes to its handler and gets one answer."""
