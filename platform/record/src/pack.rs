//! Actions in few bytes, for the store.
//!
//! Each action is a byte of what it is, its operands, and variable-length integers (LEB128) for
//! its times. A clock is not written where it is what the seat's earlier actions let expect.

use tengen_arbiter::{Action, Entry, Nanos};
use tengen_rules::{Answer, BySeat, Color, Move, Point, Seat};
use thiserror::Error;

use crate::{RecordedAction, SearchInfo};

/// Bytes that no [`pack`] has written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("byte {at} of the packed actions: {problem}; the store is damaged there")]
pub struct UnpackError {
    /// The place in the bytes, counted from 0.
    pub at: usize,
    /// What is wrong there.
    pub problem: &'static str,
}

// The first byte of an action: its kind, and flags.
const KIND: u8 = 0x0f;
const SECOND: u8 = 0x10;
const INFO: u8 = 0x20;
const CLOCK: u8 = 0x40;
const ODD: u8 = 0x80;

// The second byte, if the first has ODD.
const ILLEGAL: u8 = 1;
const SUBSTITUTED: u8 = 2;

// What an info has.
const EVAL: u8 = 1;
const WIN_IN: u8 = 2;
const DEPTH: u8 = 4;
const SELDEPTH: u8 = 8;
const NODES: u8 = 16;

/// The kinds, by their numbers.
const PLACE: u8 = 0;
const DECLARE: u8 = 1;
const KEEP: u8 = 2;
const SWAP: u8 = 3;
const BLACK: u8 = 4;
const WHITE: u8 = 5;
const OFFER: u8 = 6;
const PICK: u8 = 7;
const STONE: u8 = 8;
const PASS: u8 = 9;
const RESIGN: u8 = 10;
const CLAIM: u8 = 11;
const OFFER_DRAW: u8 = 12;
const ACCEPT_DRAW: u8 = 13;

/// What a seat's clock is expected to stand at: it loses what was spent and gains what it gained
/// the last time, the increment. `None` before the first action, whose clock is always written.
#[derive(Clone, Copy, Default)]
struct Expected(Option<(Option<Nanos>, Nanos)>);

impl Expected {
    fn after(self, spent: Nanos) -> Option<Option<Nanos>> {
        let (clock, gain) = self.0?;
        Some(clock.map(|clock| clock.wrapping_sub(spent).wrapping_add(gain)))
    }

    fn learn(&mut self, spent: Nanos, clock: Option<Nanos>) {
        let gain = match (self.0, clock) {
            (Some((Some(before), _)), Some(after)) => {
                after.wrapping_sub(before).wrapping_add(spent)
            }
            _ => 0,
        };
        self.0 = Some((clock, gain));
    }
}

/// The actions in bytes; [`unpack`] gives the same back.
pub fn pack(actions: &[RecordedAction]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(16 + 16 * actions.len());
    let mut clocks = BySeat::<Expected>::default();
    write_number(&mut bytes, actions.len() as u64);
    for RecordedAction { entry, info } in actions {
        let expected = &mut clocks[entry.seat];
        let told = expected.after(entry.spent) != Some(entry.clock);
        let flag = |on: bool, bit: u8| if on { bit } else { 0 };
        let odd = flag(!entry.legal, ILLEGAL) | flag(entry.substituted, SUBSTITUTED);
        let flags = flag(entry.seat == Seat::Second, SECOND)
            | flag(info.is_some(), INFO)
            | flag(told, CLOCK)
            | flag(odd != 0, ODD);
        bytes.push(kind(&entry.action) | flags);
        if odd != 0 {
            bytes.push(odd);
        }
        write_operands(&mut bytes, &entry.action);
        write_number(&mut bytes, entry.spent);
        if told {
            bytes.push(u8::from(entry.clock.is_some()));
            write_number(&mut bytes, entry.clock.unwrap_or(0));
        }
        expected.learn(entry.spent, entry.clock);
        if let Some(info) = info {
            write_info(&mut bytes, info);
        }
    }
    bytes
}

fn kind(action: &Action) -> u8 {
    match action {
        Action::Answer(Answer::Place(_)) => PLACE,
        Action::Answer(Answer::Declare(_)) => DECLARE,
        Action::Answer(Answer::Swap(false)) => KEEP,
        Action::Answer(Answer::Swap(true)) => SWAP,
        Action::Answer(Answer::Choose(Color::Black)) => BLACK,
        Action::Answer(Answer::Choose(Color::White)) => WHITE,
        Action::Answer(Answer::Offer(_)) => OFFER,
        Action::Answer(Answer::Pick(_)) => PICK,
        Action::Answer(Answer::Move(Move::Stone(_))) => STONE,
        Action::Answer(Answer::Move(Move::Pass)) => PASS,
        Action::Resign => RESIGN,
        Action::Claim => CLAIM,
        Action::OfferDraw => OFFER_DRAW,
        Action::AcceptDraw => ACCEPT_DRAW,
    }
}

fn write_operands(bytes: &mut Vec<u8>, action: &Action) {
    match action {
        Action::Answer(Answer::Place(points) | Answer::Offer(points)) => {
            write_number(bytes, points.len() as u64);
            bytes.extend(points.iter().flat_map(|point| [point.x(), point.y()]));
        }
        Action::Answer(Answer::Declare(count)) => bytes.push(*count),
        Action::Answer(Answer::Pick(point) | Answer::Move(Move::Stone(point))) => {
            bytes.extend([point.x(), point.y()]);
        }
        _ => {}
    }
}

fn write_info(bytes: &mut Vec<u8>, info: &SearchInfo) {
    let at = bytes.len();
    bytes.push(0);
    let mut has = 0;
    let mut write = |bit: u8, value: Option<u64>| {
        if let Some(value) = value {
            has |= bit;
            write_number(bytes, value);
        }
    };
    write(EVAL, info.eval.map(zigzag));
    write(WIN_IN, info.win_in.map(zigzag));
    write(DEPTH, (info.depth > 0).then_some(info.depth.into()));
    write(SELDEPTH, (info.seldepth > 0).then_some(info.seldepth.into()));
    write(NODES, (info.nodes > 0).then_some(info.nodes));
    bytes[at] = has;
}

fn write_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Small numbers of either sign as small ones without.
fn zigzag(number: i32) -> u64 {
    u64::from((number << 1 ^ number >> 31) as u32)
}

fn unzigzag(number: u32) -> i32 {
    (number >> 1) as i32 ^ -((number & 1) as i32)
}

/// The actions that [`pack`] was given.
///
/// # Errors
/// When the bytes are not from it.
pub fn unpack(bytes: &[u8]) -> Result<Vec<RecordedAction>, UnpackError> {
    let mut from = Unpacker { bytes, at: 0 };
    let count = from.number()?;
    // No action is shorter than its first byte and its time.
    if count > bytes.len() as u64 / 2 {
        return Err(from.error("more actions than bytes"));
    }
    let mut actions = Vec::with_capacity(count as usize);
    let mut clocks = BySeat::<Expected>::default();
    for _ in 0..count {
        actions.push(from.action(&mut clocks)?);
    }
    if from.at < bytes.len() {
        return Err(from.error("bytes after the last action"));
    }
    Ok(actions)
}

struct Unpacker<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Unpacker<'_> {
    fn error(&self, problem: &'static str) -> UnpackError {
        UnpackError { at: self.at, problem }
    }

    fn byte(&mut self) -> Result<u8, UnpackError> {
        let byte = *self.bytes.get(self.at).ok_or(self.error("the bytes end too early"))?;
        self.at += 1;
        Ok(byte)
    }

    fn number(&mut self) -> Result<u64, UnpackError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let part = u64::from(byte & 0x7f);
            if part << shift >> shift != part {
                break;
            }
            number |= part << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(self.error("a number above 64 bits"))
    }

    fn small(&mut self) -> Result<u32, UnpackError> {
        let number = self.number()?;
        number.try_into().map_err(|_| self.error("a number above 32 bits"))
    }

    fn point(&mut self) -> Result<Point, UnpackError> {
        Ok(Point::new(self.byte()?, self.byte()?))
    }

    fn points(&mut self) -> Result<Vec<Point>, UnpackError> {
        let count = self.number()?;
        if count > (self.bytes.len() - self.at) as u64 / 2 {
            return Err(self.error("more points than bytes"));
        }
        (0..count).map(|_| self.point()).collect()
    }

    fn action(&mut self, clocks: &mut BySeat<Expected>) -> Result<RecordedAction, UnpackError> {
        let first = self.byte()?;
        let seat = if first & SECOND == 0 { Seat::First } else { Seat::Second };
        let odd = if first & ODD == 0 { 0 } else { self.byte()? };
        let action = self.operands(first & KIND)?;
        let spent = self.number()?;
        let expected = &mut clocks[seat];
        let clock = if first & CLOCK == 0 {
            expected.after(spent).ok_or(self.error("a seat's first action without its clock"))?
        } else {
            let timed = self.byte()? != 0;
            let clock = self.number()?;
            timed.then_some(clock)
        };
        expected.learn(spent, clock);
        let info = if first & INFO == 0 { None } else { Some(self.info()?) };
        let (legal, substituted) = (odd & ILLEGAL == 0, odd & SUBSTITUTED != 0);
        let entry = Entry { seat, action, spent, clock, legal, substituted };
        Ok(RecordedAction { entry, info })
    }

    fn operands(&mut self, kind: u8) -> Result<Action, UnpackError> {
        let answer = match kind {
            PLACE => Answer::Place(self.points()?),
            DECLARE => Answer::Declare(self.byte()?),
            KEEP => Answer::Swap(false),
            SWAP => Answer::Swap(true),
            BLACK => Answer::Choose(Color::Black),
            WHITE => Answer::Choose(Color::White),
            OFFER => Answer::Offer(self.points()?),
            PICK => Answer::Pick(self.point()?),
            STONE => Answer::Move(Move::Stone(self.point()?)),
            PASS => Answer::Move(Move::Pass),
            RESIGN => return Ok(Action::Resign),
            CLAIM => return Ok(Action::Claim),
            OFFER_DRAW => return Ok(Action::OfferDraw),
            ACCEPT_DRAW => return Ok(Action::AcceptDraw),
            _ => return Err(self.error("no such kind of action")),
        };
        Ok(Action::Answer(answer))
    }

    fn info(&mut self) -> Result<SearchInfo, UnpackError> {
        let has = self.byte()?;
        let mut info = SearchInfo::default();
        if has & EVAL != 0 {
            info.eval = Some(unzigzag(self.small()?));
        }
        if has & WIN_IN != 0 {
            info.win_in = Some(unzigzag(self.small()?));
        }
        if has & DEPTH != 0 {
            info.depth = self.small()?;
        }
        if has & SELDEPTH != 0 {
            info.seldepth = self.small()?;
        }
        if has & NODES != 0 {
            info.nodes = self.number()?;
        }
        Ok(info)
    }
}
