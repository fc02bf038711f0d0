//! Files dropped on the window that are not games.

use std::path::{Path, PathBuf};

use eframe::egui::Context;

use crate::app::{App, Command, Dialog, EngineCommand, UserFile, is_game_or_event};

/// The commands for dropped files: the engine dialog adds any file that is not a game, the settings
/// dialog takes music and a picture of the board, and elsewhere engines are known by their names.
pub(crate) fn commands(context: &Context, app: &App) -> Vec<Command> {
    let dropped = context.input(|input| input.raw.dropped_files.clone());
    let paths = dropped.iter().map(|file| file.path().to_path_buf());
    let command = |path: PathBuf| match app.dialog() {
        Some(Dialog::Settings { .. }) => Some(used(path)),
        Some(Dialog::Engines { .. }) => (!is_game_or_event(&path)).then(|| engine(&path)),
        _ => is_engine(&path).then(|| engine(&path)),
    };
    paths.filter(|path| path.is_absolute()).filter_map(command).collect()
}

/// What the settings do with a file: music is known by its name.
fn used(path: PathBuf) -> Command {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let is_music = ending.is_some_and(|ending| UserFile::Music.endings().contains(&&*ending));
    let of = if is_music { UserFile::Music } else { UserFile::BoardPicture };
    Command::UseFile(of, Some(path))
}

/// Whether a dropped file is unknown by its name: its contents then decide.
pub(crate) fn is_unknown(path: &Path, app: &App) -> bool {
    app.dialog().is_none() && !is_game_or_event(path) && !is_engine(path)
}

fn engine(path: &Path) -> Command {
    Command::Engine(EngineCommand::Add(path.display().to_string()))
}

fn is_engine(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    name.starts_with("pbrain-")
        || name == "engine.xml"
        || path.join("engine.xml").is_file()
        || matches!(extension, "so" | "dll" | "dylib" | "wasm")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_known_by_their_names() {
        for name in ["/a/libgreedy.so", "/a/b.WASM", "/pbrain-x.exe", "/a/engine.xml"] {
            assert!(is_engine(Path::new(name)), "{name}");
        }
        for name in ["/a/game.sgf", "/a/picture.png", "/a/notes", "/"] {
            assert!(!is_engine(Path::new(name)), "{name}");
        }
    }
}
