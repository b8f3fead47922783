"""``python -m roclab`` is the command ``roclab``."""

import sys

from roclab.cli import main

if __name__ == "__main__":
    sys.exit(main())
