"""What the names in outlines mean, as far as the folder itself says it."""
