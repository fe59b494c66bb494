"""The proxy's configuration of docs/serving.md, with a real nginx before a real server."""

import http.client
import http.server
import json
import os
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from anyio.from_thread import start_blocking_portal
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport

from test_server_http import LIST, TOKEN, door_of

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
pytestmark = [
    pytest.mark.faults,
    pytest.mark.skipif(NGINX is None, reason="needs nginx, as of Debian's package"),
]

SITE = Path(__file__).parents[2] / "docker" / "nginx.conf"
NAME = "memory.example.org"
MAIN = """\
{user}
daemon off;
pid {folder}/pid;
error_log stderr warn;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/bodies;
    proxy_temp_path {folder}/answers;
    fastcgi_temp_path {folder}/a;
    uwsgi_temp_path {folder}/b;
    scgi_temp_path {folder}/c;
    include {folder}/site.conf;
}}
"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a certificate for localhost that signs itself, and its key."""
    folder = tmp_path_factory.mktemp("certificate")
    command = [
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
        "-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem"),
    ]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)
    return folder


@contextmanager
def proxied(folder: Path, certificate: Path, behind: int) -> Iterator[int]:
    """An nginx with that configuration, but for its names, ports and files; gives its port."""
    port = free_port()
    site = SITE.read_text(encoding="utf-8")
    for said, meant in {
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        NAME: "localhost",
        "/etc/nginx/graphmem": str(certificate),
        "127.0.0.1:8765": f"127.0.0.1:{behind}",
    }.items():
        assert said in site
        site = site.replace(said, meant)
    (folder / "site.conf").write_text(site)
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "main.conf").write_text(MAIN.format(folder=folder, user=user))
    assert NGINX is not None
    command = [NGINX, "-p", str(folder), "-c", str(folder / "main.conf")]
    subprocess.run([*command, "-t"], check=True, capture_output=True)
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as nginx:
        try:
            while True:
                assert nginx.poll() is None
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except ConnectionError:
                    time.sleep(0.05)
            yield port
        finally:
            nginx.terminate()


@pytest.fixture(scope="module")
def proxy(
    environment: dict[str, str], certificate: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[int]:
    with door_of(environment | {"GRAPHMEM_TOKEN": TOKEN}) as door:
        behind = urlsplit(door.url).port
        assert behind is not None
        with proxied(tmp_path_factory.mktemp("nginx"), certificate, behind) as port:
            yield port


def asked(
    port: int, certificate: Path, path: str = "/mcp", body: bytes | None = None, **headers: str
) -> tuple[int, bytes]:
    trust = ssl.create_default_context(cafile=str(certificate / "fullchain.pem"))
    connection = http.client.HTTPSConnection("localhost", port, context=trust)
    sent = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        **headers,
    }
    connection.request("GET" if body is None else "POST", path, body, sent)
    response = connection.getresponse()
    content = response.read()
    connection.close()
    return response.status, content


def test_a_client_remembers_and_finds_over_tls(
    proxy: int, certificate: Path, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate / "fullchain.pem"))
    transport = StreamableHttpTransport(
        f"https://localhost:{proxy}/mcp", headers={"Authorization": f"Bearer {TOKEN}"}
    )
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(transport)) as client,
    ):
        entity = {"name": "Redis cache", "text": "word " * 16_000}
        said = {"entities": [entity], "project": project}
        portal.call(client.call_tool, "remember", said)
        asked_for = {"names": ["Redis cache"], "project": project, "whole": True}
        reply = portal.call(client.call_tool, "get", asked_for)
    assert reply.structured_content is not None
    assert reply.structured_content["entities"][0]["text"] == "word " * 16_000


def test_the_token_and_the_limit_of_bodies_hold_through_it(proxy: int, certificate: Path) -> None:
    whole = json.dumps(LIST).encode()
    bearer = {"Authorization": f"Bearer {TOKEN}"}
    assert asked(proxy, certificate, body=whole)[0] == 401
    assert asked(proxy, certificate, body=whole, **bearer)[0] == 200
    padded = whole + b" " * (4 * 1024 * 1024 - len(whole))
    assert asked(proxy, certificate, body=padded, **bearer)[0] == 200
    assert asked(proxy, certificate, body=padded + b" ", **bearer)[0] == 413


def test_health_is_told_and_nothing_else_is_there(proxy: int, certificate: Path) -> None:
    while (health := asked(proxy, certificate, "/health"))[0] == 503:
        time.sleep(0.2)
    assert json.loads(health[1])["status"] == "ok"
    assert asked(proxy, certificate, "/")[0] == 404


def test_another_name_gets_no_handshake(proxy: int) -> None:
    blind = ssl.create_default_context()
    blind.check_hostname = False
    blind.verify_mode = ssl.CERT_NONE
    with (
        socket.create_connection(("127.0.0.1", proxy)) as plain,
        pytest.raises(ssl.SSLError, match="unrecognized name"),
    ):
        blind.wrap_socket(plain, server_hostname="evil.example")


class _Events(http.server.BaseHTTPRequestHandler):
    """Sends an event, and the next one when the first has arrived."""

    arrived = threading.Event()

    def do_POST(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.write(b"data: first\n\n")
        self.wfile.flush()
        came = self.arrived.wait(30)
        self.wfile.write(b"data: second\n\n" if came else b"data: the first was held back\n\n")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_events_are_passed_on_as_they_come(certificate: Path, tmp_path: Path) -> None:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Events) as behind:
        threading.Thread(target=behind.serve_forever, daemon=True).start()
        with proxied(tmp_path, certificate, behind.server_address[1]) as port:
            trust = ssl.create_default_context(cafile=str(certificate / "fullchain.pem"))
            connection = http.client.HTTPSConnection("localhost", port, context=trust)
            connection.request("POST", "/mcp", b"{}")
            response = connection.getresponse()
            assert response.readline() == b"data: first\n"
            _Events.arrived.set()
            assert response.read() == b"\ndata: second\n\n"
            connection.close()
        behind.shutdown()
