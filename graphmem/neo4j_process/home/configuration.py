"""What the private server is told: its configuration file and the arguments of its JVM."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from graphmem.neo4j_process.home import browser_style
from graphmem.neo4j_process.home.state import Ports

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graphmem.neo4j_process.home.paths import Home
    from graphmem.neo4j_process.machine.java import Java
    from graphmem.neo4j_process.running.launch import Launch

HOST = "127.0.0.1"
MAIN_CLASS = "org.neo4j.server.Neo4jCommunity"
OPENED_PACKAGES = ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")
FIRST_JAVA_THAT_WARNS_OF_UNSAFE = 24
# Megabytes; a larger heap is for a store whose pauses would be felt.
LARGEST_SERIAL_HEAP = 1024
# About two thousand passages with their embeddings; a new store takes 3 MB.
SMALL_STORE_BYTES = 16 * 1024 * 1024
HUGE_PAGES = Path("/sys/kernel/mm/transparent_hugepage/enabled")
# How often a method runs before the optimising compiler takes it.
OPTIMISED_AFTER = {
    "InvocationThreshold": 50_000,
    "MinInvocationThreshold": 6_000,
    "CompileThreshold": 150_000,
    "BackEdgeThreshold": 400_000,
}

# Neo4j refuses to start on a name it does not know, so every line here was seen to be accepted.
FIXED_SETTINGS = {
    "server.http.enabled": "true",
    "server.https.enabled": "false",
    "dbms.security.auth_enabled": "true",
    # The password cannot be guessed; a limit would let anyone on this machine, or a typo in Neo4j
    # Browser, have the right one refused as well.
    "dbms.security.auth_max_failed_attempts": "0",
    # Our own connections insist on encryption; Neo4j Browser, a page served by plain HTTP on
    # loopback, cannot trust a certificate of our making.
    "server.bolt.tls_level": "OPTIONAL",
    "dbms.ssl.policy.bolt.enabled": "true",
    "dbms.ssl.policy.bolt.base_directory": "certificates/bolt",
    "dbms.ssl.policy.bolt.private_key": "private.key",
    "dbms.ssl.policy.bolt.public_certificate": "public.crt",
    "dbms.ssl.policy.bolt.client_auth": "NONE",
    "dbms.ssl.policy.bolt.tls_versions": "TLSv1.3",
    # A server at work says so every 15 seconds, and one that is silent for 30 is asked anew on
    # another connection. By default that takes two minutes.
    "server.bolt.connection_keep_alive": "15s",
    "server.bolt.connection_keep_alive_streaming_scheduling_interval": "15s",
    # An index that no checkpoint has seen is made anew after a kill, before the store opens.
    "db.checkpoint.interval.time": "1m",
    "db.query.default_language": "CYPHER_25",
    "db.transaction.timeout": "60s",
    "db.tx_log.preallocate": "false",
    # A kill is recovered from what no checkpoint has seen, which is kept in any case.
    "db.tx_log.rotation.size": "16M",
    "db.tx_log.rotation.retention_policy": "32M size",
    # This edition compiles no expressions, but plans a statement anew at its tenth run to try it.
    "internal.cypher.expression_engine": "INTERPRETED",
    # A plan is good at any size; by default a growing store has plans made anew every ten seconds.
    "dbms.cypher.min_replan_interval": "1h",
    # No file and no address may be read by a statement, whoever wrote it.
    "dbms.security.allow_csv_import_from_file_urls": "false",
    "internal.dbms.cypher_ip_blocklist": "0.0.0.0/0,::/0",
    # Nothing is reported or broadcast to anyone.
    "dbms.usage_report.enabled": "false",
    "client.allow_telemetry": "false",
    "server.bolt.telemetry.enabled": "false",
    "dbms.fleet_manager.enabled": "false",
    "server.fleet_discovery.enabled": "false",
    "server.http.x_forward.enabled": "false",
    # Without it every stop idles ten seconds in the shutdown of Bolt.
    "internal.server.bolt.thread_pool_shutdown_wait_time": "0s",
}


def configuration(launch: Launch, ports: Ports) -> str:
    """Write `neo4j.conf`.

    Args:
        launch: What is started.
        ports: The ports to listen on, at 127.0.0.1 only.
    """
    settings = {
        "server.default_listen_address": HOST,
        "server.bolt.listen_address": f"{HOST}:{ports.bolt}",
        "server.bolt.advertised_address": f"{HOST}:{ports.bolt}",
        "server.http.listen_address": f"{HOST}:{ports.http}",
        "server.http.advertised_address": f"{HOST}:{ports.http}",
        # Otherwise every page in a web browser could read what the server says of itself.
        "dbms.security.http_access_control_allow_origin": f"http://{HOST}:{ports.http}",
        "server.memory.heap.initial_size": half(launch.heap),
        "server.memory.heap.max_size": launch.heap,
        "server.memory.pagecache.size": launch.page_cache,
        **FIXED_SETTINGS,
        **browser_style.settings(launch.home),
    }
    return "".join(f"{name}={value}\n" for name, value in settings.items())


def configured_ports(home: Home) -> Ports | None:
    """Read the ports from the configuration of the last start; None when there is none."""
    try:
        text = home.configuration.read_text(encoding="utf-8")
    except OSError:
        return None
    bolt, http = (
        re.search(rf"^server\.{connector}\.listen_address=.*:(\d+)$", text, re.MULTILINE)
        for connector in ("bolt", "http")
    )
    return Ports(int(bolt[1]), int(http[1])) if bolt and http else None


def command(launch: Launch, options: Sequence[str]) -> list[str]:
    """Write the command line of the server; nothing in it is secret.

    Args:
        launch: What is started.
        options: Further options of the JVM.
    """
    home = launch.home
    return [
        *jvm_command(launch, [*options, *by_store_size(home)]),
        *identifying_arguments(home),
        f"--config-dir={home.configuration.parent}",
        "--console-mode",
    ]


def jvm_command(launch: Launch, options: Sequence[str]) -> list[str]:
    """Write the command line of a JVM up to the class to run; the AOT cache is bound to it."""
    return [
        str(launch.java.executable),
        *options,
        f"-Xms{half(launch.heap)}",
        f"-Xmx{launch.heap}",
        # Out of memory, a server is better started again than half alive.
        "-XX:+ExitOnOutOfMemoryError",
        *collector(launch.heap),
        *flags(launch.java),
        "-cp",
        f"{launch.jars}/*",
    ]


def identifying_arguments(home: Home) -> tuple[str, str]:
    """Name the arguments by which the server of a home is told from every other process."""
    return MAIN_CLASS, f"--home-dir={home.root}"


def flags(java: Java) -> list[str]:
    """The flags that all programs of Neo4j need on a Java."""
    flags = [
        *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED_PACKAGES),
        "--enable-native-access=ALL-UNNAMED",
        "-Dfile.encoding=UTF-8",
        "-Dio.netty.tryReflectionSetAccessible=true",
        "-Dlog4j2.disable.jmx=true",
        # For every connection the server puts its key into a store in memory, encrypted: with the
        # usual 10,000 rounds that takes 140 ms of processor time without the optimising compiler.
        "-Dkeystore.pkcs12.keyPbeIterationCount=1",
    ]
    if java.has_vectors:
        flags.append("--add-modules=jdk.incubator.vector")
    if java.major >= FIRST_JAVA_THAT_WARNS_OF_UNSAFE:
        flags.append("--sun-misc-unsafe-memory-access=allow")
    return flags


def by_store_size(home: Home) -> list[str]:
    """Leave the optimising compiler to large stores, and there to what runs often; likewise memory.

    The compiler takes a third of the processor time up to the first search, and repays it where
    statements read much: after 1,500 searches of a store of 6,000 passages one takes half the time
    with it. Ten times its usual bounds save a quarter of the processor time of a start.
    """
    if home.database_bytes() < SMALL_STORE_BYTES:
        return ["-XX:TieredStopAtLevel=1"]
    bounds = [f"-XX:Tier4{bound}={calls}" for bound, calls in OPTIMISED_AFTER.items()]
    return [*bounds, *huge_pages()]


def huge_pages(offered: Path = HUGE_PAGES) -> list[str]:
    """Keep the heap in huge pages where the system offers them.

    A search reads so many places of the heap that it takes 7 % less processor time if the pages
    are large.

    Args:
        offered: The file in which Linux names the chosen mode; other systems have none.
    """
    try:
        mode = offered.read_text(encoding="ascii")
    except OSError:
        return []
    return [] if "[never]" in mode else ["-XX:+UseTransparentHugePages"]


def collector(heap: str) -> list[str]:
    """Choose the garbage collector: the simplest takes 100 MB less and no core beside the work.

    Its pauses grow with the heap, so a large one is left to the JVM's own choice.
    """
    return ["-XX:+UseSerialGC"] if megabytes(heap) <= LARGEST_SERIAL_HEAP else []


def megabytes(size: str) -> int:
    """Read a size such as `512m` or `2g`."""
    return int(size[:-1]) * (1024 if size.endswith("g") else 1)


def half(size: str) -> str:
    """Halve a size such as `512m`: the heap to begin with, so that a small store stays small."""
    return f"{max(megabytes(size) // 2, 1)}m"
