//! A rating list for people and for programs.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::{Value, json};
use tengen_stats::{Estimate, RatingList, RatingSettings, WinDrawLoss};

use super::games::Games;
use crate::report;

/// The most engines for which the matrix of superiority is printed.
const WIDEST: usize = 20;

/// The list in its order: best first, group by group.
pub(super) struct RatedList<'a> {
    games: &'a Games,
    ratings: &'a RatingList,
    settings: &'a RatingSettings,
    rows: Vec<RatingRow<'a>>,
}

#[derive(Serialize)]
struct RatingRow<'a> {
    #[serde(skip)]
    place: usize,
    engine: &'a str,
    rating: f64,
    error: f64,
    points: f64,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// The average rating of its opponents, by games.
    opponents: f64,
    /// Counted from 1; groups have not met.
    group: usize,
}

impl<'a> RatedList<'a> {
    pub fn new(
        games: &'a Games,
        ratings: &'a RatingList,
        settings: &'a RatingSettings,
    ) -> RatedList<'a> {
        let count = games.names.len();
        let (mut scores, mut sums) = (vec![WinDrawLoss::default(); count], vec![0.0; count]);
        for meeting in &games.meetings {
            let (first, second) = (meeting.first, meeting.second);
            scores[first] += meeting.score;
            scores[second] += meeting.score.reversed();
            let games = meeting.score.games() as f64;
            sums[first] += games * ratings.ratings[second].value;
            sums[second] += games * ratings.ratings[first].value;
        }
        // An engine without a game that counts has no rating.
        let rated: Vec<usize> = (0..count).filter(|&place| scores[place].games() > 0).collect();
        let groups: BTreeSet<usize> = rated.iter().map(|&place| ratings.groups[place]).collect();
        let row = |place: usize| {
            let (score, Estimate { value, error }) = (scores[place], ratings.ratings[place]);
            RatingRow {
                place,
                engine: &games.names[place],
                rating: value,
                error,
                points: score.points(),
                games: score.games(),
                wins: score.wins,
                draws: score.draws,
                losses: score.losses,
                opponents: sums[place] / score.games() as f64,
                group: groups.range(..=ratings.groups[place]).count(),
            }
        };
        let mut rows: Vec<_> = rated.into_iter().map(row).collect();
        rows.sort_by(|one, other| {
            one.group.cmp(&other.group).then(other.rating.total_cmp(&one.rating))
        });
        RatedList { games, ratings, settings, rows }
    }

    fn groups(&self) -> impl ExactSizeIterator<Item = &[RatingRow<'a>]> {
        let groups: Vec<_> = self.rows.chunk_by(|one, other| one.group == other.group).collect();
        groups.into_iter()
    }

    pub fn text(&self) -> String {
        let count = self.groups().len();
        let mut out = String::new();
        if count > 1 {
            out += &format!(
                "The engines are {count} groups that have not met, not even through others: \
                 ratings of different groups cannot be compared\n\n"
            );
        }
        for rows in self.groups() {
            out += &format!("{}\n", self.table(rows));
            if rows.len() <= WIDEST && rows.len() > 1 {
                out += &format!(
                    "\nLikelihood of superiority in per cent: the engine of the line is stronger \
                     than that of the column\n{}\n",
                    self.matrix(rows)
                );
            }
            out += "\n";
        }
        out + &self.legend()
    }

    fn table(&self, rows: &[RatingRow<'_>]) -> comfy_table::Table {
        let heads =
            ["#", "Engine", "Rating", "±", "Points", "Games", "Score", "Draws", "Opponents", "LOS"];
        let mut table = report::table(heads);
        for (rank, row) in rows.iter().enumerate() {
            let games = row.games as f64;
            let next = rows.get(rank + 1);
            let los = next.and_then(|next| self.ratings.los(row.place, next.place));
            table.add_row([
                (rank + 1).to_string(),
                row.engine.to_owned(),
                report::elo_points(row.rating),
                format!("{:.0}", row.error),
                format!("{:.1}", row.points),
                row.games.to_string(),
                report::percent(row.points / games),
                report::percent(row.draws as f64 / games),
                report::elo_points(row.opponents),
                los.map_or(String::new(), report::percent),
            ]);
        }
        report::align_right(&mut table, &[0, 2, 3, 4, 5, 6, 7, 8, 9]);
        table
    }

    fn matrix(&self, rows: &[RatingRow<'_>]) -> comfy_table::Table {
        let places = (1..=rows.len()).map(|place| place.to_string());
        let heads = ["#".to_owned(), "Engine".to_owned()];
        let mut table = report::table(heads.into_iter().chain(places));
        for (rank, row) in rows.iter().enumerate() {
            let mut cells = vec![(rank + 1).to_string(), row.engine.to_owned()];
            cells.extend(rows.iter().map(|other| {
                let los = self.ratings.los(row.place, other.place);
                match los.filter(|_| row.place != other.place) {
                    Some(los) => format!("{:.1}", 100.0 * los),
                    None => "·".to_owned(),
                }
            }));
            table.add_row(cells);
        }
        report::align_right(&mut table, &(2..rows.len() + 2).collect::<Vec<_>>());
        table
    }

    fn legend(&self) -> String {
        let RatingList { advantage, draw_rate, draw_margin, .. } = self.ratings;
        let RatingSettings { model, prior, anchors, .. } = self.settings;
        let estimate = |Estimate { value, error }: Estimate| match error {
            0.0 => format!("{value:.1} Elo, as given"),
            _ => format!("{value:.1} ± {error:.1} Elo"),
        };
        let mut out = format!("Advantage of the first seat: {}\n", estimate(*advantage));
        if let Some(rate) = draw_rate {
            out += &format!("Draws between equals: {:.1} %", 100.0 * rate);
            let margin = draw_margin.map(|margin| format!(" (margin {})", estimate(margin)));
            out += &format!("{}\n", margin.unwrap_or_default());
        }
        let about = if anchors.is_empty() { "the average" } else { "the anchor" };
        out += &format!(
            "±: half of the 95 % interval of the difference from {about}. LOS: the likelihood of \
             being stronger than the next\nModel {model}, prior of {prior} draws for each engine\n"
        );
        out
    }

    pub fn json(&self) -> Value {
        let RatingList { advantage, draw_rate, draw_margin, log_likelihood, .. } = self.ratings;
        let estimate =
            |Estimate { value, error }: Estimate| json!({ "elo": value, "error": error });
        let los = |row: &RatingRow<'_>| -> Vec<Option<f64>> {
            self.rows.iter().map(|other| self.ratings.los(row.place, other.place)).collect()
        };
        let games: u64 = self.games.meetings.iter().map(|meeting| meeting.score.games()).sum();
        json!({
            "games": games,
            "repeated": self.games.repeated,
            "model": self.settings.model.name(),
            "prior": self.settings.prior,
            "advantage": estimate(*advantage),
            "draw_rate": draw_rate,
            "draw_margin": draw_margin.map(estimate),
            "log_likelihood": log_likelihood,
            "groups": self.groups().len(),
            "ratings": self.rows,
            "los": self.rows.iter().map(los).collect::<Vec<_>>(),
            "notes": self.games.notes,
            "unread": self.games.unread,
        })
    }

    pub fn csv(&self) -> String {
        let mut out =
            "rank,engine,rating,error,points,games,wins,draws,losses,opponents,group\n".to_owned();
        for rows in self.groups() {
            for (rank, row) in (1..).zip(rows) {
                let RatingRow { rating, error, points, games, .. } = row;
                let RatingRow { wins, draws, losses, opponents, group, .. } = row;
                let name = row.engine.replace('"', "\"\"");
                out += &format!(
                    "{rank},\"{name}\",{rating:.2},{error:.2},{points},{games},{wins},{draws},\
                     {losses},{opponents:.2},{group}\n"
                );
            }
        }
        out
    }
}
