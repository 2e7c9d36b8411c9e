"""config.toml of Codex: one value changes, and no comment, string or line end beside it."""

import re
import tomllib
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from story_automator.rules.codex_config import is_trusted, parse, with_hooks_enabled


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("", "[features]\ncodex_hooks = true\n", id="an-empty-file"),
        pytest.param(
            "# mine\nmodel = 1\n",
            "# mine\nmodel = 1\n\n[features]\ncodex_hooks = true\n",
            id="no-features-yet",
        ),
        pytest.param("a = 1", "a = 1\n\n[features]\ncodex_hooks = true\n", id="no-last-newline"),
        pytest.param(
            "[features] # c\nother = 1\n\n[x]\ny=1\n",
            "[features] # c\ncodex_hooks = true\nother = 1\n\n[x]\ny=1\n",
            id="a-features-table",
        ),
        pytest.param(
            "[features]\ncodex_hooks = false # why\n",
            "[features]\ncodex_hooks = true # why\n",
            id="a-switch-that-is-off-keeps-its-comment",
        ),
        pytest.param(
            '[features]\n"codex_hooks" = "yes"\n',
            '[features]\n"codex_hooks" = true\n',
            id="a-quoted-key-and-a-value-of-another-kind",
        ),
        pytest.param(
            "features.codex_hooks = false # c\n",
            "features.codex_hooks = true # c\n",
            id="a-dotted-switch",
        ),
        pytest.param(
            "model='x'\nfeatures.a = 1\n[z]\n",
            "model='x'\nfeatures.codex_hooks = true\nfeatures.a = 1\n[z]\n",
            id="dotted-features",
        ),
        pytest.param(
            "features = { a = true } # c\n",
            "features = { codex_hooks = true, a = true } # c\n",
            id="an-inline-table",
        ),
        pytest.param(
            "features = {}\n", "features = { codex_hooks = true }\n", id="an-empty-inline-table"
        ),
        pytest.param(
            "features = { codex_hooks = false, b=1 } # hi\n",
            "features = { codex_hooks = true, b=1 } # hi\n",
            id="a-switch-in-an-inline-table",
        ),
        pytest.param(
            "[features.sub]\na=1\n",
            "[features.sub]\na=1\n\n[features]\ncodex_hooks = true\n",
            id="only-a-table-below-features",
        ),
        pytest.param(
            'x = """\n[features]\ncodex_hooks = false\n"""\n',
            'x = """\n[features]\ncodex_hooks = false\n"""\n\n[features]\ncodex_hooks = true\n',
            id="a-string-that-looks-like-it-is-left-alone",
        ),
        pytest.param(
            "a = nan\r\n[features]\r\nb = 1 # x\r\n",
            "a = nan\r\n[features]\r\ncodex_hooks = true\r\nb = 1 # x\r\n",
            id="windows-line-ends-stay",
        ),
    ],
)
def test_the_switch_is_set(before: str, after: str) -> None:
    made, reason = with_hooks_enabled(before)
    assert (made, reason) == (after, "codex_hooks_enabled")
    assert with_hooks_enabled(made) == (made, "already_enabled")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        pytest.param("features = 3\n", "invalid_features_table", id="features-is-a-number"),
        pytest.param("[[features]]\na=1\n", "invalid_features_table", id="features-is-a-list"),
        pytest.param(
            "[features]\ncodex_hooks = [\n1,\n]\n",
            "invalid_features_table",
            id="a-value-we-cannot-replace-safely",
        ),
        pytest.param("bad = = \n", "Invalid value", id="no-toml"),
    ],
)
def test_what_cannot_be_edited_is_refused(text: str, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        with_hooks_enabled(text)


LINES = st.sampled_from(
    [
        "# a comment",
        "",
        "model = 'o'  # tail",
        'note = """\n[features]\ncodex_hooks = 0\n"""',
        "[projects.'/p']",
        "trust_level = 'trusted'",
        "[features]",
        "codex_hooks = false  # off",
        "web = true",
        "[features.deep]",
        "features.dotted = 1",
        "features = { a = 1 }",
        "[[tools]]",
    ]
)


@given(st.lists(LINES, max_size=9).map("\n".join))
def test_any_valid_file_says_the_same_plus_the_switch(text: str) -> None:
    try:
        before = tomllib.loads(text)
        made, _ = with_hooks_enabled(text)
    except ValueError:
        return
    before.setdefault("features", {})["codex_hooks"] = True
    assert tomllib.loads(made) == before
    assert re.findall("#.*", made) == re.findall("#.*", text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[projects."/p"]\ntrust_level = "trusted"\n', True),
        ('[projects."/p"]\ntrust_level = "untrusted"\n', False),
        ('[projects."/other"]\ntrust_level = "trusted"\n', False),
        ("projects = 3\n", False),
        ("", False),
    ],
)
def test_trust_is_read(text: str, expected: bool) -> None:
    assert is_trusted(parse(text), PurePosixPath("/p")) is expected
