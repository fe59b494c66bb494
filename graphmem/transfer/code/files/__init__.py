"""The files of a folder that hold code, and what of their text is read."""
