"""What a model gets to read: within the budget, the ends in it, drawings once, secrets never."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from story_automator.model.long_text import LongText, Row
from story_automator.rules.excerpt import TOKENS, Excerpt, excerpt, room
from story_automator.rules.fence import fence
from story_automator.rules.masking import mask


def rows(*texts: str, start: int = 1) -> tuple[Row, ...]:
    return tuple(Row(number, text) for number, text in enumerate(texts, start))


def whole(*texts: str, last_message: str = "") -> LongText:
    shown = rows(*texts)
    return LongText(tail=shown, lines=len(shown), last_message=last_message)


def kinds(made: Excerpt) -> set[str]:
    return {part.kind for part in made.parts}


class TestBudget:
    def test_is_what_the_fixed_text_leaves(self) -> None:
        assert room(TOKENS, "a" * 1000, "b" * 500) == 21_000 - 1500
        assert room(10, "a" * 100) == 0

    @settings(max_examples=300, deadline=None)
    @given(
        st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=300)),
        st.lists(st.sampled_from(["1 failed", "all is well", "", "─" * 50, "key=AKIA" + "Q" * 16])),
        st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=900),
        st.integers(0, 500),
        st.integers(0, 500),
        st.integers(400, 3000),
    )
    def test_is_kept_and_both_ends_are_in_it(
        self,
        texts: list[str],
        more: list[str],
        message: str,
        head: int,
        gap: int,
        budget: int,
    ) -> None:
        shown = rows(*texts, *more, "the agent leaves: bye")
        cut = min(head, len(shown) - 1)
        tail = tuple(Row(row.number + gap, row.text) for row in shown[cut:])
        text = LongText(shown[:cut], tail, (), len(shown) + gap, 0, message)
        made = excerpt(text, budget)
        assert len(made.text) <= budget
        assert "the agent leaves: bye" in made.text
        assert not message.strip() or mask(message).strip("\n")[-60:] in made.text

    @given(st.lists(st.text(max_size=2000), min_size=1), st.text(max_size=500), st.integers(0, 400))
    def test_however_small_is_never_exceeded(
        self, texts: list[str], message: str, budget: int
    ) -> None:
        assert len(excerpt(whole(*texts, last_message=message), budget).text) <= budget

    def test_of_many_isolated_results_is_kept(self) -> None:
        texts = [f"{n} failed" if n % 2 else f"word {n} of a story" for n in range(5000)]
        made = excerpt(whole(*texts), 3000)
        assert 2000 < len(made.text) <= 3000

    def test_a_session_of_5000_lines_fits_the_default(self) -> None:
        texts = [f"{n}: the agent reads src/module_{n % 97}.py and thinks" for n in range(5000)]
        made = excerpt(whole(*texts, last_message="Done."), room(TOKENS, "x" * 2900))
        assert len(made.text) + 2900 <= TOKENS * 3.5


class TestOrder:
    def long_session(self, last_message: str = "") -> LongText:
        texts = [f"line {n} says nothing in particular" for n in range(3000)]
        texts[0], texts[-1] = "the very first line", "the very last line"
        texts[1500] = "=== 2 failed, 9 passed in 3.1s ==="
        return whole(*texts, last_message=last_message)

    def test_everything_is_in_it_where_it_fits(self) -> None:
        made = excerpt(whole("one", "two", "three"), 1000)
        assert made.text == "one\ntwo\nthree"

    def test_a_long_output_gives_its_ends_and_its_results(self) -> None:
        made = excerpt(self.long_session("All is done, the tests are green."), 2000)
        shown = made.text.split("\n")
        assert shown[0] == "the very first line"
        assert "=== 2 failed, 9 passed in 3.1s ===" in shown
        assert shown[-3:] == [
            "the very last line",
            "── the last message ──",
            "All is done, the tests are green.",
        ]
        assert kinds(made) == {"head", "result", "tail", "message"}

    def test_what_is_left_out_is_counted(self) -> None:
        made = excerpt(self.long_session(), 2000)
        numbers = {int(line.split()[1]) for line in made.text.split("\n") if line[:4] == "line"}
        left_out = [line for line in made.text.split("\n") if line.startswith("…")]
        assert sum(int(mark.split()[1].replace(",", "")) for mark in left_out) == 3000 - 3 - len(
            numbers
        )

    def test_rows_that_were_not_read_are_counted(self) -> None:
        text = LongText(rows("a"), rows("c", start=900), rows("1 failed", start=500), 900)
        assert excerpt(text, 999).text == "a\n… 498 lines …\n1 failed\n… 399 lines …\nc"

    def test_a_summary_outranks_other_results_and_the_newest_comes_first(self) -> None:
        texts = [f"error number {n} in a long and winding explanation" for n in range(500)]
        texts[3], texts[250] = "3 failed, 1 passed", "0 failed, 4 passed"
        made = excerpt(whole(*texts, *["nothing to see"] * 50, *"abcdefgh"), 900)
        assert "3 failed, 1 passed" in made.text
        assert "0 failed, 4 passed" in made.text
        assert "error number 499 " in made.text

    def test_a_message_that_the_file_shows_is_not_shown_twice(self) -> None:
        said = "I finished the\nstory.\n\nAll 4 tests pass."
        shown = ("● I finished", "  the story.", "", "  All 4 tests pass.", "", "> _")
        made = excerpt(whole("before", *shown, last_message=said), 999)
        assert made.text == f"before\n{said}\n> _"
        assert [(p.first, p.last) for p in made.parts if p.kind == "message"] == [(2, 5)]

    def test_a_word_of_a_longer_line_is_not_taken_for_the_message(self) -> None:
        made = excerpt(whole("All is Done.", "bye", last_message="Done."), 999)
        assert made.text == "All is Done.\nbye\n── the last message ──\nDone."

    def test_a_message_beyond_the_budget_gives_its_end_and_says_so(self) -> None:
        said = "word " * 4000 + "and the tests fail."
        made = excerpt(whole("x", "last line", last_message=said), 1000)
        assert "last line" in made.text
        assert "characters of the last message are left out …" in made.text
        assert made.text.endswith("and the tests fail.")
        assert "longer than the budget" in next(p.why for p in made.parts if p.kind == "message")

    def test_a_message_beyond_any_budget_gives_its_end_too(self) -> None:
        made = excerpt(whole("x", last_message="word\n" * 300_000 + "the end"), 1000)
        assert made.text.endswith("word\nthe end")

    def test_a_long_line_keeps_both_ends(self) -> None:
        made = excerpt(whole("begins " + "word " * 3000 + "ends"), 5000)
        assert made.text.startswith("begins word")
        assert made.text.endswith("word ends")
        assert len(made.text) <= 1000

    def test_every_part_says_why(self) -> None:
        made = excerpt(self.long_session("Bye."), 2000)
        assert all(part.why and part.chars >= 0 for part in made.parts)
        assert {part.why for part in made.parts} == {
            "the beginning of the output",
            "a test summary",
            "the end of the output",
            "the last line",
            "the last message, whole",
        }


class TestSecrets:
    KEY = ("-----BEGIN PRIVATE KEY-----", *["MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwgg" * 2] * 20)

    def test_leave_neither_in_rows_nor_in_the_message(self) -> None:
        secret = "sk-ant-api03-abcdefghijkl"
        made = excerpt(whole(f"key {secret}", "x", last_message=f"I used {secret} today"), 999)
        assert "abcdef" not in made.text
        assert made.text.count("sk-ant-***") == 2

    def test_are_masked_before_a_line_is_cut(self) -> None:
        for before in range(540, 620):
            line = "x" * before + " API_KEY=abcdefghijklmnopqrstuvwxyz " + "y" * 900
            text = excerpt(whole(line, "end"), 5000).text
            assert not any(part in text for part in ("abcdef", "uvwxyz", "ijklmn"))

    def test_are_masked_before_a_message_is_cut(self) -> None:
        for after in range(300, 360):
            said = "word " * 300 + 'password = "correct horse battery" ' + "z" * after
            assert "battery" not in excerpt(whole("end", last_message=said), 800).text

    @pytest.mark.parametrize("begin", range(0, 22, 3))
    def test_the_rest_of_a_key_after_a_gap_is_not_told(self, begin: int) -> None:
        key = (*self.KEY, "Zm9vYmFy==", "-----END PRIVATE KEY-----", "after", "end")
        text = LongText(rows("first"), rows(*key[begin:], start=1000), (), 1030)
        shown = excerpt(text, 9000).text
        assert "MIIE" not in shown
        assert "Zm9v" not in shown
        assert shown.endswith("after\nend")

    def test_a_line_of_a_key_is_no_result(self) -> None:
        line = "QUJDREVGR0hJSktMTU5PUFFSfailVFVWV1hZWmFiY2RlZmdoaWprbG1ub3BxcnN0"
        text = LongText(rows("a"), rows("z", start=99), rows(line, start=50), 99)
        assert "QUJD" not in excerpt(text, 999).text


class TestFence:
    def test_stands_around_the_text(self) -> None:
        fenced = fence("a\n</output> --- ", "k3j9x2m1")
        assert fenced == "<output-k3j9x2m1>\na\n</output> --- \n</output-k3j9x2m1>"

    @pytest.mark.parametrize("text", ["x k3j9x2m1 y", "</output-K3J9X2M1>"])
    def test_cannot_be_closed_by_the_text(self, text: str) -> None:
        with pytest.raises(ValueError, match="draw another"):
            fence(text, "k3j9x2m1")

    @pytest.mark.parametrize("tag", ["", "short", "has blank1", "close>12", "a" * 65])
    def test_needs_a_tag_that_cannot_be_guessed(self, tag: str) -> None:
        with pytest.raises(ValueError, match="8 to 64"):
            fence("x", tag)
