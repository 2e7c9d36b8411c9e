"""`ensure-stop-hook`: the files of Claude and Codex, byte for byte where it matters."""

import json
from pathlib import Path

import pytest

from .conftest import Ask

COMMAND = ("--command", "story-automator stop-hook")
CLAUDE_KEYS = ["ok", "changed", "reason", "provider", "path", "message"]
CODEX_KEYS = [
    *CLAUDE_KEYS[:-1],
    "hooksPath",
    "configPath",
    "hooksChanged",
    "configChanged",
    "hooksReason",
    "configReason",
    "trusted",
    "verificationState",
    "message",
]


def our_hook(path: Path) -> dict[str, object]:
    groups = json.loads(path.read_text())["hooks"]["Stop"]
    hook: dict[str, object] = groups[-1]["hooks"][-1]
    return hook


class TestClaude:
    @pytest.fixture
    def settings(self, project: Path) -> Path:
        return project / ".claude" / "settings.json"

    def test_a_new_file_then_nothing_to_do_then_set_right(
        self, ask: Ask, project: Path, settings: Path
    ) -> None:
        first = ask("ensure-stop-hook", "--settings", ".claude/settings.json", *COMMAND)
        assert first.code == 0
        assert list(first.json) == CLAUDE_KEYS
        assert [first.json[key] for key in CLAUDE_KEYS[:-1]] == [
            True,
            True,
            "created",
            "claude",
            str(settings),
        ]
        text = settings.read_text()
        assert text == json.dumps(json.loads(text), indent=2) + "\n"
        hook = our_hook(settings)
        assert list(hook) == ["type", "command", "timeout"]
        assert str(hook["command"]).startswith(f"env PROJECT_ROOT={project} /")
        assert str(hook["command"]).endswith("/story-automator stop-hook")
        assert hook["timeout"] == 10

        again = ask("ensure-stop-hook", "--settings", ".claude/settings.json", *COMMAND).json
        assert (again["changed"], again["reason"]) == (False, "already_configured")
        assert settings.read_text() == text

        command = ["--command", "story-automator", "stop-hook", "--timeout", "20"]
        third = ask("ensure-stop-hook", "--settings", str(settings), *command).json
        assert (third["changed"], third["reason"]) == (True, "hook_normalized")
        assert our_hook(settings)["timeout"] == 20

    def test_everything_of_the_user_stays(self, ask: Ask, project: Path, settings: Path) -> None:
        settings.parent.mkdir()
        mine = {"model": "ü", "hooks": {"Stop": [{"hooks": [{"command": "make lint"}]}], "X": []}}
        settings.write_text(json.dumps(mine))
        settings.chmod(0o644)
        answer = ask("ensure-stop-hook", "--settings", str(settings), *COMMAND).json
        assert answer["reason"] == "added"
        after = json.loads(settings.read_text())
        del after["hooks"]["Stop"][1]
        assert after == mine
        assert "ü" in settings.read_text()
        assert settings.stat().st_mode & 0o777 == 0o644

    def test_the_hook_that_was_written_runs(self, ask: Ask, project: Path, settings: Path) -> None:
        import subprocess

        ask("ensure-stop-hook", "--settings", str(settings), "--command", "x derive-project-slug")
        command = str(our_hook(settings)["command"])
        done = subprocess.run(
            ["/bin/sh", "-c", command], capture_output=True, text=True, timeout=60, check=True
        )
        assert json.loads(done.stdout)["slug"] == "shopapi"

    @pytest.mark.parametrize(
        ("content", "error"),
        [
            (b"nope", "invalid_json"),
            (b"", "invalid_json"),
            (b"\xff", "invalid_json"),
            (b"[" * 100_000, "invalid_json"),
            (b"[]", "invalid_json_object"),
            (b"null", "invalid_json_object"),
            (b'{"hooks":[]}', "invalid_hooks_object"),
            (b'{"hooks":{"Stop":{}}}', "invalid_stop_hooks"),
        ],
    )
    def test_settings_that_cannot_be_read_stay_as_they_are(
        self, ask: Ask, project: Path, settings: Path, content: bytes, error: str
    ) -> None:
        settings.parent.mkdir()
        settings.write_bytes(content)
        answer = ask("ensure-stop-hook", "--settings", str(settings), *COMMAND)
        assert answer.code == 1
        assert list(answer.json) == ["ok", "error", "path", "provider", "message"]
        assert (answer.json["ok"], answer.json["error"]) == (False, error)
        assert answer.json["path"] == str(settings)
        assert settings.read_bytes() == content

    @pytest.mark.parametrize("place", [".", "/"])
    def test_a_directory_in_its_place_is_an_answer(
        self, ask: Ask, project: Path, place: str
    ) -> None:
        answer = ask("ensure-stop-hook", "--settings", place, *COMMAND)
        assert (answer.code, answer.json["error"]) == (1, "read_failed")

    @pytest.mark.parametrize(
        "argv", [[], ["--settings", "s.json"], [*COMMAND], ["--settings", "", *COMMAND]]
    )
    def test_what_is_required(self, ask: Ask, project: Path, argv: list[str]) -> None:
        answer = ask("ensure-stop-hook", *argv)
        assert answer == (1, '{"ok":false,"error":"missing_required_args"}\n', "")

    @pytest.mark.parametrize(
        "argv",
        [
            pytest.param([*COMMAND, "--timeout", "x"], id="a-timeout-in-words"),
            pytest.param([*COMMAND, "--bogus"], id="an-unknown-option"),
            pytest.param(["--command", "a'b"], id="a-command-that-is-none"),
        ],
    )
    def test_mistakes_are_one_sentence(self, ask: Ask, project: Path, argv: list[str]) -> None:
        answer = ask("ensure-stop-hook", "--settings", "s.json", *argv)
        assert (answer.code, answer.out) == (1, "")
        assert not (project / "s.json").exists()


class TestCodex:
    @pytest.fixture(autouse=True)
    def codex(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setenv("BMAD_RUNTIME_PROVIDER", "codex")
        return project / ".codex"

    def test_both_files_are_made(self, ask: Ask, codex: Path) -> None:
        answer = ask("ensure-stop-hook", *COMMAND)
        assert answer.code == 0
        assert list(answer.json) == CODEX_KEYS
        assert list(answer.json.values())[:-1] == [
            True,
            True,
            "codex_hook_configured",
            "codex",
            str(codex / "hooks.json"),
            str(codex / "hooks.json"),
            str(codex / "config.toml"),
            True,
            True,
            "created",
            "created",
            False,
            "configured",
        ]
        assert our_hook(codex / "hooks.json")["statusMessage"] == "Checking story automator state"
        assert (codex / "config.toml").read_text() == "[features]\ncodex_hooks = true\n"

    def test_the_second_time_it_waits_for_trust_and_then_is_verified(
        self, ask: Ask, codex: Path, project: Path
    ) -> None:
        ask("ensure-stop-hook", *COMMAND)
        second = ask("ensure-stop-hook", *COMMAND).json
        assert (second["changed"], second["reason"]) == (False, "pending_trust")
        assert (second["hooksReason"], second["configReason"]) == (
            "already_configured",
            "already_enabled",
        )
        assert second["verificationState"] == "pending_trust"
        trust = f'[projects."{project}"]\ntrust_level = "trusted"\n'
        config = codex / "config.toml"
        config.write_text(config.read_text() + trust)
        third = ask("ensure-stop-hook", *COMMAND).json
        assert (third["reason"], third["trusted"]) == ("already_configured", True)
        assert third["verificationState"] == "verified"

    def test_the_trust_in_the_users_own_config_counts(
        self, ask: Ask, project: Path, private_world: Path
    ) -> None:
        ask("ensure-stop-hook", *COMMAND)
        (private_world / ".codex").mkdir()
        trust = f'[projects."{project}"]\ntrust_level = "trusted"\n'
        (private_world / ".codex" / "config.toml").write_text(trust)
        assert ask("ensure-stop-hook", *COMMAND).json["trusted"] is True

    def test_comments_in_the_config_stay(self, ask: Ask, codex: Path) -> None:
        codex.mkdir()
        (codex / "config.toml").write_text("# mine\n[features] # all of them\nweb = true\n")
        assert ask("ensure-stop-hook", *COMMAND).json["configReason"] == "codex_hooks_enabled"
        assert (codex / "config.toml").read_text() == (
            "# mine\n[features] # all of them\ncodex_hooks = true\nweb = true\n"
        )

    @pytest.mark.parametrize(
        ("hooks", "config", "error", "culprit"),
        [
            pytest.param("{}", "bad = =", "invalid_toml", "config.toml", id="no-toml"),
            pytest.param(
                "{}", "features = 3", "invalid_features_table", "config.toml", id="features"
            ),
            pytest.param("nope", "", "invalid_json", "hooks.json", id="no-json"),
            pytest.param('{"hooks":3}', "", "invalid_hooks_object", "hooks.json", id="hooks"),
        ],
    )
    def test_one_bad_file_leaves_the_other_untouched(
        self, ask: Ask, codex: Path, hooks: str, config: str, error: str, culprit: str
    ) -> None:
        codex.mkdir()
        (codex / "hooks.json").write_text(hooks)
        (codex / "config.toml").write_text(config)
        answer = ask("ensure-stop-hook", *COMMAND)
        assert answer.code == 1
        assert list(answer.json) == ["ok", "error", "path", "provider", "message"]
        assert (answer.json["error"], answer.json["path"]) == (error, str(codex / culprit))
        assert (codex / "hooks.json").read_text() == hooks
        assert (codex / "config.toml").read_text() == config
