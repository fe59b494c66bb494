"""Options, scopes and dates of a search, contexts, what changed last, and pictures."""
