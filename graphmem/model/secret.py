"""A value that nothing shows: a password, a token, a key."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Secret:
    """Holds a text that no repr, log line or error shows.

    Args:
        text: The secret.
    """

    text: str

    def __str__(self) -> str:
        """Stars, whatever it holds."""
        return "**********"

    def __repr__(self) -> str:
        """Stars, whatever it holds."""
        return f"Secret('{self}')"

    def get_secret_value(self) -> str:
        """The text itself."""
        return self.text
