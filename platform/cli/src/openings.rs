//! `tengen openings`: making, checking and showing books of opening positions.

mod candidates;
mod check;
mod choice;
mod make;
mod self_play;
mod show;

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context, anyhow};
use clap::Args as ClapArgs;
use tengen_files::AtomicFile;
use tengen_hosts::Interrupt;
use tengen_record::formats::book::{BookPosition, OpeningBook, is_packed, stated_share};
use tengen_record::formats::suite;
use tengen_record::read_bytes;
use tengen_rules::{Rule, Size};

use crate::WrongUse;
pub(crate) use check::{BookCheckArgs, check};
pub(crate) use make::{BookMakeArgs, make};
pub(crate) use show::{BookShowArgs, show};

/// The largest book that is read, in bytes.
const MOST_BYTES: u64 = 16 << 20;
/// The extension of a packed book.
const PACKED: &str = "book";

/// A book and what its positions are meant on.
#[derive(Debug, ClapArgs)]
pub(crate) struct BookArgs {
    /// The book: a file, or `balanced`, the one that comes with Tengen
    ///
    /// Tengen comes with one for each of several rules and boards.
    #[arg(value_name = "FILE|balanced")]
    pub book: String,
    /// The rule [default: the book's own, or freestyle]
    #[arg(long)]
    pub rule: Option<Rule>,
    /// The board: 15, or 20x15 [default: the book's own, or 15]
    #[arg(long, value_name = "N|WxH")]
    pub size: Option<Size>,
}

impl BookArgs {
    fn read(&self) -> anyhow::Result<OpeningBook> {
        let (rule, size) = (self.rule.unwrap_or(Rule::Freestyle), self.size);
        if self.book == "balanced" {
            let size = size.unwrap_or(Size::STANDARD);
            let none =
                || anyhow!("Tengen has no balanced openings for {rule} on a board of {size}");
            return tengen_tournament::balanced(rule, size).ok_or_else(|| WrongUse(none()).into());
        }
        read_book(Path::new(&self.book), rule, size.unwrap_or(Size::STANDARD))
    }
}

/// Reads a packed book, or a suite for that rule and board.
fn read_book(path: &Path, rule: Rule, size: Size) -> anyhow::Result<OpeningBook> {
    let wrong = |problem: String| WrongUse(anyhow!("{}: {problem}", path.display()));
    let bytes = read_bytes(path, MOST_BYTES).map_err(|error| wrong(error.to_string()))?;
    if is_packed(&bytes) {
        return OpeningBook::from_bytes(&bytes).map_err(|error| wrong(error.to_string()).into());
    }
    let text = String::from_utf8(bytes).map_err(|_| wrong("is no text".to_owned()))?;
    let mut positions = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let stones = suite::read_line(line, size)
            .map_err(|error| wrong(format!("line {number}: {}", error.message)))?;
        let black = stated_share(line);
        positions.extend(stones.map(|stones| BookPosition { stones, black }));
    }
    if positions.is_empty() {
        return Err(wrong("has no position".to_owned()).into());
    }
    Ok(OpeningBook { rule, size, notes: Vec::new(), positions })
}

/// Writes a book as its name says.
fn write_book(path: &Path, book: &OpeningBook) -> anyhow::Result<()> {
    let is_packed = path.extension().is_some_and(|extension| extension == PACKED);
    let bytes = if is_packed { book.to_bytes() } else { book.to_text().into_bytes() };
    let written = AtomicFile::create(path).and_then(|mut file| {
        std::io::Write::write_all(&mut file, &bytes)?;
        file.finish()
    });
    written.with_context(|| path.display().to_string())
}

/// Does the same to `count` things, each by a worker that is free, until it is interrupted or
/// something fails. The results are in order; once interrupted, the last ones are missing.
fn side_by_side<W: Send, T: Send>(
    workers: &mut [W],
    count: usize,
    interrupt: &Interrupt,
    work: impl Fn(&mut W, usize) -> anyhow::Result<T> + Sync,
) -> anyhow::Result<Vec<T>> {
    let (next, work) = (&AtomicUsize::new(0), &work);
    let run = |worker: &mut W| -> anyhow::Result<Vec<(usize, T)>> {
        let mut done = Vec::new();
        while !interrupt.is_raised() {
            let place = next.fetch_add(1, Ordering::SeqCst);
            if place >= count {
                break;
            }
            done.push((place, work(worker, place)?));
        }
        Ok(done)
    };
    let all: Vec<anyhow::Result<_>> = thread::scope(|scope| {
        let threads: Vec<_> =
            workers.iter_mut().map(|worker| scope.spawn(|| run(worker))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a worker does not panic")).collect()
    });
    let mut done = Vec::new();
    for some in all {
        done.extend(some?);
    }
    done.sort_unstable_by_key(|(place, _)| *place);
    Ok(done.into_iter().map(|(_, of_it)| of_it).collect())
}

/// How many stones a position has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct StoneCount {
    pub least: u8,
    pub most: u8,
}

impl FromStr for StoneCount {
    type Err = String;

    fn from_str(text: &str) -> Result<StoneCount, String> {
        let expected = "expected a number of stones from 1 to 30, or two as in 4..7";
        let (least, most) = text.split_once("..").unwrap_or((text, text));
        match (least.parse(), most.parse()) {
            (Ok(least), Ok(most)) if 1 <= least && least <= most && most <= 30 => {
                Ok(StoneCount { least, most })
            }
            _ => Err(expected.to_owned()),
        }
    }
}

impl fmt::Display for StoneCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.least, self.most)
    }
}
