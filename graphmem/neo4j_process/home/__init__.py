"""The folder of the private server, its home: which files lie in it, and who holds it."""
