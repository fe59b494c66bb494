"""Which files of the folder the modules are that imports name."""
