//! What is said at a table.

use serde::{Deserialize, Serialize};
use tengen_rules::Seat;

/// Something that was said at a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChatLine {
    pub from: String,
    /// The seat of the speaker; none for a viewer.
    pub seat: Option<Seat>,
    /// What was said; it may be empty where a picture was shown.
    pub text: String,
    /// What was shown, as long as it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<ChatPicture>,
    /// When, in milliseconds since 1970.
    pub at: u64,
}

/// A picture in the chat, as the server has drawn it anew from what a client sent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChatPicture {
    #[serde(rename = "type")]
    pub format: PictureFormat,
    /// The number of columns.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
    /// The file in base64.
    pub data: String,
}

/// The format of a picture in the chat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PictureFormat {
    Png,
    Jpeg,
}
