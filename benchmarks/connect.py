"""Imports the driver, connects and runs RETURN 1: what `benchmarks/terminal.py` measures against.

As graphmem does, over an encrypted connection that trusts one certificate; where it connects to
stands in the variables CONNECT_URI, CONNECT_PASSWORD and CONNECT_CERTIFICATE.
"""

import os
import ssl

import neo4j

if __name__ == "__main__":
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.load_verify_locations(cadata=os.environ["CONNECT_CERTIFICATE"])
    login = ("neo4j", os.environ["CONNECT_PASSWORD"])
    uri = os.environ["CONNECT_URI"]
    with (
        neo4j.GraphDatabase.driver(uri, auth=login, ssl_context=context) as driver,
        driver.session(database="neo4j", default_access_mode=neo4j.READ_ACCESS) as session,
    ):
        session.run("RETURN 1").consume()
