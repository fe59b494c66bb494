"""An embedding server as the settings name it, checked before anything is sent."""

import ipaddress
import re
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import SplitResult, urlsplit

from graphmem.errors import ConfigurationError
from graphmem.settings import Settings

_PATH = "/embeddings"
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?\.?")
_SENDABLE = re.compile(r"[!-~]+")
_BASE = (
    "must be the address to which /embeddings is appended, such as http://127.0.0.1:11434/v1 or "
    "https://api.example.org/v1"
)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model at a server that speaks the OpenAI embeddings format.

    Args:
        place: Scheme, host and port, as messages name it.
        path: The path of the embeddings.
        model: The model's name there.
        key: The bearer token, or None.
        dimensions: The length of embeddings to ask for; None for the model's own.
        query_prompt: What stands before a query.
        document_prompt: What stands before a document.
    """

    place: str
    path: str
    model: str
    key: str | None = field(default=None, repr=False)
    dimensions: int | None = None
    query_prompt: str = ""
    document_prompt: str = ""

    @classmethod
    def of(cls, settings: Settings) -> Self | None:
        """The server of the settings, or None where they name none.

        Raises:
            ConfigurationError: A setting cannot be used, or two do not go together. Neither the
                address nor the key is shown, as either may hold a secret.
        """
        if settings.embedding_url is None:
            return None
        place, path = _parts(settings.embedding_url)
        if settings.embedding_model is None or not settings.embedding_model.strip():
            raise ConfigurationError(
                f"GRAPHMEM_EMBEDDING_MODEL must name the model that the server at {place} is to "
                "use, because GRAPHMEM_EMBEDDING_URL is set"
            )
        secret = settings.embedding_key
        key = None if secret is None else secret.get_secret_value()
        if key is not None:
            _check_key(key, place)
        return cls(
            place=place,
            path=path,
            model=settings.embedding_model.strip(),
            key=key,
            dimensions=settings.embedding_dimensions,
            query_prompt=settings.embedding_query_prompt or "",
            document_prompt=settings.embedding_document_prompt or "",
        )

    @property
    def url(self) -> str:
        """The address that requests are posted to."""
        return self.place + self.path

    @property
    def is_local(self) -> bool:
        """Whether it is on this machine, so that nothing crosses a network."""
        return _is_loopback(urlsplit(self.place).hostname or "")

    @property
    def name(self) -> str:
        """The model's name without an organisation."""
        return self.model.rstrip("/").rpartition("/")[2]


def _parts(url: str) -> tuple[str, str]:
    """Scheme, host and port of an address; and the path of the embeddings.

    They are put together anew of what was checked: two readers of an odd address may disagree on
    its host.
    """
    if not _SENDABLE.fullmatch(url) or "\\" in url:
        raise _refusal(f"{_BASE}, without spaces, backslashes and letters beyond ASCII")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise _refusal(_BASE) from None
    if "@" in parts.netloc:
        raise _refusal(
            "must hold no user name or password: set GRAPHMEM_EMBEDDING_KEY, which is kept secret"
        )
    if "?" in url or "#" in url:
        raise _refusal(f"{_BASE}, without ? and #")
    if parts.scheme not in {"http", "https"}:
        raise _refusal(f"{_BASE}; it must begin with http:// or https://")
    host = _host(parts)
    place = f"{parts.scheme}://{host}" + ("" if port is None else f":{port}")
    path = parts.path.rstrip("/")
    return place, path if path.endswith(_PATH) else path + _PATH


def _host(parts: SplitResult) -> str:
    host = parts.hostname or ""
    if "[" in parts.netloc:
        try:
            return f"[{ipaddress.IPv6Address(host)}]"
        except ValueError:
            raise _refusal(_BASE) from None
    if not _HOST.fullmatch(host):
        raise _refusal(_BASE)
    return host


def _check_key(key: str, place: str) -> None:
    if not _SENDABLE.fullmatch(key):
        raise ConfigurationError(
            "GRAPHMEM_EMBEDDING_KEY must be of ASCII letters, digits and punctuation marks, "
            "without spaces"
        )
    parts = urlsplit(place)
    if parts.scheme == "http" and not _is_loopback(parts.hostname or ""):
        raise ConfigurationError(
            f"GRAPHMEM_EMBEDDING_KEY would be sent to {place} where everybody on the way can read "
            "it: set GRAPHMEM_EMBEDDING_URL to an https:// address, or leave the key out if the "
            "server asks for none"
        )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.rstrip(".").lower() == "localhost"


def _refusal(requirement: str) -> ConfigurationError:
    return ConfigurationError(f"GRAPHMEM_EMBEDDING_URL {requirement}")
