use alloc::string::String;
use core::fmt;

use crate::scan::{Scan, excerpt, is};
use crate::{Coords, Info};

/// Whose a stone in a BOARD block is, its third field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Field {
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
/// use tengen_gomocup::{Command, Coords};
/// let command = Command::parse(b"turn 7, 8\r")?;
/// assert_eq!(command, Command::Turn(Coords { x: 7, y: 8 }));
/// assert_eq!(command.to_string(), "TURN 7,8");
/// # Ok::<(), tengen_gomocup::CommandError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command<'a> {
    /// `START n`: a new game on an empty board of n×n.
    Start(u32),
    /// `RECTSTART w,h`: the same on a rectangle.
    RectStart {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// `RESTART`: a new game on a board of the same size.
    Restart,
    /// `BEGIN`: the brain moves first, on an empty board.
    Begin,
    /// `TURN x,y`: the opponent's move; the brain answers with its own.
    Turn(Coords),
    /// `BOARD`: [`Command::Stone`] lines follow, then [`Command::Done`]; the brain moves.
    Board,
    /// `YXBOARD` (Yixin): the same, but the brain says nothing.
    YxBoard,
    /// `SWAP2BOARD`: [`Command::Point`] lines follow, then [`Command::Done`].
    Swap2Board,
    /// `x,y,f`: a line of BOARD.
    Stone(Coords, Field),
    /// `x,y`: a line of SWAP2BOARD.
    Point(Coords),
    /// `DONE`: the end of a block.
    Done,
    /// `INFO key value`.
    Info(Info<'a>),
    /// `TAKEBACK x,y`: the last stone is taken off the board.
    TakeBack(Coords),
    /// `PLAY x,y`: the brain is to play there; the answer to its SUGGEST.
    Play(Coords),
    /// `ABOUT`: who are you?
    About,
    /// `END`: the process is to end.
    End,
    /// `YXSTOP` (Yixin): the brain is to move now.
    YxStop,
    /// `YXSHOWFORBID` (Yixin): which points are forbidden?
    YxShowForbid,
}

/// A line that is no command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CommandError {
    /// It begins with no word we know; this is the beginning of it.
    Unknown(String),
    /// It begins with a word we know and goes on in another form than this.
    Malformed {
        /// The form.
        expected: &'static str,
        /// The beginning of the line.
        excerpt: String,
    },
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Unknown(excerpt) => write!(f, "command `{excerpt}`"),
            CommandError::Malformed { expected, excerpt } => {
                write!(f, "expected `{expected}`, not `{excerpt}`")
            }
        }
    }
}

impl core::error::Error for CommandError {}

/// The commands that are one word.
const WORDS: [(&str, Command<'static>); 10] = [
    ("BEGIN", Command::Begin),
    ("BOARD", Command::Board),
    ("DONE", Command::Done),
    ("RESTART", Command::Restart),
    ("SWAP2BOARD", Command::Swap2Board),
    ("ABOUT", Command::About),
    ("END", Command::End),
    ("YXBOARD", Command::YxBoard),
    ("YXSTOP", Command::YxStop),
    ("YXSHOWFORBID", Command::YxShowForbid),
];

impl<'a> Command<'a> {
    /// Reads a line, in either case and with spaces around. What follows a command that takes
    /// nothing is ignored.
    ///
    /// # Errors
    /// When the line begins with no known word, or goes on in another form.
    pub fn parse(line: &'a [u8]) -> Result<Command<'a>, CommandError> {
        let mut scan = Scan::new(line);
        let malformed = |expected| CommandError::Malformed { expected, excerpt: excerpt(line) };
        if let Some(command) = block_line(scan, &malformed)? {
            return Ok(command);
        }
        let word = scan.word();
        if is(word, "TURN") {
            return point(scan).map(Command::Turn).ok_or_else(|| malformed("TURN x,y"));
        }
        if is(word, "INFO") {
            return Info::read(scan).map(Command::Info).ok_or_else(|| malformed("INFO key value"));
        }
        if let Some((_, command)) = WORDS.iter().find(|(name, _)| is(word, name)) {
            return Ok(command.clone());
        }
        if is(word, "START") {
            return side(&mut scan).map(Command::Start).ok_or_else(|| malformed("START size"));
        }
        if is(word, "RECTSTART") {
            let sides = point(scan).and_then(|Coords { x, y }| {
                Some(Command::RectStart { width: x.try_into().ok()?, height: y.try_into().ok()? })
            });
            return sides.ok_or_else(|| malformed("RECTSTART width,height"));
        }
        if is(word, "TAKEBACK") {
            return point(scan).map(Command::TakeBack).ok_or_else(|| malformed("TAKEBACK x,y"));
        }
        if is(word, "PLAY") {
            return point(scan).map(Command::Play).ok_or_else(|| malformed("PLAY x,y"));
        }
        Err(CommandError::Unknown(excerpt(line)))
    }
}

/// A line of BOARD or SWAP2BOARD, if the line begins with a point.
fn block_line<'a>(
    mut scan: Scan<'a>,
    malformed: &impl Fn(&'static str) -> CommandError,
) -> Result<Option<Command<'a>>, CommandError> {
    let Some(coords) = scan.coords() else { return Ok(None) };
    let field = match scan.field() {
        None if scan.is_done() => return Ok(Some(Command::Point(coords))),
        Some(1) => Field::Own,
        Some(2) => Field::Opponent,
        Some(3) => Field::Barred,
        _ => return Err(malformed("x,y,1, x,y,2 or x,y,3")),
    };
    if scan.is_done() {
        return Ok(Some(Command::Stone(coords, field)));
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

impl fmt::Display for Command<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Start(side) => write!(f, "START {side}"),
            Command::RectStart { width, height } => write!(f, "RECTSTART {width},{height}"),
            Command::Turn(coords) => write!(f, "TURN {coords}"),
            Command::Stone(coords, field) => write!(f, "{coords},{}", *field as u8 + 1),
            Command::Point(coords) => coords.fmt(f),
            Command::Info(info) => write!(f, "INFO {info}"),
            Command::TakeBack(coords) => write!(f, "TAKEBACK {coords}"),
            Command::Play(coords) => write!(f, "PLAY {coords}"),
            word => {
                let known = WORDS.iter().find(|(_, command)| command == word);
                f.write_str(known.map_or("", |(name, _)| name))
            }
        }
    }
}
