//! Reads the user's picture for boards.

use std::path::PathBuf;
use std::sync::Arc;

use super::App;
use crate::app::model::{BoardStyle, Picture, Text};

impl App {
    /// The picture that boards show in that style.
    pub fn picture(&self) -> Option<&Arc<Picture>> {
        self.board_picture.as_ref()
    }

    /// Uses a picture for boards as soon as it is read.
    pub(super) fn set_board_picture(&mut self, path: PathBuf) {
        self.settings.picture = Some(path.clone());
        self.settings.style = BoardStyle::Picture;
        let read = move || {
            let picture = Picture::read(&path);
            picture.map_err(|reason| format!("{} ({reason})", path.display()))
        };
        self.spawn(read, |app, picture| match picture {
            Ok(picture) => app.board_picture = Some(Arc::new(picture)),
            Err(reason) => {
                app.notice = Some(app.tr().fill(Text::PictureUnreadable, &[&reason]));
                app.settings.picture = None;
                app.settings.style = BoardStyle::default();
            }
        });
    }
}
