//! Line ends, and writing a line.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};

use crate::scan::excerpt;

/// What ends a line that is written. Lines that are read may end in any way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum LineEnd {
    /// CR LF, as managers are to write: the protocol's word.
    #[default]
    CrLf,
    /// LF, for brains that were only ever tried with c-gomoku-cli.
    Lf,
}

impl LineEnd {
    pub const fn bytes(self) -> &'static [u8] {
        match self {
            LineEnd::CrLf => b"\r\n",
            LineEnd::Lf => b"\n",
        }
    }
}

/// Writes a line of the protocol and its end.
pub(crate) fn write_line(out: &mut Vec<u8>, line_end: LineEnd, line: &impl fmt::Display) {
    struct ByteWriter<'a>(&'a mut Vec<u8>);
    impl Write for ByteWriter<'_> {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.extend_from_slice(text.as_bytes());
            Ok(())
        }
    }
    // What is within a line must not end it: a folder's name, for instance.
    let start = out.len();
    let written = write!(ByteWriter(out), "{line}");
    debug_assert!(written.is_ok(), "a vector takes every byte");
    for byte in &mut out[start..] {
        if matches!(byte, b'\r' | b'\n') {
            *byte = b' ';
        }
    }
    out.extend_from_slice(line_end.bytes());
}

/// The excerpt of an answer for a fault.
pub(crate) fn quoted(reply: &impl fmt::Display) -> String {
    let mut text = String::new();
    let written = write!(text, "{reply}");
    debug_assert!(written.is_ok(), "a string takes every character");
    excerpt(text.as_bytes())
}
