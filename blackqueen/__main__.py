"""`python -m blackqueen`, for people who have the package but not the command."""

import sys

from blackqueen.main import main

sys.exit(main())
