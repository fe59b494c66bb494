"""Start the server, watch it, start it again, stop it; and the AOT cache for short starts."""
