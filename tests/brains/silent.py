"""A Gomocup brain that does not flush what it prints."""

import sys

for line in sys.stdin:
    word = line.split()[:1]
    if word == ["START"]:
        print("OK")
    elif word == ["BEGIN"] or word == ["TURN"]:
        print("7,7")
    elif word == ["END"]:
        break
