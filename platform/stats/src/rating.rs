//! Rating lists: the strengths of many players that make the results of all their games likeliest.
//!
//! ```
//! use tengen_stats::{Meeting, RatingSettings, WinDrawLoss, rating_list};
//! let score = |wins, draws, losses| WinDrawLoss { wins, draws, losses };
//! let games = [
//!     Meeting { first: 0, second: 1, score: score(30, 10, 20) },
//!     Meeting { first: 1, second: 0, score: score(25, 10, 25) },
//!     Meeting { first: 1, second: 2, score: score(40, 5, 15) },
//! ];
//! let list = rating_list(3, &games, &RatingSettings::default()).unwrap();
//! assert!(list.ratings[0].value > list.ratings[2].value);
//! assert!(list.los(1, 2).unwrap() > 0.99);
//! ```

mod groups;
mod matrix;
mod model;
mod newton;

use std::fmt;

use crate::WinDrawLoss;
use crate::normal::{Z95, distribution};
use groups::{groups, is_seat_unknown, shutouts};
use matrix::Matrix;
use newton::{Fit, RatingProblem};

pub use model::RatingModel;

/// How many Elo points are one unit of the natural logarithm of the odds.
pub(crate) const POINTS: f64 = 400.0 / std::f64::consts::LN_10;

/// The games of two players in one order of seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Meeting {
    pub first: usize,
    pub second: usize,
    /// What the first seat made.
    pub score: WinDrawLoss,
}

/// How a rating list is made.
#[derive(Clone, PartialEq, Debug)]
pub struct RatingSettings {
    /// How likely wins, draws and losses are at a difference of strength.
    pub model: RatingModel,
    /// How many drawn games each player is given besides its own, spread over its opponents as its
    /// games are: R. Coulom's prior. Without any a player that won or lost all its games has no
    /// finite rating. Where the advantage or the draws have no finite value, half as many games
    /// between equals are won by either seat besides.
    pub prior: f64,
    /// The advantage of the first seat in Elo points; none finds the likeliest, or takes 0 where
    /// the games do not tell it from strength.
    pub advantage: Option<f64>,
    /// The margin of draws in Elo points, under [`RatingModel::RaoKupper`]; none finds the
    /// likeliest.
    pub draw_margin: Option<f64>,
    /// Players whose ratings are given, at most one of a group. Without one the average is 0.
    pub anchors: Vec<(usize, f64)>,
}

impl Default for RatingSettings {
    fn default() -> RatingSettings {
        RatingSettings {
            model: RatingModel::default(),
            prior: RatingSettings::PRIOR,
            advantage: None,
            draw_margin: None,
            anchors: Vec::new(),
        }
    }
}

impl RatingSettings {
    /// The usual prior, which is that of BayesElo.
    pub const PRIOR: f64 = 2.0;
}

/// A number and half of its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The likeliest value.
    pub value: f64,
    /// Half the width of the interval; 0 where the value was given.
    pub error: f64,
}

/// The ratings of many players, on Elo's scale.
#[derive(Clone, PartialEq, Debug)]
pub struct RatingList {
    /// The ratings, in the order of the players. The error is that of the difference to the anchors
    /// or, without one, to the average of the group.
    pub ratings: Vec<Estimate>,
    /// Players of different groups have no chain of opponents in common, and cannot be compared.
    pub groups: Vec<usize>,
    /// The advantage of the first seat, in points of an even game of two decided results.
    pub advantage: Estimate,
    /// The chance of a draw between equals, without the advantage of a seat; none where the model
    /// has no draws.
    pub draw_rate: Option<f64>,
    /// The margin of draws under [`RatingModel::RaoKupper`], in the same points.
    pub draw_margin: Option<Estimate>,
    /// The logarithm of the likelihood of the results, the prior's draws included.
    pub log_likelihood: f64,
    covariance: Matrix,
}

impl RatingList {
    /// The likelihood of superiority, 0 to 1: how likely one player is stronger than another. None
    /// where they cannot be compared.
    pub fn los(&self, one: usize, other: usize) -> Option<f64> {
        let difference = self.ratings[one].value - self.ratings[other].value;
        let deviation = self.deviation(one, other)?;
        Some(if deviation > 0.0 {
            distribution(difference / deviation)
        } else if difference == 0.0 {
            0.5
        } else {
            f64::from(difference > 0.0)
        })
    }

    /// The difference of two ratings, with its error. None where they cannot be compared.
    pub fn difference(&self, one: usize, other: usize) -> Option<Estimate> {
        let value = self.ratings[one].value - self.ratings[other].value;
        Some(Estimate { value, error: Z95 * self.deviation(one, other)? })
    }

    /// Multiplies all errors.
    fn widen(&mut self, factor: f64) {
        for estimate in self.ratings.iter_mut().chain([&mut self.advantage]) {
            estimate.error *= factor;
        }
        self.covariance.scale(factor * factor);
    }

    fn deviation(&self, one: usize, other: usize) -> Option<f64> {
        if self.groups[one] != self.groups[other] {
            return None;
        }
        let of = |a, b| self.covariance.get(a, b);
        Some((of(one, one) + of(other, other) - 2.0 * of(one, other)).max(0.0).sqrt())
    }
}

/// Why there is no rating list.
#[derive(Clone, PartialEq, Debug)]
pub enum RatingError {
    /// No game was played.
    NoGames,
    /// Without a prior these players have no finite rating: against all others of their group they
    /// only won, or only lost.
    Shutout(Vec<usize>),
    /// Two anchors in one group would set the scale.
    TwoAnchors(usize, usize),
    /// Every game was drawn, so nothing shows how much a draw says.
    OnlyDraws,
    /// The likelihood has no maximum that can be found, as when every game was won by the first
    /// seat and there is no prior.
    NoMaximum,
}

impl fmt::Display for RatingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RatingError::NoGames => "no game was played",
            RatingError::Shutout(_) => {
                "some players only won or only lost against all others, which no finite rating \
                 explains; a prior keeps them finite"
            }
            RatingError::TwoAnchors(..) => {
                "two anchors have met, directly or through others; one sets where the list lies"
            }
            RatingError::OnlyDraws => {
                "every game was drawn, which does not tell how much a draw says; the logistic \
                 model needs no wins"
            }
            RatingError::NoMaximum => {
                "no finite ratings explain these results best; a prior keeps them finite"
            }
        })
    }
}

impl std::error::Error for RatingError {}

/// The ratings of so many players that make these results likeliest.
///
/// Newton's method on the likelihood of the model, which has one maximum; errors are from the
/// inverse of its second derivatives there, in which advantage and draws are uncertain too where
/// they were estimated.
///
/// # Errors
/// When there is no such list; see [`RatingError`].
///
/// # Panics
/// When a meeting or an anchor is of a player beyond that number.
pub fn rating_list(
    players: usize,
    meetings: &[Meeting],
    settings: &RatingSettings,
) -> Result<RatingList, RatingError> {
    let played: Vec<Meeting> =
        meetings.iter().copied().filter(|meeting| meeting.score.games() > 0).collect();
    if played.is_empty() {
        return Err(RatingError::NoGames);
    }
    let groups = groups(players, &played);
    for (place, &(one, _)) in settings.anchors.iter().enumerate() {
        let others = &settings.anchors[..place];
        if let Some(&(other, _)) = others.iter().find(|(other, _)| groups[*other] == groups[one]) {
            return Err(RatingError::TwoAnchors(other, one));
        }
    }
    if settings.prior <= 0.0 {
        let shutouts = shutouts(players, &played, &groups);
        if !shutouts.is_empty() {
            return Err(RatingError::Shutout(shutouts));
        }
    }
    let mut settings = settings.clone();
    if settings.advantage.is_none() && is_seat_unknown(players, &played) {
        settings.advantage = Some(0.0);
    }
    let solve = |more| RatingProblem::new(players, &played, &groups, &settings, more)?.solve();
    let fit = match solve(0.0) {
        // All games were won by the first seat, or drawn, or the like.
        Err(RatingError::NoMaximum | RatingError::OnlyDraws) if settings.prior > 0.0 => {
            solve(settings.prior / 2.0)
        }
        fit => fit,
    }?;
    let mut list = presented(fit, groups, &settings);
    if settings.model == RatingModel::Logistic {
        list.widen(dispersion(&played, &list).sqrt());
    }
    Ok(list)
}

/// How much less the points of games vary than those of games without draws: the logistic model
/// knows no draws, and its errors would be too large (R. Wedderburn's quasi-likelihood, Biometrika
/// 61, 1974).
fn dispersion(meetings: &[Meeting], list: &RatingList) -> f64 {
    let (mut found, mut expected, mut games) = (0.0, 0.0, 0.0);
    for &Meeting { first, second, score } in meetings {
        let difference = list.ratings[first].value - list.ratings[second].value;
        let rate = crate::rate_of_elo(difference + list.advantage.value);
        let part = |count: u64, points: f64| count as f64 * (points - rate) * (points - rate);
        found += part(score.wins, 1.0) + part(score.draws, 0.5) + part(score.losses, 0.0);
        expected += score.games() as f64 * rate * (1.0 - rate);
        games += score.games() as f64;
    }
    // Games that are all drawn do not show how the next will vary.
    (found / expected).max(1.0 / games)
}

/// The fit on Elo's scale, moved to where its average or its anchors are to be.
fn presented(fit: Fit, groups: Vec<usize>, settings: &RatingSettings) -> RatingList {
    let Fit { strengths, advantage, draw, errors, log_likelihood, mut covariance } = fit;
    let players = strengths.len();
    // Of small differences a point is worth what it is in Elo's formula, whatever the draws.
    let points = POINTS * settings.model.scale(draw);
    let mut values: Vec<f64> = strengths.iter().map(|strength| strength * points).collect();
    for group in 0..groups.iter().max().map_or(0, |most| most + 1) {
        let members: Vec<usize> = (0..players).filter(|&one| groups[one] == group).collect();
        let anchor = settings.anchors.iter().find(|(anchor, _)| groups[*anchor] == group);
        if let Some(&(anchor, given)) = anchor {
            let shift = given - values[anchor];
            members.iter().for_each(|&one| values[one] += shift);
            continue;
        }
        let mean = members.iter().map(|&one| values[one]).sum::<f64>() / members.len() as f64;
        members.iter().for_each(|&one| values[one] -= mean);
        covariance.center(&members);
    }
    covariance.scale(points * points);
    let error = |one: usize| Z95 * covariance.get(one, one).max(0.0).sqrt();
    let ratings: Vec<Estimate> =
        (0..players).map(|one| Estimate { value: values[one] + 0.0, error: error(one) }).collect();
    let wide = |value: f64, deviation: f64| Estimate {
        value: value * POINTS,
        error: Z95 * deviation * POINTS,
    };
    let draw_margin = (settings.model == RatingModel::RaoKupper).then(|| wide(draw, errors.draw));
    RatingList {
        ratings,
        groups,
        advantage: wide(advantage, errors.advantage),
        draw_rate: settings.model.draw_rate(draw),
        draw_margin,
        log_likelihood,
        covariance,
    }
}

#[cfg(test)]
mod tests;
