"""What was: histories walked back revision by revision, and searches of a moment."""
