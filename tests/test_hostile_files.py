"""One bad file is one refused row, in every format; nothing outside the folder is read."""

import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmem.errors import InvalidInput
from graphmem.importing.opening import File
from graphmem.importing.reading import streamed_lines
from graphmem.model import Entity
from graphmem.transfer import FORMATS
from hostile_files import SHAPES, Shape, as_somebody_else, contents, is_refused, line, reasons

CONTENTS = contents()
FOLDERS = [shape for shape in SHAPES if shape.reads_folders]


def of_all(shapes: tuple[Shape, ...] | list[Shape]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("shape", shapes, ids=[shape.own for shape in shapes])


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that any user may enter, unlike that of pytest."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


# What a file holds


@of_all(SHAPES)
@pytest.mark.parametrize("content", CONTENTS)
def test_whatever_a_file_holds_its_neighbour_comes_in_and_it_has_a_reason_if_it_is_refused(
    tmp_path: Path, shape: Shape, content: str
) -> None:
    shape.put(tmp_path, CONTENTS[content])
    rows = shape.read(tmp_path)
    assert shape.has_good(rows)
    why = reasons([row for row in rows if row.file.endswith(shape.place(shape.bad))])
    assert all(why.values())
    assert why or not is_refused(shape, content)
    assert all(len(reason) <= 500 for reason in why.values())


@of_all(SHAPES)
def test_a_large_file_is_refused_once_with_its_size_and_the_limit(
    tmp_path: Path, shape: Shape
) -> None:
    path = shape.put(tmp_path, None)
    with path.open("wb") as stream:
        stream.truncate(200 * 1024 * 1024)
    rows = shape.read(tmp_path)
    assert shape.has_good(rows)
    ((place, why),) = reasons(rows).items()
    assert place == shape.place(shape.bad)
    assert "209,715,200 bytes" in why or "UTF-16" in why  # a text of zeros is told by its beginning


# What is no plain file


@of_all([shape for shape in SHAPES if shape.form != "jsonl"])
@pytest.mark.parametrize("sort", ["pipe", "socket"])
def test_pipes_and_sockets_are_refused_without_waiting(
    tmp_path: Path, shape: Shape, sort: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = shape.put(tmp_path, None)
    if sort == "pipe":
        os.mkfifo(path)
        rows = shape.read(tmp_path)
    else:
        monkeypatch.chdir(path.parent)  # a socket's own path may not be long
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(path.name)
            rows = shape.read(tmp_path)
    assert shape.has_good(rows)
    ((place, why),) = reasons(rows).items()
    assert place == shape.place(shape.bad)
    assert "not a regular file" in why


# Links


@of_all([shape for shape in SHAPES if shape.form != "jsonl"])
@pytest.mark.parametrize("target", ["a file", "/dev/zero", "nothing"])
def test_a_link_out_of_the_folder_is_passed_over_and_reported(
    tmp_path: Path, shape: Shape, target: str
) -> None:
    folder, secret = tmp_path / "imported", tmp_path / "secret"
    secret.write_bytes(shape.good)
    leads_to = {"a file": secret, "/dev/zero": Path("/dev/zero"), "nothing": tmp_path / "gone"}
    path = shape.put(folder, None)
    path.symlink_to(leads_to[target])
    rows = shape.read(folder)
    assert shape.has_good(rows)
    assert len([row for row in rows if isinstance(row.value, Entity)]) <= 2
    ((place, why),) = reasons(rows).items()
    assert place == shape.place(shape.bad)
    assert "links outside" in why


@of_all(FOLDERS)
def test_a_link_to_a_folder_outside_is_passed_over_and_reported(
    tmp_path: Path, shape: Shape
) -> None:
    folder, outside = tmp_path / "imported", tmp_path / "outside"
    outside.mkdir()
    (outside / f"secret{shape.ending}").write_bytes(shape.good)
    path = shape.put(folder, None).with_name("shared")
    path.symlink_to(outside)
    rows = shape.read(folder)
    assert shape.has_good(rows)
    place = path.relative_to(folder).as_posix()
    assert reasons(rows) == {f"{place}/": "it links outside the imported folder, so it is skipped"}


@of_all(FOLDERS)
def test_symbolic_links_in_a_circle_are_not_followed_and_no_file_is_read_twice(
    tmp_path: Path, shape: Shape
) -> None:
    good = shape.put(tmp_path, None).with_name(f"good{shape.ending}")
    before = shape.read(tmp_path)
    good.with_name("round").symlink_to(tmp_path, target_is_directory=True)
    good.with_name(f"again{shape.ending}").symlink_to(good.name)
    good.with_name("itself").symlink_to("itself")
    assert shape.read(tmp_path) == before


@of_all([shape for shape in FOLDERS if shape.form != "code"])
def test_a_link_to_a_file_inside_that_is_not_read_otherwise_is_followed(
    tmp_path: Path, shape: Shape
) -> None:
    path = shape.put(tmp_path, None)
    (tmp_path / "elsewhere.txt").write_bytes(shape.good.replace(b"good", b"other"))
    path.symlink_to(tmp_path / "elsewhere.txt")
    rows = shape.read(tmp_path)
    assert {row.file for row in rows} == {shape.place("good"), shape.place(shape.bad)}


def test_a_workspace_may_be_a_link_to_a_folder_of_the_same_repository(tmp_path: Path) -> None:
    (tmp_path / ".hidden" / "prds").mkdir(parents=True)
    (tmp_path / ".hidden" / "prds" / "a.md").write_text("---\nid: PRD-1\n---\n")
    (tmp_path / ".forgeplan").symlink_to(".hidden")
    (row,) = FORMATS["forgeplan"].read(tmp_path)
    assert row.place == ".forgeplan/prds/a.md"


def test_a_file_that_somebody_names_by_a_link_is_read(tmp_path: Path) -> None:
    (tmp_path / "real.md").write_text("Text.")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "link.md").symlink_to(tmp_path / "real.md")
    (row,) = FORMATS["markdown"].read(tmp_path / "folder" / "link.md")
    assert isinstance(row.value, Entity)
    assert (row.place, row.value.name) == ("link.md", "link")


# What may not be read


@of_all(SHAPES)
def test_a_file_that_may_not_be_read_is_refused(open_folder: Path, shape: Shape) -> None:
    path = shape.put(open_folder, shape.good)
    shape.read(open_folder)  # what is loaded for it is loaded as oneself
    path.chmod(0)
    with as_somebody_else():
        rows = shape.read(open_folder)
    assert shape.has_good(rows)
    assert reasons(rows) == {shape.place(shape.bad): "cannot be read: Permission denied"}


@of_all(FOLDERS)
def test_a_folder_that_may_not_be_listed_is_refused_with_a_slash(
    open_folder: Path, shape: Shape
) -> None:
    private = shape.put(open_folder, None).with_name("private")
    private.mkdir()
    (private / f"x{shape.ending}").write_bytes(shape.good)
    shape.read(open_folder)
    private.chmod(0)
    with as_somebody_else():
        rows = shape.read(open_folder)
    private.chmod(0o755)
    assert shape.has_good(rows)
    place = private.relative_to(open_folder).as_posix()
    assert reasons(rows) == {f"{place}/": "cannot be listed: Permission denied"}


@of_all(FOLDERS)
def test_a_folder_of_which_nothing_may_be_listed_is_an_error(
    open_folder: Path, shape: Shape
) -> None:
    shape.put(open_folder, None)
    open_folder.chmod(0o111)
    with as_somebody_else(), pytest.raises(InvalidInput, match="cannot be listed"):
        shape.read(open_folder)


def test_a_memory_that_may_not_be_entered_is_not_taken_for_an_empty_one(open_folder: Path) -> None:
    shape = next(one for one in SHAPES if one.form == "forge")
    memory = shape.put(open_folder, shape.good).parent
    memory.chmod(0)
    with as_somebody_else():
        rows = shape.read(open_folder)
    memory.chmod(0o755)
    assert {(row.file, row.project) for row in rows} == {
        (".forge/memory/project.jsonl", None),
        (".forge/memory/global.jsonl", "@user"),
    }
    assert set(reasons(rows).values()) == {"cannot be read: Permission denied"}


# What changes meanwhile


@of_all(FOLDERS)
def test_a_file_that_is_gone_since_its_folder_was_listed_is_not_taken_for_removed(
    tmp_path: Path, shape: Shape
) -> None:
    path = shape.put(tmp_path, shape.good).with_name(f"zz{shape.ending}")
    path.write_bytes(shape.good)

    class Removing:
        def say(self, sentence: str) -> None:
            raise AssertionError(sentence)

        def advance(self, _task: str, done: int, _total: int) -> None:
            if done == 1:
                path.unlink()

    rows = list(FORMATS[shape.form].read(tmp_path, Removing()))
    assert "vanished after its folder was listed" in reasons(rows)[shape.place("zz")]


@of_all([shape for shape in SHAPES if not shape.is_streamed])
def test_a_file_that_changes_all_the_time_is_refused_and_one_that_changed_once_is_read_again(
    tmp_path: Path, shape: Shape, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = shape.put(tmp_path, shape.other)
    own, changes = os.read, 1

    def changed(handle: int, size: int) -> bytes:
        nonlocal changes
        is_first = os.lseek(handle, 0, os.SEEK_CUR) == 0
        if changes and is_first and os.path.samestat(os.fstat(handle), path.stat()):
            changes -= 1
            with path.open("ab") as stream:
                stream.write(b"\n")
        return own(handle, size)

    monkeypatch.setattr(os, "read", changed)
    assert not reasons(shape.read(tmp_path))
    assert changes == 0
    changes = 1_000
    rows = shape.read(tmp_path)
    assert shape.has_good(rows)
    ((place, why),) = reasons(rows).items()
    assert place == shape.place(shape.bad)
    assert "changed while it was read" in why


@pytest.mark.parametrize("form", ["jsonl", "memcp"])
def test_lines_that_are_added_while_a_file_is_read_are_reported(tmp_path: Path, form: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(line(type="entity", name="a") * 3)
    lines = streamed_lines(File.alone(path))
    next(lines)
    with path.open("ab") as stream:
        stream.write(line(type="entity", name="b"))
    *_, (number, last) = lines
    assert (number, "changed while it was read" in str(last)) == (0, True)
    assert not reasons(list(FORMATS[form].read(path)))


# Names


@of_all(FOLDERS)
@pytest.mark.parametrize(
    ("name", "place"),
    [
        (b"\xff\xfe", "\\xff\\xfe"),
        (b"two\nlines", "two\\nlines"),
        (b"a\x1b[31m", "a\\x1b[31m"),
        (b"n" * 240, "n" * 240),
        ("Привет".encode(), "Привет"),
    ],
)
def test_a_file_of_any_name_has_a_place_that_can_be_written(
    tmp_path: Path, shape: Shape, name: bytes, place: str
) -> None:
    path = shape.put(tmp_path, None)
    path.with_name(f"{os.fsdecode(name)}{shape.ending}").write_bytes(shape.other)
    rows = shape.read(tmp_path)
    assert shape.has_good(rows)
    assert shape.place(place) in {row.file for row in rows}
    for row in rows:
        row.place.encode()
        assert row.place.isprintable()


@of_all(FOLDERS)
def test_folders_without_end_are_not_walked(tmp_path: Path, shape: Shape) -> None:
    deep = shape.put(tmp_path, None).parent.joinpath(*["d"] * 150)
    deep.mkdir(parents=True)
    (deep / f"x{shape.ending}").write_bytes(shape.good)
    rows = shape.read(tmp_path)
    assert shape.has_good(rows)
    ((place, why),) = reasons(rows).items()
    assert place.endswith("/d/d/d/")
    assert "100 deep" in why
