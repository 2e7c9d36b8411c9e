"""Secrets are masked, and what only looks like one is left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from story_automator.rules.masking import MOST_LINES_OF_KEY, Masker, mask
from story_automator.rules.readable import Readable

# Put together here, so that no scanner takes this file for a leak.
ANTHROPIC = "sk-" + "ant-api03-" + "Ab1_-" * 20
OPENAI = "sk-" + "proj-" + "aB3" * 12
AWS = "AKIA" + "IOSFODNN7EXAMPLE"
GITHUB = "gh" + "p_" + "a1B2c3D4e5" * 3
KEY_BODY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\nVJTUt9Us8cKj+/==\n"


def block(kind: str = "RSA ", body: str = KEY_BODY) -> str:
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{body}-----END {kind}PRIVATE KEY-----\n"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        pytest.param(f"key is {ANTHROPIC}.", "key is sk-ant-***.", id="an-anthropic-key"),
        pytest.param("sk-ant-x", "sk-ant-***", id="an-anthropic-key-of-any-length"),
        pytest.param(f"({OPENAI})", "(sk-***)", id="another-api-key"),
        pytest.param(f"{AWS} and ASIA{AWS[4:]}", "AKIA*** and ASIA***", id="aws-key-ids"),
        pytest.param(GITHUB, "ghp_***", id="a-github-token"),
        pytest.param("github_pat_11AAAAAAA0abcdef", "github_pat_***", id="a-fine-github-token"),
        pytest.param("Authorization: Bearer abc.d-e", "Authorization: Bearer ***", id="a-header"),
        pytest.param(
            '-H "authorization: Basic dXNlcjpw" -v', '-H "authorization: Basic ***" -v',
            id="a-header-in-a-command",
        ),
        pytest.param('{"Authorization":"Bearer a"}', '{"Authorization":"Bearer ***"}', id="json"),
        pytest.param("got bearer eyJhbGciOiJIUzI1NiIsInR5", "got bearer ***", id="a-bearer-token"),
        pytest.param("API_KEY=abc;d", "API_KEY=***", id="a-variable"),
        pytest.param('export GITHUB_TOKEN="a b" x', 'export GITHUB_TOKEN="***" x', id="in-quotes"),
        pytest.param("SECRET='a b", "SECRET='***", id="in-quotes-that-do-not-end"),
        pytest.param(r'"password": "a\"b", "n": 1', '"password": "***", "n": 1', id="in-json"),
        pytest.param(r'{\"apiKey\": \"a\"}', r'{\"apiKey\": \"***\"}', id="in-json-in-a-string"),
        pytest.param("db.password: hunter2", "db.password: ***", id="in-yaml"),
        pytest.param("password: hunter2 # dev", "password: *** # dev", id="before-a-comment"),
        pytest.param("DB_PASSWORD: a b", "DB_PASSWORD: *** b", id="a-variable-with-a-colon"),
        pytest.param(
            "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG", "aws_secret_access_key = ***",
            id="an-aws-secret-in-a-file",
        ),
        pytest.param(
            "AWS Secret Access Key [None]: wJalrXUtnFEMI/K7MDENG",
            "AWS Secret Access Key [None]: ***", id="an-aws-secret-at-a-prompt",
        ),
        pytest.param('os.environ["API_KEY"] = "a"', 'os.environ["API_KEY"] = "***"', id="in-code"),
        pytest.param('-H "x-api-key: abc" url', '-H "x-api-key: ***" url', id="in-a-header"),
        pytest.param("PGPASSWORD=a APIKEY=b apikey=c", "PGPASSWORD=*** APIKEY=*** apikey=***",
                     id="names-without-a-parting"),
        pytest.param("accessToken: 'a', x", "accessToken: '***', x", id="a-name-in-camel-case"),
        pytest.param("?user=x&token=abc", "?user=x&token=***", id="in-an-address"),
        pytest.param("│ API_KEY=abc │ ok │", "│ API_KEY=*** │ ok │", id="in-a-table"),
        pytest.param("TOKEN=sk-ant-x", "TOKEN=sk-ant-***", id="the-kind-is-kept-in-a-variable"),
        pytest.param("TOKEN=my***pass", "TOKEN=***", id="stars-in-a-secret-do-not-save-it"),
        pytest.param("key: PASSWORD=a", "key: PASSWORD=***", id="a-secret-after-a-harmless-name"),
        pytest.param("key: 8f3a9c1be07d44", "key: ***", id="a-bare-key-that-looks-random"),
        pytest.param("TOKEN=" + "x" * 9000 + " y", "TOKEN=*** y", id="a-very-long-one"),
        pytest.param("keyboard_password=a", "keyboard_password=***", id="a-second-telling-word"),
        pytest.param("PASSWORD=none TOKEN=1", "PASSWORD=*** TOKEN=***", id="any-word-at-all"),
        pytest.param("MONKEY=a", "MONKEY=***", id="in-doubt-masked"),
        pytest.param("KEYCLOAK_ADMIN=a", "KEYCLOAK_ADMIN=***", id="the-word-at-the-start"),
    ],
)  # fmt: skip
def test_a_secret_is_masked(text: str, masked: str) -> None:
    assert mask(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        "the key idea: always test first",
        "Key: value pairs are the key to tokens",
        "keyboard=us, monkey=1, hotkey: ctrl+c, keyword=x, tokenizer=fast, secretary: Bob",
        "Password: must be at least 8 characters",
        "invalid_token: the token has expired",
        "passwordless: true, is_secret: false, api_key: missing",
        'max_tokens=4096 input_tokens: 1,234 "output_tokens": 512 token_count: 5 (12.3k tokens)',
        "def ask(api_key: str, token: Optional[str] = None) -> None:",
        "self.token = token",
        "token = get_token()",
        "sorted(items, key=len)",
        '{"key": "Enter"} <li key="row">',
        "tests/test_auth.py::test_token PASSED [ 3%]",
        "test_api_key: ok",
        "✓ password: rejects empty ones (3 ms)",
        "│ test_reset_password │ 3 failed │",
        "task-management-system-2024 and sk-learn-contrib-packages",
        "Bearer of good news; Authorization: none",
        "PASSWORD=",
        "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7",
    ],
)
def test_prose_code_and_tables_are_left_alone(text: str) -> None:
    assert mask(text) == text


class TestPrivateKeys:
    @pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
    def test_nothing_of_a_key_is_left(self, kind: str) -> None:
        begin, end = f"-----BEGIN {kind}PRIVATE KEY-----", f"-----END {kind}PRIVATE KEY-----"
        assert mask(f"before\n{block(kind)}after\n") == f"before\n{begin}***\n{end}\nafter\n"

    def test_behind_line_numbers_and_in_a_box_too(self) -> None:
        body = "  2→Proc-Type: 4,ENCRYPTED\n│ MIIEvQ+/ │\n\n+VJTUt9Us8cKj==\n"
        assert mask(block(body=body)) == mask(block())

    def test_a_key_in_one_line_of_json(self) -> None:
        line = block().replace("\n", "\\n")
        assert mask(f'"k": "{line}", "n": 1') == (
            '"k": "-----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----\\n", "n": 1'
        )

    def test_a_key_that_comes_line_by_line(self) -> None:
        masker = Masker()
        parts = [masker.feed(line) for line in f"{block()}after\n".splitlines(keepends=True)]
        assert "".join(parts) == mask(f"{block()}after\n")

    def test_a_key_that_is_cut_off_does_not_hide_what_follows(self) -> None:
        cut = block()[:80]
        assert mask(f"{cut}\nthe tests: 3 failed\n").endswith("\nthe tests: 3 failed\n")
        words = "ok\n" * (2 * MOST_LINES_OF_KEY)
        assert mask(f"{cut}\n{words}").count("ok") >= MOST_LINES_OF_KEY - 1


def test_a_secret_that_the_terminal_wrapped_is_masked() -> None:
    readable = Readable()
    text = readable.feed("x" * 150 + f" {ANTHROPIC} end\r\n") + readable.close()
    assert text == "x" * 150 + " sk-ant-*** end\n"


def test_a_secret_in_colours_is_masked() -> None:
    readable = Readable()
    text = readable.feed("API_\x1b[1mKEY\x1b[0m=\x1b[32mab\x1b[31mc\x1b[0m\r\n") + readable.close()
    assert text == "API_KEY=***\n"


@given(
    name=st.sampled_from(["API_KEY", "my.token", "DB_PASSWORD", "clientSecret", "x-api-key"]),
    value=st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=10),
    before=st.sampled_from(["", "export ", "│ ", "key: ", "x=1 ", '{"a": 1} ']),
)
def test_no_value_of_a_telling_name_is_left(name: str, value: str, before: str) -> None:
    secret = f"q7{value}z"
    assert secret not in mask(f"{before}{name}={secret}")


@given(st.text())
def test_text_that_is_masked_is_masked_once(text: str) -> None:
    once = mask(f"API_KEY={text}")
    assert mask(once) == once
