"""The server's certificate: made for a home, so that no other process can pass for its server.

Nobody but this home signs or trusts it. Clients compare it whole, which is why it may live long.
"""

from __future__ import annotations

import ipaddress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from graphmem.neo4j_process.home.configuration import HOST
from graphmem.neo4j_process.machine.files import replace_file
from graphmem.ownership import is_open_to_others

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec

    from graphmem.neo4j_process.home.paths import Home

VALID = timedelta(days=20 * 365)
# A clock that is set back makes no certificate one of the future.
BACKDATED = timedelta(days=365)
# No run of a server is as long, so none sees its certificate expire.
RENEWED_BEFORE = timedelta(days=365)


def ensure(home: Home) -> str:
    """See to it that the home has a key and a certificate that a server can use.

    Both are made anew when either is missing or damaged, when they do not belong together, when
    less than a year is left, and when other users of the machine could read the key.

    Returns:
        The certificate, as PEM.

    Raises:
        OSError: when they cannot be written.
    """
    if not _is_usable(home):
        key, certificate = _make()
        home.key.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(home.key, key)
        replace_file(home.certificate, certificate)
    return home.certificate.read_text(encoding="ascii")


def read(home: Home) -> str | None:
    """Read the certificate of the last start; None where it is gone."""
    try:
        return home.certificate.read_text(encoding="ascii")
    except (OSError, ValueError):
        return None


def _is_usable(home: Home) -> bool:
    # Imported here and below: only a process that starts a server needs this library.
    from cryptography import x509  # noqa: PLC0415
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415

    try:
        if is_open_to_others(home.key):
            return False
        key = serialization.load_pem_private_key(home.key.read_bytes(), password=None)
        certificate = x509.load_pem_x509_certificate(home.certificate.read_bytes())
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (OSError, ValueError, TypeError, x509.ExtensionNotFound):
        return False
    now = datetime.now(UTC)
    return (
        key.public_key() == certificate.public_key()
        and ipaddress.ip_address(HOST) in names.get_values_for_type(x509.IPAddress)
        and certificate.not_valid_before_utc <= now
        and now + RENEWED_BEFORE <= certificate.not_valid_after_utc
    )


def _make() -> tuple[str, str]:
    """Make a key and a certificate that it signs itself, both as PEM."""
    from cryptography.hazmat.primitives import hashes, serialization  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415

    key = ec.generate_private_key(ec.SECP256R1())
    certificate = _builder(key.public_key()).sign(key, hashes.SHA256())
    pem = serialization.Encoding.PEM
    # Neo4j reads no other form of a key.
    form = serialization.PrivateFormat.PKCS8
    private_key = key.private_bytes(pem, form, serialization.NoEncryption())
    return private_key.decode("ascii"), certificate.public_bytes(pem).decode("ascii")


def _builder(key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    from cryptography import x509  # noqa: PLC0415

    now = datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "graphmem private Neo4j")])
    names = [x509.IPAddress(ipaddress.ip_address(HOST)), x509.DNSName("localhost")]
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - BACKDATED)
        .not_valid_after(now + VALID)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        # It vouches for itself and for no other certificate.
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(
            x509.ExtendedKeyUsage([x509.oid.ExtendedKeyUsageOID.SERVER_AUTH]), critical=False
        )
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )
