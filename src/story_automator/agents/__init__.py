"""Dialects: what an agent is started with and what its signals and screen mean. Pure."""
