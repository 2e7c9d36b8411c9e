"""Put our Stop hook into an agent's settings files: all made ready first, then each one whole."""

import json
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from story_automator.edges import codex_config
from story_automator.edges.files import locked, read_text, write_atomic
from story_automator.errors import StoryAutomatorError
from story_automator.rules.stop_hook import with_hook

EXPLAINED = {
    "invalid_json_object": "the settings must be a JSON object",
    "invalid_hooks_object": '"hooks" must be a JSON object',
    "invalid_stop_hooks": '"hooks.Stop" must be a JSON list',
    "invalid_features_table": "[features] must be a table in which codex_hooks can be set to true",
}


class CannotEdit(Exception):
    """One file cannot be brought into shape: the contract's word, the file, and why."""

    def __init__(self, word: str, path: Path, why: str = "") -> None:
        super().__init__(word)
        self.word, self.path, self.why = word, path, why or EXPLAINED.get(word, word)


def configure_claude(path: Path, hook: dict[str, object]) -> dict[str, object]:
    """Put the hook into a Claude settings file; the answer is the contract's."""
    with ExitStack() as held:
        _hold(path, held)
        text, reason = _settings_with(path, hook)
        _write(path, text, reason)
    changed = reason != "already_configured"
    message = (
        f"The Stop hook stands in {path}; restart Claude to load it."
        if changed
        else "The Stop hook is in place."
    )
    return {
        "ok": True,
        "changed": changed,
        "reason": reason,
        "provider": "claude",
        "path": str(path),
        "message": message,
    }


def configure_codex(
    root: Path, hook: dict[str, object], environ: Mapping[str, str]
) -> dict[str, object]:
    """The same in the project's `.codex`, where hooks have to be switched on as well."""
    from story_automator.rules.codex_config import is_trusted, parse

    hooks_file, config_file = root / ".codex" / "hooks.json", root / ".codex" / "config.toml"
    told = {**hook, "statusMessage": "Checking story automator state"}
    with ExitStack() as held:
        _hold(hooks_file, held)  # One lock serves both: they lie in the same folder.
        _refuse_directory(config_file)
        # Both are made ready before either is written: a bad file leaves the other untouched.
        hooks, hooks_reason = _settings_with(hooks_file, told)
        config, config_reason = _config_with_hooks(config_file)
        _write(hooks_file, hooks, hooks_reason)
        _write(config_file, config, config_reason)
    hooks_changed = hooks_reason != "already_configured"
    config_changed = config_reason != "already_enabled"
    changed = hooks_changed or config_changed
    trusted = is_trusted(parse(config), root) or is_trusted(_users_codex_config(environ), root)
    state = "configured" if changed else "verified" if trusted else "pending_trust"
    reasons = {"configured": "codex_hook_configured", "verified": "already_configured"}
    nexts = {
        "configured": f"The Stop hook stands in {hooks_file}; "
        + ("restart Codex to load it." if trusted else "trust this project in Codex, restart it."),
        "verified": "The Stop hook is in place.",
        "pending_trust": "The Stop hook is in place, but Codex does not trust this project yet.",
    }
    return {
        "ok": True,
        "changed": changed,
        "reason": reasons.get(state, state),
        "provider": "codex",
        "path": str(hooks_file),
        "hooksPath": str(hooks_file),
        "configPath": str(config_file),
        "hooksChanged": hooks_changed,
        "configChanged": config_changed,
        "hooksReason": hooks_reason,
        "configReason": config_reason,
        "trusted": trusted,
        "verificationState": state,
        "message": nexts[state],
    }


def _settings_with(path: Path, hook: dict[str, object]) -> tuple[str, str]:
    text = _read(path, "invalid_json")
    try:
        settings = {} if text is None else json.loads(text)
        wanted, reason = with_hook(settings, hook, is_new=text is None)
    except (json.JSONDecodeError, RecursionError) as error:
        raise CannotEdit("invalid_json", path, str(error)) from None
    except ValueError as error:
        raise CannotEdit(str(error), path) from None
    return json.dumps(wanted, indent=2, ensure_ascii=False) + "\n", reason


def _config_with_hooks(path: Path) -> tuple[str, str]:
    import tomllib

    from story_automator.rules.codex_config import with_hooks_enabled

    text = _read(path, "invalid_toml")
    try:
        wanted, reason = with_hooks_enabled(text or "")
    except tomllib.TOMLDecodeError as error:
        raise CannotEdit("invalid_toml", path, str(error)) from None
    except ValueError as error:
        raise CannotEdit(str(error), path) from None
    return wanted, "created" if text is None else reason


def _users_codex_config(environ: Mapping[str, str]) -> dict[str, object]:
    """Codex keeps a person's trust in their own config, not in the project's."""
    from story_automator.rules.codex_config import parse

    try:
        return parse(read_text(codex_config.config_path(environ)))
    except (OSError, ValueError, StoryAutomatorError):
        return {}


def _refuse_directory(path: Path) -> None:
    if path.is_dir():
        raise CannotEdit("read_failed", path, "it is a directory")


def _hold(path: Path, held: ExitStack) -> None:
    _refuse_directory(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        held.enter_context(locked(path))
    except OSError as error:
        raise CannotEdit("write_failed", path, error.strerror or str(error)) from None


def _read(path: Path, word: str) -> str | None:
    try:
        return read_text(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CannotEdit("read_failed", path, error.strerror or str(error)) from None
    except StoryAutomatorError as error:
        raise CannotEdit(word, path, error.message) from None


def _write(path: Path, text: str, reason: str) -> None:
    if reason in ("already_configured", "already_enabled"):
        return
    try:
        write_atomic(path, text)
    except OSError as error:
        raise CannotEdit("write_failed", path, error.strerror or str(error)) from None
