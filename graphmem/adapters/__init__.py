"""Foreign tools, a folder each: `importer` reads what the tool wrote, `profile` offers its tools.

A folder has what it needs of the two, and importers share `graphmem.importing`; no adapter imports
another. The formats are named in `graphmem.transfer`, the profiles in `graphmem.profiles`.
"""
