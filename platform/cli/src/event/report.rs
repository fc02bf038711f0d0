//! `tengen tournament report`: the standings of an event, and its games in files.

use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;
use tengen_tournament::{BreakdownBy, Event};
use tengen_web::{MOST_GAMES, ReportWritten, write_report};

use super::{breakdown, whole_summary};
use crate::outcome::event_error;
use crate::{CommandOutcome, report as output};

#[derive(Debug, ClapArgs)]
pub(crate) struct ReportArgs {
    /// The event's folder
    pub event: PathBuf,
    /// Write every finished game to this file, one JSON object per line
    #[arg(long, value_name = "FILE")]
    pub records: Option<PathBuf>,
    /// Write a page for any browser to this file
    ///
    /// It has standings, charts, and up to 10,000 games to replay, and needs no other file or
    /// network.
    #[arg(long, value_name = "FILE", conflicts_with = "by")]
    pub html: Option<PathBuf>,
    /// Write every finished game to this file as CSV, one line each, with its moves
    #[arg(long, value_name = "FILE", conflicts_with = "by")]
    pub csv: Option<PathBuf>,
    /// Write a Swiss to this file as a FIDE tournament report (TRF), for other pairing programs
    #[arg(long, value_name = "FILE", conflicts_with = "by", hide_short_help = true)]
    pub trf: Option<PathBuf>,
    /// Count games by colour, opening, rule or termination instead
    ///
    /// Several events are counted together.
    #[arg(long, value_name = "WHAT", conflicts_with = "records")]
    pub by: Option<BreakdownBy>,
    /// More events to count, with --by
    #[arg(value_name = "EVENT", requires = "by")]
    pub more: Vec<PathBuf>,
    /// Print one JSON object instead of tables
    #[arg(long)]
    pub json: bool,
}

pub(crate) fn report(args: &ReportArgs) -> anyhow::Result<CommandOutcome> {
    if let Some(by) = args.by {
        return breakdown::report(by, args);
    }
    let event = Event::open(&args.event).map_err(event_error)?;
    if let Some(records) = &args.records {
        event.export_records(records)?;
    }
    if let Some(trf) = &args.trf {
        event.export_trf(trf).map_err(event_error)?;
    }
    if let Some(csv) = &args.csv {
        tengen_web::write_csv(&event, csv)?;
    }
    if let Some(html) = &args.html {
        let made = u64::try_from(jiff::Timestamp::now().as_second()).unwrap_or(0);
        let written = write_report(&event, html, MOST_GAMES, made)?;
        tell_of_sample(html, written);
    }
    if args.json {
        output::json(&whole_summary(&event)?)?;
        return Ok(CommandOutcome::Done);
    }
    let written: Vec<_> =
        [&args.records, &args.csv, &args.html, &args.trf].into_iter().flatten().collect();
    match written.is_empty() {
        true => output::print(&output::text(&whole_summary(&event)?))?,
        false => {
            written
                .iter()
                .for_each(|file| output::tell(format_args!("tengen: wrote {}", file.display())));
        }
    }
    if !event.is_finished() {
        let (games, total) = (event.tally().len(), event.total());
        let next = match event.is_running() {
            true => "it is being played".to_owned(),
            false => format!("continue with `tengen tournament resume {}`", args.event.display()),
        };
        output::print(&format!("\n{games} of {total} games are finished; {next}\n"))?;
    }
    Ok(CommandOutcome::Done)
}

/// Says so where a report has not all games.
fn tell_of_sample(html: &Path, ReportWritten { games, replayable }: ReportWritten) {
    if replayable < games {
        output::tell(format_args!(
            "tengen: {}: {replayable} of {games} games can be replayed in it; its tables and \
             charts cover all games, and --records or --csv writes all of them",
            html.display()
        ));
    }
}
