"""What surrounds a search: options, dates in words, scopes, contexts, recent entities, pictures."""
