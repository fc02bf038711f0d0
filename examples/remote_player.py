#!/usr/bin/env python3
"""Plays over the network, by docs/protocol.md. No package is needed.

    remote_player.py http://127.0.0.1:8080/                      opens a table, prints its link
    remote_player.py 'http://127.0.0.1:8080/#table=ID&key=KEY'  takes a seat there
    remote_player.py 'http://127.0.0.1:8080/#team=KEY'           plays a whole event for its team
"""
import base64, json, os, random, re, socket, struct, sys, time
from urllib.parse import urlsplit, parse_qs


class Socket:
    """As much of a WebSocket (RFC 6455) as a client needs, without encryption."""

    def __init__(self, host, port, path):
        self.line = socket.create_connection((host, port), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        head = (f"GET {path} HTTP/1.1", f"Host: {host}:{port}", "Connection: Upgrade",
                "Upgrade: websocket", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}")
        self.line.sendall("\r\n".join(head + ("", "")).encode())
        self.read = self.line.makefile("rb")
        if b" 101 " not in (status := self.read.readline()):
            sys.exit(f"no games are played at this address: {status.decode().strip()}")
        while self.read.readline().strip():
            pass

    def take(self, count):
        if len(data := self.read.read(count)) < count:
            raise ConnectionError("the server hung up")
        return data

    def frame(self, kind, data):
        mask, size = os.urandom(4), len(data)
        head = bytes([0x80 | kind, 0x80 | min(size, 126)]) + (struct.pack(">H", size) if size > 125 else b"")
        self.line.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def say(self, **message):
        self.frame(1, json.dumps(message).encode())

    def hear(self):
        while True:
            kind, size = self.take(2)
            if size > 125:
                size = int.from_bytes(self.take(2 if size == 126 else 8), "big")
            data = self.take(size)
            if kind & 15 == 1:
                return json.loads(data)
            if kind & 15 == 9:
                self.frame(10, data)  # a ping is answered with the same
            elif kind & 15 == 8:
                raise ConnectionError("the server hung up")


def choose(ask, width, height):
    """What to do: something near the last stone, for this is no engine."""
    moves, wanted, centre = ask["moves"], ask["ask"], (width // 2, height // 2)
    columns = [*"abcdefghijklmnopqrstuvwxyz", *("a" + letter for letter in "abcdef")]
    points = {columns[x] + str(y + 1): (x, y) for x in range(width) for y in range(height)}
    stones = [points[move] for move in moves if move != "pass"]
    apart = lambda one, other: max(abs(a - b) for a, b in zip(one, other))
    zone = wanted.get("zone", {})  # where the opening wants the stone
    fits = lambda at: zone.get("beyond", -1) < apart(at, centre) <= zone.get("within", 99)
    far = lambda name: apart(points[name], stones[-1] if stones else centre) + random.random()
    near = sorted((name for name, at in points.items() if at not in stones and fits(at)), key=far)
    count = wanted.get("count", 1)
    answers = {"place": {"place": near[:count]}, "offer": {"offer": near[:count]}, "swap": {"swap": False},
               "choose": {"choose": "white"}, "choose_or_place": {"choose": "white"},
               "declare": {"declare": wanted.get("min", 1)}, "pick": {"pick": ask.get("offered", near)[0]}}
    return answers.get(wanted["ask"], {"move": near[0]})


def main(link):
    url = urlsplit(link)
    named = {key: value[0] for key, value in parse_qs(url.fragment).items()}
    table, key, team, told = named.get("table"), named.get("key"), named.get("team"), ""
    while True:
        try:
            line = Socket(url.hostname, url.port or 80, "/join" if team else "/play")
            who = {"type": "join", "key": team} if team else {"type": "hello", "kind": "engine"}
            line.say(version=2, name="Python", **who)
            if table:
                line.say(type="enter", table=table, key=key)
            elif not team:
                line.say(type="host", table={"time": "60+1"}, seat="first")
            while True:
                message = line.hear()
                if "settings" in message:
                    size = [int(n) for n in re.findall("[0-9]+", str(message["settings"]["size"])) * 2][:2]
                if message["type"] == "table":
                    you = message["you"]
                    if you["seat"] is None and table:  # a table's opener gets its seat unasked
                        line.say(type="sit", table=table, key=key)
                    table = message["table"]
                    if you["seat"] is not None and key != you["key"]:
                        key = you["key"]  # with it the seat is ours after a broken connection
                        print(f"{link.split('#')[0]}#table={table}&key={message['keys']['invite']}", flush=True)
                    if message["state"]["phase"] == "over":  # while the connection was gone
                        return print("over:", json.dumps(message["live"]["game"]["result"]), flush=True)
                elif message["type"] == "game":  # of an event
                    line.say(type="ready", table=message["table"])
                elif message["type"] == "ask":
                    line.say(type="act", table=message["table"], question=message["question"], **choose(message, *size))
                elif message["type"] == "over":
                    print("over:", json.dumps(message["result"]), flush=True)
                    if not team:
                        return
                elif message["type"] == "end":
                    return print("end:", message["reason"], flush=True)
                elif message["type"] == "error" and message["code"] != "not_now":
                    sys.exit(message["message"])
        except (ConnectionError, socket.timeout) as error:
            if str(error) != told:
                print(f"{url.netloc}: {error}; trying again", file=sys.stderr, flush=True)
            told = str(error)
            time.sleep(0.5)  # the server may be started again


main(sys.argv[1]) if len(sys.argv) == 2 else sys.exit(__doc__)
