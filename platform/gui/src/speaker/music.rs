//! Music: a file of the user, played again and again.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::player_command;
use crate::app::Wake;

/// The least time between two beginnings: a file without a sound ends at once.
const AT_LEAST: Duration = Duration::from_secs(1);

/// A file that plays until this is dropped.
pub(super) struct Music {
    path: PathBuf,
    state: Arc<Mutex<MusicState>>,
}

#[derive(Default)]
struct MusicState {
    /// The command that plays now.
    child: Option<Child>,
    is_stopped: bool,
    /// Why nothing plays any more.
    failed: Option<String>,
}

impl Music {
    /// Plays a file with the first of the commands that can, on a thread.
    pub fn start(path: &Path, commands: &'static [&[&str]], wake: Wake) -> Music {
        let state = Arc::new(Mutex::new(MusicState::default()));
        let music = Music { path: path.to_owned(), state: Arc::clone(&state) };
        let file = path.to_owned();
        let work = move || {
            let reasons = play(&file, commands, &state);
            let mut state = lock(&state);
            if !state.is_stopped {
                state.failed = Some(reasons);
                drop(state);
                wake();
            }
        };
        if let Err(error) = thread::Builder::new().name("music".to_owned()).spawn(work) {
            lock(&music.state).failed = Some(error.to_string());
        }
        music
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Why it does not play any more, once.
    pub fn take_failure(&self) -> Option<String> {
        lock(&self.state).failed.take()
    }
}

impl Drop for Music {
    fn drop(&mut self) {
        let mut state = lock(&self.state);
        state.is_stopped = true;
        if let Some(child) = &mut state.child
            && let Err(error) = child.kill()
        {
            log::debug!("music that ended: {error}");
        }
    }
}

/// Plays until it is stopped, or no command is left. Returns what each said.
fn play(path: &Path, commands: &[&[&str]], state: &Mutex<MusicState>) -> String {
    let mut reasons = Vec::new();
    for command in commands {
        loop {
            let begin = Instant::now();
            match play_once(path, command, state) {
                Ok(()) if lock(state).is_stopped => return String::new(),
                Ok(()) => thread::sleep(AT_LEAST.saturating_sub(begin.elapsed())),
                Err(error) if error.kind() == io::ErrorKind::NotFound => break,
                Err(error) => {
                    reasons.push(format!("{}: {error}", command[0]));
                    break;
                }
            }
        }
    }
    if reasons.is_empty() {
        let names: Vec<_> = commands.iter().map(|command| command[0]).collect();
        return format!("none of these programs is there: {}", names.join(", "));
    }
    reasons.join("; ")
}

fn play_once(path: &Path, command: &[&str], state: &Mutex<MusicState>) -> io::Result<()> {
    let mut output = {
        let mut state = lock(state);
        if state.is_stopped {
            return Ok(());
        }
        let mut child = player_command(command, path).stdout(Stdio::piped()).spawn()?;
        let output = child.stdout.take().ok_or_else(|| io::Error::other("it has no output"))?;
        state.child = Some(child);
        output
    };
    // Its output is closed when it ends; until then another thread may end it.
    let mut said = [0; 512];
    while output.read(&mut said)? > 0 {}
    let mut state = lock(state);
    let Some(mut child) = state.child.take() else { return Ok(()) };
    let status = child.wait()?;
    if status.success() || state.is_stopped {
        return Ok(());
    }
    Err(io::Error::other(status.to_string()))
}

fn lock(state: &Mutex<MusicState>) -> MutexGuard<'_, MusicState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, unix))]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// Starts a file and waits until it cannot be played.
    fn failure(path: &Path, commands: &'static [&[&str]]) -> String {
        let (told, failed) = mpsc::channel();
        let music = Music::start(path, commands, Arc::new(move || told.send(()).unwrap()));
        failed.recv().unwrap();
        music.take_failure().unwrap()
    }

    #[test]
    fn a_file_plays_again_and_again_and_what_cannot_be_played_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let track = folder.path().join("track");
        // It is shorter by a letter each time, and cannot be played when nothing is left.
        std::fs::write(&track, "ab\n").unwrap();
        let player: &[&[&str]] = &[
            &["tengen-has-no-such-player"],
            &["sh", "-c", "read -r all <\"$0\"; test \"$all\" && echo \"${all#?}\" >\"$0\""],
        ];
        assert_eq!(failure(&track, player), "sh: exit status: 1");
        let missing = failure(&track, &player[..1]);
        assert_eq!(missing, "none of these programs is there: tengen-has-no-such-player");
        assert_eq!(std::fs::read(&track).unwrap(), b"\n");
    }

    #[test]
    fn what_plays_ends_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        make_pipe(&pipe);
        // It holds the pipe open for as long as it runs, and waits for what nothing writes.
        let player: &[&[&str]] = &[&["sh", "-c", "exec 9>\"$0\"; exec cat \"$0\""]];
        let music = Music::start(&pipe, player, Arc::new(|| {}));
        let mut held = std::fs::File::open(&pipe).unwrap();
        drop(music);
        assert_eq!(held.read(&mut [0; 1]).unwrap(), 0);
    }

    fn make_pipe(path: &Path) {
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    }
}
