"""One file of code becomes an outline: its symbols, imports, variables and what it uses."""
