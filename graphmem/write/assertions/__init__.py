"""Who asserted what, and what an entity or a relation is by it: pure, no I/O."""
