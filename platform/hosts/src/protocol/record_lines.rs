//! What a text engine said, for the game record.

use std::collections::VecDeque;
use std::mem;

use tengen_gomocup::LogKind;

/// How many lines are stored for one question: the last ones, which show how the answer came about.
const LINES: usize = 8;
/// How long a line may be, in bytes.
const LINE: usize = 240;
/// How much is stored for one game, in bytes. Escaped it is still a small part of the longest line
/// that a reader of records takes.
const GAME: usize = 64 << 10;

/// The lines of an engine that the game record does not have yet: its MESSAGE and DEBUG lines, and
/// those that were no answers where one was due.
#[derive(Debug, Default)]
pub(crate) struct RecordLines {
    lines: VecDeque<String>,
    /// The bytes that the record of this game has already.
    stored_bytes: usize,
    has_unexpected: bool,
}

impl RecordLines {
    /// Another game begins: counts from zero, without what came behind the last answer of the game
    /// before.
    pub(crate) fn new_game(&mut self) {
        self.lines.clear();
        self.stored_bytes = 0;
        self.has_unexpected = false;
    }

    /// Whether a line was no answer where one was due.
    pub(crate) fn has_unexpected(&self) -> bool {
        self.has_unexpected
    }

    /// Adds an answer as it was written that is no point of the board.
    pub(super) fn add_answer(&mut self, text: &str) {
        let was_unexpected = self.has_unexpected;
        self.add(LogKind::Unexpected, &format!("answered {text}"));
        self.has_unexpected = was_unexpected;
    }

    pub(super) fn add(&mut self, kind: LogKind, text: &str) {
        self.has_unexpected |= kind == LogKind::Unexpected;
        let word = match kind {
            LogKind::Message => "MESSAGE ",
            LogKind::Debug => "DEBUG ",
            LogKind::Unexpected => "",
            LogKind::Info | LogKind::Other => return,
        };
        if self.lines.len() == LINES {
            self.lines.pop_front();
        }
        let text = &text[..text.floor_char_boundary(LINE - word.len())];
        let plain = |sign: char| if sign.is_control() { ' ' } else { sign };
        self.lines.push_back(word.chars().chain(text.chars().map(plain)).collect());
    }

    /// The lines since they were last taken, as many as there is still room for in this game.
    pub(crate) fn take(&mut self) -> Vec<String> {
        let mut lines = Vec::from(mem::take(&mut self.lines));
        lines.retain(|line| {
            let has_room = self.stored_bytes + line.len() <= GAME;
            self.stored_bytes += if has_room { line.len() } else { 0 };
            has_room
        });
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept_cut_and_in_plain_text() {
        let mut record_lines = RecordLines::default();
        assert_eq!(record_lines.take(), [""; 0]);
        for number in 0..100 {
            record_lines.add(LogKind::Message, &format!("{number}"));
        }
        record_lines.add(LogKind::Other, "a banner");
        record_lines.add(LogKind::Unexpected, "ERROR what?");
        record_lines.add(LogKind::Debug, "a\tb\u{1b}[1m");
        let expected = (94..100).map(|number| format!("MESSAGE {number}"));
        let last = ["ERROR what?".to_owned(), "DEBUG a b [1m".to_owned()];
        let expected: Vec<_> = expected.chain(last).collect();
        assert_eq!(record_lines.take(), expected);
        record_lines.add(LogKind::Message, &"天".repeat(1000));
        let line = record_lines.take().concat();
        assert_eq!((line.len(), line.chars().last()), (239, Some('天')));
    }

    #[test]
    fn a_game_has_so_much_of_it_and_no_more() {
        let (mut record_lines, line) = (RecordLines::default(), "x".repeat(1000));
        let mut game = || {
            let mut bytes = 0;
            for _ in 0..1000 {
                record_lines.add(LogKind::Debug, &line);
                bytes += record_lines.take().concat().len();
            }
            record_lines.new_game();
            bytes
        };
        assert_eq!((game(), game()), (GAME / LINE * LINE, GAME / LINE * LINE));
    }
}
