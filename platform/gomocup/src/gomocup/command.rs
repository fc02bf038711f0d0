//! The lines from the manager to the brain.

use alloc::string::String;
use core::fmt;

use crate::scan::{Scan, excerpt, is};
use crate::{Coords, Info};

/// The owner of a stone in a BOARD block, its third field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StoneField {
    /// 1: the brain's own.
    Own,
    /// 2: the opponent's.
    Opponent,
    /// 3: no stone may be laid here: forbidden, or part of a row that won in a continuous game.
    Barred,
}

/// A line from the manager to the brain. It prints as it is spoken, without a line end.
///
/// ```
/// use tengen_gomocup::{ManagerCommand, Coords};
/// let command = ManagerCommand::parse(b"turn 7, 8\r")?;
/// assert_eq!(command, ManagerCommand::Turn(Coords { x: 7, y: 8 }));
/// assert_eq!(command.to_string(), "TURN 7,8");
/// # Ok::<(), tengen_gomocup::ParseCommandError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ManagerCommand<'a> {
    /// `START n`: a new game on an empty board of n×n.
    Start(u32),
    /// `RECTSTART w,h`: the same on a rectangle.
    RectStart {
        width: u32,
        height: u32,
    },
    /// `RESTART`: a new game on a board of the same size.
    Restart,
    /// `BEGIN`: the brain moves first, on an empty board.
    Begin,
    /// `TURN x,y`: the opponent's move; the brain answers with its own.
    Turn(Coords),
    /// `BOARD`: [`ManagerCommand::Stone`] lines follow, then [`ManagerCommand::Done`]; the brain
    /// moves.
    Board,
    /// `YXBOARD` (Yixin): the same, but the brain sends nothing.
    YxBoard,
    /// `SWAP2BOARD`: [`ManagerCommand::Point`] lines follow, then [`ManagerCommand::Done`].
    Swap2Board,
    /// `x,y,f`: a line of BOARD.
    Stone(Coords, StoneField),
    /// `x,y`: a line of SWAP2BOARD.
    Point(Coords),
    /// `DONE`: the end of a block.
    Done,
    Info(Info<'a>),
    /// `TAKEBACK x,y`: the last stone is taken off the board.
    TakeBack(Coords),
    /// `PLAY x,y`: the brain is to play there; the answer to its SUGGEST.
    Play(Coords),
    /// `ABOUT`: the brain tells its name, version and author.
    About,
    End,
    /// `YXSTOP` (Yixin): the brain is to move now.
    YxStop,
    /// `YXSHOWFORBID` (Yixin): which points are forbidden?
    YxShowForbid,
}

/// A line that is no command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParseCommandError {
    /// It begins with an unknown word; this is its beginning.
    Unknown(String),
    /// It begins with a known word and goes on in another form than this.
    Malformed {
        expected: &'static str,
        /// The beginning of the line.
        excerpt: String,
    },
}

impl fmt::Display for ParseCommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseCommandError::Unknown(excerpt) => write!(f, "command `{excerpt}`"),
            ParseCommandError::Malformed { expected, excerpt } => {
                write!(f, "expected `{expected}`, not `{excerpt}`")
            }
        }
    }
}

impl core::error::Error for ParseCommandError {}

const WORDS: [(&str, ManagerCommand<'static>); 10] = [
    ("BEGIN", ManagerCommand::Begin),
    ("BOARD", ManagerCommand::Board),
    ("DONE", ManagerCommand::Done),
    ("RESTART", ManagerCommand::Restart),
    ("SWAP2BOARD", ManagerCommand::Swap2Board),
    ("ABOUT", ManagerCommand::About),
    ("END", ManagerCommand::End),
    ("YXBOARD", ManagerCommand::YxBoard),
    ("YXSTOP", ManagerCommand::YxStop),
    ("YXSHOWFORBID", ManagerCommand::YxShowForbid),
];

impl<'a> ManagerCommand<'a> {
    /// Reads a line, in either case and with spaces around. What follows a command that takes
    /// nothing is ignored.
    ///
    /// # Errors
    /// When the line begins with no known word, or goes on in another form.
    pub fn parse(line: &'a [u8]) -> Result<ManagerCommand<'a>, ParseCommandError> {
        let mut scan = Scan::new(line);
        let malformed =
            |expected| ParseCommandError::Malformed { expected, excerpt: excerpt(line) };
        if let Some(command) = block_line(scan, &malformed)? {
            return Ok(command);
        }
        let word = scan.word();
        if is(word, "TURN") {
            return point(scan).map(ManagerCommand::Turn).ok_or_else(|| malformed("TURN x,y"));
        }
        if is(word, "INFO") {
            return Info::read(scan)
                .map(ManagerCommand::Info)
                .ok_or_else(|| malformed("INFO key value"));
        }
        if let Some((_, command)) = WORDS.iter().find(|(name, _)| is(word, name)) {
            return Ok(command.clone());
        }
        if is(word, "START") {
            return side(&mut scan)
                .map(ManagerCommand::Start)
                .ok_or_else(|| malformed("START size"));
        }
        if is(word, "RECTSTART") {
            let sides = point(scan).and_then(|Coords { x, y }| {
                Some(ManagerCommand::RectStart {
                    width: x.try_into().ok()?,
                    height: y.try_into().ok()?,
                })
            });
            return sides.ok_or_else(|| malformed("RECTSTART width,height"));
        }
        if is(word, "TAKEBACK") {
            return point(scan)
                .map(ManagerCommand::TakeBack)
                .ok_or_else(|| malformed("TAKEBACK x,y"));
        }
        if is(word, "PLAY") {
            return point(scan).map(ManagerCommand::Play).ok_or_else(|| malformed("PLAY x,y"));
        }
        Err(ParseCommandError::Unknown(excerpt(line)))
    }
}

/// A line of BOARD or SWAP2BOARD, if the line begins with a point.
fn block_line<'a>(
    mut scan: Scan<'a>,
    malformed: &impl Fn(&'static str) -> ParseCommandError,
) -> Result<Option<ManagerCommand<'a>>, ParseCommandError> {
    let Some(coords) = scan.coords() else { return Ok(None) };
    let field = match scan.field() {
        None if scan.is_done() => return Ok(Some(ManagerCommand::Point(coords))),
        Some(1) => StoneField::Own,
        Some(2) => StoneField::Opponent,
        Some(3) => StoneField::Barred,
        _ => return Err(malformed("x,y,1, x,y,2 or x,y,3")),
    };
    if scan.is_done() {
        return Ok(Some(ManagerCommand::Stone(coords, field)));
    }
    Err(malformed("x,y,1, x,y,2 or x,y,3"))
}

/// A point and nothing else.
fn point(mut scan: Scan<'_>) -> Option<Coords> {
    scan.coords().filter(|_| scan.is_done())
}

fn side(scan: &mut Scan<'_>) -> Option<u32> {
    scan.int()?.try_into().ok()
}

impl fmt::Display for ManagerCommand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ManagerCommand::Start(side) => write!(f, "START {side}"),
            ManagerCommand::RectStart { width, height } => write!(f, "RECTSTART {width},{height}"),
            ManagerCommand::Turn(coords) => write!(f, "TURN {coords}"),
            ManagerCommand::Stone(coords, field) => write!(f, "{coords},{}", *field as u8 + 1),
            ManagerCommand::Point(coords) => coords.fmt(f),
            ManagerCommand::Info(info) => write!(f, "INFO {info}"),
            ManagerCommand::TakeBack(coords) => write!(f, "TAKEBACK {coords}"),
            ManagerCommand::Play(coords) => write!(f, "PLAY {coords}"),
            word => {
                let known = WORDS.iter().find(|(_, command)| command == word);
                f.write_str(known.map_or("", |(name, _)| name))
            }
        }
    }
}
