"""A Gomocup brain that plays the first empty point. It does what programs in Python do at their
start: it imports from the standard library, asks a thread and a process of its own, and keeps a
file."""

import concurrent.futures
import json
import os
import random
import subprocess
import sys
import tempfile

size, taken = 15, set()


def works(number):
    return number * number


def warm_up():
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        assert list(pool.map(works, range(3))) == [0, 1, 4]
    assert subprocess.run(["true"]).returncode == 0
    with tempfile.TemporaryFile() as notes:
        notes.write(json.dumps({"seed": random.random()}).encode())
    read, write = os.pipe()
    if os.fork() == 0:
        os.write(write, b"x")
        os._exit(0)
    assert os.read(read, 1) == b"x"
    os.wait()


def play():
    move = next((x, y) for y in range(size) for x in range(size) if (x, y) not in taken)
    taken.add(move)
    print(*move, sep=",", flush=True)


warm_up()
for line in iter(sys.stdin.readline, ""):
    word, *rest = line.split() or [""]
    if word in ("START", "RESTART"):
        size, taken = int(rest[0]) if rest else size, set()
        print("OK", flush=True)
    elif word == "BEGIN":
        play()
    elif word == "TURN":
        taken.add(tuple(map(int, rest[0].split(","))))
        play()
    elif word == "BOARD":
        while (line := sys.stdin.readline().strip()) != "DONE":
            taken.add(tuple(map(int, line.split(",")[:2])))
        play()
    elif word == "END":
        break
