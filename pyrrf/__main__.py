"""``python -m pyrrf``: the command."""

import sys

from pyrrf.cli.entry import main

if __name__ == "__main__":
    sys.exit(main())
