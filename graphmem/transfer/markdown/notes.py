"""The notes of a folder: what each is called, and what their links lead to.

The answers depend on the paths of the notes alone, not on the order in which they are read.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import MappingProxyType
from urllib.parse import unquote, urlsplit

from graphmem import text
from graphmem.importing.opening import File
from graphmem.importing.refusing import Names
from graphmem.model import limits
from graphmem.model.visible import visible
from graphmem.transfer.markdown import wikis
from graphmem.transfer.markdown.addresses import address_path, address_paths, in_order
from graphmem.transfer.markdown.references import NoteLink

# Of Markdown, in lower case; Jekyll writes the second, Docusaurus the third.
ENDINGS = (".md", ".markdown", ".mdx")
# The notes that stand for their folder, the first of them that is there.
OF_A_FOLDER = ("README", "index", "_index")
_RELATIVE = ("./", "../")
# `2026-03-01 Storm.md`, and `2026_03_01.md` in Logseq.
_DAY = re.compile(r"(\d{4})([-_])(\d\d)\2(\d\d)(?!\d)")
# A site serves `2026-03-01-tides.md` at `/2026/03/01/tides`.
_DAY_IN_ADDRESS = re.compile(r"(?<=/)(\d{4})/(\d\d)/(\d\d)/(?=[^/])")
# What is kept beside notes and linked by wiki links, too.
ATTACHMENTS = frozenset(
    {
        ".3gp", ".avif", ".base", ".bmp", ".canvas", ".flac", ".gif", ".jpeg", ".jpg", ".m4a",
        ".mkv", ".mov", ".mp3", ".mp4", ".oga", ".ogg", ".ogv", ".opus", ".pdf", ".png", ".svg",
        ".wav", ".webm", ".webp",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Note:
    """A note.

    Args:
        path: As seen from the folder, folded, without its ending.
        name: What its entity is called; None where another note has its name.
    """

    path: str
    name: str | None


class Notes:
    """The notes that are imported together.

    A note is called what its front matter says, else as its file. Of several files of one name,
    the one in the fewest folders, of these the first by its path, has it; the others are called by
    their paths: `guides/README`.

    Args:
        files: The files, in any order.
        own_names: The names in their front matter, by place.
        labels: The labels that they set, by place.
        addresses: The addresses that they give themselves, by place.
        former: Those that lead to them where no note has them now.
    """

    def __init__(
        self,
        files: Sequence[File],
        own_names: Mapping[str, str],
        labels: Mapping[str, Sequence[str]] = MappingProxyType({}),
        addresses: Mapping[str, Sequence[str]] = MappingProxyType({}),
        former: Mapping[str, Sequence[str]] = MappingProxyType({}),
    ) -> None:
        self._names = Names()
        self._is_wiki = wikis.is_wiki(files)
        self._by_label: dict[str, _Note] = {}
        self._by_address: dict[str, _Note] = {}
        self._by_former_address: dict[str, _Note] = {}
        self._planned_names: dict[str, str] = {}
        self._by_place: dict[str, _Note] = {}
        self._by_path: dict[str, _Note] = {}
        # By the last part of the path, and by the last two.
        self._by_end: dict[str, list[_Note]] = {}
        ordered = sorted(files, key=lambda file: (len(file.shown_path), file.shown_path))
        for file in ordered:
            if file.place in own_names:
                self._names.owner(own_names[file.place], file.place)
        stems: set[str] = set()
        for file in ordered:
            stem = text.normalised(file.path.stem)
            name = own_names.get(file.place) or self._file_name(file, is_first=stem not in stems)
            stems.add(stem)
            self._planned_names[file.place] = name
            note = self._index(file, name)
            for label in labels.get(file.place, ()):
                self._by_label.setdefault(text.normalised(label), note)
            for address in addresses.get(file.place, ()):
                path = address_path(file.shown_path[:-1], address)
                self._by_address.setdefault(path, note)
            for address in former.get(file.place, ()):
                self._by_former_address.setdefault(address_path((), address), note)

    def _file_name(self, file: File, *, is_first: bool) -> str:
        if is_first and self._names.owner(file.path.stem, file.place) == file.place:
            return visible(file.path.stem)
        return visible(_without_ending("/".join(file.shown_path)))

    def _index(self, file: File, name: str) -> _Note:
        has_name = self.owner(name, file) == file.place
        entity_name = limits.or_none(limits.name, name) if has_name else None
        note = _Note(_folded("/".join(file.shown_path)), entity_name)
        self._by_place["/".join(file.shown_path)] = note
        self._by_path.setdefault(note.path, note)
        for end in {_end(note.path, 1), _end(note.path, 2)}:
            self._by_end.setdefault(end, []).append(note)
        return note

    def page_name(self, file: File) -> str | None:
        """What the wiki of a repository calls the page of a file; None for any other note."""
        return wikis.page(file.path.stem) if self._is_wiki else None

    def name_of(self, file: File) -> str:
        """What a note is called whose front matter does not name it."""
        return self._planned_names[file.place]

    def owner(self, name: str, file: File) -> str:
        """The place of the note that has a name, which is this one if none had."""
        return self._names.owner(name, file.place)

    def target_of(self, link: NoteLink, file: File) -> str | None:
        """The name that a link in a note leads to; None for what is no link to a note.

        A wiki link that leads to no note of the folder leads to what it says: that may be the name,
        alias or title of something else in the project.
        """
        if link.form in {"address", "label"}:
            note = self._address_target(link.target, file) if link.form == "address" else None
            note = note or self._by_label.get(text.normalised(unquote(link.target).lstrip("#")))
            return None if note is None else note.name
        if self._is_wiki:
            return self._page_of_wiki(link, file)
        target = link.target
        note = self._wiki_target(target, file)
        if note is None and "^" in target:  # a block of a note
            target = target.partition("^")[0].strip()
            note = self._wiki_target(target, file)
        return _missing_name(target, link) if note is None else note.name

    def _page_of_wiki(self, link: NoteLink, file: File) -> str | None:
        """Likewise in the wiki of a repository: `[[text|Page Name]]` leads to `Page-Name.md`."""
        targets = wikis.targets(link.target, link.shown)
        forms = (form for target in targets for form in (target, wikis.stem(target)))
        notes = (self._wiki_target(form, file) for form in forms)
        note = next(filter(None, notes), None)
        if note is not None:
            return note.name
        is_attachment = PurePosixPath(link.target).suffix.casefold() in ATTACHMENTS
        return None if is_attachment or not targets else _missing_name(targets[0], link)

    def _wiki_target(self, target: str, file: File) -> _Note | None:
        """The note of a path from the folder, of the end of a path, or of a file's name."""
        path = _joined(file.shown_path[:-1] if target.startswith(_RELATIVE) else (), target)
        if not path:
            return None
        for folded in dict.fromkeys((text.normalised(path), _folded(path))):
            if note := self._by_path.get(folded):
                return note
            ending = f"/{folded}"
            notes = [n for n in self._by_end.get(_end(folded, 2), ()) if n.path.endswith(ending)]
            if notes:
                folder = text.normalised("".join(f"{part}/" for part in file.shown_path[:-1]))
                return next((note for note in notes if note.path.startswith(folder)), notes[0])
        return None

    def _address_target(self, address: str, file: File) -> _Note | None:
        """The note at an address: beside the file, below a folder, or the only one so called."""
        try:
            parts = urlsplit(address)
        except ValueError:
            return None
        path = unquote(parts.path)
        if parts.scheme or parts.netloc or not path:
            return None
        folders = _folders(path, file)
        paths = [_joined(folder, path) for folder in folders]
        is_in_site = path.startswith(f"/{file.root.name}/")
        if is_in_site:
            paths.append(_joined((), path.removeprefix(f"/{file.root.name}")))
        notes = (self._at_path(joined) for joined in paths if joined is not None)
        if note := next(filter(None, notes), None):
            return note
        if path.startswith("/"):
            note = self._on_a_site(path, file.root.name if is_in_site else "")
            known = (self._by_address, self._by_former_address)
            addressed = (by.get(place) for by in known for place in address_paths(path))
            return note or next(filter(None, addressed), None)
        is_name = is_note(path) and "/" not in path
        return _only(self._by_end.get(_folded(path), ()) if is_name else ())

    def _on_a_site(self, address: str, folder: str) -> _Note | None:
        """The only note whose path has all parts of an address in this order, and ends in the last.

        Sites leave out folders, such as those of a language, a section or a month. One part alone
        says too little.

        Args:
            address: What the link says.
            folder: The name of the imported folder, where the address begins with it.
        """
        dated = _DAY_IN_ADDRESS.sub(r"\1-\2-\3-", address.removesuffix(".html"))
        parts = _folded(dated.strip("/")).split("/")
        if len(parts) == 1 and dated == address:
            return None
        places = [parts[-1], *(f"{parts[-1]}/{_folded(name)}" for name in OF_A_FOLDER)]
        notes = [
            note
            for place in places
            for note in self._by_end.get(place, ())
            if in_order(parts, [text.normalised(folder), *note.path.split("/")])
        ]
        return _only(notes)

    def _at_path(self, path: str) -> _Note | None:
        """The note at a path, with or without its ending, or the one of the folder there."""
        if note := self._by_place.get(path):
            return note
        folded = _folded(path)
        paths = [folded, *(_folded(f"{path}/{name}".lstrip("/")) for name in OF_A_FOLDER)]
        notes = (*map(self._by_path.get, paths), self._by_address.get(text.normalised(path)))
        return next(filter(None, notes), None)


def _missing_name(target: str, link: NoteLink) -> str | None:
    """What a wiki link says that leads to no note of the folder; None for an attachment."""
    suffix = PurePosixPath(target).suffix.casefold()
    if suffix in ATTACHMENTS or (link.form == "embed" and suffix not in {"", *ENDINGS}):
        return None
    return limits.or_none(limits.name, _without_ending(target))


def day_of(file: File) -> str | None:
    """The day with which the name of a note begins, or of the folder that it stands for."""
    stem = file.path.stem
    day = _DAY.match(file.path.parent.name if stem in OF_A_FOLDER else stem)
    return None if day is None else f"{day[1]}-{day[3]}-{day[4]}"


def is_note(path: str) -> bool:
    """Whether a path is that of a Markdown file."""
    return path.casefold().endswith(ENDINGS)


def _joined(folder: tuple[str, ...], path: str) -> str | None:
    """A path as seen from the folder that is imported; None where it leads out of it."""
    parts = list(folder)
    for part in path.split("/"):
        if part == ".." and not parts:
            return None
        if part == "..":
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts)


def _folders(path: str, file: File) -> list[tuple[str, ...]]:
    """The folders from which an address in a file may be meant, the likeliest first.

    What is imported may hold the folder in which the root of a site or a vault is, so each folder
    above the note may be that root. A site may serve a note as a folder: `../ubuntu/` is beside it.
    """
    own_folder = file.shown_path[:-1]
    if path.startswith(_RELATIVE):
        is_served_as_folder = file.path.stem not in OF_A_FOLDER and not is_note(path)
        return [own_folder, *([(*own_folder, file.path.stem)] if is_served_as_folder else ())]
    if not path.startswith("/"):
        return [own_folder, *(own_folder[:depth] for depth in range(len(own_folder)))]
    return [own_folder[:depth] for depth in range(len(own_folder) + 1 if path.strip("/") else 1)]


def _only(notes: Sequence[_Note]) -> _Note | None:
    return notes[0] if len(notes) == 1 else None


def _folded(path: str) -> str:
    return text.normalised(_without_ending(path))


def _without_ending(path: str) -> str:
    return path[: path.rindex(".")] if is_note(path) else path


def _end(path: str, parts: int) -> str:
    return "/".join(path.split("/")[-parts:])
