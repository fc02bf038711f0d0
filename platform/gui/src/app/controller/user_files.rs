//! The files of the user that the window shows or plays.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::App;
use crate::app::controller::Dialog;
use crate::app::model::{Picture, Text, UserFile};

impl App {
    /// The picture that boards show in that style, or the one behind the window.
    pub fn picture(&self, of: UserFile) -> Option<&Arc<Picture>> {
        self.pictures.get(&of)
    }

    /// The music that plays now.
    pub fn music(&self) -> Option<&Path> {
        self.settings.music.as_deref().filter(|_| self.settings.sound)
    }

    /// Uses a file, a picture as soon as it is read; none is without one.
    pub(super) fn use_file(&mut self, of: UserFile, path: Option<PathBuf>) {
        if let Some(Dialog::Settings { typed }) = &mut self.dialog {
            typed[of as usize] =
                path.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
        }
        self.settings.choose_file(of, path.clone());
        self.pictures.remove(&of);
        if let Some(path) = path.filter(|_| of != UserFile::Music) {
            self.read_picture(of, path);
        }
    }

    fn read_picture(&mut self, of: UserFile, path: PathBuf) {
        let read = {
            let path = path.clone();
            move || Picture::read(&path)
        };
        self.spawn(read, move |app, picture| match picture {
            // Another one may have been chosen since.
            _ if app.settings.file(of) != Some(&path) => {}
            Ok(picture) => {
                app.pictures.insert(of, Arc::new(picture));
            }
            Err(reason) => app.file_is_unusable(of, &reason),
        });
    }

    /// Reads the pictures that were chosen earlier.
    pub(super) fn read_pictures(&mut self) {
        for of in [UserFile::BoardPicture, UserFile::Background] {
            if let Some(path) = self.settings.file(of).cloned() {
                self.read_picture(of, path);
            }
        }
    }

    /// Says why a file is not used, and uses none.
    pub(super) fn file_is_unusable(&mut self, of: UserFile, reason: &str) {
        let Some(path) = self.settings.file(of) else { return };
        let text = match of {
            UserFile::Music => Text::MusicUnplayable,
            _ => Text::PictureUnreadable,
        };
        let reason = format!("{} ({reason})", path.display());
        self.notice = Some(self.tr().fill(text, &[&reason]));
        self.settings.choose_file(of, None);
    }
}
