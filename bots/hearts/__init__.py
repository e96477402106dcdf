"""Players of Hearts: rules of thumb, and search over deals with those rules as its players."""
