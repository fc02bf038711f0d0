use alloc::vec::Vec;

/// Bytes as they come from a pipe, cut into lines: ended by LF, CR LF or CR, empty ones left out.
///
/// Nothing it is given makes it grow beyond the cap and what was pushed since lines were last
/// popped: of a line longer than the cap the rest is dropped.
/// Every byte is looked at once, and moved at most once on average.
///
/// ```
/// use tengen_gomocup::LineBuffer;
/// let mut lines = LineBuffer::new(100);
/// lines.push(b"OK\r\n\r\n7,");
/// assert_eq!(lines.pop(), Some(&b"OK"[..]));
/// assert_eq!(lines.pop(), None);
/// lines.push(b"7\rMESSAGE hm");
/// assert_eq!(lines.pop(), Some(&b"7,7"[..]));
/// assert_eq!(lines.pop(), None);
/// assert_eq!(lines.rest(), b"MESSAGE hm");
/// ```
#[derive(Clone, Debug)]
pub struct LineBuffer {
    bytes: Vec<u8>,
    /// Where the first line begins that was not popped.
    start: usize,
    /// Up to where there is known to be no line end after `start`.
    seen: usize,
    /// Where the last line begins, which has no end yet.
    open: usize,
    cap: usize,
}

impl LineBuffer {
    /// A buffer for lines of at most `cap` bytes.
    pub const fn new(cap: usize) -> LineBuffer {
        LineBuffer { bytes: Vec::new(), start: 0, seen: 0, open: 0, cap }
    }

    /// Takes what was read.
    pub fn push(&mut self, mut bytes: &[u8]) {
        self.compact();
        while let Some(end) = bytes.iter().position(is_end) {
            self.append(&bytes[..end]);
            self.bytes.push(b'\n');
            self.open = self.bytes.len();
            bytes = &bytes[end + 1..];
        }
        self.append(bytes);
    }

    /// Adds to the line that has no end yet, up to the cap.
    fn append(&mut self, bytes: &[u8]) {
        let room = self.cap.saturating_sub(self.bytes.len() - self.open);
        self.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    /// Moves what is left to the front once most of the buffer has been popped.
    fn compact(&mut self) {
        if self.start > self.bytes.len() / 2 {
            self.bytes.drain(..self.start);
            self.seen -= self.start;
            self.open -= self.start;
            self.start = 0;
        }
    }

    /// The next whole line that has anything in it, without its end.
    pub fn pop(&mut self) -> Option<&[u8]> {
        loop {
            let Some(length) = self.bytes[self.seen..].iter().position(is_end) else {
                self.seen = self.bytes.len();
                return None;
            };
            let line = self.start..self.seen + length;
            self.start = line.end + 1;
            self.seen = self.start;
            if !line.is_empty() {
                return Some(&self.bytes[line]);
            }
        }
    }

    /// What was pushed since the last line end: at the end of the stream, a line without one.
    pub fn rest(&self) -> &[u8] {
        &self.bytes[self.open..]
    }
}

fn is_end(byte: &u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use proptest::prelude::*;

    use super::*;

    fn lines(buffer: &mut LineBuffer) -> Vec<Vec<u8>> {
        let mut lines = Vec::new();
        while let Some(line) = buffer.pop() {
            lines.push(line.to_vec());
        }
        lines
    }

    #[test]
    fn every_line_end_ends_a_line_and_empty_lines_are_ignored() {
        let mut buffer = LineBuffer::new(100);
        buffer.push(b"\n\r\na\nb\r\nc\rd\r\r\n\n\ne");
        assert_eq!(lines(&mut buffer), [b"a", b"b", b"c", b"d"]);
        assert_eq!(buffer.rest(), b"e");
    }

    #[test]
    fn a_flood_without_line_ends_is_cut_and_seen() {
        let mut buffer = LineBuffer::new(1000);
        for _ in 0..10_000 {
            buffer.push(&[b'x'; 4096]);
            assert_eq!(buffer.pop(), None);
        }
        assert_eq!(buffer.rest(), [b'x'; 1000]);
        buffer.push(b"x\nOK\n");
        assert_eq!(lines(&mut buffer), [vec![b'x'; 1000], b"OK".to_vec()]);
    }

    #[test]
    fn a_flood_of_lines_leaves_no_room_taken() {
        let mut buffer = LineBuffer::new(1000);
        for _ in 0..10_000 {
            buffer.push(&b"DEBUG x\n".repeat(100));
            assert_eq!(lines(&mut buffer).len(), 100);
        }
        assert!(buffer.rest().is_empty());
        assert!(buffer.bytes.capacity() < 10_000);
    }

    #[test]
    fn bytes_one_by_one_are_cheap() {
        // Quadratic work would take hours here.
        let mut buffer = LineBuffer::new(1 << 24);
        for _ in 0..(1 << 20) {
            buffer.push(b"y");
            assert_eq!(buffer.pop(), None);
        }
        buffer.push(b"\n");
        assert_eq!(buffer.pop().map(<[u8]>::len), Some(1 << 20));
    }

    proptest! {
        #[test]
        fn lines_do_not_depend_on_the_chunks(
            bytes in prop::collection::vec(prop::sample::select(b"ab\r\n".to_vec()), 0..200),
            cuts in prop::collection::vec(1..20_usize, 0..50),
            cap in 1..8_usize,
        ) {
            let mut whole = LineBuffer::new(cap);
            whole.push(&bytes);
            let expected: Vec<Vec<u8>> = bytes
                .split(is_end)
                .map(|line| &line[..line.len().min(cap)])
                .map(<[u8]>::to_vec)
                .collect();
            let (last, ended) = expected.split_last().unwrap();
            let ended: Vec<_> = ended.iter().filter(|line| !line.is_empty()).cloned().collect();
            prop_assert_eq!(&lines(&mut whole), &ended);
            prop_assert_eq!(whole.rest(), &last[..]);

            let mut parts = LineBuffer::new(cap);
            let (mut left, mut found) = (&bytes[..], Vec::new());
            for cut in cuts {
                let (chunk, after) = left.split_at(cut.min(left.len()));
                parts.push(chunk);
                found.extend(lines(&mut parts));
                left = after;
            }
            parts.push(left);
            found.extend(lines(&mut parts));
            prop_assert_eq!(found, ended);
            prop_assert_eq!(parts.rest(), &last[..]);
        }
    }
}
