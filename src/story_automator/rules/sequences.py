"""What control sequences with a final letter do to a screen, one line for each."""

from collections.abc import Callable

from story_automator.rules.grid import Grid

LARGEST_NUMBER = 9999


def numbers(parameters: str) -> tuple[int, int]:
    """The first two parameters; a missing or odd one is 0."""
    if not parameters:
        return 0, 0
    first, _, rest = parameters.partition(";")
    second = rest.partition(";")[0]
    return (
        min(int(first), LARGEST_NUMBER) if first.isdecimal() else 0,
        min(int(second), LARGEST_NUMBER) if second.isdecimal() else 0,
    )


def save(grid: Grid) -> None:
    grid.saved = (grid.x, grid.y)


def restore(grid: Grid) -> None:
    grid.move_to(*grid.saved)


def repeat(grid: Grid, count: int) -> None:
    before = grid.rows[grid.y][: grid.x][-2:]
    if before:
        grid.write((before[-1] or before[0]) * min(count, grid.width - grid.x))


def down_to_start(grid: Grid, count: int) -> None:
    grid.down(count)
    grid.x = 0


def set_row(grid: Grid, y: int) -> None:
    """Unlike other moves this leaves a cursor behind the last column where it is."""
    grid.y = min(max(y, 0), grid.height - 1)


def next_line(grid: Grid) -> None:
    grid.x = 0
    grid.linefeed()


def up_to_start(grid: Grid, count: int) -> bool:
    grid.x = 0
    return grid.up(count)


def move_to(grid: Grid, x: int, y: int) -> bool:
    grid.move_to(x, y)
    return grid.y == 0


# True when a program goes to, or means to go above, the top: it draws over what has scrolled out.
Effect = Callable[[Grid, int, int], bool | None]

EFFECTS: dict[str, Effect] = {
    "@": lambda grid, n, _: grid.insert_blanks(n or 1),
    "A": lambda grid, n, _: grid.up(n or 1),
    "B": lambda grid, n, _: grid.down(n or 1),
    "C": lambda grid, n, _: grid.move_to(grid.x + (n or 1), grid.y),
    "D": lambda grid, n, _: grid.move_to(grid.x - (n or 1), grid.y),
    "E": lambda grid, n, _: down_to_start(grid, n or 1),
    "F": lambda grid, n, _: up_to_start(grid, n or 1),
    "G": lambda grid, n, _: grid.move_to(n - 1, grid.y),
    "H": lambda grid, n, m: move_to(grid, m - 1, n - 1),
    "K": lambda grid, n, _: grid.erase_line(n),
    "L": lambda grid, n, _: grid.insert_lines(n or 1),
    "M": lambda grid, n, _: grid.delete_lines(n or 1),
    "P": lambda grid, n, _: grid.delete_cells(n or 1),
    "S": lambda grid, n, _: grid.scroll_up(n or 1),
    "T": lambda grid, n, _: grid.scroll_down(n or 1),
    "X": lambda grid, n, _: grid.erase_cells(n or 1),
    "b": lambda grid, n, _: repeat(grid, n or 1),
    "d": lambda grid, n, _: set_row(grid, n - 1),
    "r": lambda grid, n, m: grid.set_region(max(n, 1) - 1, (m or grid.height) - 1),
    "s": lambda grid, _, __: save(grid),
    "u": lambda grid, _, __: restore(grid),
}
EFFECTS |= {"f": EFFECTS["H"], "`": EFFECTS["G"], "a": EFFECTS["C"], "e": EFFECTS["B"]}

SIMPLE_EFFECTS: dict[str, Callable[[Grid], object]] = {
    "7": save,
    "8": restore,
    "D": Grid.linefeed,
    "E": next_line,
    "M": Grid.reverse_linefeed,
}
