use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::House;
use crate::app::{BoardStyle, Picture, Text};

/// The picture that boards may show, and the one that is being read.
#[derive(Default)]
pub(super) struct Gallery {
    shown: Option<Arc<Picture>>,
    read: Arc<Mutex<Option<Result<Picture, String>>>>,
}

impl House {
    /// The picture that boards show where they are made of one.
    pub fn picture(&self) -> Option<&Arc<Picture>> {
        self.gallery.shown.as_ref()
    }

    /// Has boards made of this picture, as soon as it is read.
    pub(super) fn hang(&mut self, path: PathBuf) {
        self.settings.picture = Some(path.clone());
        self.settings.style = BoardStyle::Picture;
        let (read, wake) = (Arc::clone(&self.gallery.read), Arc::clone(&self.services.wake));
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

    /// Takes in a picture that was read since.
    pub(super) fn settle_picture(&mut self) {
        let read = self.gallery.read.lock().unwrap_or_else(PoisonError::into_inner).take();
        match read {
            Some(Ok(picture)) => self.gallery.shown = Some(Arc::new(picture)),
            Some(Err(reason)) => {
                self.notice = Some(self.words().fill(Text::PictureUnreadable, &[&reason]));
                self.settings.picture = None;
                self.settings.style = BoardStyle::default();
            }
            None => {}
        }
    }
}
