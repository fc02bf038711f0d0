//! Shows a picture of a file to a table.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use tengen_link::messages::ChatPicture;

use super::App;
use crate::app::controller::Document;
use crate::app::session::TableCommand;
use crate::app::storage::FileProblem;

/// How much of a file is read: no photograph has more.
const MOST_BYTES: u64 = 64 << 20;

impl App {
    /// Sends a picture to the table for which it was chosen, as soon as it is read and made small.
    pub(super) fn show_picture(&mut self, dialog_id: Option<u64>, path: PathBuf) {
        let tab = self.files.dialog.as_ref().and_then(|dialog| dialog.tab);
        self.set_file_busy(dialog_id);
        let file = path.clone();
        self.spawn(
            move || small_picture(&path),
            move |app, picture| match picture {
                Ok(picture) => {
                    app.finish_file(dialog_id, &file);
                    let tab = tab.and_then(|number| app.tab_by_id(number));
                    if let Some(Document::Table(session)) = tab.map(|tab| &tab.document) {
                        session.send(TableCommand::ShowPicture(picture.data));
                    }
                }
                Err(problem) => app.file_failed(dialog_id, &problem),
            },
        );
    }
}

fn small_picture(path: &Path) -> Result<ChatPicture, FileProblem> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes));
    read.map_err(FileProblem::system(path))?;
    ChatPicture::of_file(&bytes).map_err(|problem| FileProblem::Unsupported {
        name: path.display().to_string(),
        reason: problem.to_string(),
    })
}
