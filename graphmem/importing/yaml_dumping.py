"""Front matter as graphmem writes it: `front_matter` reads the same values from it."""

import re
from collections.abc import Mapping
from datetime import datetime

import yaml

from graphmem.importing.yaml_loaders import OWN_RESOLVERS
from graphmem.model.json_object import iso

# What only an escape keeps. A block that ends in blank lines would end all YAML behind it.
_ESCAPED = re.compile(r"[\r\x85\u2028\u2029\ufeff]|(?:\A|\n)\n\Z")
# What is taken for a placeholder of a template, also in a block of lines.
_PLACEHOLDER = "{{"
# Wider than any text is, so that no line is broken where it has none.
_WIDTH = 2**31 - 1


def front_matter(fields: Mapping[str, object]) -> str:
    """Fields as the lines that begin a note, with the lines of `---` around them.

    Args:
        fields: Texts, numbers, booleans, days, moments, and lists and objects of them.
    """
    lines = yaml.dump(
        dict(fields),
        Dumper=_Dumper,
        allow_unicode=True,
        default_flow_style=False,
        sort_keys=False,
        width=_WIDTH,
    )
    return f"---\n{lines}---\n"


class _Dumper(yaml.SafeDumper):
    """Quotes what YAML 1.1 or 1.2 would take for another value; texts of several lines are blocks.

    A value that occurs twice is written twice.
    """

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - as in the base class
        """Write no references."""
        return True

    def text(self, text: str) -> yaml.ScalarNode:
        """A text."""
        style = "|" if "\n" in text else None
        if _ESCAPED.search(text) or (style == "|" and _PLACEHOLDER in text):
            style = '"'
        return self.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    def moment(self, moment: datetime) -> yaml.ScalarNode:
        """A moment, as everything else writes it."""
        return self.represent_scalar("tag:yaml.org,2002:timestamp", str(iso(moment)))


for _tag, _pattern, _first_letters in OWN_RESOLVERS:
    _Dumper.add_implicit_resolver(_tag, _pattern, list(_first_letters))
_Dumper.add_representer(str, _Dumper.text)
_Dumper.add_representer(datetime, _Dumper.moment)
_Dumper.add_representer(tuple, _Dumper.represent_list)
