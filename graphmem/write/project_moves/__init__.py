"""Moving entities from one project to another."""
