"""What adapters share.

For importers: what a format is and what it yields (`format`, `row`), finding files (`walking`),
opening and reading them (`opening`, `reading`), front matter and YAML, JSON, Markdown's prose,
fields and what an attribute may hold, values said several times (`merging`), and refusing what
cannot be used (`refusing`). For profiles: what agents send for a list or an object (`agents`).

Importers read folders that others wrote. Nothing in a folder ends an import, holds it up or leads
it out of the folder: what cannot be used raises `Refused`, and the importer makes a row of it.
"""
