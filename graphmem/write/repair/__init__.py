"""What somebody changed in the database by hand: found, and brought in order."""
