"""Who calls: what the client says of itself, which is noted with every change."""

import re
from typing import Any

from fastmcp.server.dependencies import get_http_request
from fastmcp.server.middleware import MiddlewareContext

from graphmem.model.limits import NAME_CHARACTERS
from graphmem.model.visible import visible

# Who is noted for what a client does that does not say what it is called.
UNNAMED = "an agent"
# Products that name the HTTP library or the runtime of a client, and not the client.
GENERIC_PRODUCTS = frozenset((
    "aiohttp", "apache-httpclient", "axios", "bun", "curl", "dart", "deno", "go-http-client", "got",
    "guzzlehttp", "hyper", "java", "java-http-client", "libcurl", "mozilla", "node", "node-fetch",
    "node.js", "okhttp", "reqwest", "ruby", "undici", "ureq", "wget",
))  # fmt: skip

_PRODUCT = re.compile(r"[\w!#$%&'*+.^`|~-]+", re.ASCII)


def caller_name(context: MiddlewareContext[Any]) -> str:
    """The name of who calls: the client's, else the product of its `User-Agent`, else UNNAMED.

    Over HTTP the server keeps no sessions, so a client of a protocol with a handshake, which told
    its name there, has only its `User-Agent`.
    """
    session = context.fastmcp_context.session if context.fastmcp_context else None
    client = getattr(getattr(session, "client_params", None), "client_info", None)
    name = getattr(client, "name", None)
    if not isinstance(name, str) or not visible(name).strip():
        name = _product() or UNNAMED
    return visible(name)[:NAME_CHARACTERS]


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
