//! Reads games from SGF.

use tengen_rules::{Color, Move};

use super::node::RawNode;
use super::scan::{Scanner, Token};
use super::{ScoreSheet, root, value};
use crate::ReadError;
use crate::formats::{Node, NodeId, SheetError, Tree, seconds};

/// The games of a text, one after the other.
///
/// A game that cannot have been played is an error that names the place, and reading goes on behind
/// it; where the text itself is broken, that is the last item.
pub fn read(text: &str) -> SgfGames<'_> {
    SgfGames { scanner: Scanner::new(text), begun: false, broken: false }
}

/// What [`read`] gives.
#[derive(Clone, Debug)]
pub struct SgfGames<'a> {
    scanner: Scanner<'a>,
    begun: bool,
    broken: bool,
}

impl Iterator for SgfGames<'_> {
    type Item = Result<ScoreSheet, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.broken {
            return None;
        }
        let game = self.game();
        self.broken = !matches!(game, Ok(Some(_)));
        self.begun = true;
        match game {
            Ok(None) => None,
            Ok(Some(game)) => Some(game),
            Err(error) => Some(Err(error)),
        }
    }
}

impl SgfGames<'_> {
    /// The next game, or what is wrong with it; the outer error is one of the text.
    fn game(&mut self) -> Result<Option<Result<ScoreSheet, ReadError>>, ReadError> {
        match self.scanner.next()? {
            None if self.begun => return Ok(None),
            None => {
                let message = "no game: expected (; and the properties of one";
                return Err(ReadError::of_text(message));
            }
            Some((_, Token::Open)) => {}
            Some((at, _)) => {
                let message = "this belongs to no game: expected ( or the end";
                return Err(self.scanner.wrong(at, message));
            }
        }
        let mut open = 1;
        let mut reading = Ok(PartialGame::default());
        let mut end = 0;
        while open > 0 {
            let Some((at, token)) = self.scanner.next()? else {
                let message = "the game is not closed: expected )";
                return Err(self.scanner.wrong(usize::MAX, message));
            };
            let mut raw = None;
            match token {
                Token::Open => open += 1,
                Token::Close => open -= 1,
                Token::Node => raw = Some(RawNode::read(&mut self.scanner)?),
                Token::Name(_) | Token::Value(_) => {
                    return Err(self.scanner.wrong(at, "expected ; before a property"));
                }
            }
            end = at;
            reading = reading.and_then(|reading| reading.take(token, at, raw, &self.scanner));
        }
        Ok(Some(reading.and_then(|reading| reading.finish(end, &self.scanner))))
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
}

impl PartialGame {
    fn take(
        mut self,
        token: Token<'_>,
        at: usize,
        raw: Option<RawNode<'_>>,
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
                let raw = raw.unwrap_or_default();
                match self.sheet.take() {
                    None => self.begin(at, raw, scanner)?,
                    Some(mut sheet) => {
                        self.go_on(&mut sheet, at, raw, scanner)?;
                        self.sheet = Some(sheet);
                    }
                }
            }
        }
        Ok(self)
    }

    /// Reads the first node. A move in it is one of its own.
    fn begin(
        &mut self,
        at: usize,
        mut raw: RawNode<'_>,
        scanner: &Scanner<'_>,
    ) -> Result<(), ReadError> {
        let mut sheet = root::sheet(&mut raw, scanner)?;
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

    /// The whole game, if it can have been played.
    fn finish(self, end: usize, scanner: &Scanner<'_>) -> Result<ScoreSheet, ReadError> {
        let Some(sheet) = self.sheet else {
            return Err(scanner.wrong(end, "a game without anything: expected ; behind ("));
        };
        let place = |error: &SheetError| {
            let node = error.node().map_or(0, |node| node.index());
            self.places.get(node).copied().unwrap_or(end)
        };
        match sheet.check() {
            Ok(_) => Ok(sheet),
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
