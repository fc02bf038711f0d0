//! The lines of the SAU protocol.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

use tengen_rules::Color;

use crate::Coords;
use crate::scan::{Scan, is};

/// A line from the platform to the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SauCommand {
    Name,
    /// `new black`, `new white`
    New(Color),
    /// `move XY`: the opponent's stone; with two stones or more, the position so far.
    Move(Vec<Coords>),
    End,
    Quit,
}

/// A line from the engine to the platform.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SauReply<'a> {
    /// `name X`
    Name(Cow<'a, str>),
    /// `move XY`; several stones are connect6.
    Move(Vec<Coords>),
    /// `move` and something that is no point.
    Misplaced,
    /// Anything else, which is ignored.
    Text(Cow<'a, str>),
}

impl<'a> SauReply<'a> {
    /// Reads a line, in either case.
    pub fn parse(line: &'a [u8]) -> SauReply<'a> {
        let whole = Scan::new(line);
        let mut scan = whole;
        let word = scan.token();
        if is(word, "move") {
            points(scan).map_or(SauReply::Misplaced, SauReply::Move)
        } else if is(word, "name") {
            SauReply::Name(scan.text())
        } else {
            SauReply::Text(whole.text())
        }
    }
}

/// One point or more, two letters each; `@@` is none.
fn points(mut scan: Scan<'_>) -> Option<Vec<Coords>> {
    let letters = scan.token();
    if letters.is_empty() || !letters.len().is_multiple_of(2) || !scan.is_done() {
        return None;
    }
    let number = |letter: u8| match letter {
        b'A'..=b'Z' => Some(i32::from(letter - b'A')),
        b'a'..=b'z' => Some(i32::from(letter - b'a')),
        _ => None,
    };
    let pairs = letters.chunks_exact(2).filter(|pair| *pair != b"@@");
    let points = pairs.map(|pair| Some(Coords { x: number(pair[0])?, y: number(pair[1])? }));
    points.collect::<Option<Vec<Coords>>>().filter(|points| !points.is_empty())
}

/// Points as letters. One beyond the 26th column or row becomes `@@`, which is none.
struct Letters<'a>(&'a [Coords]);

impl fmt::Display for Letters<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |number: i32| {
            u8::try_from(number).ok().filter(|number| *number < 26).map(|number| b'A' + number)
        };
        for Coords { x, y } in self.0 {
            let (x, y) = letter(*x).zip(letter(*y)).unwrap_or((b'@', b'@'));
            write!(f, "{}{}", char::from(x), char::from(y))?;
        }
        Ok(())
    }
}

impl fmt::Display for SauCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SauCommand::Name => f.write_str("name?"),
            SauCommand::New(color) => write!(f, "new {color}"),
            SauCommand::Move(points) => write!(f, "move {}", Letters(points)),
            SauCommand::End => f.write_str("end"),
            SauCommand::Quit => f.write_str("quit"),
        }
    }
}
