"""Which source code a query names: by lines, files, modules, calls, imports and tests."""
