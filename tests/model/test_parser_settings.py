"""The [parser] table: who is asked, which model, how much is sent and how long is waited."""

import pytest

from story_automator.model.parser_settings import (
    DEFAULT,
    ParserKind,
    ParserSettings,
    parser_settings_from,
)


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        pytest.param({}, DEFAULT, id="whoever-is-there-by-default"),
        pytest.param({"kind": "rules"}, ParserSettings(ParserKind.RULES), id="nobody"),
        pytest.param(
            {"kind": "api", "model": "claude-haiku-5-5", "budget_tokens": 9000, "timeout": 20},
            ParserSettings(ParserKind.API, "claude-haiku-5-5", 9000, 20),
            id="everything",
        ),
    ],
)
def test_what_can_be_said(table: dict[str, object], expected: ParserSettings) -> None:
    assert parser_settings_from(table) == expected


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        pytest.param({"parser": "api"}, "unknown setting parser", id="a-typing-error"),
        pytest.param({"kind": "magic"}, "must be auto, api, cli or rules", id="another-kind"),
        pytest.param({"kind": ["api"]}, "must be auto, api, cli or rules", id="a-list"),
        pytest.param({"model": 4}, "name of a model", id="a-number-for-a-model"),
        pytest.param({"model": " "}, "name of a model", id="a-blank-model"),
        pytest.param({"model": "--settings"}, "name of a model", id="an-option"),
        pytest.param({"budget_tokens": 100}, "2000 or more", id="room-for-nothing"),
        pytest.param({"budget_tokens": 6e3}, "whole number", id="a-fraction"),
        pytest.param({"timeout": 0}, "1 second or more", id="no-time"),
        pytest.param({"timeout": True}, "whole number", id="a-truth"),
    ],
)
def test_what_cannot(table: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        parser_settings_from(table)
