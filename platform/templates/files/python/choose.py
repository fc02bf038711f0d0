"""This file is yours: it chooses the moves."""

from tengen_brain import OPPONENT, OWN, Board, Clock

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def choose(board: Board, clock: Clock) -> tuple[int, int]:
    """Gives an empty point. In a long search ask `clock.is_up()`, and answer when it is true."""
    return max(board.empty(), key=lambda point: value(board, *point))


def value(board: Board, x: int, y: int) -> int:
    """How good a point looks: the longer the row it makes or stops, the better; then the nearer to
    the centre."""
    total = 0
    for dx, dy in DIRECTIONS:
        for whose, weight in ((OWN, 12), (OPPONENT, 10)):
            row = count(board, x, y, dx, dy, whose) + count(board, x, y, -dx, -dy, whose)
            total += weight * 100 ** min(row, 4)
    away = max(abs(x - board.width // 2), abs(y - board.height // 2))
    return 100 * total - away


def count(board: Board, x: int, y: int, dx: int, dy: int, whose: int) -> int:
    """How many stones follow the point without a gap in a direction."""
    length = 0
    while board.is_on_board(x + dx, y + dy) and board.cells[y + dy][x + dx] == whose:
        x, y, length = x + dx, y + dy, length + 1
    return length
