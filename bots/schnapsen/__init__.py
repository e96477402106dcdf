"""Players of Schnapsen: by rule, by a dozen samples, and by solving deals with open hands."""
