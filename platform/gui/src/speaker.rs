//! Sounds, synthesised by the program, and a user's music, played by a command of the system, so
//! that no audio library is needed. Without such a command or a sound card there is silence.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::{Duration, Instant};
use std::{fs, io};

use self::music::Music;
use crate::app::{Sound, Wake};

mod music;
mod synthesis;

/// Commands that play a file, in the order they are tried; its path is the last argument.
#[cfg(target_os = "macos")]
const COMMANDS: &[&[&str]] = &[&["afplay"]];
#[cfg(windows)]
const COMMANDS: &[&[&str]] = &[&[
    "powershell",
    "-NoProfile",
    "-Command",
    "& { param($file) (New-Object Media.SoundPlayer $file).PlaySync() }",
]];
#[cfg(not(any(target_os = "macos", windows)))]
const COMMANDS: &[&[&str]] = &[&["pw-play"], &["paplay"], &["aplay", "-q"], &["play", "-q"]];

/// The time limit of a command.
const TIME_LIMIT: Duration = Duration::from_secs(4);

/// Plays sounds, one at a time, on a thread. A sound that comes while another one plays is dropped.
pub(crate) struct Speaker {
    sounds: SyncSender<Sound>,
    music: Option<Music>,
    /// Tells the window that the music cannot be played.
    wake: Wake,
}

impl Speaker {
    /// Starts the thread; none if the system has no thread left.
    pub(crate) fn start(wake: Wake) -> Option<Speaker> {
        let (sounds, receiver) = mpsc::sync_channel(0);
        let work = move || {
            if let Err(error) = run(&receiver, COMMANDS) {
                log::info!("no sounds: {error}");
            }
        };
        thread::Builder::new().name("sounds".to_owned()).spawn(work).ok()?;
        Some(Speaker { sounds, music: None, wake })
    }

    /// Plays a sound, or drops it.
    pub(crate) fn play(&self, sound: Sound) {
        // The channel is full while a sound plays, and closed if no command works.
        let _ = self.sounds.try_send(sound);
    }

    /// Plays a file again and again, or nothing. Returns why it cannot be played, once.
    pub(crate) fn play_music(&mut self, path: Option<&Path>) -> Option<String> {
        if self.music.as_ref().map(Music::path) != path {
            self.music = path.map(|path| Music::start(path, COMMANDS, Arc::clone(&self.wake)));
        }
        self.music.as_ref()?.take_failure()
    }
}

/// Plays sounds with the first command that works. Ends when none does.
fn run(sounds: &Receiver<Sound>, mut players: &[&[&str]]) -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    while let Ok(sound) = sounds.recv() {
        let path = folder.path().join(format!("{sound:?}.wav"));
        if !path.exists() {
            fs::write(&path, synthesis::wave(sound))?;
        }
        while let Some(player) = players.first() {
            match play(player, &path) {
                Ok(()) => break,
                Err(error) => log::debug!("{}: {error}", player[0]),
            }
            players = &players[1..];
        }
        if players.is_empty() {
            return Err(io::Error::other("no command can play sounds"));
        }
    }
    Ok(())
}

fn play(player: &[&str], path: &Path) -> io::Result<()> {
    let mut child = player_command(player, path).spawn()?;
    let start = Instant::now();
    loop {
        match child.try_wait()? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => return Err(io::Error::other(status.to_string())),
            None if start.elapsed() > TIME_LIMIT => {
                child.kill()?;
                child.wait()?;
                return Err(io::Error::other("it took too long"));
            }
            None => thread::sleep(Duration::from_millis(10)),
        }
    }
}

/// A command that plays a file and says nothing.
fn player_command(player: &[&str], path: &Path) -> Command {
    let mut command = Command::new(player[0]);
    command.args(&player[1..]).arg(path);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Sends each sound to the commands, and returns how it ended.
    fn play_all(sounds: &[Sound], players: &[&[&str]]) -> io::Result<()> {
        let (sender, receiver) = mpsc::channel();
        for sound in sounds {
            sender.send(*sound).unwrap();
        }
        drop(sender);
        run(&receiver, players)
    }

    #[test]
    fn the_first_player_that_works_plays() {
        let played = tempfile::tempdir().unwrap();
        let folder = played.path().to_str().unwrap();
        let works: &[&str] = &["cp", "-t", folder];
        let players = [&["tengen-has-no-such-player"][..], &["false"], works];
        play_all(&[Sound::Stone, Sound::Over, Sound::Stone], &players).unwrap();
        let stone = fs::read(played.path().join("Stone.wav")).unwrap();
        assert_eq!(stone, synthesis::wave(Sound::Stone));
        assert!(played.path().join("Over.wav").exists());
    }

    #[test]
    fn without_a_player_there_is_silence() {
        assert!(play_all(&[Sound::Stone], &[&["tengen-has-no-such-player"], &["false"]]).is_err());
        assert!(play_all(&[], &[]).is_ok());
    }
}
