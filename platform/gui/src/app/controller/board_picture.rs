//! Reads the user's picture for boards.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::App;
use crate::app::model::{BoardStyle, Picture, Text};

/// The user's picture for boards, and the one that is being read.
#[derive(Default)]
pub(super) struct BoardPicture {
    shown: Option<Arc<Picture>>,
    read: Arc<Mutex<Option<Result<Picture, String>>>>,
}

impl App {
    /// The picture that boards show in that style.
    pub fn picture(&self) -> Option<&Arc<Picture>> {
        self.board_picture.shown.as_ref()
    }

    /// Uses a picture for boards as soon as it is read.
    pub(super) fn set_board_picture(&mut self, path: PathBuf) {
        self.settings.picture = Some(path.clone());
        self.settings.style = BoardStyle::Picture;
        let (read, wake) = (Arc::clone(&self.board_picture.read), Arc::clone(&self.services.wake));
        let work = move || {
            let picture = Picture::read(&path);
            let picture = picture.map_err(|reason| format!("{} ({reason})", path.display()));
            *read.lock().unwrap_or_else(PoisonError::into_inner) = Some(picture);
            wake();
        };
        if let Err(error) = thread::Builder::new().name("picture".to_owned()).spawn(work) {
            self.notice = Some(error.to_string());
        }
    }

    /// Takes over a picture that was read.
    pub(super) fn receive_board_picture(&mut self) {
        let read = self.board_picture.read.lock().unwrap_or_else(PoisonError::into_inner).take();
        match read {
            Some(Ok(picture)) => self.board_picture.shown = Some(Arc::new(picture)),
            Some(Err(reason)) => {
                self.notice = Some(self.tr().fill(Text::PictureUnreadable, &[&reason]));
                self.settings.picture = None;
                self.settings.style = BoardStyle::default();
            }
            None => {}
        }
    }
}
