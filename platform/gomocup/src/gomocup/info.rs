//! The keys of INFO.

use alloc::borrow::Cow;
use core::fmt;

use crate::Coords;
use crate::scan::{Scan, is};

/// Stands for unlimited time: the largest number that every brain can be trusted to read.
pub const UNLIMITED: i64 = i32::MAX as i64;

/// One `INFO key value`. Numbers are as they were written; their meaning is documented here, and
/// their limits are checked by the reader.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Info<'a> {
    /// `timeout_turn`: the time for one move in milliseconds; 0 is as fast as possible.
    TimeoutTurn(i64),
    /// `timeout_match`: the time for the game in milliseconds; 0 is unlimited.
    TimeoutMatch(i64),
    /// `time_left`: the time left for the game in milliseconds; [`UNLIMITED`] is unlimited.
    TimeLeft(i64),
    /// `time_increment` (Yixin): what each move adds to it, in milliseconds.
    TimeIncrement(i64),
    /// `max_memory`, in bytes; 0 is unlimited.
    MaxMemory(i64),
    /// `game_type`: 0 against a person, 1 against a brain, 2 a tournament, 3 over a network.
    GameType(i64),
    /// `rule`: a [mask](crate::gomocup::rule_mask).
    Rule(i64),
    /// `folder`: where a brain may keep files over many games.
    Folder(Cow<'a, str>),
    /// `evaluate`: the point under the mouse, for which an author may show details.
    Evaluate(Coords),
    /// `max_depth` (Yixin), in plies; below 0 is unlimited.
    MaxDepth(i64),
    /// `max_node` (Yixin); below 0 is unlimited.
    MaxNode(i64),
    /// `thread_num` (Yixin).
    ThreadNum(i64),
    /// `hash_size` (Yixin), in KiB.
    HashSize(i64),
    /// Any other key. Yixin has some twenty more, and a brain ignores those it does not know.
    Other {
        /// The key as it was written.
        key: Cow<'a, str>,
        value: Cow<'a, str>,
    },
}

/// A key whose value is a number, and what it makes of it.
type NumericKey = (&'static str, fn(i64) -> Info<'static>);

/// The keys whose value is a number.
const NUMERIC: [NumericKey; 11] = [
    ("timeout_turn", Info::TimeoutTurn),
    ("timeout_match", Info::TimeoutMatch),
    ("time_left", Info::TimeLeft),
    ("time_increment", Info::TimeIncrement),
    ("max_memory", Info::MaxMemory),
    ("game_type", Info::GameType),
    ("rule", Info::Rule),
    ("max_depth", Info::MaxDepth),
    ("max_node", Info::MaxNode),
    ("thread_num", Info::ThreadNum),
    ("hash_size", Info::HashSize),
];

impl<'a> Info<'a> {
    /// Reads what follows the word INFO; none if the key's value is not of its form.
    pub(crate) fn read(mut scan: Scan<'a>) -> Option<Info<'a>> {
        let key = scan.token();
        if let Some((_, make)) = NUMERIC.iter().find(|(name, _)| is(key, name)) {
            let value = scan.int()?;
            // Brains do not count fractions of a millisecond.
            return Some(make(value));
        }
        if is(key, "folder") {
            return Some(Info::Folder(scan.text()));
        }
        if is(key, "evaluate") {
            return scan.coords().map(Info::Evaluate);
        }
        let key = Scan::new(key).text();
        (!key.is_empty()).then(|| Info::Other { key, value: scan.text() })
    }
}

impl fmt::Display for Info<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (key, value) = match self {
            Info::Folder(path) => return write!(f, "folder {path}"),
            Info::Evaluate(coords) => return write!(f, "evaluate {coords}"),
            Info::Other { key, value } => return write!(f, "{key} {value}"),
            Info::TimeoutTurn(value) => ("timeout_turn", value),
            Info::TimeoutMatch(value) => ("timeout_match", value),
            Info::TimeLeft(value) => ("time_left", value),
            Info::TimeIncrement(value) => ("time_increment", value),
            Info::MaxMemory(value) => ("max_memory", value),
            Info::GameType(value) => ("game_type", value),
            Info::Rule(value) => ("rule", value),
            Info::MaxDepth(value) => ("max_depth", value),
            Info::MaxNode(value) => ("max_node", value),
            Info::ThreadNum(value) => ("thread_num", value),
            Info::HashSize(value) => ("hash_size", value),
        };
        write!(f, "{key} {value}")
    }
}
