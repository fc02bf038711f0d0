//! A histogram in characters.

use tengen_stats::Spread;

use crate::report;

const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// The first border, in nanoseconds; each next one is twice the last.
const FROM: u64 = 1_000;
const COLUMNS: usize = 18;
/// Columns of one bar.
const WIDTH: usize = 2;

/// Draws how each measurement is spread, one line each on a common scale. A bar an eighth lower is
/// about a third as many, so that what is rare is seen too.
pub(super) fn draw<'a>(spreads: impl IntoIterator<Item = (&'a str, &'a Spread)>) -> String {
    let mut out = String::new();
    for (name, spread) in spreads {
        let bars: String =
            counts(spread).into_iter().map(|count| bar(count, spread.len())).collect();
        out += &format!("{name:>8} {}\n", bars.trim_end());
    }
    let mut scale = String::new();
    for column in (0..COLUMNS).step_by(5) {
        let mark = format!("|{}", report::span(FROM << column));
        scale += &format!("{mark:<width$}", width = 5 * WIDTH);
    }
    out + &format!("{:>8} {}\n", "", scale.trim_end())
}

/// How many lie from each border to the next; the first and the last take what lies beyond.
fn counts(spread: &Spread) -> [u64; COLUMNS] {
    std::array::from_fn(|column| {
        let from = if column == 0 { 0 } else { FROM << column };
        let to = if column + 1 == COLUMNS { u64::MAX } else { FROM << (column + 1) };
        spread.between(from, to)
    })
}

fn bar(count: u64, of: u64) -> String {
    if count == 0 {
        return " ".repeat(WIDTH);
    }
    let thirds = (of as f64 / count as f64).log(3.0);
    let height = (BARS.len() - 1).saturating_sub(thirds.round() as usize);
    BARS[height].to_string().repeat(WIDTH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_common_stands_high_and_what_is_rare_is_seen() {
        let mut spread: Spread = std::iter::repeat_n(3_000, 999).collect();
        spread.add(70_000_000);
        let picture = draw([("sleep", &spread)]);
        let lines: Vec<&str> = picture.lines().collect();
        assert_eq!(lines[0], format!("   sleep   ██{}▂▂", " ".repeat(28)));
        let scale = "         |1.0 µs   |32.0 µs  |1.0 ms   |32.8 ms";
        assert_eq!(lines[1], scale);
    }

    #[test]
    fn nothing_lies_outside() {
        let spread: Spread = [0, 1, 999, 1_000, 1 << 50, u64::MAX - 1].into_iter().collect();
        assert_eq!(counts(&spread).iter().sum::<u64>(), spread.len());
    }
}
