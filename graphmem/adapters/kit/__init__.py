"""What importers share: finding files, reading them, and refusing what cannot be used.

Importers read folders that others wrote. Nothing in a folder ends an import, holds it up or leads
it out of the folder: what cannot be used raises `Refused`, and the importer makes a row of it.
"""
