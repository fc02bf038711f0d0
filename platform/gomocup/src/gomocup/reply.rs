//! The lines from the brain to the manager.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

use crate::Coords;
use crate::scan::{Scan, is};

/// A line from the brain to the manager. It prints as it is spoken, without a line end.
///
/// ```
/// use tengen_gomocup::{Coords, BrainReply};
/// assert_eq!(BrainReply::parse(b"7,8\r"), BrainReply::Point(Coords { x: 7, y: 8 }));
/// assert_eq!(BrainReply::parse(b"ok"), BrainReply::Ok);
/// assert_eq!(BrainReply::parse(b"message hm").to_string(), "MESSAGE hm");
/// let remarked = BrainReply::Remarked(Coords { x: 7, y: 8 }, "Value:0".into());
/// assert_eq!(BrainReply::parse(b"7,8\tValue:0"), remarked);
/// let third = BrainReply::Remarked(Coords { x: 7, y: 8 }, ",0".into());
/// assert_eq!(BrainReply::parse(b"7,8,0"), third);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BrainReply<'a> {
    /// `OK`: the board is ready, or the stone was taken back.
    Ok,
    /// `x,y`: a move.
    Point(Coords),
    /// `x,y text`: a move with something behind it, as Piskvork reads it.
    Remarked(Coords, Cow<'a, str>),
    /// `x,y x,y …`: two points or more, an answer to SWAP2BOARD.
    Points(Vec<Coords>),
    /// `SWAP`: an answer to SWAP2BOARD.
    Swap,
    /// `UNKNOWN`: the brain does not know that command.
    Unknown(Cow<'a, str>),
    /// `ERROR`: the brain knows the command but cannot do it.
    Error(Cow<'a, str>),
    /// `MESSAGE`: for the user.
    Message(Cow<'a, str>),
    /// `DEBUG`: for the author.
    Debug(Cow<'a, str>),
    /// `INFO`: details of the search as Yixin and Rapfi send them when asked to.
    Info(Cow<'a, str>),
    /// `SUGGEST x,y`: a move the manager is to confirm with PLAY.
    Suggest(Coords),
    /// `FORBID xxyyxxyy….`: the points forbidden to Black, two digits a number (Yixin).
    Forbid(Vec<Coords>),
    /// Anything else: the brain's answer to ABOUT, if that was asked, and junk otherwise.
    Text(Cow<'a, str>),
}

impl<'a> BrainReply<'a> {
    /// Reads a line, in either case and with spaces around. There is no line it cannot read:
    /// what has the form of no reply is [`BrainReply::Text`].
    pub fn parse(line: &'a [u8]) -> BrainReply<'a> {
        let whole = Scan::new(line);
        points(whole).or_else(|| worded(whole)).unwrap_or_else(|| BrainReply::Text(whole.text()))
    }
}

fn points(mut scan: Scan<'_>) -> Option<BrainReply<'_>> {
    let first = scan.coords()?;
    let behind = scan;
    if scan.is_done() {
        return Some(BrainReply::Point(first));
    }
    let mut points = Vec::from([first]);
    while !scan.is_done() {
        match scan.coords() {
            Some(coords) => points.push(coords),
            // Piskvork reads no further than the first point.
            None => return Some(BrainReply::Remarked(first, behind.text())),
        }
    }
    Some(BrainReply::Points(points))
}

fn worded(mut scan: Scan<'_>) -> Option<BrainReply<'_>> {
    let word = scan.word();
    if is(word, "MESSAGE") {
        Some(BrainReply::Message(scan.text()))
    } else if is(word, "DEBUG") {
        Some(BrainReply::Debug(scan.text()))
    } else if is(word, "OK") {
        Some(BrainReply::Ok)
    } else if is(word, "INFO") {
        Some(BrainReply::Info(scan.text()))
    } else if is(word, "SWAP") {
        scan.is_done().then_some(BrainReply::Swap)
    } else if is(word, "UNKNOWN") {
        Some(BrainReply::Unknown(scan.text()))
    } else if is(word, "ERROR") {
        Some(BrainReply::Error(scan.text()))
    } else if is(word, "SUGGEST") {
        scan.coords().filter(|_| scan.is_done()).map(BrainReply::Suggest)
    } else if is(word, "FORBID") {
        forbidden(&scan.text()).map(BrainReply::Forbid)
    } else {
        None
    }
}

/// `xxyyxxyy….`, the full stop perhaps left out.
fn forbidden(text: &str) -> Option<Vec<Coords>> {
    let digits = text.strip_suffix('.').unwrap_or(text).trim_end().as_bytes();
    if !digits.len().is_multiple_of(4) || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = |tens: u8, ones: u8| i32::from(tens - b'0') * 10 + i32::from(ones - b'0');
    let coords = |xy: &[u8]| Coords { x: number(xy[0], xy[1]), y: number(xy[2], xy[3]) };
    Some(digits.chunks_exact(4).map(coords).collect())
}

impl fmt::Display for BrainReply<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BrainReply::Ok => f.write_str("OK"),
            BrainReply::Point(coords) => coords.fmt(f),
            BrainReply::Remarked(coords, text) => write!(f, "{coords} {text}"),
            BrainReply::Points(points) => {
                for (index, coords) in points.iter().enumerate() {
                    write!(f, "{}{coords}", if index == 0 { "" } else { " " })?;
                }
                Ok(())
            }
            BrainReply::Swap => f.write_str("SWAP"),
            BrainReply::Unknown(text) => worded_text(f, "UNKNOWN", text),
            BrainReply::Error(text) => worded_text(f, "ERROR", text),
            BrainReply::Message(text) => worded_text(f, "MESSAGE", text),
            BrainReply::Debug(text) => worded_text(f, "DEBUG", text),
            BrainReply::Info(text) => worded_text(f, "INFO", text),
            BrainReply::Suggest(coords) => write!(f, "SUGGEST {coords}"),
            BrainReply::Forbid(points) => {
                f.write_str("FORBID ")?;
                for Coords { x, y } in points {
                    write!(f, "{x:02}{y:02}")?;
                }
                f.write_str(".")
            }
            BrainReply::Text(text) => f.write_str(text),
        }
    }
}

fn worded_text(f: &mut fmt::Formatter<'_>, word: &str, text: &str) -> fmt::Result {
    if text.is_empty() { f.write_str(word) } else { write!(f, "{word} {text}") }
}
