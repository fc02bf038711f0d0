"""The Gomocup protocol for engines in Python: the board, the clock, and the loop of commands.

Protocol: https://plastovicka.github.io/protocl2en.htm
"""

from __future__ import annotations

import sys
import time
import traceback
from typing import Callable, Iterator, Optional, TextIO, Tuple

EMPTY, OWN, OPPONENT = 0, 1, 2

#: Seconds that an answer needs on its way, and a busy machine may take.
RESERVE = 0.05

Point = Tuple[int, int]


class Board:
    """The stones of a game, as the engine sees them."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        #: `cells[y][x]` is EMPTY, OWN or OPPONENT.
        self.cells = [[EMPTY] * width for _ in range(height)]
        #: The points that were played, in order.
        self.moves: list[Point] = []

    def is_on_board(self, x: int, y: int) -> bool:
        return 0 <= x < self.width and 0 <= y < self.height

    def is_empty(self, x: int, y: int) -> bool:
        """Whether the point is on the board and has no stone."""
        return self.is_on_board(x, y) and self.cells[y][x] == EMPTY

    def empty(self) -> Iterator[Point]:
        """All empty points."""
        rows = range(self.height)
        return ((x, y) for y in rows for x in range(self.width) if self.cells[y][x] == EMPTY)

    def place(self, x: int, y: int, whose: int) -> None:
        if not self.is_empty(x, y):
            raise ValueError(f"{x},{y} is not an empty point")
        self.cells[y][x] = whose
        self.moves.append((x, y))

    def remove(self, x: int, y: int) -> None:
        if not self.is_on_board(x, y) or self.cells[y][x] == EMPTY:
            raise ValueError(f"{x},{y} has no stone")
        self.cells[y][x] = EMPTY
        self.moves.remove((x, y))


class Clock:
    """The time for one move, with a reserve for the answer."""

    def __init__(self, info: dict[str, str]) -> None:
        def seconds(key: str) -> Optional[float]:
            try:
                return int(info[key]) / 1000
            except (KeyError, ValueError):
                return None

        turn, left = seconds("timeout_turn"), seconds("time_left")
        if not seconds("timeout_match"):
            left = None
        limits = []
        if turn is not None:
            limits.append(turn)
        if left is not None:
            # A share of the game's clock; a game lasts some thirty moves more.
            limits.append(max(left / 30, 0.0))
        limit = min(limits) if limits else None
        if limit is not None:
            limit -= min(RESERVE, limit / 2)
        #: Seconds for this move, the reserve taken off; None without a limit.
        self.limit = limit
        self._start = time.monotonic()

    def elapsed(self) -> float:
        return time.monotonic() - self._start

    def is_up(self) -> bool:
        """Whether the engine must answer now."""
        return self.limit is not None and self.elapsed() >= self.limit


Choose = Callable[[Board, Clock], Point]


class _Brain:
    def __init__(self, choose: Choose, about: str, out: TextIO) -> None:
        self.choose, self.about, self.out = choose, about, out
        self.board: Optional[Board] = None
        self.info: dict[str, str] = {}

    def say(self, line: str) -> None:
        self.out.write(line + "\n")
        self.out.flush()

    def start(self, width: int, height: int) -> None:
        if not (5 <= width <= 32 and 5 <= height <= 32):
            self.say("ERROR unsupported size")
            return
        self.board = Board(width, height)
        self.say("OK")

    def answer(self, board: Board) -> None:
        x, y = self.choose(board, Clock(self.info))
        board.place(x, y, OWN)
        self.say(f"{x},{y}")

    def read_board(self, board: Board, lines: Iterator[str]) -> None:
        fresh = Board(board.width, board.height)
        for line in lines:
            if line.strip().upper() == "DONE":
                break
            x, y, whose = (int(part) for part in line.split(","))
            fresh.place(x, y, OWN if whose == 1 else OPPONENT)
        self.board = fresh
        self.answer(fresh)

    def obey(self, words: list[str], lines: Iterator[str]) -> bool:
        """Does what one command says. Gives whether to go on."""
        command, board = words[0].upper(), self.board
        if command == "END":
            return False
        if command == "ABOUT":
            self.say(self.about)
        elif command == "INFO":
            if len(words) >= 3:
                self.info[words[1].lower()] = " ".join(words[2:])
                # Bit 2 of `rule` asks for renju.
                if words[1].lower() == "rule" and int(words[2]) & 4:
                    self.say("ERROR unsupported rule")
        elif command == "START":
            self.start(int(words[1]), int(words[1]))
        elif command == "RECTSTART":
            width, height = words[1].split(",")
            self.start(int(width), int(height))
        elif board is None:
            self.say("ERROR no game was started")
        elif command == "RESTART":
            self.start(board.width, board.height)
        elif command == "BEGIN":
            self.answer(board)
        elif command == "TURN":
            x, y = words[1].split(",")
            board.place(int(x), int(y), OPPONENT)
            self.answer(board)
        elif command == "BOARD":
            self.read_board(board, lines)
        elif command == "TAKEBACK":
            x, y = words[1].split(",")
            board.remove(int(x), int(y))
            self.say("OK")
        else:
            self.say("UNKNOWN command")
        return True


def run(
    choose: Choose,
    name: str,
    version: str = "0.1.0",
    author: str = "",
    lines: Optional[Iterator[str]] = None,
    out: Optional[TextIO] = None,
) -> None:
    """Obeys commands until END or the end of the input.

    `choose` gets the board and the clock and gives an empty point. An exception in it goes to the
    log and as a DEBUG line to the arbiter; the engine then ends.
    """
    out = sys.stdout if out is None else out
    # What the engine prints must not look like an answer.
    saved, sys.stdout = sys.stdout, sys.stderr
    about = f'name="{name}", version="{version}", author="{author}"'
    brain = _Brain(choose, about, out)
    lines = iter(sys.stdin.readline, "") if lines is None else lines
    try:
        for line in lines:
            words = line.split()
            if not words:
                continue
            try:
                if not brain.obey(words, lines):
                    break
            except (IndexError, ValueError) as error:
                if words[0].upper() in ("BEGIN", "TURN", "BOARD"):
                    raise
                brain.say(f"ERROR {words[0]}: {error}")
    except Exception as error:
        traceback.print_exc()
        brain.say(f"DEBUG {type(error).__name__}: {error}")
        raise SystemExit(1) from error
    finally:
        sys.stdout = saved
