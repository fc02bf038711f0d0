// A Gomocup brain that plays the first empty point. It uses a thread, a file and a program first.
const fs = require("fs");
const os = require("os");
const path = require("path");
const { execFileSync } = require("child_process");
const { Worker } = require("worker_threads");

let size = 15;
let taken = new Set();
let stones = false;

function play() {
    for (let at = 0; at < size * size; at++) {
        const move = `${at % size},${Math.floor(at / size)}`;
        if (!taken.has(move)) {
            taken.add(move);
            console.log(move);
            return;
        }
    }
}

function obey(line) {
    const [word, rest] = line.split(" ");
    if (stones) {
        stones = word !== "DONE";
        if (stones) taken.add(word.slice(0, word.lastIndexOf(",")));
        else play();
    } else if (word === "START" || word === "RESTART") {
        size = rest ? Number(rest) : size;
        taken = new Set();
        console.log("OK");
    } else if (word === "BEGIN") {
        play();
    } else if (word === "TURN") {
        taken.add(rest);
        play();
    } else if (word === "BOARD") {
        stones = true;
    } else if (word === "END") {
        process.exit(0);
    }
}

execFileSync("true");
fs.rmSync(fs.mkdtempSync(path.join(os.tmpdir(), "notes-")), { recursive: true });
new Worker("require('worker_threads').parentPort.postMessage(1)", { eval: true }).on("message", () => {
    require("readline").createInterface({ input: process.stdin }).on("line", obey);
});
