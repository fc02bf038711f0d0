//! A rating list for people and for programs.

use std::cmp::Ordering;

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
    lines: Vec<RatingRow>,
}

/// One engine.
struct RatingRow {
    place: usize,
    score: WinDrawLoss,
    /// The average rating of its opponents, by games.
    opponents: f64,
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
        let mut lines: Vec<RatingRow> = (0..count)
            .filter(|&place| scores[place].games() > 0)
            .map(|place| RatingRow {
                place,
                score: scores[place],
                opponents: sums[place] / scores[place].games() as f64,
            })
            .collect();
        let value = |line: &RatingRow| ratings.ratings[line.place].value;
        lines.sort_by(|one, other| {
            let groups = ratings.groups[one.place].cmp(&ratings.groups[other.place]);
            let best_first = value(other).partial_cmp(&value(one)).unwrap_or(Ordering::Equal);
            groups.then(best_first)
        });
        RatedList { games, ratings, settings, lines }
    }

    fn name(&self, line: &RatingRow) -> &str {
        &self.games.names[line.place]
    }

    fn rating(&self, line: &RatingRow) -> Estimate {
        self.ratings.ratings[line.place]
    }

    /// The groups that have an engine with games, in order.
    fn groups(&self) -> Vec<usize> {
        let mut groups: Vec<usize> =
            self.lines.iter().map(|line| self.ratings.groups[line.place]).collect();
        groups.dedup();
        groups
    }

    pub fn text(&self) -> String {
        let groups = self.groups();
        let mut out = String::new();
        if groups.len() > 1 {
            out += &format!(
                "The engines are {} groups that have not met, not even through others: ratings of \
                 different groups cannot be compared\n\n",
                groups.len()
            );
        }
        for &group in &groups {
            let lines: Vec<&RatingRow> =
                self.lines.iter().filter(|line| self.ratings.groups[line.place] == group).collect();
            out += &format!("{}\n", self.table(&lines));
            if lines.len() <= WIDEST && lines.len() > 1 {
                out += &format!(
                    "\nLikelihood of superiority in per cent: the engine of the line is stronger \
                     than that of the column\n{}\n",
                    self.matrix(&lines)
                );
            }
            out += "\n";
        }
        out + &self.legend()
    }

    fn table(&self, lines: &[&RatingRow]) -> comfy_table::Table {
        let heads =
            ["#", "Engine", "Rating", "±", "Points", "Games", "Score", "Draws", "Opponents", "LOS"];
        let mut table = report::table(heads);
        for (rank, line) in lines.iter().enumerate() {
            let Estimate { value, error } = self.rating(line);
            let score = line.score;
            let percent =
                |part: Option<f64>| part.map_or(String::new(), |p| format!("{:.1} %", 100.0 * p));
            let next = lines.get(rank + 1);
            let los = next.and_then(|next| self.ratings.los(line.place, next.place));
            table.add_row([
                (rank + 1).to_string(),
                self.name(line).to_owned(),
                report::elo_points(value),
                format!("{error:.0}"),
                format!("{:.1}", score.points()),
                score.games().to_string(),
                percent(score.rate()),
                percent(score.draw_ratio()),
                report::elo_points(line.opponents),
                percent(los),
            ]);
        }
        report::align_right(&mut table, &[0, 2, 3, 4, 5, 6, 7, 8, 9]);
        table
    }

    fn matrix(&self, lines: &[&RatingRow]) -> comfy_table::Table {
        let places = (1..=lines.len()).map(|place| place.to_string());
        let heads = ["#".to_owned(), "Engine".to_owned()];
        let mut table = report::table(heads.into_iter().chain(places));
        for (rank, line) in lines.iter().enumerate() {
            let mut cells = vec![(rank + 1).to_string(), self.name(line).to_owned()];
            cells.extend(lines.iter().map(|other| {
                let los = self.ratings.los(line.place, other.place);
                match los.filter(|_| line.place != other.place) {
                    Some(los) => format!("{:.1}", 100.0 * los),
                    None => "·".to_owned(),
                }
            }));
            table.add_row(cells);
        }
        report::align_right(&mut table, &(2..lines.len() + 2).collect::<Vec<_>>());
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
        let groups = self.groups();
        let number = |line: &RatingRow| {
            let group = self.ratings.groups[line.place];
            groups.iter().position(|known| *known == group).map_or(0, |place| place + 1)
        };
        let ratings: Vec<Value> = self
            .lines
            .iter()
            .map(|line| {
                let (rating, score) = (self.rating(line), line.score);
                json!({
                    "engine": self.name(line),
                    "rating": rating.value,
                    "error": rating.error,
                    "points": score.points(),
                    "games": score.games(),
                    "wins": score.wins,
                    "draws": score.draws,
                    "losses": score.losses,
                    "opponents": line.opponents,
                    "group": number(line),
                })
            })
            .collect();
        let los: Vec<Vec<Option<f64>>> = self
            .lines
            .iter()
            .map(|line| {
                let against = |other: &RatingRow| self.ratings.los(line.place, other.place);
                self.lines.iter().map(against).collect()
            })
            .collect();
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
            "groups": groups.len(),
            "ratings": ratings,
            "los": los,
            "notes": self.games.notes,
        })
    }

    pub fn csv(&self) -> String {
        let mut out =
            "rank,engine,rating,error,points,games,wins,draws,losses,opponents,group\n".to_owned();
        let groups = self.groups();
        for (number, &group) in (1..).zip(&groups) {
            let lines = self.lines.iter().filter(|line| self.ratings.groups[line.place] == group);
            for (rank, line) in (1..).zip(lines) {
                let (Estimate { value, error }, score) = (self.rating(line), line.score);
                let name = self.name(line).replace('"', "\"\"");
                out += &format!(
                    "{rank},\"{name}\",{value:.2},{error:.2},{},{},{},{},{},{:.2},{number}\n",
                    score.points(),
                    score.games(),
                    score.wins,
                    score.draws,
                    score.losses,
                    line.opponents,
                );
            }
        }
        out
    }
}
