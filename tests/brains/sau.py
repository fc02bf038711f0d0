#!/usr/bin/env python3
"""An engine of the SAU platform that plays the first empty point.

    python3 sau.py [MODE]

    plain     as the platform's own template: knows `move` with one stone alone
    set       knows the form in which an opening is set (the default)
    connect6  answers with two stones
    chatty    prints empty lines and thoughts of its own
    junk      answers `move` and no point
"""

import sys

SIZE = 15


def main():
    mode = sys.argv[1] if len(sys.argv) > 1 else "set"
    taken = set()

    def say(text):
        print(text, flush=True)

    def answer():
        points = (((i * 97) % (SIZE * SIZE)) for i in range(SIZE * SIZE))
        letters = (chr(65 + point % SIZE) + chr(65 + point // SIZE) for point in points)
        free = [point for point in letters if point not in taken]
        count = 2 if mode == "connect6" else 1
        taken.update(free[:count])
        if mode == "chatty":
            say("")
            say("thinking...")
        say("move " + ("H8" if mode == "junk" else "".join(free[:count])))

    for line in iter(sys.stdin.readline, ""):
        words = line.split()
        if not words:
            continue
        if words[0] == "name?":
            say("name Sau")
        elif words[0] == "new":
            taken.clear()
            if words[1] == "black":
                answer()
        elif words[0] == "move":
            stones = [words[1][i:i + 2] for i in range(0, len(words[1]), 2)]
            if mode == "plain":
                stones = stones[:1]
            elif len(stones) > 1:
                taken.clear()
            taken.update(stones)
            answer()
        elif words[0] == "quit":
            if mode == "chatty":
                say("Quit!")
            break


main()
