"""Names of projects: the canonical form of a remote, and which names callers may give."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidInput
from graphmem.project import canonical_remote, check_project_name

NAME = "github.com/owner/repo"


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        # the ways to reach a repository
        ("https://github.com/owner/repo", NAME),
        ("https://github.com/owner/repo.git", NAME),
        ("http://github.com/owner/repo.git", NAME),
        ("git://github.com/owner/repo.git", NAME),
        ("ssh://git@github.com/owner/repo.git", NAME),
        ("git+ssh://git@github.com/owner/repo.git", NAME),
        ("git@github.com:owner/repo.git", NAME),
        ("github.com:owner/repo", NAME),
        ("git@github.com:/owner/repo.git", NAME),
        # ports
        ("ssh://git@github.com:22/owner/repo.git", NAME),
        ("https://github.com:8443/owner/repo", NAME),
        ("https://github.com:/owner/repo", NAME),
        ("ssh://git@ssh.github.com:443/owner/repo.git", NAME),
        ("ssh://git@altssh.gitlab.com:443/owner/repo.git", "gitlab.com/owner/repo"),
        # credentials
        ("https://user@github.com/owner/repo", NAME),
        ("https://user:tok%40en@github.com:8443/owner/repo.git", NAME),
        ("https://x-access-token:ghp_1@github.com/owner/repo", NAME),
        ("https://us@er:p@ss@github.com/owner/repo", NAME),
        ("user:password@github.com:owner/repo.git", NAME),
        ("https://github.com/owner/repo.git?access_token=1#main", NAME),
        # ends, doubles, spaces
        ("https://github.com/owner/repo/", NAME),
        ("https://github.com/owner/repo.git/", NAME),
        ("https://github.com/owner/repo/.git", NAME),
        ("https://github.com//owner/./repo.git//", NAME),
        (" https://github.com/owner/repo\n", NAME),
        ("https://github.com/owner/repo.github", "github.com/owner/repo.github"),
        # hosts
        ("HTTPS://GitHub.COM/owner/repo", NAME),
        ("https://github.com./owner/repo", NAME),
        ("https://github.com/Owner/Repo", "github.com/Owner/Repo"),
        ("ssh://git@[2001:DB8::1]:22/owner/repo", "[2001:db8::1]/owner/repo"),
        ("git@[::1]:owner/repo.git", "[::1]/owner/repo"),
        ("https://пример.рф/команда/проект.git", "пример.рф/команда/проект"),
        ("git@work:owner/repo", "work/owner/repo"),
        ("https://192.168.0.1/owner/repo", "192.168.0.1/owner/repo"),
        # paths
        ("git@gitlab.com:group/sub/repo.git", "gitlab.com/group/sub/repo"),
        ("https://example.org/repo.git", "example.org/repo"),
        ("ssh://example.org/~ada/repo.git", "example.org/~ada/repo"),
        ("example.org:~ada/repo.git", "example.org/~ada/repo"),
        ("https://example.org/a%20b/%D0%B9", "example.org/a b/й"),
        ("https://example.org/a/%FF", "example.org/a/%FF"),
        ("https://example.org/a/b%23c%0Ad", "example.org/a/b-c-d"),
    ],
)
def test_a_remote_is_written_as_host_owner_repo(url: str, canonical: str) -> None:
    assert canonical_remote(url) == canonical


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/srv/git/repo.git",
        "../repo",
        "./host:repo",
        "~/repo",
        "repo",
        "file:///srv/git/repo.git",
        "file://host/share/repo.git",
        r"C:\code\repo",
        "C:/code/repo",
        "C://code/repo",
        r"\\server\share\repo",
        "https://github.com",
        "https://github.com/",
        "https://github.com/.git",
        "git@github.com:",
        "https:///owner/repo",
        "https://user@/owner/repo",
        "https://host:port/owner/repo",
        "https://[::1/owner/repo",
        "ext::ssh -i key git@github.com %S owner/repo",
        "hg::https://example.org/owner/repo",
        "https://user:12/34@github.com/owner/repo",
        "https://user:12?34@github.com/owner/repo",
        "https://user:12#34@github.com/owner/repo",
        "https:/user:password@github.com/owner/repo",
    ],
)
def test_a_remote_without_host_or_path_has_no_canonical_form(url: str) -> None:
    assert canonical_remote(url) is None


def test_a_remote_over_the_limits_is_cut_and_still_its_own() -> None:
    one, two = (canonical_remote(f"https://gitlab.com/{'group/' * 60}{end}") for end in "ab")

    assert one is not None
    assert len(one) == 200
    assert one != two


SECRET = "s3cr3t"  # noqa: S105 - what must not come out again


@given(
    before=st.text(max_size=6),
    after=st.text(max_size=6),
    form=st.sampled_from(
        [
            "https://user:{}@github.com/owner/repo.git",
            "https://{}@github.com:8443/owner/repo",
            "ssh://{}:x@[::1]:22/~owner/repo",
            "user:{}@github.com:owner/repo",
            "{}@github.com:owner/repo",
            "https:/user:{}@github.com/owner/repo",
            "https://github.com/owner/repo?token={}",
        ]
    ),
)
def test_no_credential_comes_out_of_a_remote(before: str, after: str, form: str) -> None:
    canonical = canonical_remote(form.format(before + SECRET + after))

    assert SECRET not in (canonical or "")


@given(st.text() | st.from_regex(r"[a-z]{0,5}:{0,2}/{0,3}.{0,9}@?.{0,9}:?.{0,9}/.{0,9}"))
def test_every_text_has_an_allowed_canonical_form_or_none(url: str) -> None:
    canonical = canonical_remote(url)

    assert canonical is None or check_project_name(canonical) == canonical


# Names that callers give


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (NAME, NAME),
        ("  notes ", "notes"),
        ("two  words", "two words"),
        ("ｆｕｌｌ", "full"),
        ("заметки", "заметки"),
        ("@user", "@user"),
        ("@system", "@system"),
        ("me@work", "me@work"),
        ("x" * 200, "x" * 200),
        ("語" * 170, "語" * 170),
        ("https://token@github.com/owner/repo.git", NAME),
    ],
)
def test_a_name_is_allowed(value: str, name: str) -> None:
    assert check_project_name(value) == name


@pytest.mark.parametrize(
    "value",
    [
        "",
        "  \t",
        "x" * 201,
        "語" * 171,
        "a#b",
        "a＃b",
        "two\nlines",
        "nul\0",
        "bell\x07",
        "c1\x85control",
        "right\u202eleft",
        "mark\u200f",
        "isolate\u2066",
        "arabic\u061cmark",
        "lone\ud800surrogate",
        "@",
        "@team",
        "@User",
        "＠team",
        "file:///srv/repo",
    ],
)
def test_a_name_is_refused(value: str) -> None:
    with pytest.raises(InvalidInput, match=r"^project must "):
        check_project_name(value)


def test_a_url_that_is_refused_is_not_shown() -> None:
    with pytest.raises(InvalidInput) as caught:
        check_project_name(f"https://user:{SECRET}@github.com")

    assert SECRET not in str(caught.value)
    assert SECRET not in repr(vars(caught.value))
