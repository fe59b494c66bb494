"""Who asserted what, and the entity or relation that results: pure, no I/O."""
