"""The embedded agent: it shows and tells what Claude does, and only starts differently."""


def launch(python: str, scenario: str, prompt: str) -> list[str]:
    """The command line that plays `scenario`; an empty one is found from the prompt."""
    chosen = ["--scenario", scenario] if scenario else []
    return [python, "-m", "story_automator.rehearse", *chosen, "--", prompt]
