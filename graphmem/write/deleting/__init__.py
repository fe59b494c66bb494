"""Delete for good: what is purged, what an import no longer asserts, and what hangs on both."""
