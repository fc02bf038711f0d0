//! Elo differences with their intervals.

use std::fmt;

/// A difference in strength on an Elo scale, with its 95 % interval. Never NaN.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Elo {
    value: f64,
    bounds: Option<(f64, f64)>,
}

impl Elo {
    pub(crate) fn new(value: f64, bounds: Option<(f64, f64)>) -> Elo {
        debug_assert!(!value.is_nan() && bounds.is_none_or(|(low, high)| low <= high));
        Elo { value, bounds }
    }

    /// The difference; infinite when every point was won, or lost.
    pub const fn value(self) -> f64 {
        self.value
    }

    /// The difference if it is finite: what a machine-readable report writes, or null.
    pub fn finite(self) -> Option<f64> {
        self.value.is_finite().then_some(self.value)
    }

    /// The ends of the 95 % interval, either of which may be infinite. None when the sample has no
    /// spread to estimate one from (a shutout, or every pair alike).
    pub const fn bounds(self) -> Option<(f64, f64)> {
        self.bounds
    }

    /// Half the width of the 95 % interval, if the interval is known and finite.
    ///
    /// The logistic curve bends, so the interval is not quite symmetric about the value; half its
    /// width is what fastchess and fishtest print behind the ±.
    pub fn error(self) -> Option<f64> {
        let (low, high) = self.bounds?;
        let error = (high - low) / 2.0;
        error.is_finite().then_some(error)
    }
}

/// `+19.83 ± 6.77`; `+512.00 (> +390.12)` or `(< …)` when only one end of the interval is finite;
/// `+∞` or `−∞` when every point was won, or lost. The precision is that of the format, or 2.
impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.value.is_infinite() {
            return f.write_str(if self.value > 0.0 { "+∞" } else { "−∞" });
        }
        let digits = f.precision().unwrap_or(2);
        // Rounding first keeps "-0.00" out of reports.
        let scale = 10_f64.powi(digits as i32);
        let value = (self.value * scale).round() / scale + 0.0;
        write!(f, "{value:+.digits$}")?;
        match (self.error(), self.bounds) {
            (Some(error), _) => write!(f, " ± {error:.digits$}"),
            (None, Some((low, _))) if low.is_finite() => write!(f, " (> {low:+.digits$})"),
            (None, Some((_, high))) if high.is_finite() => write!(f, " (< {high:+.digits$})"),
            _ => Ok(()),
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
        let show = |value, bounds| Elo::new(value, bounds).to_string();
        assert_eq!(show(-0.001, Some((-3.0, 3.0))), "+0.00 ± 3.00");
        assert_eq!(show(-12.345, Some((-20.0, -4.0))), "-12.35 ± 8.00");
        assert_eq!(show(500.0, Some((400.0, f64::INFINITY))), "+500.00 (> +400.00)");
        assert_eq!(show(-500.0, Some((f64::NEG_INFINITY, -400.0))), "-500.00 (< -400.00)");
        assert_eq!(show(0.0, Some((f64::NEG_INFINITY, f64::INFINITY))), "+0.00");
        assert_eq!(show(f64::NEG_INFINITY, None), "−∞");
        assert_eq!(format!("{:.1}", Elo::new(35.16, Some((23.0, 47.0)))), "+35.2 ± 12.0");
    }
}
