"""memcp: its entities and relations, and its tools, decay and tracking of use included."""
