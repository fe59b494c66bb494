"""The store a memory is connected to: its server, its models and languages, its backups."""
