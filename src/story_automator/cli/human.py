"""Commands that people type: typer reads their options, one sentence tells a mistake."""

from collections.abc import Callable
from typing import cast

from story_automator.errors import UsageError


def answer(command: Callable[..., int], name: str, argv: list[str]) -> int:
    """Call `command` with the options that its signature declares."""
    import typer

    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name)(command)
    # typer carries its own copy of click and names only this subclass of its usage error.
    misuse = cast("type[Exception]", typer.BadParameter.__base__)
    try:
        code = typer.main.get_command(app).main(
            argv, prog_name=f"story-automator {name}", standalone_mode=False
        )
    except misuse as error:
        words = getattr(error, "format_message", error.__str__)()
        # A list of choices comes with tabs and line breaks.
        raise UsageError(
            " ".join(words.split()).rstrip("."), hint=f"story-automator {name} --help"
        ) from None
    return int(code or 0)
