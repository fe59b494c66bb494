"""The reference memory server of MCP: its file of entities and relations."""
