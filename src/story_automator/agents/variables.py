"""The variables that tell an agent which session is its own; a plain shell has none of them."""

SESSION = "STORY_AUTOMATOR_SESSION"  # its name
EVENTS = "STORY_AUTOMATOR_EVENTS"  # the folder for hook events
SETTINGS = "STORY_AUTOMATOR_SETTINGS"  # Claude's settings file
CONVERSATION = "STORY_AUTOMATOR_CONVERSATION"  # the id that Claude's conversation is to have
LAST_MESSAGE = "STORY_AUTOMATOR_LAST_MESSAGE"  # where Codex leaves its last message
# An agent that the agent starts is another one: it must not speak in this one's name.
NOT_FOR_A_NESTED_AGENT = (EVENTS, SETTINGS, CONVERSATION, LAST_MESSAGE)
