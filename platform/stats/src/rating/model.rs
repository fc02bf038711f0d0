//! How likely wins, draws and losses are at a difference of strength.

use std::fmt;
use std::str::FromStr;

/// How likely wins, draws and losses are at a difference of strength.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RatingModel {
    /// A draw is half a win and half a loss (R. Bradley and M. Terry, Biometrika 39, 1952, with
    /// half points): the list of Ordo. It does not predict draws.
    Logistic,
    /// A win needs a margin, and within it is the draw (P. Rao and L. Kupper, Journal of the
    /// American Statistical Association 62, 1967): the list of BayesElo, and so of Gomocup.
    #[default]
    RaoKupper,
    /// A draw is as likely as the geometric mean of win and loss, times a number (R. Davidson,
    /// Journal of the American Statistical Association 65, 1970): points alone tell the strength.
    Davidson,
}

impl RatingModel {
    pub const ALL: [RatingModel; 3] =
        [RatingModel::Logistic, RatingModel::RaoKupper, RatingModel::Davidson];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            RatingModel::Logistic => "logistic",
            RatingModel::RaoKupper => "rao-kupper",
            RatingModel::Davidson => "davidson",
        }
    }
}

impl fmt::Display for RatingModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Not the name of a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseRatingModelError;

impl fmt::Display for ParseRatingModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected rao-kupper, davidson or logistic")
    }
}

impl std::error::Error for ParseRatingModelError {}

impl FromStr for RatingModel {
    type Err = ParseRatingModelError;

    fn from_str(text: &str) -> Result<RatingModel, ParseRatingModelError> {
        let named = |model: &RatingModel| model.name() == text;
        RatingModel::ALL.into_iter().find(named).ok_or(ParseRatingModelError)
    }
}

/// Results of two players with a prior's draws among them, as the first seat counts them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ResultCounts {
    pub wins: f64,
    pub draws: f64,
    pub losses: f64,
}

/// The logarithm of the likelihood of some results, and its derivatives by the advantage in
/// strength `x` of the first seat and by the draws' parameter `t`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Likelihood {
    pub value: f64,
    pub x: f64,
    pub t: f64,
    pub xx: f64,
    pub xt: f64,
    pub tt: f64,
}

impl RatingModel {
    /// The likelihood of these results.
    ///
    /// `t` is the margin of draws on the same scale as `x` for [`RatingModel::RaoKupper`], and the
    /// logarithm of the draws' weight for [`RatingModel::Davidson`]; where no game was drawn it is
    /// the least there is.
    pub(super) fn likelihood(self, results: ResultCounts, x: f64, t: f64) -> Likelihood {
        match self {
            RatingModel::Logistic => {
                let ResultCounts { wins, draws, losses } = results;
                let (won, lost) = (wins + draws / 2.0, losses + draws / 2.0);
                let p = logistic(x);
                Likelihood {
                    value: won * ln_logistic(x) + lost * ln_logistic(-x),
                    x: won * (1.0 - p) - lost * p,
                    xx: -(won + lost) * p * (1.0 - p),
                    ..Likelihood::default()
                }
            }
            RatingModel::RaoKupper => rao_kupper(results, x, t),
            RatingModel::Davidson => davidson(results, x, t),
        }
    }

    /// The least parameter of draws: there are none.
    pub(super) const fn no_draws(self) -> f64 {
        match self {
            RatingModel::Davidson => f64::NEG_INFINITY,
            _ => 0.0,
        }
    }

    /// Where the search for the parameter of draws begins.
    pub(super) const fn usual_draws(self) -> f64 {
        match self {
            RatingModel::Davidson => 0.0,
            _ => 0.5,
        }
    }

    /// How much less a unit of strength is worth in points than it would be without draws: four
    /// times the slope of the expected points at equal strength.
    pub(super) fn scale(self, t: f64) -> f64 {
        match self {
            RatingModel::Logistic => 1.0,
            RatingModel::RaoKupper => 4.0 * logistic(t) * logistic(-t),
            RatingModel::Davidson => 2.0 / (2.0 + t.exp()),
        }
    }

    /// The chance of a draw between equals.
    pub(super) fn draw_rate(self, t: f64) -> Option<f64> {
        match self {
            RatingModel::Logistic => None,
            RatingModel::RaoKupper => Some(1.0 - 2.0 * logistic(-t)),
            RatingModel::Davidson => Some(t.exp() / (2.0 + t.exp())),
        }
    }
}

/// With f the logistic function: a win f(x − t), a loss f(−x − t), a draw the rest, which is
/// f(x − t)·f(−x − t)·(e²ᵗ − 1).
fn rao_kupper(results: ResultCounts, x: f64, t: f64) -> Likelihood {
    let ResultCounts { wins, draws, losses } = results;
    let (ahead, behind) = (wins + draws, losses + draws);
    let (p, q) = (logistic(x - t), logistic(-x - t));
    let mut likelihood = Likelihood {
        value: ahead * ln_logistic(x - t) + behind * ln_logistic(-x - t),
        x: ahead * (1.0 - p) - behind * (1.0 - q),
        t: -ahead * (1.0 - p) - behind * (1.0 - q),
        xx: -ahead * p * (1.0 - p) - behind * q * (1.0 - q),
        xt: ahead * p * (1.0 - p) - behind * q * (1.0 - q),
        tt: -ahead * p * (1.0 - p) - behind * q * (1.0 - q),
    };
    if draws > 0.0 {
        let more = (2.0 * t).exp_m1();
        likelihood.value += draws * more.ln();
        likelihood.t += draws * 2.0 * (more + 1.0) / more;
        likelihood.tt -= draws * 4.0 * (more + 1.0) / (more * more);
    }
    likelihood
}

/// A win, a draw and a loss are as e^(x/2) to eᵗ to e^(−x/2).
fn davidson(results: ResultCounts, x: f64, t: f64) -> Likelihood {
    let ResultCounts { wins, draws, losses } = results;
    let games = wins + draws + losses;
    // Less the greatest of them, so that none is too large for a number.
    let most = (x.abs() / 2.0).max(t);
    let weights = [x / 2.0, t, -x / 2.0].map(|weight| (weight - most).exp());
    let sum: f64 = weights.iter().sum();
    let [win, draw, loss] = weights.map(|weight| weight / sum);
    let told = if draws > 0.0 { draws * t } else { 0.0 };
    Likelihood {
        value: (wins - losses) * x / 2.0 + told - games * (sum.ln() + most),
        x: (wins - losses - games * (win - loss)) / 2.0,
        t: draws - games * draw,
        xx: -games * (win + loss - (win - loss) * (win - loss)) / 4.0,
        xt: games * draw * (win - loss) / 2.0,
        tt: -games * draw * (1.0 - draw),
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn ln_logistic(x: f64) -> f64 {
    if x < 0.0 { x - x.exp().ln_1p() } else { -(-x).exp().ln_1p() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_read_as_they_are_named() {
        for model in RatingModel::ALL {
            assert_eq!(model.name().parse(), Ok(model));
        }
        assert!("elo".parse::<RatingModel>().is_err());
    }

    /// What the derivatives are is what the value does.
    #[test]
    fn derivatives_are_those_of_the_value() {
        let results = ResultCounts { wins: 7.0, draws: 3.5, losses: 4.0 };
        let h = 1e-4;
        for model in RatingModel::ALL {
            for x in [-3.0, -0.2, 0.0, 1.7] {
                for t in [0.3, 1.0] {
                    let at = |dx: f64, dt: f64| model.likelihood(results, x + dx, t + dt);
                    let told = at(0.0, 0.0);
                    let near = |one: f64, other: f64| {
                        assert!((one - other).abs() < 1e-5, "{model} {x} {t}: {one} {other}");
                    };
                    near(told.x, (at(h, 0.0).value - at(-h, 0.0).value) / (2.0 * h));
                    near(told.xx, (at(h, 0.0).x - at(-h, 0.0).x) / (2.0 * h));
                    if model != RatingModel::Logistic {
                        near(told.t, (at(0.0, h).value - at(0.0, -h).value) / (2.0 * h));
                        near(told.tt, (at(0.0, h).t - at(0.0, -h).t) / (2.0 * h));
                        near(told.xt, (at(0.0, h).x - at(0.0, -h).x) / (2.0 * h));
                    }
                }
            }
        }
    }

    /// Near equal strength a point is worth what it is in Elo's formula: a hundredth of a unit is a
    /// four hundredth of the points.
    #[test]
    fn small_differences_are_elo() {
        let one = |wins, draws, losses| ResultCounts { wins, draws, losses };
        for model in [RatingModel::RaoKupper, RatingModel::Davidson] {
            for t in [0.1, 0.7, 2.0] {
                let chance = |results| model.likelihood(results, 0.01, t).value.exp();
                let won = chance(one(1.0, 0.0, 0.0));
                let drawn = chance(one(0.0, 1.0, 0.0));
                let lost = chance(one(0.0, 0.0, 1.0));
                assert!((won + drawn + lost - 1.0).abs() < 1e-12);
                let slope = (won + drawn / 2.0 - 0.5) / 0.01;
                assert!((4.0 * slope - model.scale(t)).abs() < 1e-4, "{model} {t}");
                assert!((model.draw_rate(t).unwrap() - drawn).abs() < 1e-4);
            }
        }
    }
}
