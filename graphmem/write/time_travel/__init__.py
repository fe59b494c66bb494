"""A search of the past: brings projects back to a moment in a transaction that is rolled back.

`later_changes` reads what was changed since, `limits` refuses too much of it, `plan` computes what
was there at the moment, and `apply` writes that.
"""
