//! The report of an event: one file with the page, the figures and the games.

mod batch;
mod in_order;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;

use serde::Serialize;
use tengen_arbiter::Termination;
use tengen_files::AtomicFile;
use tengen_link::plain;
use tengen_rules::OpeningError;
use tengen_tournament::{Event, EventError};
use thiserror::Error;

use self::batch::{Batch, BatchDone};
use self::in_order::in_order;
use crate::event_view::{EventView, MOST_LABEL, ranking};
use crate::figures::{Figures, FiguresView};
use crate::game_row::GameRow;
use crate::page::report_frame;
use crate::rating_curve::{RatingCurve, RatingCurveView};
use crate::text::json_in_html;

/// The most games that can be replayed in one file.
pub const MOST_GAMES: u64 = 10_000;
/// The most threads that prepare games.
const MOST_THREADS: usize = 8;

/// Why a report was not written.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The event cannot be read.
    #[error(transparent)]
    Event(#[from] EventError),
    /// A game of it cannot be set up.
    #[error("{}: game {number} cannot be replayed: {source}", dir.display())]
    Game { dir: PathBuf, number: u64, source: OpeningError },
    /// The file cannot be written.
    #[error("{}: cannot be written: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReportWritten {
    /// The games of which it has results and figures.
    pub games: u64,
    /// Those that can be replayed in it.
    pub replayable: u64,
}

/// What the page reads of an event first.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct EventData<'a> {
    format: u32,
    program: &'static str,
    /// In seconds since the beginning of 1970.
    made: u64,
    /// Which state of the event it is, where a server has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "u64"))]
    pub state: Option<u64>,
    event: &'a EventView,
    figures: &'a FiguresView,
    ratings: &'a RatingCurveView,
    terminations: [&'static str; Termination::ALL.len()],
    /// The games that can be replayed in a report; a server has the [list](GameRow) elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Vec<[u64; 9]>"))]
    games: Option<&'a [GameRow]>,
    /// How many games each block of a report has, in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Vec<usize>"))]
    pub blocks: Option<&'a [usize]>,
}

impl<'a> EventData<'a> {
    /// What a report and a server have; `made` is in seconds since the beginning of 1970.
    pub fn new(
        made: u64,
        event: &'a EventView,
        figures: &'a FiguresView,
        ratings: &'a RatingCurveView,
    ) -> EventData<'a> {
        EventData {
            format: 1,
            program: concat!("Tengen ", env!("CARGO_PKG_VERSION")),
            made,
            state: None,
            event,
            figures,
            ratings,
            terminations: GameRow::terminations(),
            games: None,
            blocks: None,
        }
    }
}

/// Writes the report of an event, as far as it is finished, to a file: the page with standings,
/// figures and games. It needs no other file and no network. The figures are those of all games. If
/// there are more than `most` games, only a part of the pairs can be replayed, spread over the
/// whole event. The memory needed does not depend on the number of games.
///
/// `made` is the time, in seconds since the beginning of 1970.
///
/// # Errors
/// When the event cannot be read, or the file not written; what was there is unchanged then.
pub fn write_report(
    event: &Event,
    path: &Path,
    most: u64,
    made: u64,
) -> Result<ReportWritten, ReportError> {
    let unwritable = |source| ReportError::File { path: path.to_owned(), source };
    let mut file = AtomicFile::create(path).map_err(unwritable)?;
    let written = write(event, &mut file, most, made).map_err(|error| match error {
        BatchError::Report(error) => error,
        BatchError::File(source) => unwritable(source),
    })?;
    file.finish().map_err(unwritable)?;
    Ok(written)
}

enum BatchError {
    Report(ReportError),
    File(io::Error),
}

impl From<io::Error> for BatchError {
    fn from(error: io::Error) -> BatchError {
        BatchError::File(error)
    }
}

impl From<EventError> for BatchError {
    fn from(error: EventError) -> BatchError {
        BatchError::Report(error.into())
    }
}

fn write(
    event: &Event,
    to: &mut impl Write,
    most: u64,
    made: u64,
) -> Result<ReportWritten, BatchError> {
    let view = EventView::new(event, plain(&event.title(), MOST_LABEL));
    let frame = report_frame(&view.title, &view.plain_tables());
    to.write_all(frame.before.as_bytes())?;
    let order = ranking(event);
    let mut sum = ReportSum {
        figures: Figures::new(&order),
        ratings: RatingCurve::new(event.schedule(), &order, event.tally().counted()),
        rows: Vec::new(),
        blocks: Vec::new(),
        games: 0,
    };
    each_batch(event, most, &Figures::new(&order), |done| sum.add(done, to))?;
    let written = ReportWritten { games: sum.games, replayable: sum.rows.len() as u64 };
    let (figures, ratings) = (sum.figures.view(), sum.ratings.view());
    let mut data = EventData::new(made, &view, &figures, &ratings);
    (data.games, data.blocks) = (Some(&*sum.rows), Some(&*sum.blocks));
    let json = serde_json::to_string(&data).map_err(io::Error::from)?;
    writeln!(
        to,
        "<script type=\"application/json\" id=\"report\">{}</script>",
        json_in_html(&json)
    )?;
    to.write_all(frame.after.as_bytes())?;
    Ok(written)
}

/// What the batches come to.
struct ReportSum {
    figures: Figures,
    ratings: RatingCurve,
    /// The games that can be replayed.
    rows: Vec<GameRow>,
    blocks: Vec<usize>,
    games: u64,
}

impl ReportSum {
    fn add(&mut self, done: BatchDone, to: &mut impl Write) -> Result<(), BatchError> {
        let BatchDone { figures, games, rows, block } = done;
        self.figures.merge(figures);
        self.games += games.len() as u64;
        games.into_iter().for_each(|game| self.ratings.add(game));
        if !rows.is_empty() {
            self.blocks.push(rows.len());
            self.rows.extend(rows);
            // Base64 has no character that HTML knows.
            writeln!(to, "<script type=\"application/json\" class=\"block\">\"{block}\"</script>")?;
        }
        Ok(())
    }
}

/// Prepares the games of an event on several threads, and gives the result of each batch in order.
fn each_batch(
    event: &Event,
    most: u64,
    figures: &Figures,
    mut see: impl FnMut(BatchDone) -> Result<(), BatchError>,
) -> Result<(), BatchError> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
    let batches = Batch::all(event, most).map(|batch| batch.map_err(BatchError::from));
    in_order(
        threads,
        batches,
        |batch| batch.prepare(figures.clone()),
        |done| {
            let failed = |(number, source)| {
                let dir = event.dir().to_owned();
                BatchError::Report(ReportError::Game { dir, number, source })
            };
            see(done.map_err(failed)?)
        },
    )
}
