"""Shaktiman: its tools over symbols of code, which `import code` brings in."""
