//! What was said last at a table.

use std::collections::VecDeque;

use tengen_link::messages::ChatLine;

/// The lines of chat that are kept.
pub(super) const MOST_LINES: usize = 100;
/// The pictures that are kept: with 32 KiB of base64 each.
const MOST_PICTURES: usize = 4;

/// The last lines of chat, and the last pictures of them.
#[derive(Default)]
pub(super) struct ChatLog(VecDeque<ChatLine>);

impl ChatLog {
    pub fn push(&mut self, line: ChatLine) {
        self.0.push_back(line);
        if self.0.len() > MOST_LINES {
            self.0.pop_front();
        }
        let pictured = self.0.iter_mut().rev().filter(|line| line.picture.is_some());
        pictured.skip(MOST_PICTURES).for_each(|line| line.picture = None);
    }

    /// The lines, the oldest first.
    pub fn lines(&self) -> impl Iterator<Item = &ChatLine> {
        self.0.iter()
    }
}

impl FromIterator<ChatLine> for ChatLog {
    fn from_iter<I: IntoIterator<Item = ChatLine>>(lines: I) -> ChatLog {
        let mut log = ChatLog::default();
        lines.into_iter().for_each(|line| log.push(line));
        log
    }
}

#[cfg(test)]
mod tests {
    use tengen_link::messages::{ChatPicture, PictureFormat};

    use super::*;

    #[test]
    fn the_last_lines_and_pictures_are_kept() {
        let line = |at: u64| {
            let (format, data) = (PictureFormat::Png, at.to_string());
            let picture =
                at.is_multiple_of(2).then_some(ChatPicture { format, width: 1, height: 1, data });
            ChatLine { from: String::new(), seat: None, text: String::new(), picture, at }
        };
        let log: ChatLog = (0..250).map(line).collect();
        let kept: Vec<u64> = log.lines().map(|line| line.at).collect();
        assert_eq!(kept, (150..250).collect::<Vec<_>>());
        let pictured = log.lines().filter_map(|line| line.picture.as_ref());
        let pictures: Vec<&str> = pictured.map(|picture| picture.data.as_str()).collect();
        assert_eq!(pictures, ["242", "244", "246", "248"]);
    }
}
