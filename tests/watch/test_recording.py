"""The output file: the agent's own record where there is one, else what the pane showed."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from story_automator.agents.look import newest_todos
from story_automator.edges import transcript as transcripts
from story_automator.watch.recording import SCREEN_TAIL, plain, write_recording

RECORDINGS = Path(__file__).parents[2] / "fixtures" / "agents"
CLAUDE = RECORDINGS / "claude" / "output-recordings"
CODEX = RECORDINGS / "codex" / "output-recordings"
PANE = "● What the pane showed\r\n"


class Session:
    """The files of one session, and what becomes of them."""

    def __init__(self, folder: Path) -> None:
        self.transcript = folder / "transcript.jsonl"
        self.log = folder / "output.log"
        self.target = folder / "output.txt"
        self.log.write_text(PANE, newline="")

    def tells(self, *lines: object) -> None:
        self.transcript.write_text("".join(json.dumps(line) + "\n" for line in lines))

    def output(self, agent: str = "claude", **more: Any) -> str:
        given = {"transcript": self.transcript, **more}
        written = write_recording(self.target, log=self.log, agent=agent, **given)
        if not self.target.exists():
            assert written == 0
            return ""
        assert written == self.target.stat().st_size
        assert self.target.stat().st_mode & 0o777 == 0o600
        return self.target.read_text()


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path)


def said(words: str, at: int = 1) -> dict[str, object]:
    content = [{"type": "text", "text": words}]
    moment = f"2026-11-18T15:00:{at:02}Z"
    return {"type": "assistant", "message": {"content": content}, "timestamp": moment}


def asked(words: str, at: int = 0) -> dict[str, object]:
    moment = f"2026-11-18T15:00:{at:02}Z"
    return {"type": "user", "message": {"content": words}, "timestamp": moment}


class TestRealSessions:
    @pytest.mark.parametrize(
        "case", sorted(path.stem for path in CLAUDE.glob("*.jsonl") if path.stem != "killed")
    )
    def test_claude(self, session: Session, case: str) -> None:
        shown = session.output(transcript=CLAUDE / f"{case}.jsonl")
        assert shown == (CLAUDE / f"{case}.txt").read_text()

    @pytest.mark.parametrize("case", sorted(path.stem for path in CODEX.glob("*.log")))
    def test_codex(self, session: Session, case: str) -> None:
        session.log = CODEX / f"{case}.log"
        message = (CODEX / f"{case}.message.txt").read_text()
        shown = session.output("codex", transcript=None, last_message=message)
        assert shown == (CODEX / f"{case}.txt").read_text()

    def test_the_task_list_of_a_real_session_is_counted(self, session: Session) -> None:
        shown = session.output(transcript=CLAUDE / "tasks.jsonl")
        assert newest_todos(shown.splitlines()) == (3, 3)

    def test_what_was_killed_before_it_said_anything_leaves_the_pane(
        self, session: Session
    ) -> None:
        shown = session.output(transcript=CLAUDE / "killed.jsonl", unfinished=True)
        assert shown == "● What the pane showed\n"


class TestWhichRecord:
    def test_a_transcript_in_which_the_agent_speaks(self, session: Session) -> None:
        session.tells(said("Done.", at=2), asked("Go.", at=1))
        assert session.output() == "> Go.\n\nDone.\n"

    @pytest.mark.parametrize(
        "content",
        [
            pytest.param(None, id="no-transcript"),
            pytest.param(b"", id="an-empty-one"),
            pytest.param(json.dumps(asked("Go.")).encode(), id="only-a-prompt"),
            pytest.param(b"\xff\xfe not JSON\n" * 9, id="no-JSON"),
            pytest.param(b'{"type": "assistant", "message": {"content": [{"type": "te', id="half"),
            pytest.param(
                b'{"timestamp":"2026-11-18T15:00:00Z","type":"response_item","payload":{}}\n',
                id="the-record-of-another-agent",
            ),
        ],
    )
    def test_the_pane_stands_in_for(self, session: Session, content: bytes | None) -> None:
        if content is not None:
            session.transcript.write_bytes(content)
        assert session.output() == "● What the pane showed\n"

    def test_without_hooks_nobody_knows_of_a_transcript(self, session: Session) -> None:
        assert session.output(transcript=None) == "● What the pane showed\n"

    def test_an_agent_of_another_name_may_write_a_transcript(self, session: Session) -> None:
        session.tells(said("Done."))
        assert session.output("command") == "Done.\n"

    def test_a_codex_without_events_leaves_the_pane(self, session: Session) -> None:
        assert session.output("codex") == "● What the pane showed\n"

    def test_nothing_to_say_writes_no_file(self, session: Session) -> None:
        session.log.unlink()
        assert session.output() == ""

    def test_a_line_that_is_too_long_is_mentioned(
        self, session: Session, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(transcripts, "LONGEST_LINE", 1_000_000)
        session.tells(said("x" * 3_000_000), said("Done.", at=2))
        assert session.output() == "── a line of 3 MB is left out ──\n\nDone.\n"


class TestLastMessage:
    def test_one_that_is_not_written_yet_is_added_whole(self, session: Session) -> None:
        session.tells(asked("Go."), said("Working."))
        message = "## All\n\n" + "\n".join(f"- row {n}" for n in range(3000))
        assert session.output(last_message=message) == f"> Go.\n\nWorking.\n\n{message}\n"

    @pytest.mark.parametrize(
        "blocks",
        [
            pytest.param(["All of it.\n\nIs done.\n"], id="as-one"),
            pytest.param(["All of it.", "Is done."], id="in-blocks"),
        ],
    )
    def test_one_that_is_there_is_not_told_twice(self, session: Session, blocks: list[str]) -> None:
        session.tells(said("Working."), *(said(block, at=2) for block in blocks))
        shown = session.output(last_message="All of it.\n\nIs done.")
        assert shown.count("Is done.") == 1

    def test_the_same_words_of_an_earlier_turn_do_not_count(self, session: Session) -> None:
        session.tells(said("Done.", at=1), asked("More.", at=2), said("Working.", at=3))
        assert session.output(last_message="Done.").endswith("Working.\n\nDone.\n")

    def test_an_error_that_is_the_last_message_is_not_told_twice(self, session: Session) -> None:
        session.tells({**said("API Error: 529"), "isApiErrorMessage": True, "error": "e"})
        assert session.output(last_message="API Error: 529") == "✗ API Error: 529 [e]\n"

    def test_it_stands_for_a_record_that_has_only_the_prompt_yet(self, session: Session) -> None:
        session.tells(asked("Go."))
        assert session.output(last_message="API Error: 529") == "> Go.\n\nAPI Error: 529\n"

    def test_codex_keeps_it_in_a_file_of_its_own(self, session: Session) -> None:
        session.log.write_text('{"type":"thread.started"}\r\n{"type":"item.compl', newline="")
        shown = session.output("codex", last_message="The end.")
        assert shown == '{"type":"item.compl\n\nThe end.\n'

    @pytest.mark.parametrize("agent", ["claude", "codex"])
    def test_the_pane_is_followed_by_it(self, session: Session, agent: str) -> None:
        shown = session.output(agent, last_message="**What** the pane `drew`\n")
        assert shown == (
            "● What the pane showed\n\n── the last message ──\n**What** the pane `drew`\n"
        )

    def test_the_pane_that_shows_it_is_enough(self, session: Session) -> None:
        row = "a long row " * 30
        session.log.write_text(f"● Done.\r\n\r\n  {row}\r\n\r\n> \r\n", newline="")
        shown = session.output(last_message=f"Done.\n\n{row}")
        assert "last message" not in shown


class TestUnfinished:
    def test_the_end_of_the_screen_is_added(self, session: Session) -> None:
        rows = [f"drawn {n}" for n in range(200)]
        session.log.write_text("".join(f"{row}\r\n" for row in rows), newline="")
        session.tells(said("Working."))
        heading, *shown = session.output(unfinished=True).splitlines()[2:]
        assert heading == "── the end of the screen ──"
        assert shown == rows[-SCREEN_TAIL:]

    def test_a_finished_turn_needs_no_screen(self, session: Session) -> None:
        session.tells(said("Done."))
        assert session.output() == "Done.\n"

    def test_codex_has_said_all_in_its_log(self, session: Session) -> None:
        session.log.write_text('{"type":"error","message":"killed"}\r\n', newline="")
        assert session.output("codex", unfinished=True) == "✗ killed\n"

    def test_what_was_printed_among_events_is_kept(self, session: Session) -> None:
        session.log.write_text(
            '\x1b[31mwarn\x1b[0m\r\n{"type":"error","message":"a"}\r\npanic: API_KEY=abc\r\n',
            newline="",
        )
        assert session.output("codex") == "warn\n\n✗ a\n\npanic: API_KEY=***\n"


class TestClean:
    def test_secrets_are_masked_wherever_they_stand(self, session: Session) -> None:
        call = {
            "type": "tool_use",
            "id": "t",
            "name": "Bash",
            "input": {"command": "API_KEY=abc x"},
        }
        answer = {"type": "tool_result", "tool_use_id": "t", "content": "password=hunter22"}
        session.tells(
            asked("use GITHUB_TOKEN=abcdefgh", at=0),
            {"type": "assistant", "message": {"content": [call]}},
            {"type": "user", "message": {"content": [answer]}},
            said("It is sk-ant-api03-abcdefgh.", at=5),
        )
        shown = session.output(last_message="And DB_PASSWORD=hunter22")
        assert shown == (
            "> use GITHUB_TOKEN=***\n\n● Bash(API_KEY=*** x)\n  │ password=***\n\n"
            "It is sk-ant-***.\n\nAnd DB_PASSWORD=***\n"
        )

    def test_no_part_of_a_trimmed_private_key_is_shown(self, session: Session) -> None:
        body = [f"c2VjcmV0{n:04}" for n in range(120)]
        key = "-----BEGIN RSA PRIVATE KEY-----", *body, "-----END RSA PRIVATE KEY-----"
        answer = {"type": "tool_result", "tool_use_id": "t", "content": "\n".join(key)}
        session.tells(said("Look."), {"type": "user", "message": {"content": [answer]}})
        shown = session.output()
        assert "RSA PRIVATE KEY" in shown
        assert "c2VjcmV0" not in shown

    @pytest.mark.parametrize(
        ("raw", "text"),
        [
            ("\x1b[2mdim\x1b[22m", "dim"),
            ("\x1b]0;title\x07x", "x"),
            ("\x1b]8;;http://a\x1b\\link", "link"),
            ("a\r\nb\rc\td", "a\nb\nc\td"),
            ("bell\x07 \x00nul \x9bc1 \x1b", "bell nul c1 "),
            ("漢字 ● é", "漢字 ● é"),
        ],
    )
    def test_escapes_and_controls_go(self, raw: str, text: str) -> None:
        assert plain(raw) == text

    def test_half_a_surrogate_pair_is_written_as_a_question_mark(self, session: Session) -> None:
        session.tells(said("a\ud800b"))
        assert session.output() == "a?b\n"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.lists(st.binary(max_size=60) | st.from_regex(rb'\{"type":"\w{0,9}".{0,20}\}'), max_size=6)
)
def test_any_bytes_leave_an_output(session: Session, content: list[bytes]) -> None:
    words = json.dumps(said("Done.")).encode()
    session.transcript.write_bytes(b"\n".join([*content, words, *content]))
    assert "Done." in session.output()
    session.log.write_bytes(b"\n".join([b'{"type":"error","message":"Done."}', *content]))
    assert "Done." in session.output("codex")
