"""A search of the past: what it takes to bring projects back, its limits, and its transaction."""
