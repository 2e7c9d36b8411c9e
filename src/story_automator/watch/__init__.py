"""Eyes: the one monitor."""
