#!/usr/bin/env python3
"""A Gomocup brain for swap2, which decides as it is told to and plays the first empty point.

    python3 swap2.py [THREE [FIVE [SIZE]]]

It plays on every board, or on that of SIZE alone. THREE is its answer to three stones, FIVE to five:

    swap      takes Black (the default of FIVE)
    stay      stays White, and moves along with saying so (the default of THREE)
    place     lays two stones; an answer to three stones only
    unknown   does not know SWAP2BOARD at all
    short     answers with a stone too few where it lays stones
    occupied  answers with points that have stones
    junk      answers with no answer
"""

import sys

OPENING = [(7, 7), (8, 6), (6, 9)]


class Brain:
    def __init__(self, three, five, size):
        self.three, self.five, self.size = three, five, size
        self.width = self.height = 0
        self.taken = set()

    def free(self, count=1):
        """Empty points, far apart enough to make no five soon."""
        total = self.width * self.height
        step = next(step for step in range(97, 9999, 2) if total % step)
        points = ((i * step % total % self.width, i * step % total // self.width)
                  for i in range(total))
        return [point for point in points if point not in self.taken][:count]

    def say(self, points):
        self.taken.update(points)
        print(" ".join(f"{x},{y}" for x, y in points), flush=True)

    def swap2(self, stones):
        self.taken = set(stones)
        choice = {0: "place", 3: self.three, 5: self.five}[len(stones)]
        if self.three == "unknown":
            print("UNKNOWN SWAP2BOARD", flush=True)
        elif choice == "junk" or self.three == "junk":
            print("let me think", flush=True)
        elif self.three == "occupied" and stones:
            self.say([stones[0]])
        elif choice == "swap":
            print("SWAP", flush=True)
        elif choice == "place" and not stones:
            fits = all(x < self.width and y < self.height for x, y in OPENING)
            points = OPENING if fits else self.free(3)
            self.say(points[1:] if self.three == "short" else points)
        elif choice == "place":
            self.say(self.free(2))
        else:
            self.say(self.free())

    def block(self):
        """The points of a block up to DONE."""
        points = []
        for line in iter(sys.stdin.readline, ""):
            if line.strip().upper() == "DONE":
                break
            if line.strip():
                x, y = line.split(",")[:2]
                points.append((int(x), int(y)))
        return points

    def obey(self, word, rest):
        if word in ("START", "RECTSTART"):
            sides = [int(side) for side in rest.split(",")]
            self.width, self.height = sides[0], sides[-1]
            self.taken = set()
            known = self.size in (None, self.width) and self.size in (None, self.height)
            print("OK" if known else "ERROR unsupported size", flush=True)
        elif word == "RESTART":
            self.taken = set()
            print("OK", flush=True)
        elif word == "BEGIN":
            self.say(self.free())
        elif word == "TURN":
            x, y = rest.split(",")
            self.taken.add((int(x), int(y)))
            self.say(self.free())
        elif word == "BOARD":
            self.taken = set(self.block())
            self.say(self.free())
        elif word == "SWAP2BOARD":
            self.swap2(self.block())
        elif word == "ABOUT":
            print('name="Swap2", version="1.0"', flush=True)
        elif word != "INFO":
            print("UNKNOWN command", flush=True)


def main():
    three = sys.argv[1] if len(sys.argv) > 1 else "stay"
    five = sys.argv[2] if len(sys.argv) > 2 else "swap"
    size = int(sys.argv[3]) if len(sys.argv) > 3 else None
    brain = Brain(three, five, size)
    for line in iter(sys.stdin.readline, ""):
        word, _, rest = line.strip().partition(" ")
        if word.upper() == "END":
            break
        if word:
            brain.obey(word.upper(), rest)


main()
