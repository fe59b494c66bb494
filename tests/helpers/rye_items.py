"""Items of RyeOS as people write them, for the tests of the importer and the profile."""

from pathlib import Path
from typing import Any

DIRECTIVE = """<!-- rye:signed:2026-03-01T10:00:00Z:hash:signature:key -->
# {title}

{preamble}

```xml
<directive name="{name}" version="{version}"{root}>
  <metadata>
    <description>{description}</description>
    <category>{category}</category>
    <author>{author}</author>
    <model tier="fast" />
    <limits turns="{turns}" tokens="4096" />
{more}
  </metadata>
  <inputs>
    <input name="place" type="string" required="true">Where it lies</input>
  </inputs>
</directive>
```

<process>
  <step name="first">
{body}
  </step>
</process>
"""
TOOL = '''# rye:signed:2026-03-01T10:00:00Z:hash:signature:key
"""{docstring}"""

__version__ = "{version}"
__tool_type__ = "python"
__executor_id__ = "{executor}"
__category__ = "{category}"
__tool_description__ = "{description}"

CONFIG_SCHEMA = {{"type": "object", "properties": {{"path": {{"type": "string"}}}}}}


def execute(path: str) -> str:
    return "{body}"
'''
KNOWLEDGE = """<!-- rye:signed:2026-03-01T10:00:00Z:hash:signature:key -->

```yaml
name: {name}
title: {title}
entry_type: reference
category: {category}
version: "{version}"
{more}```

# {title}

{body}
"""


def ids(answer: dict[str, Any]) -> list[str]:
    """The items that a search of RyeOS's tools gives."""
    return [result["id"] for result in answer["results"]]


class Tree:
    """A `.ai` folder that items are written into.

    Args:
        folder: What lies around it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def directive(self, item_id: str, **said: object) -> Path:
        """Write a directive; what is not said of it has values that no test looks for."""
        return self._write("directives", item_id, ".md", DIRECTIVE, said)

    def tool(self, item_id: str, **said: object) -> Path:
        """Write a tool in Python."""
        return self._write("tools", item_id, ".py", TOOL, said)

    def knowledge(self, item_id: str, **said: object) -> Path:
        """Write a knowledge entry; `more` are lines of YAML."""
        return self._write("knowledge", item_id, ".md", KNOWLEDGE, said)

    def file(self, place: str, content: str | bytes) -> Path:
        """Write any file below `.ai`."""
        path = self.folder / ".ai" / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def _write(
        self, kind: str, item_id: str, ending: str, form: str, said: dict[str, object]
    ) -> Path:
        category, _, name = item_id.rpartition("/")
        usual: dict[str, object] = {
            "name": name, "title": name.replace("_", " ").title(), "version": "1.0.0",
            "category": category, "description": "", "preamble": "", "author": "someone",
            "turns": 3, "more": "", "body": "", "root": "", "docstring": "Nothing.",
            "executor": "python",
        }  # fmt: skip
        return self.file(f"{kind}/{item_id}{ending}", form.format(**{**usual, **said}))
