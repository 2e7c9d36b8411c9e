"""Only named variables reach a child."""

from story_automator.rules.environment import FOR_THE_AGENT, FOR_THE_TMUX_SERVER, allowed

CALLER = {
    "PATH": "/bin",
    "LC_TIME": "C",
    "HTTPS_PROXY": "http://127.0.0.1:1",
    "ANTHROPIC_API_KEY": "fake",
    "CLAUDECODE": "1",
    "MY_SECRET_TOKEN": "x",
    "BASH_ENV": "/evil",
    "LD_PRELOAD": "/evil.so",
    "PYTHONPATH": "/evil",
}


def test_an_agent_gets_its_keys_and_nothing_else() -> None:
    assert set(allowed(CALLER, FOR_THE_AGENT)) == {
        "PATH",
        "LC_TIME",
        "HTTPS_PROXY",
        "ANTHROPIC_API_KEY",
    }


def test_a_tmux_server_gets_no_key_at_all() -> None:
    assert set(allowed(CALLER, FOR_THE_TMUX_SERVER)) == {"PATH", "LC_TIME"}
