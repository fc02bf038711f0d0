//! `tengen rate`: one rating list of the games of many events and files.

mod games;
mod list;
mod scores;

use std::path::PathBuf;
use std::str::FromStr;

use anyhow::anyhow;
use clap::{Args as ClapArgs, ValueEnum};
use tengen_stats::{RatingError, RatingModel, RatingSettings, rating_list};

use crate::{CommandOutcome, WrongUse, report};
use games::Games;
use list::RatedList;

#[derive(Debug, ClapArgs)]
pub(crate) struct RateArgs {
    /// Events, files of games or results
    ///
    /// Also folders of these, and patterns such as '*.psq'. Games are read as `tengen convert`
    /// reads them; results are .pgn, the lists of Gomocup (.txt) and Piskvork's _table.html.
    #[arg(required = true, value_name = "EVENT|FILE|FOLDER")]
    pub sources: Vec<PathBuf>,
    /// The rating of an engine, for the scale [default: the average is 0]
    #[arg(long, value_name = "ENGINE=RATING")]
    pub anchor: Vec<Anchor>,
    /// The model of draws
    ///
    /// One of rao-kupper (as BayesElo), davidson, and logistic (as Ordo).
    #[arg(long, default_value_t)]
    pub model: RatingModel,
    /// Draws to add to each engine's games; 0 for none
    ///
    /// With them, an engine that won or lost all its games has a rating too.
    #[arg(long, value_name = "GAMES", value_parser = prior)]
    #[arg(default_value_t = RatingSettings::PRIOR)]
    pub prior: f64,
    /// The advantage of the first seat in Elo [default: the most likely]
    #[arg(long, value_name = "ELO", allow_negative_numbers = true, value_parser = points)]
    pub advantage: Option<f64>,
    /// The draw margin of rao-kupper in Elo [default: the most likely]
    #[arg(long, value_name = "ELO", value_parser = margin)]
    pub draw_margin: Option<f64>,
    /// What makes engines of two sources one: id or hash
    ///
    /// With id, engines with the same name are one; with hash, those with the same file and
    /// options. An engine without a known file goes by its name.
    #[arg(long, default_value = "id", hide_possible_values = true)]
    pub join: Join,
    /// Rate what could be read, though some could not
    ///
    /// Without it the exit code is 1 then.
    #[arg(long)]
    pub skip_bad: bool,
    /// Print one JSON object instead of tables
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,
    /// Print the list as comma-separated values
    #[arg(long)]
    pub csv: bool,
}

/// What makes two engines one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Join {
    /// What the events call them.
    Id,
    /// Their files and options; the name of an engine whose file is not known.
    Hash,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Anchor {
    engine: String,
    rating: f64,
}

impl FromStr for Anchor {
    type Err = String;

    fn from_str(text: &str) -> Result<Anchor, String> {
        let expected = || "expected an engine and its rating, as in alphabeta=1800".to_owned();
        let (engine, rating) = text.rsplit_once('=').ok_or_else(expected)?;
        let rating = points(rating).map_err(|_| expected())?;
        Ok(Anchor { engine: engine.to_owned(), rating })
    }
}

fn points(text: &str) -> Result<f64, String> {
    let points = text.parse::<f64>().ok().filter(|points| points.abs() <= 100_000.0);
    points.ok_or_else(|| "expected Elo points, as in 35 or -12.5".to_owned())
}

fn margin(text: &str) -> Result<f64, String> {
    let margin = points(text).ok().filter(|points| *points > 0.0);
    margin.ok_or_else(|| "expected Elo points above 0, as in 97.3".to_owned())
}

fn prior(text: &str) -> Result<f64, String> {
    let prior = text.parse::<f64>().ok().filter(|prior| (0.0..=1000.0).contains(prior));
    prior.ok_or_else(|| "expected a number of games from 0 to 1000, as in 2 or 0.5".to_owned())
}

pub(crate) fn rate(args: &RateArgs) -> anyhow::Result<CommandOutcome> {
    if args.draw_margin.is_some() && args.model != RatingModel::RaoKupper {
        let model = args.model;
        return wrong(anyhow!("--draw-margin: the model {model} has none; use rao-kupper"));
    }
    let games = Games::read(&args.sources, args.join)?;
    for note in &games.notes {
        report::tell(format_args!("tengen: {note}"));
    }
    let mut settings = RatingSettings {
        model: args.model,
        prior: args.prior,
        advantage: args.advantage,
        draw_margin: args.draw_margin,
        anchors: Vec::new(),
    };
    for Anchor { engine, rating } in &args.anchor {
        let Some(place) = games.names.iter().position(|name| name == engine) else {
            let names = games.names.join(", ");
            return wrong(anyhow!("--anchor {engine}: no such engine; there are {names}"));
        };
        settings.anchors.push((place, *rating));
    }
    let ratings = rating_list(games.names.len(), &games.meetings, &settings)
        .map_err(|error| explained(&error, &games.names))?;
    let list = RatedList::new(&games, &ratings, &settings);
    report::show(args.json, || list.json(), || if args.csv { list.csv() } else { list.text() })?;
    let is_bad = !args.skip_bad && !games.unread.is_empty();
    Ok(if is_bad { CommandOutcome::Failed } else { CommandOutcome::Done })
}

/// Why there is no list, with the engines' names and what to do.
fn explained(error: &RatingError, names: &[String]) -> anyhow::Error {
    let error = match error {
        RatingError::NoGames => anyhow!("no game counts in these sources"),
        RatingError::Shutout(engines) => {
            let engines: Vec<&str> = engines.iter().map(|&one| names[one].as_str()).collect();
            anyhow!(
                "{} only won, or only lost, against all others, which no finite rating explains; \
                 use --prior 2, which gives every engine two more draws",
                engines.join(", ")
            )
        }
        RatingError::TwoAnchors(one, other) => anyhow!(
            "--anchor: {} and {} are in one list; name one of them",
            names[*one],
            names[*other]
        ),
        RatingError::OnlyDraws => anyhow!("{error}; use --model logistic"),
        RatingError::NoMaximum => anyhow!("{error}; use --prior 2"),
    };
    WrongUse(error).into()
}

fn wrong<T>(error: anyhow::Error) -> anyhow::Result<T> {
    Err(WrongUse(error).into())
}
