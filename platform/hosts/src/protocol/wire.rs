//! The frames between the arbiter and a child process: `{u32 length, u8 kind, u24 tag}` and a
//! payload made of the ABI's own structs, all little-endian. A frame is written whole.
//!
//! An answer has the tag of its request. The tag cannot be known before the request, so an engine
//! that writes on the pipe by itself cannot answer before its question.

use std::io::{self, Read};

use tengen_abi::{MoveCode, Wire};

/// Bytes before a payload.
const HEADER: usize = 8;
/// The tag is above the kind.
const KIND_BITS: u32 = 8;
/// The longest payload: a description of 64 KiB and what goes with it.
pub(crate) const MAX_PAYLOAD: usize = 128 << 10;
/// Room for several ordinary frames; a larger one makes its own.
const ROOM: usize = 16 << 10;

/// What the arbiter sends.
pub(crate) mod request {
    /// A game, answered by `DONE`.
    pub(crate) const NEW_GAME: u32 = 1;
    /// Position and limits, answered by `REPLY`.
    pub(crate) const CHOOSE: u32 = 2;
    /// Position, question, candidates and limits, answered by `VERDICT`.
    pub(crate) const DECIDE: u32 = 3;
    /// Outcome, reason, and whether `DONE` is wanted.
    pub(crate) const END_GAME: u32 = 4;
    /// Name and value with a NUL between them, answered by `DONE`.
    pub(crate) const SET_OPTION: u32 = 5;
    /// One ply for the engine as it stands, answered by `DONE`.
    pub(crate) const PLAY: u32 = 6;
    /// Plies to take back, answered by `DONE`.
    pub(crate) const UNDO: u32 = 7;
    /// The end of the engine, answered by `DONE`.
    pub(crate) const DESTROY: u32 = 8;
    /// Nothing to be answered: while a question is, it says that the answer is wanted now.
    pub(crate) const MOVE_NOW: u32 = 9;
    /// A whole position, answered by `DONE`.
    pub(crate) const SET_POSITION: u32 = 10;
    /// The sizes in which structs are passed from now on, answered by `DONE`.
    pub(crate) const RESIZE: u32 = 11;
}

/// What the child sends.
pub(crate) mod answer {
    /// Minor version, optional exports and description.
    pub(crate) const READY: u32 = 1;
    /// The status of a call.
    pub(crate) const DONE: u32 = 2;
    /// Status, the nanoseconds that the call took here, and reply.
    pub(crate) const REPLY: u32 = 3;
    /// Status, the nanoseconds that the call took here, and verdict.
    pub(crate) const VERDICT: u32 = 4;
    /// An info and its variation, unasked.
    pub(crate) const INFO: u32 = 5;
    /// Text for the log, unasked.
    pub(crate) const LOG: u32 = 6;
    /// A kind of failure and what happened; the engine is lost.
    pub(crate) const FAULT: u32 = 7;
    /// Why the file is no engine that can be loaded here.
    pub(crate) const REFUSED: u32 = 8;
    /// The layers of the sandbox that hold and those that do not. It comes once, before anything of
    /// the engine runs, so that no engine can write it.
    pub(crate) const SANDBOX: u32 = 9;
    /// The first of all, before any code of the engine: the numbers of the processes that go on in
    /// the place of the one that was started, or two zeros.
    pub(crate) const STARTED: u32 = 10;
    /// Why the process cannot host an engine here, which is not the engine's doing, and whether it
    /// could if it stayed out of namespaces. It comes before anything of the engine runs, or not.
    pub(crate) const UNHOSTED: u32 = 11;
}

/// Appends a frame whose payload `fill` writes.
pub(crate) fn put_frame(out: &mut Vec<u8>, kind: u32, fill: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.extend_from_slice(&[0; HEADER]);
    fill(out);
    let length = (out.len() - start - HEADER) as u32;
    out[start..start + 4].copy_from_slice(&length.to_le_bytes());
    out[start + 4..start + HEADER].copy_from_slice(&kind.to_le_bytes());
}

/// Appends an integer.
pub(crate) fn put_u32(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_le_bytes());
}

/// Appends a text behind its length.
pub(crate) fn put_text(out: &mut Vec<u8>, text: &str) {
    put_u32(out, text.len() as u32);
    out.extend_from_slice(text.as_bytes());
}

/// Appends plies.
pub(crate) fn put_moves(out: &mut Vec<u8>, moves: impl Iterator<Item = MoveCode>) {
    for MoveCode(code) in moves {
        out.extend_from_slice(&code.to_le_bytes());
    }
}

/// A kind with the tag of a question, as [`put_frame`] takes it.
pub(crate) const fn tagged(kind: u32, tag: u32) -> u32 {
    kind | tag << KIND_BITS
}

/// One frame in a [`FrameReader`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Frame<'a> {
    pub kind: u32,
    pub tag: u32,
    pub payload: &'a [u8],
    /// Whether something that came behind it has already been read.
    pub is_followed: bool,
}

/// A frame that claims to be longer than any may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OversizedFrame {
    pub claimed: u32,
}

/// Frames as they arrive, however the pipe cuts them.
pub(crate) struct FrameReader {
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    /// Where the payload of the last frame begins, which ends at `start`.
    last: usize,
}

impl FrameReader {
    pub(crate) fn new() -> FrameReader {
        FrameReader { bytes: vec![0; ROOM], start: 0, end: 0, last: 0 }
    }

    /// Takes the next frame, if all of it is there.
    pub(crate) fn frame(&mut self) -> Result<Option<Frame<'_>>, OversizedFrame> {
        let Some((length, word)) = self.header()? else { return Ok(None) };
        let (kind, tag) = (word & ((1 << KIND_BITS) - 1), word >> KIND_BITS);
        let from = self.start + HEADER;
        let Some(payload) = self.bytes[..self.end].get(from..from + length) else {
            return Ok(None);
        };
        (self.start, self.last) = (from + length, from);
        let is_followed = self.start < self.end;
        Ok(Some(Frame { kind, tag, payload, is_followed }))
    }

    /// The payload of the last frame, until more is read.
    pub(crate) fn last_payload(&self) -> &[u8] {
        &self.bytes[self.last..self.start]
    }

    /// Reads more, and gives how many bytes came; 0 is the end of the pipe.
    pub(crate) fn fill(&mut self, from: &mut impl Read) -> io::Result<usize> {
        loop {
            match from.read(self.buffer()) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(count) => {
                    self.received(count);
                    return Ok(count);
                }
            }
        }
    }

    /// Room for more bytes.
    pub(crate) fn buffer(&mut self) -> &mut [u8] {
        self.make_room();
        &mut self.bytes[self.end..]
    }

    /// So many bytes have been read into the buffer.
    pub(crate) fn received(&mut self, count: usize) {
        self.end += count;
    }

    fn header(&self) -> Result<Option<(usize, u32)>, OversizedFrame> {
        let Some(&[a, b, c, d, e, f, g, h]) = self.bytes[self.start..self.end].first_chunk() else {
            return Ok(None);
        };
        let claimed = u32::from_le_bytes([a, b, c, d]);
        match claimed as usize {
            length if length > MAX_PAYLOAD => Err(OversizedFrame { claimed }),
            length => Ok(Some((length, u32::from_le_bytes([e, f, g, h])))),
        }
    }

    /// Makes room for the rest of a frame that has begun, or for new ones.
    fn make_room(&mut self) {
        if self.start == self.end {
            (self.start, self.end, self.last) = (0, 0, 0);
        }
        let wanted = match self.header() {
            Ok(Some((length, _))) => HEADER + length,
            _ => HEADER,
        };
        if self.start + wanted > self.bytes.len() || self.end == self.bytes.len() {
            self.bytes.copy_within(self.start..self.end, 0);
            (self.start, self.end, self.last) = (0, self.end - self.start, 0);
            let length = self.bytes.len().max(wanted);
            self.bytes.resize(length, 0);
        }
    }
}

/// A payload that ends before what it should hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Truncated;

/// Reads a payload from its front.
#[derive(Clone, Copy)]
pub(crate) struct Payload<'a>(pub &'a [u8]);

impl<'a> Payload<'a> {
    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Truncated> {
        let (front, rest) = self.0.split_at_checked(count).ok_or(Truncated)?;
        self.0 = rest;
        Ok(front)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Truncated> {
        let (front, rest) = self.0.split_first_chunk().ok_or(Truncated)?;
        self.0 = rest;
        Ok(u32::from_le_bytes(*front))
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Truncated> {
        let (front, rest) = self.0.split_first_chunk().ok_or(Truncated)?;
        self.0 = rest;
        Ok(u64::from_le_bytes(*front))
    }

    pub(crate) fn i32(&mut self) -> Result<i32, Truncated> {
        self.u32().map(u32::cast_signed)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Truncated> {
        let (front, rest) = self.0.split_first_chunk().ok_or(Truncated)?;
        self.0 = rest;
        Ok(u16::from_le_bytes(*front))
    }

    pub(crate) fn wire<T: Wire>(&mut self) -> Result<T, Truncated> {
        let bytes = self.take(T::SIZE)?;
        T::from_bytes(bytes).map_err(|_| Truncated)
    }

    pub(crate) fn moves(
        &mut self,
        count: u32,
    ) -> Result<impl ExactSizeIterator<Item = MoveCode> + use<'a>, Truncated> {
        let bytes = self.take((count as usize).checked_mul(2).ok_or(Truncated)?)?;
        Ok(bytes.as_chunks().0.iter().map(|&pair| MoveCode(u16::from_le_bytes(pair))))
    }

    /// A text behind its length.
    pub(crate) fn counted_text(&mut self) -> Result<String, Truncated> {
        let length = self.u32()? as usize;
        Ok(Payload(self.take(length)?).text())
    }

    /// The rest, as text.
    pub(crate) fn text(self) -> String {
        String::from_utf8_lossy(self.0).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives its bytes in pieces of one size.
    struct ChunkedReader<'a> {
        bytes: &'a [u8],
        piece: usize,
    }

    impl Read for ChunkedReader<'_> {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            let count = self.piece.min(self.bytes.len()).min(to.len());
            let (front, rest) = self.bytes.split_at(count);
            to[..count].copy_from_slice(front);
            self.bytes = rest;
            Ok(count)
        }
    }

    #[test]
    fn frames_arrive_alike_however_the_pipe_cuts_them() {
        let lengths = [0, 1, 7, ROOM, 3, MAX_PAYLOAD, 0, 20];
        let mut sent = Vec::new();
        for (kind, &length) in (0..).zip(&lengths) {
            put_frame(&mut sent, kind, |out| out.resize(out.len() + length, kind as u8));
        }
        for piece in [1, 5, 8, 4096, 100_000, usize::MAX] {
            let mut chunks = ChunkedReader { bytes: &sent, piece };
            let mut reader = FrameReader::new();
            for (kind, &length) in (0..).zip(&lengths) {
                loop {
                    if let Some(frame) = reader.frame().unwrap() {
                        assert_eq!((frame.kind, frame.payload.len()), (kind, length), "{piece}");
                        assert!(frame.payload.iter().all(|&byte| u32::from(byte) == kind));
                        break;
                    }
                    assert_ne!(reader.fill(&mut chunks).unwrap(), 0);
                }
            }
            assert_eq!(reader.fill(&mut chunks).unwrap(), 0);
        }
    }

    #[test]
    fn a_frame_longer_than_any_may_be_is_refused() {
        let mut reader = FrameReader::new();
        reader.fill(&mut [255; 8].as_slice()).unwrap();
        assert_eq!(reader.frame(), Err(OversizedFrame { claimed: u32::MAX }));
    }

    #[test]
    fn a_payload_that_ends_early_is_short() {
        let mut payload = Payload(&[1, 0, 0, 0, 9, 9]);
        assert_eq!(payload.u32(), Ok(1));
        assert!(payload.moves(2).is_err());
        assert_eq!(payload.u16(), Ok(0x0909));
        assert_eq!(payload.u32(), Err(Truncated));
    }
}
