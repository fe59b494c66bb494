"""Who calls: whose token it is, or what the client says of itself, and what it may reach."""

import re
import threading
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from fastmcp.server.auth import AccessToken
from fastmcp.server.dependencies import get_access_token, get_http_request
from fastmcp.server.middleware import MiddlewareContext

from graphmem.calls import user
from graphmem.model.limits import NAME_CHARACTERS
from graphmem.model.visible import on_one_line, visible
from graphmem.server.lazy_memory import LazyMemory
from graphmem.server.tokens import Caller

if TYPE_CHECKING:
    from graphmem.memory import Memory

# Who is noted for what a client does that does not say what it is called.
UNNAMED = "an agent"
# Products that name the HTTP library or the runtime of a client, and not the client.
GENERIC_PRODUCTS = frozenset((
    "aiohttp", "apache-httpclient", "axios", "bun", "curl", "dart", "deno", "go-http-client", "got",
    "guzzlehttp", "hyper", "java", "java-http-client", "libcurl", "mozilla", "node", "node-fetch",
    "node.js", "okhttp", "reqwest", "ruby", "undici", "ureq", "wget",
))  # fmt: skip

_PRODUCT = re.compile(r"[\w!#$%&'*+.^`|~-]+", re.ASCII)


class CallerToken(AccessToken):
    """A token that was sent, and whose it is."""

    caller: Caller


class CallerMemories:
    """Gives each call the memory as its caller may reach it.

    Args:
        opening: Gives the open memory.
    """

    def __init__(self, opening: LazyMemory) -> None:
        self._opening = opening
        self._views: WeakKeyDictionary[Memory, dict[Caller, Memory]] = WeakKeyDictionary()
        self._lock = threading.Lock()

    def memory(self) -> "Memory":
        """The open memory, or the same view of it in every call of a caller with limits.

        Raises:
            ToolError: As for `LazyMemory.memory`.
            GraphmemError: Likewise.
        """
        memory, caller = self._opening.memory(), current_caller()
        if not caller.is_limited:
            return memory
        with self._lock:
            views = self._views.setdefault(memory, {})
            if caller not in views:
                views[caller] = memory.limited(caller.projects, read_only=caller.read_only)
            return views[caller]


def current_caller() -> Caller:
    """Who makes the current call; without a token nobody in particular."""
    token = get_access_token()
    return token.caller if isinstance(token, CallerToken) else Caller()


def caller_name(context: MiddlewareContext[Any]) -> str:
    """The name of who calls: the token's, the client's, its `User-Agent`'s product, or UNNAMED.

    Over HTTP the server keeps no sessions, so a client of a protocol with a handshake, which told
    its name there, has only its `User-Agent`. No client has the name of a token, or that of the
    user who works in the terminal, by saying so.
    """
    caller = current_caller()
    if caller.name is not None:
        return caller.name
    name = (client_name(context) or UNNAMED)[:NAME_CHARACTERS]
    reserved_names = {reserved.casefold() for reserved in (*caller.reserved, user())}
    return UNNAMED if name.casefold() in reserved_names else name


def client_name(context: MiddlewareContext[Any]) -> str | None:
    """What the client calls itself, or the product of its `User-Agent`."""
    session = context.fastmcp_context.session if context.fastmcp_context else None
    client = getattr(getattr(session, "client_params", None), "client_info", None)
    name = getattr(client, "name", None)
    # With control characters in it, an export could not be imported again.
    return (on_one_line(visible(name)) if isinstance(name, str) else "") or _product()


def _product() -> str | None:
    """The first product of the `User-Agent`; None for none, or that of an HTTP library."""
    try:
        agent = get_http_request().headers.get("user-agent", "")
    except RuntimeError:  # over stdio
        return None
    product = _PRODUCT.match(agent.strip())
    if product is None or is_generic(product[0]):
        return None
    return product[0]


def is_generic(product: str) -> bool:
    """Whether a product of a `User-Agent` names an HTTP library, which any client may use."""
    name = product.casefold()
    return name in GENERIC_PRODUCTS or name.startswith(("python", "httpx"))
