"""From a caller's words to what is written: checked, resolved, renamed, merged, deleted, moved."""
