"""The addresses that notes give themselves on their site, as Docusaurus, Jekyll and Hugo read them.

`slug`, `permalink` and `url` are an address, or with no `/` before them its last part, as `id` is.
`redirect_from` of Jekyll and `aliases` of Hugo are addresses that a document had before.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from graphmem import text

_FIELD = re.compile(r"^(?:id|permalink|slug|url)[ \t]*+[:=]([^\n]{1,300})$", re.MULTILINE)
# A list of them is in brackets, or in the lines below.
_FORMER_FIELD = re.compile(
    r"^(?:aliases|redirect_from)[ \t]*+[:=]"
    r"(?P<list>[^\n]{0,2000}+(?:\n[ \t]*+[-\"'/\]][^\n]{0,300}+){0,200}+)$",
    re.MULTILINE,
)
_ADDRESS = re.compile(r"(?<=[\s\[\"',-])/[^\s\[\]\"',]{1,300}+")
# What only templates, whole addresses and comments have.
_NO_PATH = frozenset(":#?\"'")
# A site may stand below a folder of its server, and its documents below one of the site.
_MOST_BEFORE = 2


def addresses_of(front_matter: str) -> list[str]:
    """The addresses in the front matter of a note."""
    values = [match[1].strip() for match in _FIELD.finditer(front_matter)]
    addresses = [value.strip(value[:1] if value[:1] in {'"', "'"} else None) for value in values]
    return [address for address in addresses if address and _NO_PATH.isdisjoint(address)]


def former_addresses_of(front_matter: str) -> list[str]:
    """The addresses from which the front matter of a note leads to it."""
    fields = _FORMER_FIELD.finditer(front_matter)
    addresses = (address for field in fields for address in _ADDRESS.findall(field["list"]))
    return [address for address in addresses if _NO_PATH.isdisjoint(address)]


def address_path(folder: Sequence[str], address: str) -> str:
    """An address as a path, folded; one that is only its last part is in the folder of the note."""
    parts = address.split("/") if address.startswith("/") else [*folder, *address.split("/")]
    return text.normalised("/".join(part for part in parts if part))


def address_paths(address: str) -> Iterator[str]:
    """The paths, folded, that an address may be from the root of a server, or of what is below."""
    parts = [part for part in address.split("/") if part]
    for start in range(min(_MOST_BEFORE, len(parts) - 1) + 1):
        yield text.normalised("/".join(parts[start:]))


def in_order(parts: Iterable[str], path: Iterable[str]) -> bool:
    """Whether a path has these parts in their order, perhaps with others between."""
    remaining = iter(path)
    return all(part in remaining for part in parts)
