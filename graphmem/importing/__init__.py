"""What importers share, those of graphmem and those of foreign tools.

That is: what a format is and what it yields (`format`, `row`), finding files (`walking`),
opening and reading them (`opening`, `reading`), front matter and YAML, JSON, Markdown's prose,
fields and what an attribute may hold, values that stand there several times (`merging`), and
refusing what cannot be used (`refusing`).

Importers read folders that others wrote. Nothing in a folder ends an import, holds it up or leads
it out of the folder: what cannot be used raises `Refused`, and the importer makes a row of it.
"""
