"""A brain that does one thing wrong, which its argument says; with `sound` it does none."""

import random
import sys
import threading
import time

MODE = sys.argv[1].removeprefix("varies_")
VARIES = MODE != sys.argv[1]
LINES = [(1, 0), (0, 1), (1, 1), (1, -1)]
width = height = 0
stones = {}
kept = []
timeout_turn = 0.0
answers = 0


def say(line):
    print(line, flush=True)


def makes_five(x, y, side):
    for dx, dy in LINES:
        length = 1
        for sign in (1, -1):
            step = 1
            while stones.get((x + sign * dx * step, y + sign * dy * step)) == side:
                length += 1
                step += 1
        if length >= 5:
            return True
    return False


def work():
    while True:
        pass


def answer():
    global answers
    answers += 1
    own, other = (2, 1) if MODE == "wrong_side" else (1, 2)
    free = [(x, y) for y in range(height) for x in range(width) if (x, y) not in stones]
    near = [point for point in free if makes_five(*point, own)]
    near = near or [point for point in free if makes_five(*point, other)]
    x, y = near[0] if near else random.choice(free) if VARIES else free[0]
    if MODE == "outside":
        x = width
    if MODE == "outside_late" and (made := list(stones.values()).count(1)) > 2:
        time.sleep(0.3)
        x = width if made == 10 else x
    if MODE == "thinks_long":
        time.sleep(2.5)
    if MODE == "thinks_long_after_begin" and timeout_turn >= 1 and stones:
        time.sleep(2.5)
    if MODE == "thinks_long_at_begin" and timeout_turn >= 1 and not stones:
        time.sleep(2.5)
    if MODE == "thinks_about_as_long_as_a_game_forgives" and timeout_turn >= 1:
        time.sleep([1.7, 2.3][answers % 2])
    if MODE == "works_on":
        threading.Thread(target=work, daemon=True).start()
    stones[x, y] = 1
    say(f"{x},{y}")


def start(columns, rows):
    global width, height
    width, height = columns, rows
    if MODE != "forgets_start":
        stones.clear()
    if MODE == "leaks":
        kept.append(b"x" * (8 << 20))
    say("OK")


def board():
    if MODE != "deaf_to_board":
        stones.clear()
    while (line := sys.stdin.readline().strip()) != "DONE":
        x, y, side = (int(part) for part in line.split(","))
        if MODE != "deaf_to_board":
            stones[x, y] = side
    answer()


for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "START":
        start(int(rest), int(rest))
    elif word == "RECTSTART":
        start(*(int(part) for part in rest.split(",")))
    elif word == "RESTART":
        start(width, height)
    elif word == "BEGIN":
        answer()
    elif word == "TURN":
        x, y = (int(part) for part in rest.split(","))
        if MODE == "hangs":
            threading.Event().wait()
        if (x, y) in stones:
            say(f"ERROR {x},{y} is occupied")
            continue
        if MODE != "deaf_to_turn":
            stones[x, y] = 2
        answer()
    elif word == "BOARD":
        board()
    elif word == "ABOUT":
        say('name="Wrong", version="1"')
    elif word == "INFO" and rest.startswith("timeout_turn "):
        timeout_turn = int(rest.split()[1]) / 1000
    elif word == "END":
        if MODE == "never_ends":
            threading.Event().wait()
        break
    elif word and word != "INFO":
        say("UNKNOWN")
