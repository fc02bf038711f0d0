//! Elo differences with their intervals.

use std::fmt;

/// A difference in strength on an Elo scale, with its 95 % interval. Never NaN.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Elo {
    value: f64,
    bounds: (f64, f64),
    error: Option<f64>,
}

impl Elo {
    /// The value lies in the bounds.
    pub(crate) fn new(value: f64, bounds: (f64, f64), error: Option<f64>) -> Elo {
        debug_assert!(bounds.0 <= value && value <= bounds.1, "{value} in {bounds:?}");
        Elo { value, bounds, error }
    }

    /// The difference; infinite when every point was won, or lost.
    pub const fn value(self) -> f64 {
        self.value
    }

    /// The difference if it is finite: what a machine-readable report writes, or null.
    pub fn finite(self) -> Option<f64> {
        self.value.is_finite().then_some(self.value)
    }

    /// The ends of the 95 % interval, either of which may be infinite.
    pub const fn bounds(self) -> (f64, f64) {
        self.bounds
    }

    /// The figure that fastchess and fishtest print behind the ±, to be compared with them: half
    /// the width of the interval that the normal distribution gives. None where that has no spread
    /// to go by, or reaches past all points. It is too narrow for few games; [`Elo::bounds`] is
    /// not.
    pub const fn error(self) -> Option<f64> {
        self.error
    }
}

/// `+19.83 [+13.07, +26.62]`; `> +390.12` or `< −390.12` where the other end of the interval is
/// open; `?` where both are. The precision is that of the format, or 2.
impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(2);
        let scale = 10_f64.powi(digits as i32);
        let text = |number: f64| {
            // Rounding first keeps "-0.00" out of reports.
            let number = (number * scale).round() / scale + 0.0;
            format!("{number:+.digits$}")
        };
        match self.bounds {
            (low, high) if low.is_finite() && high.is_finite() => {
                write!(f, "{} [{}, {}]", text(self.value), text(low), text(high))
            }
            (low, _) if low.is_finite() => write!(f, "> {}", text(low)),
            (_, high) if high.is_finite() => write!(f, "< {}", text(high)),
            _ => f.write_str("?"),
        }
    }
}

/// The logistic Elo difference at which the expected points a game are `rate`:
/// −400·log₁₀(1/rate − 1), the inverse of Elo's expected score. A rate of 0 or below gives −∞, of
/// 1 or above +∞.
pub fn elo_of_rate(rate: f64) -> f64 {
    if rate >= 1.0 {
        f64::INFINITY
    } else if rate <= 0.0 {
        f64::NEG_INFINITY
    } else {
        // Adding zero turns the −0 of an even score into 0.
        -400.0 * (1.0 / rate - 1.0).log10() + 0.0
    }
}

/// The expected points a game at a logistic Elo difference: 1 / (1 + 10^(−elo/400)).
pub fn rate_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_even_score_is_zero_without_a_sign() {
        assert!(elo_of_rate(0.5).is_sign_positive());
    }

    /// Ten to one at 400 points, three to one at 190.85, 64 % at 100 (A. Elo, The Rating of
    /// Chessplayers, with the logistic curve).
    #[test]
    fn the_logistic_curve_passes_through_known_points() {
        assert!((rate_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-15);
        assert!((rate_of_elo(100.0) - 0.640).abs() < 5e-4);
        assert!((elo_of_rate(0.75) - 190.848_501_887_864_98).abs() < 1e-9);
        assert_eq!(elo_of_rate(0.5), 0.0);
    }

    #[test]
    fn ends_are_infinite() {
        assert_eq!((elo_of_rate(1.0), elo_of_rate(0.0)), (f64::INFINITY, f64::NEG_INFINITY));
        assert_eq!((elo_of_rate(1.2), elo_of_rate(-0.2)), (f64::INFINITY, f64::NEG_INFINITY));
    }

    #[test]
    fn prints_what_is_known() {
        let show = |value, bounds| Elo::new(value, bounds, None).to_string();
        let (least, most) = (f64::NEG_INFINITY, f64::INFINITY);
        assert_eq!(show(-0.001, (-3.0, 3.0)), "+0.00 [-3.00, +3.00]");
        assert_eq!(show(-12.345, (-20.0, -4.0)), "-12.35 [-20.00, -4.00]");
        assert_eq!(show(500.0, (400.0, most)), "> +400.00");
        assert_eq!(show(most, (310.0, most)), "> +310.00");
        assert_eq!(show(-500.0, (least, -400.0)), "< -400.00");
        assert_eq!(show(0.0, (least, most)), "?");
        let skewed = Elo::new(311.4, (190.2, 519.9), None);
        assert_eq!(format!("{skewed:.0}"), "+311 [+190, +520]");
    }
}
