"""A FastMCP server with no tools: what `benchmarks/handshake.py` measures against."""

from fastmcp import FastMCP

if __name__ == "__main__":
    FastMCP("empty").run(show_banner=False)
