"""Trust in Codex's config.toml, by an edit that keeps the rest."""

from pathlib import PurePosixPath

import pytest

from story_automator.rules.codex_config import is_trusted, parse
from story_automator.rules.codex_trust import with_trust

SHOP = PurePosixPath('/home/dev/my "shop" é')
NAME = '"/home/dev/my \\"shop\\" é"'
TABLE = f'[projects.{NAME}]\ntrust_level = "trusted"\n'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("", TABLE, id="no-file"),
        pytest.param("a = 1 # mine\n", f"a = 1 # mine\n\n{TABLE}", id="appended"),
        pytest.param("a = 1", f"a = 1\n\n{TABLE}", id="no-newline-at-the-end"),
        pytest.param(TABLE, TABLE, id="already-trusted"),
        pytest.param(
            f'[projects.{NAME}]\ntrust_level = "untrusted" # not yet\nx = 1\n',
            f'[projects.{NAME}]\ntrust_level = "trusted" # not yet\nx = 1\n',
            id="another-level-is-replaced",
        ),
        pytest.param(
            f'[projects."/other"]\ntrust_level = "untrusted"\n[projects.{NAME}] # ours\nx = 1\n',
            f'[projects."/other"]\ntrust_level = "untrusted"\n[projects.{NAME}] # ours\n'
            'trust_level = "trusted"\nx = 1\n',
            id="a-table-without-a-level-gets-one",
        ),
        pytest.param(
            f'[projects]\n{NAME} = {{ trust_level = "untrusted" }}\n',
            f'[projects]\n{NAME} = {{ trust_level = "trusted" }}\n',
            id="an-inline-table",
        ),
        pytest.param("a = 1\r\n", "a = 1\r\n\r\n" + TABLE.replace("\n", "\r\n"), id="crlf"),
    ],
)
def test_the_edit(before: str, after: str) -> None:
    assert with_trust(before, SHOP) == after
    assert is_trusted(parse(after), SHOP)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a = [", id="no-toml"),
        pytest.param("projects = 1", id="projects-is-a-number"),
        pytest.param(f"[projects]\n{NAME} = 1", id="the-project-is-a-number"),
        pytest.param("projects = {}", id="a-closed-inline-table"),
    ],
)
def test_what_cannot_be_edited_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        with_trust(text, SHOP)
