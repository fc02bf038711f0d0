//! The lines of a text, in bounded memory.

use std::borrow::Cow;
use std::io::{self, BufRead};

use encoding_rs::Encoding;
use memchr::{memchr, memrchr};

use crate::ReadError;
use crate::formats::charset;

/// The longest line that is read, in bytes. The longest record of a game on the largest board is a
/// tenth of it.
pub const LINE_LIMIT: usize = 4 << 20;

/// The lines of a text, with their numbers, in bounded memory. A line that is too long or not
/// UTF-8 is an error of its own, and reading goes on behind it. Lines may end with LF or CR LF;
/// empty ones are left out.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    line: Vec<u8>,
    number: u64,
    /// Whether the whole of the next line has been read already.
    ready: bool,
    guessed: Option<&'static Encoding>,
}

impl<R: BufRead> Lines<R> {
    pub fn new(input: R) -> Lines<R> {
        Lines { input, line: Vec::new(), number: 0, ready: false, guessed: None }
    }

    /// Whether the next line is in memory, so that reading it cannot wait.
    pub fn is_ready(&self) -> bool {
        self.ready
    }

    /// The number of the line last read, counted from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The next line, or what is wrong with it; none at the end.
    ///
    /// # Errors
    /// When the input cannot be read.
    pub fn next_line(&mut self) -> io::Result<Option<Result<&str, ReadError>>> {
        let whole = self.fill_next()?;
        Ok(whole.map(|whole| {
            whole?;
            str::from_utf8(&self.line).map_err(|error| {
                let message = format!("byte {} of the line is not UTF-8", error.valid_up_to() + 1);
                ReadError::of_line(self.number, message)
            })
        }))
    }

    /// The same for a text of any charset. A line that is not UTF-8 is read in the charset that
    /// was most likely for the first such line.
    ///
    /// # Errors
    /// When the input cannot be read.
    pub fn next_text(&mut self) -> io::Result<Option<Result<Cow<'_, str>, ReadError>>> {
        let Some(whole) = self.fill_next()? else { return Ok(None) };
        if let Err(error) = whole {
            return Ok(Some(Err(error)));
        }
        Ok(Some(Ok(str::from_utf8(&self.line).map(Cow::Borrowed).unwrap_or_else(|_| {
            let encoding = self.guessed.get_or_insert_with(|| charset::guess(&self.line));
            encoding.decode_without_bom_handling(&self.line).0
        }))))
    }

    /// The charset that [`Lines::next_text`] guessed, if it had to.
    pub fn guessed(&self) -> Option<&'static str> {
        self.guessed.map(Encoding::name)
    }

    /// Reads the next line that is not empty, or says that it is too long; none at the end.
    fn fill_next(&mut self) -> io::Result<Option<Result<(), ReadError>>> {
        loop {
            let Some(whole) = self.fill()? else { return Ok(None) };
            if !whole {
                let message = format!("the line is longer than {} MiB", LINE_LIMIT >> 20);
                return Ok(Some(Err(ReadError::of_line(self.number, message))));
            }
            if !is_blank(&self.line) {
                return Ok(Some(Ok(())));
            }
        }
    }

    /// Reads up to the next line end, and returns whether all of it was kept; none at the end.
    fn fill(&mut self) -> io::Result<Option<bool>> {
        self.line.clear();
        let (mut begun, mut whole) = (false, true);
        loop {
            let available = match self.input.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if available.is_empty() {
                break;
            }
            if !begun {
                self.number += 1;
                begun = true;
            }
            let end = memchr(b'\n', available);
            let part = &available[..end.unwrap_or(available.len())];
            whole &= self.line.len() + part.len() <= LINE_LIMIT;
            if whole {
                self.line.extend_from_slice(part);
            }
            let used = part.len() + usize::from(end.is_some());
            // Behind an empty line it is not asked for, and a run of them would be read over and
            // over.
            if !whole || !is_blank(&self.line) {
                self.ready = holds_line(&available[used..]);
            }
            self.input.consume(used);
            if end.is_some() {
                break;
            }
        }
        Ok(begun.then_some(whole))
    }
}

fn is_blank(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_whitespace)
}

/// Whether one of the whole lines of the text is not blank.
fn holds_line(text: &[u8]) -> bool {
    memrchr(b'\n', text).is_some_and(|end| !is_blank(&text[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn all(text: &[u8]) -> Vec<(u64, Result<String, String>)> {
        let mut lines = Lines::new(BufReader::with_capacity(7, text));
        let mut read = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            let line = line.map(str::to_string).map_err(|error| error.to_string());
            read.push((lines.number(), line));
        }
        read
    }

    #[test]
    fn lines_keep_their_numbers_past_empty_ones() {
        let lines = all(b"one\r\n\n  \nfour, which is longer than the buffer\nfive");
        let numbers: Vec<u64> = lines.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [1, 4, 5]);
        assert_eq!(lines[0].1, Ok("one\r".to_string()));
        assert_eq!(lines[2].1, Ok("five".to_string()));
        assert!(all(b"").is_empty() && all(b"\n\n").is_empty());
    }

    #[test]
    fn a_line_is_ready_when_reading_it_cannot_wait() {
        let mut lines = Lines::new(BufReader::with_capacity(16, &b"one\ntwo\n \n\nthree\n"[..]));
        let mut ready = vec![lines.is_ready()];
        while lines.next_line().unwrap().is_some() {
            ready.push(lines.is_ready());
        }
        // The end of `three` is not among the first 16 bytes.
        assert_eq!(ready, [false, true, false, false]);
    }

    #[test]
    fn empty_lines_are_passed_over_once() {
        let mut text = vec![b'\n'; 1 << 20];
        text.extend_from_slice(b"one\n");
        let mut lines = Lines::new(BufReader::with_capacity(1 << 20, &text[..]));
        assert_eq!(lines.next_line().unwrap(), Some(Ok("one")));
        assert_eq!(lines.number(), (1 << 20) + 1);
    }

    #[test]
    fn a_line_of_another_charset_is_read_by_a_guess() {
        let text = b"ascii\n[White \"Soos\xf5rv\"]\n[White \"\xe9\"]\n";
        let mut lines = Lines::new(BufReader::with_capacity(7, &text[..]));
        let mut next = || lines.next_text().unwrap().map(|line| line.unwrap().into_owned());
        let expected = ["ascii", "[White \"Soosõrv\"]", "[White \"é\"]"];
        assert_eq!([next(), next(), next()], expected.map(|line| Some(line.to_owned())));
        assert_eq!((next(), lines.guessed()), (None, Some("windows-1252")));
    }

    #[test]
    fn a_bad_line_is_told_and_the_next_one_read() {
        let mut text = vec![b'x'; LINE_LIMIT + 1];
        text.extend_from_slice(b"\n\xff\xfe\ngood\n");
        let lines = all(&text);
        assert_eq!(lines[0].1, Err("line 1: the line is longer than 4 MiB".to_string()));
        assert_eq!(lines[1].1, Err("line 2: byte 1 of the line is not UTF-8".to_string()));
        assert_eq!(lines[2], (3, Ok("good".to_string())));
    }
}
