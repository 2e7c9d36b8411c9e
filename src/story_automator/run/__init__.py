"""Life: what happens to a session from spawn to cleanup."""
