"""The program `graphmem`, which `python -m graphmem` is too."""

import sys


def main() -> int:
    """Run the command of this process's command line; an interrupt ends also what imports it.

    Returns:
        The exit code.
    """
    try:
        from graphmem import cli  # noqa: PLC0415 - Ctrl-C may come while it is imported

        return cli.main()
    except KeyboardInterrupt:
        sys.stderr.write("graphmem: interrupted\n")
        return 130


if __name__ == "__main__":
    sys.exit(main())
