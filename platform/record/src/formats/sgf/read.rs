//! Reads games from SGF.

use std::collections::VecDeque;

use tengen_rules::{Color, Move};

use super::node::RawNode;
use super::scan::{ROOT_ALONE, Scanner, Token};
use super::{ScoreSheet, root, value};
use crate::formats::{Node, NodeId, SheetError, Tree, seconds};
use crate::{ReadError, Unread, UnreadCost, UnreadList};

/// The games of a text, one after the other.
///
/// A game that is malformed, or cannot have been played, is an error that names the place, and
/// reading goes on behind it. Everything else that is not read is an error behind the game that it
/// belongs to and costs none: text between games, the end of a game that was cut off, a result
/// that is no known word.
pub fn read(text: &str) -> SgfGames<'_> {
    SgfGames {
        scanner: Scanner::new(text),
        takes_any_game: false,
        begun: false,
        waiting: VecDeque::new(),
    }
}

/// What [`read`] gives.
#[derive(Clone, Debug)]
pub struct SgfGames<'a> {
    scanner: Scanner<'a>,
    takes_any_game: bool,
    begun: bool,
    /// What is told behind the game that was read last.
    waiting: VecDeque<ReadError>,
}

impl Iterator for SgfGames<'_> {
    type Item = Result<ScoreSheet, Unread>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(unread) = self.waiting.pop_front() {
            return Some(Err(Unread::part(unread)));
        }
        let (skipped, is_game) = self.scanner.seek_game();
        if let Some(at) = skipped.filter(|_| is_game || self.begun) {
            let message = "this belongs to no game: skipped up to the next (; or the end";
            self.waiting.push_back(self.scanner.wrong(at, message));
        }
        if is_game {
            self.begun = true;
            return Some(self.game().map_err(Unread::game));
        }
        if !self.begun {
            self.begun = true;
            let error = ReadError::of_text("no game: expected (; and the properties of one");
            return Some(Err(Unread { cost: UnreadCost::File, error }));
        }
        self.waiting.pop_front().map(|unread| Err(Unread::part(unread)))
    }
}

impl SgfGames<'_> {
    /// Reads the games of files that say they are of another game, as programs for Go write them.
    pub fn of_any_game(mut self) -> Self {
        self.takes_any_game = true;
        self
    }

    /// The game that begins here. Whatever is wrong in it, reading goes on behind its last bracket,
    /// or where another one begins.
    fn game(&mut self) -> Result<ScoreSheet, ReadError> {
        let mut reading = Ok(PartialGame::default());
        let (mut open, mut end) = (0, 0);
        // The bracket of the game itself, which was seen to be there.
        if self.scanner.next()?.is_some() {
            open += 1;
        }
        while open > 0 {
            let (at, token) = match self.scanner.next() {
                Ok(Some(next)) => next,
                Ok(None) => {
                    self.cut_off(usize::MAX, "the text ends within the game");
                    break;
                }
                Err(error) => {
                    reading = reading.and(Err(error));
                    continue;
                }
            };
            let mut raw = None;
            match token {
                Token::Open if self.scanner.is_in_new_game() => {
                    self.scanner.go_back(at);
                    self.cut_off(at, "another game begins within the game");
                    break;
                }
                Token::Cut => {
                    self.cut_off(at, "the text ends, or another game begins, within this value");
                    break;
                }
                Token::Open => open += 1,
                Token::Close => open -= 1,
                Token::Node => match RawNode::read(&mut self.scanner) {
                    Ok(node) => raw = Some(node),
                    Err(error) => reading = reading.and(Err(error)),
                },
                Token::Name(_) | Token::Value(_) => {
                    let error = self.scanner.wrong(at, "expected ; before a property");
                    reading = reading.and(Err(error));
                }
            }
            end = at;
            reading = reading.and_then(|reading| {
                reading.take(token, at, raw, self.takes_any_game, &self.scanner)
            });
        }
        let (sheet, notes) = reading?.finish(end, &self.scanner)?;
        self.waiting.extend(notes);
        Ok(sheet)
    }

    fn cut_off(&mut self, at: usize, how: &str) {
        let message = format!("{how}, which is read as far as it goes: expected )");
        self.waiting.push_back(self.scanner.wrong(at, &message));
    }
}

/// A game as far as it has been read.
#[derive(Default)]
struct PartialGame {
    sheet: Option<ScoreSheet>,
    /// Where each node begins.
    places: Vec<usize>,
    /// Where the game goes on.
    last: Option<NodeId>,
    /// Where it goes on behind each bracket that is open.
    branches: Vec<Option<NodeId>>,
    /// Whether stones may no longer be set up.
    under_way: bool,
    /// What is not read, and costs no game.
    notes: Vec<ReadError>,
}

impl PartialGame {
    fn take(
        mut self,
        token: Token<'_>,
        at: usize,
        raw: Option<RawNode<'_>>,
        takes_any_game: bool,
        scanner: &Scanner<'_>,
    ) -> Result<PartialGame, ReadError> {
        match token {
            Token::Open => {
                if self.sheet.is_none() {
                    return Err(scanner.wrong(at, "a variation of nothing: expected ; before it"));
                }
                // Several lines may begin at the root.
                self.under_way |= self.branches.len() > 1;
                self.branches.push(self.last);
            }
            Token::Close => {
                if let Some(branch) = self.branches.pop() {
                    self.last = branch;
                    self.under_way = true;
                }
            }
            _ => {
                let mut raw = raw.unwrap_or_default();
                self.note(&mut raw.skipped);
                match self.sheet.take() {
                    None => self.begin(at, raw, takes_any_game, scanner)?,
                    Some(mut sheet) => {
                        self.go_on(&mut sheet, at, raw, scanner)?;
                        self.sheet = Some(sheet);
                    }
                }
            }
        }
        Ok(self)
    }

    /// Notes what is not read; of a game with a thousand faults, a hundred say enough.
    fn note(&mut self, notes: &mut Vec<ReadError>) {
        notes.truncate(UnreadList::MOST_LISTED.saturating_sub(self.notes.len()));
        self.notes.append(notes);
    }

    /// Reads the first node. A move in it is one of its own.
    fn begin(
        &mut self,
        at: usize,
        mut raw: RawNode<'_>,
        takes_any_game: bool,
        scanner: &Scanner<'_>,
    ) -> Result<(), ReadError> {
        if raw.is_empty() && !self.notes.is_empty() {
            return Err(scanner.wrong(at, "no property of a game: expected a name and [ behind ;"));
        }
        let mut sheet = root::sheet(&mut raw, takes_any_game, scanner, &mut self.notes)?;
        root::set_up(&mut sheet, &mut raw, scanner)?;
        self.places.push(at);
        let top = sheet.tree.root();
        self.last = Some(top);
        let node = node(&mut raw, &sheet, scanner)?;
        sheet.properties = raw.rest();
        if node.played.is_some() {
            self.under_way = true;
            self.add(&mut sheet, top, node, at, scanner)?;
        } else {
            *sheet.tree.node_mut(top) = node;
        }
        self.sheet = Some(sheet);
        Ok(())
    }

    fn go_on(
        &mut self,
        sheet: &mut ScoreSheet,
        at: usize,
        mut raw: RawNode<'_>,
        scanner: &Scanner<'_>,
    ) -> Result<(), ReadError> {
        if !self.under_way {
            root::set_up(sheet, &mut raw, scanner)?;
        }
        for name in ROOT_ALONE {
            raw.take(name);
        }
        for name in ["AB", "AW", "AE"] {
            if let Some(property) = raw.take(name) {
                let message = "stones set up behind the first move: expected moves alone there";
                return Err(scanner.wrong_in(name, property.at, message));
            }
        }
        let mut node = node(&mut raw, sheet, scanner)?;
        node.properties = raw.rest();
        self.under_way |= node.played.is_some();
        let parent = self.last.unwrap_or(sheet.tree.root());
        self.add(sheet, parent, node, at, scanner)
    }

    fn add(
        &mut self,
        sheet: &mut ScoreSheet,
        parent: NodeId,
        node: Node,
        at: usize,
        scanner: &Scanner<'_>,
    ) -> Result<(), ReadError> {
        if sheet.tree.len() == Tree::MOST_NODES {
            let message = format!("a game of more than {} moves", Tree::MOST_NODES);
            return Err(scanner.wrong(at, &message));
        }
        self.last = Some(sheet.tree.add(parent, node));
        self.places.push(at);
        Ok(())
    }

    /// The whole game, if it can have been played, and what of it was not read.
    fn finish(
        self,
        end: usize,
        scanner: &Scanner<'_>,
    ) -> Result<(ScoreSheet, Vec<ReadError>), ReadError> {
        let Some(sheet) = self.sheet else {
            return Err(scanner.wrong(end, "a game without anything: expected ; behind ("));
        };
        let place = |error: &SheetError| {
            let node = error.node().map_or(0, |node| node.index());
            self.places.get(node).copied().unwrap_or(end)
        };
        match sheet.check() {
            Ok(_) => Ok((sheet, self.notes)),
            Err(error) => Err(scanner.wrong(place(&error), &error.to_string())),
        }
    }
}

/// Reads a node, and leaves in `raw` what it does not tell.
fn node(
    raw: &mut RawNode<'_>,
    sheet: &ScoreSheet,
    scanner: &Scanner<'_>,
) -> Result<Node, ReadError> {
    let played = played(raw, sheet, scanner)?;
    let mut node = Node { played, comment: raw.take_text("C", value::text), ..Node::default() };
    if let Some((color, _)) = played {
        let name = match color {
            Color::Black => "BL",
            Color::White => "WL",
        };
        node.clock = raw.take_if(name, seconds::read);
    }
    node.spent = raw.take("SPENT").and_then(|spent| seconds::read(spent.first()));
    let millis = node.comment.strip_suffix("ms").and_then(|text| text.parse::<u32>().ok());
    if let (None, Some(millis)) = (node.spent, millis) {
        node.spent = Some(u64::from(millis) * 1_000_000);
        node.comment.clear();
    }
    Ok(node)
}

fn played(
    raw: &mut RawNode<'_>,
    sheet: &ScoreSheet,
    scanner: &Scanner<'_>,
) -> Result<Option<(Color, Move)>, ReadError> {
    let taken = [(Color::Black, raw.take("B")), (Color::White, raw.take("W"))];
    let mut moves = taken.into_iter().filter_map(|(color, property)| Some((color, property?)));
    let Some((color, property)) = moves.next() else {
        return Ok(None);
    };
    if property.values.len() > 1 || moves.next().is_some() {
        let message = "several moves in one node: expected ; before each";
        return Err(scanner.wrong_in(&property.name, property.at, message));
    }
    match value::played(property.first(), sheet.size) {
        Some(mv) => Ok(Some((color, mv))),
        None => {
            let message = format!(
                "`{}` is no move on a board of {}: expected two letters as in hh",
                property.first().escape_debug(),
                sheet.size
            );
            Err(scanner.wrong_in(&property.name, property.at, &message))
        }
    }
}
