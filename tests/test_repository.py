"""No file names a place of one machine, or the host of a registry."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]

# The forbidden words are put together here, so that this file has none of them.
MACHINE_PATHS = re.compile(r"(?<![\w.~$}>-])/(?:work|root|farm|home/\w+|Users/\w+)/")
REGISTRIES = tuple(
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("repo1", "maven", "org"),
        ("repo", "maven", "apache", "org"),
        ("central", "sonatype", "com"),
        ("oss", "sonatype", "org"),
        ("registry", "npmjs", "org"),
        ("proxy", "golang", "org"),
        ("static", "crates", "io"),
        ("deb", "debian", "org"),
        ("download", "pytorch", "org"),
    )
)


def committed() -> list[str]:
    """The files that are in the repository, or would be after `git add --all`."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    names = {name for name in listed.stdout.decode().split("\0") if name}
    return sorted(name for name in names if (ROOT / name).is_file())


def test_no_file_names_a_path_of_one_machine_or_the_host_of_a_registry() -> None:
    found = []
    for name in committed():
        text = (ROOT / name).read_bytes().decode("utf-8", "replace")
        for number, line in enumerate(text.splitlines(), 1):
            if MACHINE_PATHS.search(line) or any(host in line.lower() for host in REGISTRIES):
                found.append(f"{name}:{number}: {line.strip()[:120]}")

    assert found == []


def test_a_path_of_one_machine_is_recognised() -> None:
    for folder in ("work", "root", "farm", "home/ada", "Users/ada"):
        assert MACHINE_PATHS.search(f"open('/{folder}/notes.md')")


def test_the_pinned_versions_name_no_place_to_get_them_from() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()

    assert lines
    assert [line for line in lines if not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == []
