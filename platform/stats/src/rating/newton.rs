//! Where the likelihood is greatest.

use super::matrix::Matrix;
use super::model::{Likelihood, ResultCounts};
use super::{Meeting, POINTS, RatingError, RatingModel, RatingSettings};

/// The most steps of Newton's method; a handful is usual.
const STEPS: usize = 100;
/// The greatest change of a strength in one step, in units of the logarithm of the odds.
const LONGEST: f64 = 4.0;
/// Strengths further apart than this (7,000 Elo points) are on their way to infinity.
const FAR: f64 = 40.0;
/// A step that changes nothing by more than this is the last: a millionth of an Elo point.
const NEAR: f64 = 1e-8;

/// The results, and what of the strengths is to be found.
pub(super) struct RatingProblem {
    model: RatingModel,
    results: Vec<(usize, usize, ResultCounts)>,
    /// The place of each player's strength among the unknowns; none where it is given.
    unknown: Vec<Option<usize>>,
    advantage: Option<usize>,
    draw: Option<usize>,
    unknowns: usize,
    begin: Strengths,
}

#[derive(Clone)]
struct Strengths {
    players: Vec<f64>,
    advantage: f64,
    draw: f64,
}

/// The likeliest strengths, in units of the logarithm of the odds.
pub(super) struct Fit {
    pub strengths: Vec<f64>,
    pub advantage: f64,
    pub draw: f64,
    pub errors: Deviations,
    pub log_likelihood: f64,
    pub covariance: Matrix,
}

/// The standard deviations of what is not a strength.
pub(super) struct Deviations {
    pub advantage: f64,
    pub draw: f64,
}

impl RatingProblem {
    /// `won_by_either`: so many games between equals are won by the first seat besides, and so
    /// many by the second.
    pub fn new(
        players: usize,
        meetings: &[Meeting],
        groups: &[usize],
        settings: &RatingSettings,
        won_by_either: f64,
    ) -> Result<RatingProblem, RatingError> {
        let model = settings.model;
        let mut results = with_prior(players, meetings, settings.prior);
        if won_by_either > 0.0 {
            // A player is its own equal.
            let counts = ResultCounts { wins: won_by_either, losses: won_by_either, draws: 0.0 };
            results.push((0, 0, counts));
        }
        let sum =
            |of: fn(&ResultCounts) -> f64| results.iter().map(|(.., counts)| of(counts)).sum();
        let draws: f64 = sum(|counts| counts.draws);
        let decided: f64 = sum(|counts| counts.wins + counts.losses);
        let given_draw = settings.draw_margin.filter(|_| model == RatingModel::RaoKupper);
        if model != RatingModel::Logistic && given_draw.is_none() && decided == 0.0 {
            return Err(RatingError::OnlyDraws);
        }
        let draw = match (model, given_draw) {
            (RatingModel::Logistic, _) => 0.0,
            (_, Some(points)) => points / POINTS,
            _ if draws == 0.0 => model.no_draws(),
            _ => model.usual_draws(),
        };
        // One of each group stands still; where the list then lies is settled afterwards.
        let mut begin = Strengths { players: vec![0.0; players], advantage: 0.0, draw };
        begin.advantage = settings.advantage.unwrap_or(0.0) / POINTS;
        let (mut unknown, mut unknowns) = (vec![None; players], 0);
        let mut next = || {
            unknowns += 1;
            Some(unknowns - 1)
        };
        let mut has_still = vec![false; groups.iter().max().map_or(0, |most| most + 1)];
        let mut is_still = vec![false; players];
        for &(anchor, _) in &settings.anchors {
            (is_still[anchor], has_still[groups[anchor]]) = (true, true);
        }
        for player in 0..players {
            if !is_still[player] && std::mem::replace(&mut has_still[groups[player]], true) {
                unknown[player] = next();
            }
        }
        let advantage = if settings.advantage.is_none() { next() } else { None };
        let is_open = model != RatingModel::Logistic && given_draw.is_none() && draws > 0.0;
        let draw = if is_open { next() } else { None };
        Ok(RatingProblem { model, results, unknown, advantage, draw, unknowns, begin })
    }

    /// Newton's method with steps that are halved until the likelihood grows.
    pub fn solve(self) -> Result<Fit, RatingError> {
        let mut at = self.begin.clone();
        let mut value = self.value(&at);
        for _ in 0..STEPS {
            let (slope, curvature) = self.derivatives(&at);
            let factor = curvature.factor().ok_or(RatingError::NoMaximum)?;
            let step = factor.solve(&slope);
            let longest = step.iter().fold(0.0, |most: f64, part| most.max(part.abs()));
            if longest < NEAR {
                return self.fit(at, value, &factor.inverse());
            }
            let mut length = (LONGEST / longest).min(1.0);
            loop {
                let next = self.moved(&at, &step, length);
                let next_value = self.value(&next);
                // At the end rounding hides what is gained.
                if next_value >= value - 1e-9 * value.abs() {
                    (at, value) = (next, next_value);
                    break;
                }
                length /= 2.0;
                if length < 1e-12 {
                    return Err(RatingError::NoMaximum);
                }
            }
        }
        Err(RatingError::NoMaximum)
    }

    fn fit(&self, at: Strengths, value: f64, inverse: &Matrix) -> Result<Fit, RatingError> {
        let Strengths { players: strengths, advantage, draw } = at;
        let far = strengths.iter().chain([&advantage]).any(|strength| strength.abs() > FAR);
        if far || (self.draw.is_some() && draw.abs() > FAR) {
            return Err(RatingError::NoMaximum);
        }
        let mut covariance = Matrix::zero(strengths.len());
        for (row, row_place) in self.unknown.iter().enumerate() {
            for (column, column_place) in self.unknown.iter().enumerate() {
                if let (Some(one), Some(other)) = (row_place, column_place) {
                    covariance.set(row, column, inverse.get(*one, *other));
                }
            }
        }
        let deviation = |place: Option<usize>| {
            place.map_or(0.0, |place| inverse.get(place, place).max(0.0).sqrt())
        };
        let errors =
            Deviations { advantage: deviation(self.advantage), draw: deviation(self.draw) };
        Ok(Fit { strengths, advantage, draw, errors, log_likelihood: value, covariance })
    }

    fn value(&self, at: &Strengths) -> f64 {
        let of = |&(first, second, counts): &(usize, usize, ResultCounts)| {
            let x = at.players[first] - at.players[second] + at.advantage;
            self.model.likelihood(counts, x, at.draw).value
        };
        let sum: f64 = self.results.iter().map(of).sum();
        if sum.is_nan() { f64::NEG_INFINITY } else { sum }
    }

    /// The first derivatives, and the lower half of the second ones, with their signs turned.
    fn derivatives(&self, at: &Strengths) -> (Vec<f64>, Matrix) {
        let mut slope = vec![0.0; self.unknowns];
        let mut curvature = Matrix::zero(self.unknowns);
        for &(first, second, counts) in &self.results {
            let x = at.players[first] - at.players[second] + at.advantage;
            let Likelihood { x: by_x, t: by_t, xx, xt, tt, .. } =
                self.model.likelihood(counts, x, at.draw);
            // What the unknowns of this meeting do to `x` and to the draws.
            let unknowns = [
                (self.unknown[first], 1.0, 0.0),
                (self.unknown[second], -1.0, 0.0),
                (self.advantage, 1.0, 0.0),
                (self.draw, 0.0, 1.0),
            ];
            for (one, one_x, one_t) in unknowns {
                let Some(one) = one else { continue };
                slope[one] += by_x * one_x + by_t * one_t;
                for (other, other_x, other_t) in unknowns {
                    let Some(other) = other.filter(|&other| other <= one) else { continue };
                    let second = xx * one_x * other_x
                        + xt * (one_x * other_t + one_t * other_x)
                        + tt * one_t * other_t;
                    curvature.add(one, other, -second);
                }
            }
        }
        (slope, curvature)
    }

    fn moved(&self, from: &Strengths, step: &[f64], length: f64) -> Strengths {
        let mut to = from.clone();
        for (strength, place) in to.players.iter_mut().zip(&self.unknown) {
            *strength += place.map_or(0.0, |place| length * step[place]);
        }
        to.advantage += self.advantage.map_or(0.0, |place| length * step[place]);
        if let Some(place) = self.draw {
            to.draw += length * step[place];
            if self.model == RatingModel::RaoKupper {
                // A margin is positive.
                to.draw = to.draw.max(from.draw / 8.0);
            }
        }
        to
    }
}

/// The results with the draws of the prior: each player has so many, spread over its opponents as
/// its games with them are, half of them on each seat. As in BayesElo, each of the two players of a
/// game gives half of them.
fn with_prior(
    players: usize,
    meetings: &[Meeting],
    prior: f64,
) -> Vec<(usize, usize, ResultCounts)> {
    let mut games = vec![0.0; players];
    for meeting in meetings {
        let count = meeting.score.games() as f64;
        games[meeting.first] += count;
        games[meeting.second] += count;
    }
    let mut results = Vec::with_capacity(2 * meetings.len());
    for &Meeting { first, second, score } in meetings {
        let counts = ResultCounts {
            wins: score.wins as f64,
            draws: score.draws as f64,
            losses: score.losses as f64,
        };
        results.push((first, second, counts));
        if prior > 0.0 {
            let count = score.games() as f64;
            let draws = 0.25 * prior * (count / games[first] + count / games[second]);
            let drawn = ResultCounts { draws, ..ResultCounts::default() };
            results.push((first, second, drawn));
            results.push((second, first, drawn));
        }
    }
    results
}
