"""ForgePlan: its artifacts, and its tools that search them."""
