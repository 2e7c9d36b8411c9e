"""Todo boxes in the text an agent leaves behind."""

import re
from collections.abc import Sequence

BOX = re.compile(r"^[\s│⎿]*(?P<box>[☐☒✔☑])\s+\S")
OPEN = "☐"


def count_todos(lines: Sequence[str]) -> tuple[int, int]:
    """Done and total of the last list of boxes; earlier lists are older states of the same."""
    done = total = 0
    for line in reversed(lines):
        found = BOX.match(line)
        if found:
            total += 1
            done += found["box"] != OPEN
        elif total:
            break
    return done, total
