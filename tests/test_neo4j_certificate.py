"""A home's certificate is made once, kept while it is good, and made again when it is not."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import Encoding, load_pem_private_key

from graphmem.encryption import trusting
from graphmem.neo4j_process.home import certificate as certificates
from graphmem.neo4j_process.home.paths import Home

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "home")
    home.create()
    return home


def signed_again(home: Home, *, begins: datetime, ends: datetime, names: list[str]) -> None:
    """Put a certificate with other dates and names in place of the home's."""
    key = load_pem_private_key(home.key.read_bytes(), password=None)
    now = x509.load_pem_x509_certificate(home.certificate.read_bytes())
    changed = (
        x509.CertificateBuilder()
        .subject_name(now.subject)
        .issuer_name(now.issuer)
        .public_key(now.public_key())
        .serial_number(now.serial_number)
        .not_valid_before(begins)
        .not_valid_after(ends)
        .add_extension(
            x509.SubjectAlternativeName([x509.DNSName(name) for name in names]), critical=False
        )
        .sign(key, hashes.SHA256())  # type: ignore[arg-type]
    )
    home.certificate.write_bytes(changed.public_bytes(Encoding.PEM))


def test_a_certificate_is_kept_from_start_to_start(home: Home) -> None:
    assert certificates.read(home) is None
    certificate, key = certificates.ensure(home), home.key.read_bytes()
    assert certificates.ensure(home) == certificates.read(home) == certificate
    assert home.key.read_bytes() == key


def test_a_certificate_is_valid_for_years_and_only_for_loopback_addresses(home: Home) -> None:
    certificate = x509.load_pem_x509_certificate(certificates.ensure(home).encode())
    now = datetime.now(UTC)
    assert certificate.not_valid_before_utc < now - timedelta(days=300)
    assert certificate.not_valid_after_utc > now + timedelta(days=10 * 365)
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert [str(name.value) for name in names] == ["127.0.0.1", "localhost"]
    limits = certificate.extensions.get_extension_for_class(x509.BasicConstraints).value
    assert not limits.ca


def test_the_key_is_for_its_owner_alone(home: Home) -> None:
    certificates.ensure(home)
    assert home.key.stat().st_mode & 0o777 == 0o600
    assert home.key.parent.stat().st_mode & 0o777 == 0o700
    assert home.key.read_bytes().startswith(b"-----BEGIN PRIVATE KEY-----")


@pytest.mark.parametrize("damaged", ["key", "certificate"])
@pytest.mark.parametrize("left", [None, b"", b"-----BEGIN", b"\xff\x00"])
def test_a_missing_or_damaged_file_has_both_made_anew(
    home: Home, damaged: str, left: bytes | None
) -> None:
    before = certificates.ensure(home)
    file: Path = getattr(home, damaged)
    if left is None:
        file.unlink()
    else:
        file.write_bytes(left)
    after = certificates.ensure(home)
    assert after != before
    assert certificates.ensure(home) == after


def test_a_key_of_another_certificate_is_replaced(home: Home, tmp_path: Path) -> None:
    other = Home(tmp_path / "other")
    certificates.ensure(other)
    before = certificates.ensure(home)
    home.key.write_bytes(other.key.read_bytes())
    assert certificates.ensure(home) != before


def test_a_key_that_others_could_read_is_replaced(home: Home) -> None:
    before = certificates.ensure(home)
    key = home.key.read_bytes()
    home.key.chmod(0o640)
    assert certificates.ensure(home) != before
    assert home.key.read_bytes() != key
    assert home.key.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(("begins", "ends"), [(-900, -1), (-900, 30), (30, 9000)])
def test_an_expired_or_not_yet_valid_certificate_is_renewed(
    home: Home, begins: int, ends: int
) -> None:
    certificates.ensure(home)
    now = datetime.now(UTC)
    days = {"begins": now + timedelta(days=begins), "ends": now + timedelta(days=ends)}
    signed_again(home, **days, names=["127.0.0.1"])
    before = certificates.read(home)
    assert certificates.ensure(home) != before


def test_a_certificate_for_other_addresses_is_replaced(home: Home) -> None:
    certificates.ensure(home)
    now = datetime.now(UTC)
    days = timedelta(days=4000)
    signed_again(home, begins=now - days, ends=now + days, names=["example.org"])
    before = certificates.read(home)
    assert certificates.ensure(home) != before


def test_a_client_trusts_that_certificate_and_nothing_else(home: Home) -> None:
    context = trusting(certificates.ensure(home))
    assert context.verify_mode == ssl.CERT_REQUIRED
    assert context.check_hostname
    assert len(context.get_ca_certs()) + context.cert_store_stats()["x509"] == 1
    for nothing in ("", "-----BEGIN CERTIFICATE-----"):
        with pytest.raises((ssl.SSLError, ValueError)):
            trusting(nothing)
