use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStderr, Command, Stdio};

/// A program that is killed when the test ends.
pub struct Running {
    pub child: Child,
    said: BufReader<ChildStderr>,
}

impl Running {
    pub fn start(command: &mut Command) -> Running {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let said = BufReader::new(child.stderr.take().unwrap());
        Running { child, said }
    }

    /// What follows these words in the next line that has them.
    pub fn told(&mut self, words: &str) -> String {
        let mut line = String::new();
        let mut all = String::new();
        while self.said.read_line(&mut line).unwrap() > 0 {
            if let Some((_, rest)) = line.split_once(words) {
                return rest.trim().to_owned();
            }
            all += &std::mem::take(&mut line);
        }
        panic!("no `{words}` in:\n{all}");
    }

    /// As `kill -9` does.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _buried = self.child.wait();
    }
}
