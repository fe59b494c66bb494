"""RyeOS: its directives, tools and knowledge, and its tools that search and load them."""
