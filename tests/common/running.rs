use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

/// A program that is killed when the test ends.
pub struct RunningProgram {
    pub child: Child,
    said: BufReader<Box<dyn Read + Send>>,
}

impl RunningProgram {
    /// Starts a program, and reads what it says on standard error.
    pub fn start(command: &mut Command) -> RunningProgram {
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let said: Box<dyn Read + Send> = Box::new(child.stderr.take().unwrap());
        RunningProgram { child, said: BufReader::new(said) }
    }

    /// The same with standard output.
    pub fn start_printing(command: &mut Command) -> RunningProgram {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let said: Box<dyn Read + Send> = Box::new(child.stdout.take().unwrap());
        RunningProgram { child, said: BufReader::new(said) }
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

    /// Reads what it still says, and waits for its end.
    pub fn end(mut self) -> (Option<i32>, String) {
        let mut rest = String::new();
        self.said.read_to_string(&mut rest).unwrap();
        (self.child.wait().unwrap().code(), rest)
    }
}

impl Drop for RunningProgram {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _buried = self.child.wait();
    }
}
