"""Our hook in the settings of an agent: recognised, set right, added, and nothing else moved."""

from pathlib import PurePosixPath

import pytest

from story_automator.rules.stop_hook import hook_command, is_ours, with_hook

HOOK: dict[str, object] = {"type": "command", "command": "/new/story-automator stop-hook"}
OTHER = {"type": "command", "command": "make lint"}


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        pytest.param("/x/story-automator stop-hook", True, id="an-absolute-path"),
        pytest.param("story-automator stop-hook", True, id="a-bare-name"),
        pytest.param("'/my tools/story-automator' stop-hook", True, id="a-path-with-a-blank"),
        pytest.param("env A=1 /x/story-automator stop-hook", True, id="behind-env"),
        pytest.param("/usr/bin/env -i A=1 /x/story-automator stop-hook", True, id="behind-env-i"),
        pytest.param("A=1 story-automator stop-hook", True, id="behind-a-variable"),
        pytest.param("python3.11 -m story_automator stop-hook", True, id="as-a-module"),
        pytest.param("/v/bin/python -m story_automator stop-hook -v", True, id="with-arguments"),
        pytest.param("echo story-automator stop-hook", False, id="only-said-aloud"),
        pytest.param("/x/my-story-automator stop-hook", False, id="another-program"),
        pytest.param("/x/story-automator monitor-session", False, id="another-command"),
        pytest.param("bash -c '/x/story-automator stop-hook'", False, id="inside-a-script"),
        pytest.param("story-automator 'stop-hook", False, id="not-even-a-command-line"),
        pytest.param("", False, id="nothing"),
        pytest.param(None, False, id="no-text"),
    ],
)
def test_ours_is_recognised(command: object, expected: bool) -> None:
    assert is_ours(command) is expected


@pytest.mark.parametrize(
    ("command", "tail"),
    [
        pytest.param("story-automator stop-hook", "stop-hook", id="the-first-word-is-replaced"),
        pytest.param("anything stop-hook -v", "stop-hook -v", id="whatever-it-was"),
        pytest.param("x 'c d'", "'c d'", id="arguments-stay-quoted"),
        pytest.param("python3 -m story_automator stop-hook", "stop-hook", id="a-module-too"),
        pytest.param("env A=1 /x/story-automator stop-hook", "stop-hook", id="and-behind-env"),
    ],
)
def test_the_command_gets_our_path_and_the_project(command: str, tail: str) -> None:
    made = hook_command(command, tool=["/opt/story-automator"], root=PurePosixPath("/a b"))
    assert made == f"env 'PROJECT_ROOT=/a b' /opt/story-automator {tail}"


def stop(*hooks: object) -> dict[str, object]:
    return {"hooks": {"Stop": [{"hooks": list(hooks)}]}}


@pytest.mark.parametrize(
    ("settings", "expected", "reason"),
    [
        pytest.param({}, stop(HOOK), "added", id="empty-settings-get-the-hook"),
        pytest.param(
            {"model": "x", "hooks": {"PreToolUse": [1]}},
            {"model": "x", "hooks": {"PreToolUse": [1], "Stop": [{"hooks": [HOOK]}]}},
            "added",
            id="other-events-and-keys-stay",
        ),
        pytest.param(
            {"hooks": {"Stop": [{"matcher": "m", "hooks": [OTHER]}, "odd", {"hooks": 3}]}},
            {
                "hooks": {
                    "Stop": [
                        {"matcher": "m", "hooks": [OTHER]},
                        "odd",
                        {"hooks": 3},
                        {"hooks": [HOOK]},
                    ]
                }
            },
            "added",
            id="hooks-of-others-stay-in-front",
        ),
        pytest.param(
            stop(OTHER, {"command": "/old/story-automator stop-hook", "x": 1}),
            stop(OTHER, {**HOOK, "x": 1}),
            "hook_normalized",
            id="an-old-hook-of-ours-is-set-right-in-place",
        ),
        pytest.param(stop(HOOK), stop(HOOK), "already_configured", id="nothing-to-do"),
    ],
)
def test_settings(settings: object, expected: object, reason: str) -> None:
    assert with_hook(settings, HOOK, is_new=False) == (expected, reason)


def test_a_new_file_is_created() -> None:
    assert with_hook({}, HOOK, is_new=True) == (stop(HOOK), "created")


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ([], "invalid_json_object"),
        (None, "invalid_json_object"),
        ({"hooks": []}, "invalid_hooks_object"),
        ({"hooks": None}, "invalid_hooks_object"),
        ({"hooks": {"Stop": {}}}, "invalid_stop_hooks"),
        ({"hooks": {"Stop": None}}, "invalid_stop_hooks"),
    ],
)
def test_settings_that_cannot_be_understood(settings: object, word: str) -> None:
    with pytest.raises(ValueError, match=f"^{word}$"):
        with_hook(settings, HOOK, is_new=False)
