//! The libraries of [RenLib](https://github.com/gomoku/RenLib) by Frank Arkbo: a tree of moves.
//!
//! Behind a header of 20 bytes (`FF`, `RenLib`, `FF`, the version, `FF` to the end; the oldest
//! have none and begin with `78`, h8) stands a node for each move, those that follow it behind it:
//! a byte for the point, a column from 1 and 16 times the row from the top, 0 for a pass; and one
//! of flags: `80` it has a sibling, which comes when its own moves are over, `40` nothing follows
//! it, `20` a comment in seven bits with Swedish letters, `10` a mark, `08` a comment, `04` where
//! to begin, `02` no move, `01` two more bytes of flags, of which the second has `01` for a text
//! on the board. Texts end with a byte of 0 and have an even length; what stands behind a byte of
//! 8 in a comment are its other lines. Version 3.4 begins with a node of no move, which stands for
//! the empty board.
//!
//! Boards have 15 columns and rows, and colours take turns. Marks are kept as `HO`, the beginning
//! as `START`, and texts on the board as `LB`, all as properties of the node. RenLib itself keeps
//! no charset: texts are written as UTF-8.
//!
//! ```
//! use tengen_record::formats::{renlib, sgf};
//! let sheet = sgf::read("(;GM[4](;B[hh];W[hg]C[天元])(;B[aa]))").next().unwrap()?;
//! let bytes = renlib::write(&sheet)?;
//! assert_eq!(renlib::read(&bytes)?, sheet);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::ops::Range;

use tengen_rules::{Color, Move, Point, Size};

use super::sgf::value;
use super::{Node, NodeId, Property, ScoreSheet, Tree, WriteError, charset};
use crate::ReadError;

const MAGIC: &[u8] = b"\xffRenLib\xff";
const HEADER: usize = 20;
const CENTER: u8 = 0x78;
/// The version that is written, and the newest that is read.
const VERSION: [u8; 2] = [3, 4];
/// Between the texts of a library while their charset is found: a NUL would look like UTF-16. It is
/// no part of a letter in any charset.
const BETWEEN_TEXTS: u8 = 0x1f;
/// Between the first line of a comment and the others.
const OTHER_LINES: u8 = 8;

const SIBLING: u8 = 0x80;
const LEAF: u8 = 0x40;
const OLD_COMMENT: u8 = 0x20;
const MARK: u8 = 0x10;
const COMMENT: u8 = 0x08;
const START: u8 = 0x04;
const NO_MOVE: u8 = 0x02;
const EXTENSION: u8 = 0x01;
const BOARD_TEXT: u8 = 0x01;

/// Whether these bytes begin as a library does. One of those without a header is not told so.
pub(super) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Reads a library. One that is cut short is read as far as it goes.
///
/// # Errors
/// Says at which byte, counted from 0, something is that no library has.
pub fn read(bytes: &[u8]) -> Result<ScoreSheet, ReadError> {
    let mut library = LibTree { bytes, at: 0, old_texts: Vec::new(), texts: Vec::new() };
    library.header()?;
    let (mut sheet, places) = library.tree()?;
    library.put_texts(&mut sheet);
    sheet.check().map_err(|error| {
        let place = error.node().and_then(|node| places.get(node.index()).copied());
        wrong(place.unwrap_or(0), &error.to_string())
    })?;
    Ok(sheet)
}

fn wrong(at: usize, message: &str) -> ReadError {
    ReadError::of_text(format!("byte {at}: {message}"))
}

struct LibTree<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Comments in seven bits, which need no charset.
    old_texts: Vec<(NodeId, String)>,
    /// The other texts: one charset is found for all of them.
    texts: Vec<(NodeId, Option<Point>, Range<usize>)>,
}

/// A node as it stands there.
struct LibNode {
    at: usize,
    point: u8,
    flags: u8,
    has_board_text: bool,
}

impl LibTree<'_> {
    fn header(&mut self) -> Result<(), ReadError> {
        if self.bytes.first() == Some(&CENTER) {
            return Ok(());
        }
        if !begins(self.bytes) || self.bytes.len() < HEADER {
            return Err(wrong(0, "not a library of RenLib: expected FF RenLib FF"));
        }
        let version = [self.bytes[8], self.bytes[9]];
        if version > VERSION {
            let [major, minor] = version;
            let message = format!("version {major}.{minor} is not known: expected 3.4 or less");
            return Err(wrong(8, &message));
        }
        self.at = HEADER;
        Ok(())
    }

    fn pair(&mut self) -> Option<[u8; 2]> {
        let pair = self.bytes.get(self.at..self.at + 2)?;
        self.at += 2;
        Some([pair[0], pair[1]])
    }

    fn node(&mut self) -> Option<LibNode> {
        let at = self.at;
        let [point, flags] = self.pair()?;
        let more = if flags & EXTENSION == 0 { [0; 2] } else { self.pair()? };
        Some(LibNode { at, point, flags, has_board_text: more[1] & BOARD_TEXT != 0 })
    }

    /// The tree, and where each of its nodes stands.
    fn tree(&mut self) -> Result<(ScoreSheet, Vec<usize>), ReadError> {
        let mut sheet = ScoreSheet::new(Size::STANDARD);
        let root = sheet.tree.root();
        let mut places = vec![self.at];
        // Where the siblings go that are still to come, and how many stones are there.
        let (mut open, mut parent) = (Vec::new(), (root, 0));
        while let Some(raw) = self.node() {
            if sheet.tree.len() == Tree::MOST_NODES {
                let message = format!("a tree of more than {} moves", Tree::MOST_NODES);
                return Err(wrong(raw.at, &message));
            }
            let is_root = raw.point == 0 && sheet.tree.len() == 1 && self.is_first(raw.at);
            let id = if is_root { root } else { self.add(&raw, parent, &mut sheet, &mut places)? };
            self.note(&raw, id, parent.0, &mut sheet);
            if raw.flags & SIBLING != 0 {
                open.push(parent);
            }
            let laid = usize::from(!is_root && raw.flags & NO_MOVE == 0);
            parent = (id, parent.1 + laid);
            if raw.flags & LEAF != 0 {
                let Some(before) = open.pop() else { break };
                parent = before;
            }
        }
        Ok((sheet, places))
    }

    fn is_first(&self, at: usize) -> bool {
        at == HEADER && begins(self.bytes)
    }

    /// Adds a node; one that is there for its text alone is its parent.
    fn add(
        &self,
        raw: &LibNode,
        (parent, ply): (NodeId, usize),
        sheet: &mut ScoreSheet,
        places: &mut Vec<usize>,
    ) -> Result<NodeId, ReadError> {
        if raw.flags & NO_MOVE != 0 {
            return Ok(parent);
        }
        let mv = match raw.point {
            0 => Move::Pass,
            point => Move::Stone(board_point(point).ok_or_else(|| {
                wrong(raw.at, &format!("{point:02x} is no point: expected 01 to ef"))
            })?),
        };
        places.push(raw.at);
        let played = Some((Color::of_ply(ply), mv));
        Ok(sheet.tree.add(parent, Node { played, ..Node::default() }))
    }

    /// Notes the texts and marks of a node.
    fn note(&mut self, raw: &LibNode, id: NodeId, parent: NodeId, sheet: &mut ScoreSheet) {
        if raw.flags & OLD_COMMENT != 0 {
            let text = self.old_text();
            self.old_texts.push((id, text));
        } else if raw.flags & COMMENT != 0 {
            let text = self.text();
            self.texts.push((id, None, text));
        }
        if raw.has_board_text {
            let text = self.text();
            if let Some(point) = board_point(raw.point) {
                self.texts.push((parent, Some(point), text));
            }
        }
        for (flag, name) in [(MARK, "HO"), (START, "START")] {
            let properties = &mut sheet.tree.node_mut(id).properties;
            if raw.flags & flag != 0 && properties.iter().all(|known| known.name != name) {
                let values = vec!["1".to_owned()];
                properties.push(Property { name: name.to_owned(), values });
            }
        }
    }

    /// A text up to its 0, and what makes its length even.
    fn text(&mut self) -> Range<usize> {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|byte| *byte == 0).unwrap_or(rest.len());
        let text = self.at..self.at + length;
        self.at = (text.end + 2 - length % 2).min(self.bytes.len());
        text
    }

    /// A text up to the byte whose highest bit is set.
    fn old_text(&mut self) -> String {
        let rest = &self.bytes[self.at..];
        let length =
            rest.iter().position(|byte| byte & 0x80 != 0).map_or(rest.len(), |end| end + 1);
        self.at = (self.at + length + length % 2).min(self.bytes.len());
        let letter = |byte: &u8| match byte & 0x7f {
            b'}' => 'å',
            b'{' => 'ä',
            b'|' => 'ö',
            b']' => 'Å',
            b'[' => 'Ä',
            b'\\' => 'Ö',
            byte => char::from(byte),
        };
        let text = rest[..length].iter().filter(|byte| is_of_text(**byte & 0x7f));
        text.map(letter).collect()
    }

    /// Puts texts to their nodes.
    fn put_texts(self, sheet: &mut ScoreSheet) {
        for (id, text) in &self.old_texts {
            comment(sheet, *id, text);
        }
        let bytes_of = |at: &Range<usize>| -> Vec<u8> {
            let bytes = self.bytes[at.clone()].iter().copied();
            bytes.filter(|byte| is_of_text(*byte)).collect()
        };
        let all: Vec<Vec<u8>> = self.texts.iter().map(|(.., at)| bytes_of(at)).collect();
        let all = all.join(&BETWEEN_TEXTS);
        let all = charset::decode(&all).text;
        for ((id, point, _), text) in self.texts.iter().zip(all.split(char::from(BETWEEN_TEXTS))) {
            // The mark of a charset is no letter, and would be lost when it is read again.
            let text = text.trim_start_matches('\u{feff}');
            let Some(point) = point else {
                comment(sheet, *id, text);
                continue;
            };
            // One without a letter is none.
            if text.is_empty() {
                continue;
            }
            let label =
                format!("{}:{}", value::write_point(*point, sheet.size), value::escape(text));
            let properties = &mut sheet.tree.node_mut(*id).properties;
            match properties.iter_mut().find(|property| property.name == "LB") {
                Some(labels) => labels.values.push(label),
                None => properties.push(Property { name: "LB".to_owned(), values: vec![label] }),
            }
        }
    }
}

/// Whether a text has this byte: a letter, a space or a line end, no other control.
fn is_of_text(byte: u8) -> bool {
    matches!(byte, OTHER_LINES..=10 | 13 | 0x20..=0xff)
}

fn comment(sheet: &mut ScoreSheet, id: NodeId, text: &str) {
    let text = text.replace(char::from(OTHER_LINES), "\n").replace('\r', "");
    let text = text.trim_end();
    let comment = &mut sheet.tree.node_mut(id).comment;
    if !comment.is_empty() && !text.is_empty() {
        comment.push('\n');
    }
    comment.push_str(text);
}

fn board_point(byte: u8) -> Option<Point> {
    let (column, row) = ((byte & 15).checked_sub(1)?, byte >> 4);
    let point = Point::new(column, 14_u8.checked_sub(row)?);
    Size::STANDARD.contains(point).then_some(point)
}

fn point_byte(point: Point) -> u8 {
    16 * (14 - point.y()) + point.x() + 1
}

/// The moves of a game from RenLib's other file, `.pos`: how many there are, and a byte for each,
/// counted from the top left corner and row by row; what is no point is a pass. None if these bytes
/// are no such file.
///
/// # Errors
/// When a stone stands where another does.
pub(super) fn read_moves(bytes: &[u8]) -> Option<Result<ScoreSheet, ReadError>> {
    let (count, moves) = bytes.split_first()?;
    // A text has no such bytes, nor is it just so long.
    let is_text = bytes.iter().all(|byte| matches!(byte, 9..=13 | 32..127));
    if moves.is_empty() || moves.len() != usize::from(*count) || is_text {
        return None;
    }
    let mut sheet = ScoreSheet::new(Size::STANDARD);
    sheet.append(moves.iter().map(|&byte| match byte {
        0..225 => Move::Stone(Point::new(byte % 15, 14 - byte / 15)),
        _ => Move::Pass,
    }));
    Some(sheet.check().map(|_| sheet).map_err(ReadError::of_text))
}

/// Writes a game and its variations as version 3.4.
///
/// # Errors
/// When stones are set up in it, or the board is not one of 15.
pub fn write(sheet: &ScoreSheet) -> Result<Vec<u8>, WriteError> {
    if sheet.size != Size::STANDARD {
        return Err(WriteError::Size { size: sheet.size });
    }
    if !sheet.set_up.black.is_empty() || !sheet.set_up.white.is_empty() {
        return Err(WriteError::SetUp);
    }
    let mut bytes = vec![0xff; HEADER];
    bytes[..MAGIC.len()].copy_from_slice(MAGIC);
    bytes[MAGIC.len()..MAGIC.len() + 2].copy_from_slice(&VERSION);
    let mut open = vec![WrittenNode { id: Some(sheet.tree.root()), ..WrittenNode::default() }];
    while let Some(node) = open.pop() {
        let (comment, following) = node.id.map(|id| following(sheet, id)).unwrap_or_default();
        node.write(sheet, &comment, following.is_empty(), &mut bytes);
        open.extend(following.into_iter().rev());
    }
    Ok(bytes)
}

/// A node that is to be written.
#[derive(Default)]
struct WrittenNode {
    /// None for one that has a text on the board alone.
    id: Option<NodeId>,
    point: u8,
    text: String,
    has_sibling: bool,
}

/// What there is to say of a node, and what follows it: nodes without a move are a part of the one
/// before them.
fn following(sheet: &ScoreSheet, id: NodeId) -> (String, Vec<WrittenNode>) {
    let (mut comment, mut nodes) = (String::new(), Vec::new());
    let mut labels: Vec<(Point, String)> = Vec::new();
    let mut open = vec![id];
    while let Some(next) = open.pop() {
        let node = sheet.tree.node(next);
        if let Some((_, mv)) = node.played.filter(|_| next != id) {
            let point = mv.point().map_or(0, point_byte);
            nodes.push(WrittenNode { id: Some(next), point, ..WrittenNode::default() });
            continue;
        }
        if !comment.is_empty() && !node.comment.is_empty() {
            comment.push('\n');
        }
        comment.push_str(&node.comment);
        for property in node.properties.iter().filter(|property| property.name == "LB") {
            labels.extend(property.values.iter().filter_map(|label| {
                let (point, text) = label.split_once(':')?;
                Some((value::point(point, sheet.size)?, value::simple_text(text)))
            }));
        }
        open.extend(sheet.tree.children(next).iter().rev());
    }
    for (point, text) in labels {
        let point = point_byte(point);
        match nodes.iter_mut().find(|node| node.point == point && node.text.is_empty()) {
            Some(node) => node.text = text,
            None => nodes.push(WrittenNode { point, text, ..WrittenNode::default() }),
        }
    }
    let last = nodes.len().saturating_sub(1);
    nodes.iter_mut().take(last).for_each(|node| node.has_sibling = true);
    (comment, nodes)
}

impl WrittenNode {
    fn write(&self, sheet: &ScoreSheet, comment: &str, is_leaf: bool, bytes: &mut Vec<u8>) {
        let has = |name: &str| {
            let node = self.id.map(|id| sheet.tree.node(id));
            node.is_some_and(|node| node.properties.iter().any(|one| one.name == name))
        };
        let flags = [
            (SIBLING, self.has_sibling),
            (LEAF, is_leaf),
            (MARK, has("HO")),
            (COMMENT, !comment.is_empty()),
            (START, has("START")),
            (NO_MOVE, self.id.is_none()),
            (EXTENSION, !self.text.is_empty()),
        ];
        let set = flags.into_iter().filter(|(_, is)| *is);
        bytes.extend([self.point, set.map(|(flag, _)| flag).sum()]);
        if !self.text.is_empty() {
            bytes.extend([0, BOARD_TEXT]);
        }
        if !comment.is_empty() {
            let (first, others) = comment.split_once('\n').unwrap_or((comment, ""));
            let mut text = first.to_owned();
            if !others.is_empty() {
                text.push(char::from(OTHER_LINES));
                text.push_str(&others.replace('\n', "\r\n"));
            }
            write_text(&text, bytes);
        }
        if !self.text.is_empty() {
            write_text(&self.text, bytes);
        }
    }
}

fn write_text(text: &str, bytes: &mut Vec<u8>) {
    let begin = bytes.len();
    bytes.extend(text.bytes().filter(|byte| *byte != 0));
    bytes.push(0);
    if !(bytes.len() - begin).is_multiple_of(2) {
        bytes.push(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::sgf;

    fn library(version: u8, nodes: &[u8]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([3, version]);
        bytes.resize(HEADER, 0xff);
        bytes.extend(nodes);
        bytes
    }

    fn line(sheet: &ScoreSheet) -> String {
        sgf::write(sheet).split_once("SZ[15]").unwrap().1.replace('\n', "")
    }

    #[test]
    fn siblings_come_when_a_node_is_over() {
        // An empty board; a1 with b1 behind it and c1 beside b1; then h8 beside a1.
        let bytes = library(4, &[0, 0, 0xe1, 0x80, 0xe2, 0xc0, 0xe3, 0x40, 0x78, 0x40]);
        assert_eq!(line(&read(&bytes).unwrap()), "(;B[ao](;W[bo])(;W[co]))(;B[hh]))");
        assert_eq!(write(&read(&bytes).unwrap()).unwrap(), bytes);
        let old = [0x78, 0, 0x68, 0x40];
        assert_eq!(line(&read(&old).unwrap()), ";B[hh];W[hg])", "no header");
        assert_eq!(read(&library(0, &old)).unwrap(), read(&old).unwrap());
    }

    #[test]
    fn a_mark_of_a_charset_is_no_letter_of_a_text() {
        let head = [&[255][..], b"RenLib", &[255, 3, 4], &[255; 10], &[0, 0, 120, 92]].concat();
        let bytes = [&head, "\u{feff}\u{feff}hi".as_bytes(), &[0, 0]].concat();
        let written = write(&read(&bytes).unwrap()).unwrap();
        assert!(written.ends_with(&[120, 92, b'h', b'i', 0, 0]), "{written:?}");
        assert_eq!(write(&read(&written).unwrap()), Ok(written));
    }

    #[test]
    fn texts_and_marks_go_to_their_nodes() {
        let nodes =
            b"\0\x08hi\0\0\x78\x08one\x08two\r\nthree\0\0\x68\xd1\0\x01up\0\0\x01\x43\0\x01x\0";
        let sheet = read(&library(4, nodes)).unwrap();
        let text = "C[hi];B[hh]C[onetwothree]LB[hg:up][aa:x];W[hg]HO[1])";
        assert_eq!(line(&sheet), text);
        let first = sheet.tree.main_line().next().unwrap();
        assert_eq!(sheet.tree.node(first).comment, "one\ntwo\nthree");
        assert_eq!(write(&sheet).unwrap(), library(4, nodes));
        let old = read(b"\x78\x20K|p\xfa\x68\x40").unwrap();
        assert_eq!(line(&old), ";B[hh]C[Köpz];W[hg])");
    }

    #[test]
    fn what_is_no_library_is_told_with_its_place() {
        let wrong = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
        assert!(wrong(b"MZ").starts_with("byte 0: not a library of RenLib"));
        assert!(wrong(&library(5, &[])).starts_with("byte 8: version 3.5 is not known"));
        let twice = library(4, &[0, 0, 0x78, 0, 0x78, 0]);
        assert_eq!(wrong(&twice), "byte 24: move 2: h8 is occupied");
        assert!(wrong(&library(4, &[0, 0, 0x70, 0])).starts_with("byte 22: 70 is no point"));
    }

    #[test]
    fn a_library_that_is_cut_short_is_read_as_far_as_it_goes() {
        let whole = library(4, b"\0\0\x78\x08text\0\0\x68\0\x69\x40\n");
        for length in HEADER..=whole.len() {
            let sheet = read(&whole[..length]).unwrap();
            assert!(sheet.moves().count() <= 3);
        }
        assert_eq!(read(&whole).unwrap().moves().count(), 3, "and what is behind is nothing");
    }

    #[test]
    fn moves_of_a_pos_file_count_from_the_top() {
        let sheet = read_moves(&[3, 112, 240, 0]).unwrap().unwrap();
        assert_eq!(line(&sheet), ";B[hh];W[];B[aa])");
        assert!(read_moves(&[2, 112, 112]).unwrap().is_err());
        for no_such_file in [&b"h8i9"[..], b"", &[0], &[9, 1], b"3 stones\n"] {
            assert!(read_moves(no_such_file).is_none(), "{no_such_file:?}");
        }
    }
}
