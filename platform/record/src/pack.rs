//! Actions in few bytes, for the store.
//!
//! Each action is a byte of what it is, its operands, and variable-length integers (LEB128) for
//! its times. A clock is not written where it is what the seat's earlier actions let expect.

use tengen_arbiter::{Action, HistoryEntry, Nanos, SearchInfo};
use tengen_rules::{Answer, BySeat, Color, Move, Seat};

// The first byte of an action: its kind, and flags.
pub(crate) const KIND: u8 = 0x0f;
pub(crate) const SECOND: u8 = 0x10;
pub(crate) const INFO: u8 = 0x20;
pub(crate) const CLOCK: u8 = 0x40;
pub(crate) const ODD: u8 = 0x80;

// The second byte, if the first has ODD.
pub(crate) const ILLEGAL: u8 = 1;
pub(crate) const SUBSTITUTED: u8 = 2;
pub(crate) const LAG: u8 = 4;
pub(crate) const SAID: u8 = 8;
pub(crate) const READY: u8 = 16;
pub(crate) const GIVEN_BACK: u8 = 32;
pub(crate) const UNASKED: u8 = 64;

// What an info has.
pub(crate) const EVAL: u8 = 1;
pub(crate) const WIN_IN: u8 = 2;
pub(crate) const DEPTH: u8 = 4;
pub(crate) const SELDEPTH: u8 = 8;
pub(crate) const NODES: u8 = 16;
pub(crate) const PV: u8 = 32;

// The kinds. The store holds these numbers: they never change, new ones are added.
pub(crate) const PLACE: u8 = 0;
pub(crate) const DECLARE: u8 = 1;
pub(crate) const KEEP: u8 = 2;
pub(crate) const SWAP: u8 = 3;
pub(crate) const BLACK: u8 = 4;
pub(crate) const WHITE: u8 = 5;
pub(crate) const OFFER: u8 = 6;
pub(crate) const PICK: u8 = 7;
pub(crate) const STONE: u8 = 8;
pub(crate) const PASS: u8 = 9;
pub(crate) const RESIGN: u8 = 10;
pub(crate) const CLAIM: u8 = 11;
pub(crate) const OFFER_DRAW: u8 = 12;
pub(crate) const ACCEPT_DRAW: u8 = 13;

/// A pass in a variation, where a point has two bytes.
pub(crate) const PASSED: u8 = u8::MAX;

/// What a seat's clock is expected to stand at: it loses what was spent and gains what it gained
/// the last time, the increment. `None` before the first action: its clock is always written.
#[derive(Clone, Copy, Default)]
pub(crate) struct Expected(Option<(Option<Nanos>, Nanos)>);

impl Expected {
    pub fn after(self, spent: Nanos) -> Option<Option<Nanos>> {
        let (clock, gain) = self.0?;
        Some(clock.map(|clock| clock.wrapping_sub(spent).wrapping_add(gain)))
    }

    pub fn learn(&mut self, spent: Nanos, clock: Option<Nanos>) {
        let gain = match (self.0, clock) {
            (Some((Some(before), _)), Some(after)) => {
                after.wrapping_sub(before).wrapping_add(spent)
            }
            _ => 0,
        };
        self.0 = Some((clock, gain));
    }
}

/// The actions in bytes, for the store: ten an action, eight more for its search info, two for
/// each ply of its principal variation, and what was said as it is. A record is a
/// [`Header`](crate::Header) with these. [`unpack`](crate::unpack) gives the same back.
pub fn pack(actions: &[HistoryEntry]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(16 + 16 * actions.len());
    let mut clocks = BySeat::<Expected>::default();
    write_number(&mut bytes, actions.len() as u64);
    for entry in actions {
        let HistoryEntry { correction, info, pv, lag, ready, said, .. } = entry;
        let expected = &mut clocks[entry.seat];
        let told = expected.after(entry.spent) != Some(entry.clock);
        let flag = |on: bool, bit: u8| if on { bit } else { 0 };
        let odd = flag(!entry.legal, ILLEGAL)
            | flag(entry.substituted, SUBSTITUTED)
            | flag(lag.is_some(), LAG)
            | flag(!said.is_empty(), SAID)
            | flag(ready.is_some(), READY)
            | flag(correction.given_back > 0, GIVEN_BACK)
            | flag(correction.unasked > 0, UNASKED);
        let flags = flag(entry.seat == Seat::Second, SECOND)
            | flag(info.is_some() || !pv.is_empty(), INFO)
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
        for corrected in [correction.given_back, correction.unasked] {
            if corrected > 0 {
                write_number(&mut bytes, corrected);
            }
        }
        if let Some(lag) = lag {
            write_number(&mut bytes, *lag);
        }
        expected.learn(entry.spent, entry.clock);
        if flags & INFO != 0 {
            write_info(&mut bytes, &info.unwrap_or_default(), pv);
        }
        if let Some(ready) = ready {
            write_number(&mut bytes, *ready);
        }
        if !said.is_empty() {
            write_said(&mut bytes, said);
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

fn write_info(bytes: &mut Vec<u8>, info: &SearchInfo, pv: &[Move]) {
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
    if !pv.is_empty() {
        has |= PV;
        write_number(bytes, pv.len() as u64);
        bytes.extend(pv.iter().flat_map(|mv| match mv {
            Move::Stone(point) => [point.x(), point.y()],
            Move::Pass => [PASSED; 2],
        }));
    }
    bytes[at] = has;
}

fn write_said(bytes: &mut Vec<u8>, said: &[String]) {
    write_number(bytes, said.len() as u64);
    for line in said {
        write_number(bytes, line.len() as u64);
        bytes.extend_from_slice(line.as_bytes());
    }
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
