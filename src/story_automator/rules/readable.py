"""What a session's log says to a reader: every line once, and no secrets."""

from story_automator.rules.masking import Masker
from story_automator.rules.terminal import Transcript


class Readable:
    """Wrapped rows are joined before they are masked: a secret may cross the edge of the screen."""

    def __init__(self) -> None:
        self._transcript = Transcript()
        self._masker = Masker()

    def feed(self, text: str) -> str:
        return self._masker.feed(self._transcript.feed(text))

    def close(self) -> str:
        return self._masker.feed(self._transcript.close())
