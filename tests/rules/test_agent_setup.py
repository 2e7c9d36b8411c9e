"""What Claude's settings lack for a start without a person."""

from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from story_automator.rules.agent_setup import applied, key_end, missing

SHOP = PurePosixPath("/home/dev/shop")
KEY = "sk-ant-nobodys-key-0123456789abcdef"
END = key_end(KEY)
TRUSTED = {"hasTrustDialogAccepted": True}
READY: dict[str, object] = {
    "hasCompletedOnboarding": True,
    "projects": {str(SHOP): TRUSTED},
    "customApiKeyResponses": {"approved": [END], "rejected": []},
}
ONBOARDING = ("hasCompletedOnboarding",)
TRUST = ("projects", str(SHOP), "hasTrustDialogAccepted")
APPROVED = ("customApiKeyResponses", "approved")
REJECTED = ("customApiKeyResponses", "rejected")


@pytest.mark.parametrize(
    ("config", "end", "lacks"),
    [
        pytest.param({}, END, [ONBOARDING, TRUST, APPROVED], id="a-new-home-lacks-all"),
        pytest.param({}, "", [ONBOARDING, TRUST], id="without-a-key-none-is-approved"),
        pytest.param(READY, END, [], id="what-is-there-is-not-written-again"),
        pytest.param(
            {**READY, "hasCompletedOnboarding": False}, END, [ONBOARDING], id="not-onboarded"
        ),
        pytest.param(
            {**READY, "projects": {"/home": TRUSTED}}, END, [], id="trust-is-inherited-from-above"
        ),
        pytest.param({**READY, "projects": {"/": TRUSTED}}, END, [], id="even-from-the-root"),
        pytest.param(
            {**READY, "projects": {f"{SHOP}/sub": TRUSTED, "/home/dev/shop-2": TRUSTED}},
            END,
            [TRUST],
            id="trust-of-a-folder-below-or-beside-does-not-count",
        ),
        pytest.param(
            {**READY, "projects": {"/home": TRUSTED, str(SHOP): {"hasTrustDialogAccepted": False}}},
            END,
            [],
            id="a-no-of-the-folder-itself-does-not-undo-that-from-above",
        ),
        pytest.param(
            {**READY, "customApiKeyResponses": {"approved": [END[1:]]}},
            END,
            [APPROVED],
            id="one-character-off-is-another-key",
        ),
        pytest.param(
            {**READY, "customApiKeyResponses": {"rejected": ["other", END]}},
            END,
            [APPROVED, REJECTED],
            id="a-rejected-key-is-moved",
        ),
        pytest.param(
            {**READY, "customApiKeyResponses": {"approved": [END], "rejected": [END]}},
            END,
            [],
            id="approved-outweighs-rejected-as-it-does-for-claude",
        ),
    ],
)
def test_what_is_missing(config: object, end: str, lacks: list[tuple[str, ...]]) -> None:
    changes = missing(config, SHOP, end)
    assert [change.where for change in changes] == lacks
    assert missing(applied(config, changes), SHOP, end) == []


@pytest.mark.parametrize(
    ("config", "what"),
    [
        pytest.param([], "the file", id="a-list"),
        pytest.param({"hasCompletedOnboarding": "yes"}, "hasCompletedOnboarding", id="a-word"),
        pytest.param({"projects": []}, "projects", id="projects-as-a-list"),
        pytest.param({"projects": {str(SHOP): 1}}, str(SHOP), id="a-project-as-a-number"),
        pytest.param({"projects": {"/home": None}}, "/home", id="a-folder-above-as-null"),
        pytest.param({"customApiKeyResponses": 1}, "customApiKeyResponses", id="answers"),
        pytest.param({"customApiKeyResponses": {"approved": {}}}, "approved", id="approved"),
        pytest.param({"customApiKeyResponses": {"rejected": ""}}, "rejected", id="rejected"),
    ],
)
def test_a_shape_that_claude_does_not_write_is_refused(config: object, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        missing(config, SHOP, END)


def test_no_character_of_the_key_is_shown() -> None:
    config = {"customApiKeyResponses": {"rejected": [END]}}
    told = "".join(f"{c.shown}{c.why}{c!r}" for c in missing(config, SHOP, END))
    assert END not in told
    assert END[-4:] not in told


def test_a_moved_key_leaves_its_neighbours_where_they_were() -> None:
    config = {**READY, "customApiKeyResponses": {"approved": ["a"], "rejected": ["b", END, "c"]}}
    answers = applied(config, missing(config, SHOP, END))["customApiKeyResponses"]
    assert answers == {"approved": ["a", END], "rejected": ["b", "c"]}


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(st.dictionaries(st.text().filter(lambda name: name not in READY), values))
def test_all_other_keys_and_their_order_stay(config: dict[str, object]) -> None:
    wanted = applied(config, missing(config, SHOP, END))
    assert list(wanted)[: len(config)] == list(config)
    assert {name: wanted[name] for name in config} == config
    assert set(wanted) - set(config) == set(READY)
