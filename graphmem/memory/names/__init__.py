"""What the names that a caller gives lead to."""
