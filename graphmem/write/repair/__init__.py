"""Finds and repairs what somebody changed in the database by hand."""
