//! The frames between the arbiter and a child are the same however the pipe cuts them.

use std::io::Read;

use crate::bytes::ByteChoices;
use crate::wire::{FrameReader, MAX_PAYLOAD, tagged};

type Frames = (Vec<(u32, Vec<u8>)>, bool);

pub(crate) fn check(bytes: &[u8]) {
    let mut choices = ByteChoices(bytes);
    let step = 1 + usize::from(choices.byte());
    let whole = naive(choices.0);
    assert_eq!(read(choices.0, choices.0.len().max(1)), whole);
    assert_eq!(read(choices.0, step), whole);
}

/// What an inbox makes of bytes that come `step` at a time.
fn read(bytes: &[u8], step: usize) -> Frames {
    struct Pipe<'a>(&'a [u8], usize);
    impl Read for Pipe<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let most = buffer.len().min(self.1);
            assert!(most > 0, "there is always room for more");
            self.0.read(&mut buffer[..most])
        }
    }
    let mut pipe = Pipe(bytes, step);
    let mut reader = FrameReader::new();
    let mut frames = Vec::new();
    loop {
        match reader.frame() {
            Err(_) => return (frames, true),
            Ok(Some(frame)) => {
                frames.push((tagged(frame.kind, frame.tag), frame.payload.to_owned()))
            }
            Ok(None) => {
                if reader.fill(&mut pipe).expect("bytes in memory") == 0 {
                    return (frames, false);
                }
            }
        }
    }
}

/// The frames, and whether one came that is too long.
fn naive(mut bytes: &[u8]) -> Frames {
    let mut frames = Vec::new();
    let number = |four: &[u8; 4]| u32::from_le_bytes(*four);
    while let Some((header, rest)) = bytes.split_first_chunk::<8>() {
        let (length, kind) = header.split_first_chunk::<4>().expect("eight bytes");
        let length = number(length) as usize;
        if length > MAX_PAYLOAD {
            return (frames, true);
        }
        let Some((payload, after)) = rest.split_at_checked(length) else { break };
        frames.push((number(kind.first_chunk().expect("four bytes")), payload.to_owned()));
        bytes = after;
    }
    (frames, false)
}
