"""Prompts: Jinja2 templates, in which a name that was not given is an error and never a blank."""

from collections.abc import Mapping
from pathlib import Path

from story_automator.errors import StoryAutomatorError


def render(folder: Path, template: str, facts: Mapping[str, object]) -> str:
    """The text of `folder/template` with these facts filled in."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError

    # No autoescape: an agent reads plain text, where `&lt;` for `<` would be a wrong word.
    environment = Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    try:
        return environment.get_template(template).render(facts)
    except TemplateError as error:
        raise StoryAutomatorError(f"prompt {template} cannot be rendered: {error}") from None
