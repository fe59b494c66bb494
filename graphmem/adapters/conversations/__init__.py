"""Conversations: lines of turns, and what ChatGPT and Claude export."""
