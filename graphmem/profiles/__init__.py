"""Profiles: other tools' names, parameters and answers over the same `Memory`.

To add one, write a module with `offers(memory)` and name it here. A module is imported when it is
asked for, so a server pays only for its own.
"""

from collections.abc import Sequence
from importlib import import_module

from graphmem.errors import ConfigurationError
from graphmem.profiles.tool_spec import Opened, ToolSpec

__all__ = ["PROFILES", "ToolSpec", "offers_of"]

PROFILES: tuple[str, ...] = (
    # one a line
    "forge",
    "forgeplan",
    "memcp",
    "memory-server",
    "rye",
    "shaktiman",
)


def offers_of(names: Sequence[str], memory: Opened) -> list[ToolSpec]:
    """The tools of several profiles together, in order.

    Args:
        names: Names out of `PROFILES`; one named twice counts once.
        memory: Gives the open memory.

    Raises:
        ConfigurationError: There is no such profile, or two have a tool of the same name.
    """
    owners: dict[str, str] = {}
    offers: list[ToolSpec] = []
    for name in dict.fromkeys(names):
        if name not in PROFILES:
            raise ConfigurationError(f"profile must be one of {', '.join(PROFILES)}, got {name!r}")
        profile_offers: list[ToolSpec] = import_module(_module(name)).offers(memory)
        for offer in profile_offers:
            owner = owners.setdefault(offer.name, name)
            if owner != name:
                raise ConfigurationError(
                    f"the profiles {owner} and {name} both have a tool {offer.name}; "
                    "serve them separately"
                )
        offers += profile_offers
    return offers


def _module(name: str) -> str:
    return f"graphmem.adapters.{name.replace('-', '_')}.profile"
