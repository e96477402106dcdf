"""The command `blackqueen`, which finds its subcommands in the other packages."""
