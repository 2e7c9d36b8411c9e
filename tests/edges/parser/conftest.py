"""No test of a parser leaves this machine."""

from collections.abc import Iterator

import pytest

from tests.parser_http import OwnTime, only_loopback


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with only_loopback(monkeypatch):
        yield


@pytest.fixture
def own_time() -> OwnTime:
    return OwnTime()
