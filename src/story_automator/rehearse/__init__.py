"""Stage: the scripted agent that plays scenarios in a real pane."""
