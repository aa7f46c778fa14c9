"""Entry point of the command; without its extra it names the packages to install."""

from __future__ import annotations

import sys

from pyrrf.cli.messages import Exit, say


def main() -> int:
    """Run the command."""
    try:
        from pyrrf.cli.app import app
    except ImportError as error:
        say(str(error))
        return Exit.USAGE
    except KeyboardInterrupt:
        return Exit.STOPPED
    app(prog_name="pyrrf")
    return Exit.OK


if __name__ == "__main__":
    sys.exit(main())
