"""What stdout carries: one compact JSON line, or one CSV line with a fixed number of columns."""

import json
from collections.abc import Iterable, Mapping


def json_line(answer: Mapping[str, object]) -> str:
    """Compact, keys in insertion order, non-ASCII escaped."""
    return json.dumps(answer, separators=(",", ":"))


def csv_line(cells: Iterable[object]) -> str:
    """One row; a cell with a comma, a quote or a line break is quoted."""
    return ",".join(_cell(str(cell)) for cell in cells)


def _cell(text: str) -> str:
    text = " ".join(text.splitlines()) if ("\n" in text or "\r" in text) else text
    if "," in text or '"' in text:
        return '"' + text.replace('"', '""') + '"'
    return text
