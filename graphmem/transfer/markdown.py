"""Markdown files with front matter and wiki links: one entity a file.

Front matter: `name` (else the file's stem), `kind`, `title`, `aliases`, `tags`, `status`,
`category`, `confidence`, `source`, `created_at`, `relations` (a list of `{relation, to, note?,
weight?, confidence?}`); any other field is an own attribute. A wiki link `[[Name]]` or
`[[Name|shown]]` outside code becomes a `MENTIONS` relation, unless a typed one joins the two.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import frontmatter
import yaml
from frontmatter.default_handlers import YAMLHandler
from markdown_it import MarkdownIt

from graphmem import text
from graphmem.errors import InvalidInput, shortened
from graphmem.model import Entity, Item, Relation
from graphmem.progress import SILENT, Progress
from graphmem.transfer.row import Row

MENTION = "MENTIONS"
ENTITY_FIELDS = (
    "kind", "title", "aliases", "tags", "status", "category", "confidence", "source", "created_at",
)  # fmt: skip

_WIKI_LINK = re.compile(r"\[\[([^\[\]|#]+)(?:#[^\[\]|]*)?(?:\|[^\[\]]*)?\]\]")
_MARKDOWN = MarkdownIt("commonmark")


class _Loader(yaml.SafeLoader):
    """YAML in which only `true` and `false` are booleans, as in YAML 1.2: `no` is a language."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile(r"true|True|TRUE|false|False|FALSE"), list("tTfF")
)


class _Handler(YAMLHandler):
    """Front matter between `---` lines, read by the loader above."""

    def load(self, fm: str, **_: object) -> Any:  # noqa: ANN401 - whatever YAML holds
        """Read the YAML between the fences."""
        return yaml.load(fm, _Loader)  # noqa: S506 - a SafeLoader with fewer booleans


def rows(path: Path, progress: Progress = SILENT) -> Iterator[Row]:
    """Read one file, or every `*.md` of a folder and its subfolders, in the order of paths."""
    root = path if path.is_dir() else path.parent
    files = sorted(path.rglob("*.md")) if path.is_dir() else [path]
    seen: dict[str, str] = {}
    for done, file in enumerate(files, 1):
        if file.is_file():
            yield from _file(file, file.relative_to(root).as_posix(), seen)
        progress.advance("Reading files", done, len(files))


def _file(file: Path, place: str, seen: dict[str, str]) -> Iterator[Row]:
    try:
        post = frontmatter.loads(file.read_text(encoding="utf-8-sig"), handler=_Handler())
    except (UnicodeDecodeError, OSError, ValueError, RecursionError) as error:
        yield Row(place, Item("entity", place, "refused", f"cannot be read: {error}"))
        return
    except yaml.YAMLError as error:
        reason = " ".join(str(error).split())
        yield Row(place, Item("entity", place, "refused", f"front matter: {reason}"))
        return
    try:
        entity = Entity.from_json(_fields(post.metadata, post.content, file.stem))
    except InvalidInput as error:
        yield Row(place, Item("entity", place, "refused", str(error)))
        return
    first = seen.setdefault(text.normalised(entity.name), place)
    if first != place:
        reason = f"{first} has the same name; give one of them another `name` in its front matter"
        yield Row(place, Item("entity", entity.name, "refused", reason))
        return
    yield Row(place, entity)
    yield from _relations(entity.name, post.metadata.get("relations"), post.content, place)


def _fields(metadata: Mapping[str, Any], content: str, stem: str) -> dict[str, Any]:
    own = {
        key: value
        for key, value in metadata.items()
        if key not in {*ENTITY_FIELDS, "name", "relations"}
    }
    fields = {key: metadata[key] for key in ENTITY_FIELDS if metadata.get(key) is not None}
    name = metadata.get("name")
    return fields | {
        "name": stem if name is None else str(name),
        "text": content,
        "attributes": own,
    }


def _relations(name: str, said: object, content: str, place: str) -> Iterator[Row]:
    joined = {text.normalised(name)}
    if said is not None and not isinstance(said, list):
        reason = f"relations: {shortened(said)} is not allowed; it is a list of {{relation, to}}"
        yield Row(place, Item("relation", name, "refused", reason))
        said = []
    for index, one in enumerate(said or []):
        try:
            fields = {"from": name, **one} if isinstance(one, dict) else one
            relation = Relation.from_json(fields, argument=f"relations[{index}]")
        except InvalidInput as error:
            yield Row(place, Item("relation", name, "refused", str(error)))
            continue
        joined.add(text.normalised(relation.end))
        yield Row(place, relation)
    for target in mentions(content):
        folded = text.normalised(target)
        if folded and folded not in joined:
            joined.add(folded)
            yield Row(place, Relation(name, MENTION, target))


def mentions(content: str) -> list[str]:
    """The targets of the wiki links of a Markdown text, outside code, in order."""
    found: list[str] = []
    for token in _MARKDOWN.parse(content):
        if token.type == "inline":
            said = token.content
            for child in token.children or ():
                if child.type == "code_inline":
                    said = said.replace(f"{child.markup}{child.content}{child.markup}", " ", 1)
            found += [" ".join(target.split()) for target in _WIKI_LINK.findall(said)]
    return found
