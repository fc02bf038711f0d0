#!/usr/bin/env python3
"""A Gomocup brain that replays a transcript.

    python3 scripted.py TRANSCRIPT

Each line of the transcript is one of

    > TURN 7,7      the manager says this next; `*` at the end stands for anything
    < 8,6           the brain says this
    ~ 500           the brain waits so many milliseconds
    ! 3             the brain exits with this status
    # why           nothing

A manager that says ABOUT only looks at the brain: it is answered as by any brain, and the transcript
is for the next one. INFO lines that the transcript does not expect next are passed over. If the manager says something
else, the brain says ERROR and what it expected, and exits with 4; if the transcript is at its end,
it waits for END or the end of its input.
"""

import sys
import time


def read():
    """The manager's next line that is not empty; None at the end of input."""
    for line in iter(sys.stdin.readline, ""):
        line = line.strip()
        if line:
            return line
    return None


def matches(line, pattern):
    if pattern.endswith("*"):
        return line.upper().startswith(pattern[:-1].upper())
    return line.upper() == pattern.upper()


def expect(pattern):
    while True:
        line = read()
        if line is None:
            sys.exit(0)
        if line.upper() == "ABOUT":
            introduce()
            sys.exit(0)
        if matches(line, pattern):
            return
        if not line.upper().startswith("INFO "):
            print(f"ERROR expected `{pattern}`, not `{line}`", flush=True)
            sys.exit(4)


def introduce():
    """Answers a manager that wants to know the brain."""
    print('name="Scripted", version="1.0"', flush=True)
    is_board = False
    while (line := read()) is not None and line.upper() != "END":
        if line.upper().startswith(("START", "RECTSTART")):
            print("OK", flush=True)
        # Like a brain that clears the board and sees what wins; so it is asked for all games in one process.
        elif line.upper() == "BOARD":
            is_board = True
        elif line.upper() == "BEGIN" or is_board and line.upper() == "DONE":
            is_board = False
            print("7,7", flush=True)
        elif line.upper().startswith("TURN"):
            print("8,7", flush=True)
        elif line.upper() == "SWAP2BOARD":
            print("UNKNOWN", flush=True)


def main():
    with open(sys.argv[1], encoding="utf-8") as transcript:
        steps = [step.rstrip("\n") for step in transcript]
    for step in steps:
        kind, text = step[:1], step[1:].strip()
        if kind == ">":
            expect(text)
        elif kind == "<":
            print(text, flush=True)
        elif kind == "~":
            time.sleep(int(text) / 1000)
        elif kind == "!":
            sys.exit(int(text))
        elif kind not in ("", "#"):
            sys.exit(f"{sys.argv[1]}: no step: {step}")
    while (line := read()) is not None and line.upper() != "END":
        if line.upper() == "ABOUT":
            return introduce()


main()
