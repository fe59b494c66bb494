"""The reference memory server of MCP: its file of entities and relations, and its nine tools."""
