//! Files of the user that the window shows or plays.

use super::Text;

/// A file that the user may choose in the settings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum UserFile {
    /// A picture for boards.
    BoardPicture,
    /// A picture behind the window.
    Background,
    /// Music that plays again and again.
    Music,
}

impl UserFile {
    pub const ALL: [UserFile; 3] = [UserFile::BoardPicture, UserFile::Background, UserFile::Music];

    /// What it is called.
    pub fn label(self) -> Text {
        match self {
            UserFile::BoardPicture => Text::PictureLabel,
            UserFile::Background => Text::BackgroundLabel,
            UserFile::Music => Text::MusicLabel,
        }
    }

    /// What kinds of files it may be.
    pub fn tip(self) -> Text {
        match self {
            UserFile::BoardPicture | UserFile::Background => Text::PictureTip,
            UserFile::Music => Text::MusicTip,
        }
    }

    /// How the names of such files end.
    pub fn endings(self) -> &'static [&'static str] {
        match self {
            UserFile::BoardPicture | UserFile::Background => &["png", "jpg", "jpeg"],
            UserFile::Music => &["wav", "flac", "ogg", "oga", "opus", "mp3", "m4a", "aiff", "au"],
        }
    }
}
