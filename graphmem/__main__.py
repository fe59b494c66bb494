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
    exit_code = main()
    # Python notes an interrupt that leaves an `exec` of text, as dataclasses are made, as one that
    # nobody caught, and `python -m` then ends by the signal; to run any text takes the note back.
    exec("")  # noqa: S102
    sys.exit(exit_code)
