"""What was measured: figures, the rows they stand in, and the table that shows them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

NOTHING = "–"


@dataclass(frozen=True, slots=True)
class Figure:
    """The values of one measure for one contender, and what they do not say."""

    values: tuple[float, ...] = ()
    note: str = ""

    @property
    def typical(self) -> float | None:
        return median(self.values) if self.values else None

    def cell(self) -> str:
        if not self.values:
            return self.note or NOTHING
        shown = short(median(self.values))
        if len(self.values) > 1:
            shown += f" / {short(max(self.values))}"
        return f"{shown} ({self.note})" if self.note else shown


@dataclass(frozen=True, slots=True)
class Row:
    """One measure: what every contender that took part reached, by name."""

    scene: str
    what: str
    unit: str
    figures: Mapping[str, Figure]

    def ratio(self, peer: str, us: str) -> str:
        theirs = self.figures.get(peer, Figure()).typical
        ours = self.figures.get(us, Figure()).typical
        # A difference of two measurements may be less than nothing: there is no ratio to it.
        return f"×{short(theirs / ours)}" if theirs and ours and min(theirs, ours) > 0 else NOTHING


def short(value: float) -> str:
    """Three digits that count."""
    value = round(value, 6) + 0.0  # no minus before a zero
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def table(rows: Iterable[Row], names: Sequence[str]) -> str:
    """The rows as a table: median / max each, and how many times ours the peers take."""
    us, *peers = names
    lines = [["scene", "measure", "unit", *names, *(f"{peer} ÷ {us}" for peer in peers)]]
    for row in rows:
        cells = [row.figures.get(name, Figure()).cell() for name in names]
        ratios = [row.ratio(peer, us) for peer in peers]
        lines.append([row.scene, row.what, row.unit, *cells, *ratios])
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join(
        "| "
        + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        + " |"
        for line in lines
    )
