"""Thought: pure functions from values to values. No IO, no clock, no environment."""
