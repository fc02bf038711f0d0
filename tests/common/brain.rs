//! A Gomocup brain from its manager's side.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use super::{compile, repository};

/// Compiles the brain that shows quirks into the folder; see its source for them.
pub fn quirk(folder: &Path, name: &str) {
    compile("tests/brains/brain.c", &folder.join(name), &["-O1", "-std=c11"]);
}

/// Copies a script of `tests/brains` into the folder.
pub fn script(folder: &Path, name: &str) {
    let script = repository("tests/brains").join(name);
    fs::copy(script, folder.join(name)).expect("a copy of the script");
}

/// No test waits so long unless something is wrong.
pub const LONG: Duration = Duration::from_secs(120);

/// A brain, seen by its manager.
pub struct BrainProcess {
    pub child: Child,
    pub to: Option<ChildStdin>,
    pub lines: Receiver<String>,
}

impl BrainProcess {
    pub fn start(command: &mut Command) -> BrainProcess {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program starts");
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let to = child.stdin.take();
        BrainProcess { child, to, lines }
    }

    pub fn say(&mut self, lines: &[&str]) {
        let text = lines.iter().map(|line| format!("{line}\r\n")).collect::<String>();
        self.to.as_mut().unwrap().write_all(text.as_bytes()).expect("the brain listens");
    }

    /// The next line that is neither MESSAGE nor DEBUG.
    pub fn hear(&self) -> String {
        self.listen().1
    }

    /// The lines of MESSAGE and DEBUG up to the next that is neither, and that one.
    pub fn listen(&self) -> (Vec<String>, String) {
        let mut messages = Vec::new();
        loop {
            let line = self.lines.recv_timeout(LONG).expect("the brain answers");
            if !is_aside(&line) {
                return (messages, line);
            }
            messages.push(line);
        }
    }

    pub fn ask(&mut self, lines: &[&str]) -> String {
        self.say(lines);
        self.hear()
    }

    /// Asserts that the next line is a point, and gives it.
    pub fn hear_point(&self) -> (u8, u8) {
        let line = self.hear();
        let point =
            line.split_once(',').and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)));
        point.unwrap_or_else(|| panic!("`{line}` is no point"))
    }

    /// Waits until it has ended.
    pub fn wait(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }

    pub fn end(mut self) {
        self.say(&["END"]);
        assert_eq!(self.wait().code(), Some(0));
        let is_answer = |line: &String| !is_aside(line);
        let answers: Vec<_> = self.lines.iter().filter(is_answer).collect();
        assert_eq!(answers, Vec::<String>::new());
    }
}

impl Drop for BrainProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether a line is for people: one may come at any time.
fn is_aside(line: &str) -> bool {
    line.starts_with("MESSAGE") || line.starts_with("DEBUG")
}
