"""The pages below `docs/`, for the tests that hold them to the code."""

import re
from pathlib import Path


def page(name: str) -> str:
    """The text of a page."""
    return (Path(__file__).parents[2] / "docs" / f"{name}.md").read_text(encoding="utf-8")


def section(text: str, title: str) -> str:
    """What stands below a heading of the second level, up to the next one outside of a block."""
    below = text.partition(f"\n## {title}\n")[2]
    parts = re.split(r"(^```.*?^```$)", below, flags=re.MULTILINE | re.DOTALL)
    end = next((n for n, part in enumerate(parts) if "\n## " in part and part[:3] != "```"), None)
    if end is None:
        return below
    return "".join((*parts[:end], parts[end].partition("\n## ")[0]))


def blocks(text: str, head: str) -> list[str]:
    """The fenced blocks of a language, or of what else stands behind the fence."""
    return re.findall(rf"^```{re.escape(head)}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def rows(text: str, head: str | None = None) -> list[list[str]]:
    """The cells of the table whose first column is called so; of the first table without that."""
    start = text if head is None else text.partition(f"\n| {head} |")[2]
    table = start.partition("\n|---")[2].partition("\n\n")[0]
    lines = re.findall(r"^\| (.*) \|$", table, re.MULTILINE)
    return [[cell.strip() for cell in line.split(" | ")] for line in lines]


def quoted(text: str) -> list[str]:
    """What stands in backticks, in order."""
    return re.findall(r"`([^`]+)`", text)
