"""Lines that carry a result, of the tools that agents run and of the agents themselves."""

import pytest

from story_automator.rules.result_lines import result_in


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("=== 3 failed, 17 passed in 2.1s ===", "a test summary"),
        ("Tests:       1 failed, 5 passed, 6 total", "a test summary"),
        ("      Tests  1 failed | 8 passed (9)", "a test summary"),
        ("  5 passing (12ms)", "a test summary"),
        ("ok  \tshop/cart\t0.012s".expandtabs(4), "a test summary"),
        ("--- FAIL: TestOrder (0.00s)", "a test summary"),
        ("test result: FAILED. 3 passed; 1 failed", "a test summary"),
        ("Tests run: 9, Failures: 1, Errors: 0", "a test summary"),
        ("12 examples, 1 failure", "a test summary"),
        ("Failed!  - Failed:     1, Passed:     8", "a test summary"),
        ("OK (12 tests, 24 assertions)", "a test summary"),
        ("Ran 12 tests in 0.3s", "a test summary"),
        ("BUILD SUCCESSFUL in 3s", "how a program ended"),
        ("[ERROR] BUILD FAILURE", "how a program ended"),
        ("  ✗ Exit code 3", "how a program ended"),
        ("Found 3 errors.", "how a program ended"),
        ("Traceback (most recent call last):", "an error"),
        ("src/a.ts(3,1): error TS2345: no", "an error"),
        ("KeyError: 'x'", "an error"),
        ("npm ERR! code 1", "an error"),
        ("- [HIGH] the key is not checked", "a finding of a review"),
        ("Critical: 0, High: 2", "a finding of a review"),
        ("Status: ready-for-dev", "the status of a story"),
        ("  1-2-user-login: review", "the status of a story"),
        ("[main 1a2b3c4] add the story", "a commit"),
        (" 2 files changed, 10 insertions(+)", "a commit"),
        ("● Write(src/order.py)", "a file that was written"),
        ("Created _bmad-output/stories/1-2.md", "a file that was written"),
    ],
)
def test_a_line_carries_a_result(line: str, kind: str) -> None:
    found = result_in(line)
    assert found
    assert found[1] == kind


@pytest.mark.parametrize("line", ["I read the file.", "", "● Read(src/a.py)", "2 + 2 = 4"])
def test_a_line_carries_none(line: str) -> None:
    assert result_in(line) is None
