//! Reads the packed actions of the store.

use tengen_arbiter::{Action, Correction, HistoryEntry, SearchInfo};
use tengen_rules::{Answer, BySeat, Color, Move, Point, Seat};
use thiserror::Error;

use crate::pack::*;

/// Bytes that no [`pack`] has written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("byte {at} of the packed actions: {problem}; the store is damaged there")]
pub struct UnpackError {
    /// The place in the bytes, counted from 0.
    pub at: usize,
    /// What is wrong there.
    pub problem: &'static str,
}

/// The actions that [`pack`](crate::pack()) was given.
///
/// # Errors
/// When the bytes are not from it.
pub fn unpack(bytes: &[u8]) -> Result<Vec<HistoryEntry>, UnpackError> {
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

    fn action(&mut self, clocks: &mut BySeat<Expected>) -> Result<HistoryEntry, UnpackError> {
        let first = self.byte()?;
        let seat = if first & SECOND == 0 { Seat::First } else { Seat::Second };
        let odd = if first & ODD == 0 { 0 } else { self.byte()? };
        if odd & !(ILLEGAL | SUBSTITUTED | LAG | SAID | READY | GIVEN_BACK | UNASKED) != 0 {
            return Err(self.error("an action has what this program does not know"));
        }
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
        let given_back = if odd & GIVEN_BACK == 0 { 0 } else { self.number()? };
        let unasked = if odd & UNASKED == 0 { 0 } else { self.number()? };
        let correction = Correction { given_back, unasked };
        let lag = if odd & LAG == 0 { None } else { Some(self.number()?) };
        expected.learn(spent, clock);
        let searched = if first & INFO == 0 { None } else { Some(self.info()?) };
        let (info, pv) = searched.unzip();
        let ready = if odd & READY == 0 { None } else { Some(self.number()?) };
        let said = if odd & SAID == 0 { Vec::new() } else { self.said()? };
        let (legal, substituted) = (odd & ILLEGAL == 0, odd & SUBSTITUTED != 0);
        let entry = HistoryEntry::new(seat, action, spent, clock);
        let pv = pv.unwrap_or_default();
        let entry = HistoryEntry { legal, substituted, correction, ..entry };
        Ok(HistoryEntry { ready, info, pv, lag, said, ..entry })
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

    fn variation(&mut self) -> Result<Vec<Move>, UnpackError> {
        let points = self.points()?;
        let pass = Point::new(PASSED, PASSED);
        let mv = |point| if point == pass { Move::Pass } else { Move::Stone(point) };
        Ok(points.into_iter().map(mv).collect())
    }

    fn said(&mut self) -> Result<Vec<String>, UnpackError> {
        let count = self.number()?;
        if count > (self.bytes.len() - self.at) as u64 {
            return Err(self.error("more lines than bytes"));
        }
        (0..count).map(|_| self.text()).collect()
    }

    fn text(&mut self) -> Result<String, UnpackError> {
        let length = self.number()?;
        let left = &self.bytes[self.at..];
        let length = usize::try_from(length).ok().filter(|length| *length <= left.len());
        let length = length.ok_or(self.error("a text is longer than the bytes"))?;
        let text = str::from_utf8(&left[..length]).map_err(|_| self.error("no UTF-8"))?;
        self.at += length;
        Ok(text.to_owned())
    }

    fn info(&mut self) -> Result<(SearchInfo, Vec<Move>), UnpackError> {
        let has = self.byte()?;
        if has & !(EVAL | WIN_IN | DEPTH | SELDEPTH | NODES | PV) != 0 {
            return Err(self.error("a search has what this program does not know"));
        }
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
        let pv = if has & PV == 0 { Vec::new() } else { self.variation()? };
        Ok((info, pv))
    }
}

fn unzigzag(number: u32) -> i32 {
    (number >> 1) as i32 ^ -((number & 1) as i32)
}
