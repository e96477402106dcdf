"""`python -m blackqueen`, for whoever has the package but not the command."""

import sys

from blackqueen.main import main

sys.exit(main())
