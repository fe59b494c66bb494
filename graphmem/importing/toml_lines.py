"""How long a line of TOML may be that Python reads in a reasonable time."""

# A key of many parts takes Python a time that grows with the square of their number.
TOML_LINE_CHARACTERS = 10_000


def has_long_line(content: str) -> bool:
    """Whether a line has more characters than `TOML_LINE_CHARACTERS`."""
    return max(map(len, content.split("\n"))) > TOML_LINE_CHARACTERS
