"""Hands: one outside thing per file."""
