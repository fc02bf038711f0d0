use tengen_arbiter::{GameResult, Nanos, Termination};
use tengen_rules::Seat;

use super::Snapshot;

const SECOND: Nanos = 1_000_000_000;
const TENTH: Nanos = SECOND / 10;
/// Below this, tenths of a second are shown.
const LOW: Nanos = 20 * SECOND;

/// A seat's clock as it is read at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockFace {
    /// What is left of the game's time, or of the answer's where only that is bounded; none is
    /// unlimited.
    pub left: Option<Nanos>,
    /// What the awaited answer has taken; none when the seat is not asked.
    pub spent: Option<Nanos>,
    /// The cap on one answer.
    pub cap: Option<Nanos>,
    /// Whether it runs.
    pub running: bool,
    /// Whether its flag has fallen: the game was lost by it.
    pub fallen: bool,
    /// After how long one of its texts reads differently; none when it stands.
    pub next_change: Option<Nanos>,
}

impl ClockFace {
    /// Reads a seat's clock.
    pub fn read(snapshot: &Snapshot, seat: Seat, now: Nanos) -> ClockFace {
        let seated = &snapshot.seats[seat];
        let asked = snapshot.asked.filter(|asked| asked.seat == seat);
        let since = asked.and_then(|asked| asked.since);
        let used = asked.map_or(0, |asked| asked.used);
        let spent = used + since.map_or(0, |since| now.saturating_sub(since));
        let whole = seated.left.or(seated.control.per_move);
        let lost = GameResult { winner: Some(!seat), termination: Termination::Timeout };
        let fallen = snapshot.result == Some(lost);
        let left = whole.map(|left| if fallen { 0 } else { left.saturating_sub(spent) });
        let mut face = ClockFace {
            left,
            spent: asked.map(|_| spent),
            cap: seated.control.per_move,
            running: since.is_some(),
            fallen,
            next_change: None,
        };
        if face.running {
            let unit = face.unit();
            let down = left.filter(|&left| left > 0).map(|left| left % unit + 1);
            let up = unit - spent % unit;
            face.next_change = Some(down.map_or(up, |down| down.min(up)));
        }
        face
    }

    /// Whether little time is left.
    pub fn is_low(&self) -> bool {
        self.left.is_some_and(|left| left < LOW)
    }

    /// What is left: `1:02:03`, `12:34`, below twenty seconds `19.9`; `∞` without a limit.
    pub fn left_text(&self) -> String {
        let Some(left) = self.left else {
            return "∞".to_owned();
        };
        if left < LOW {
            return tenths(left);
        }
        let seconds = left / SECOND;
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        if hours > 0 {
            format!("{hours}:{minutes:02}:{seconds:02}")
        } else {
            format!("{minutes}:{seconds:02}")
        }
    }

    /// What the awaited answer has taken, and its cap, in seconds: `3`, `0.4` of `5.0`.
    pub fn spent_text(&self) -> Option<(String, Option<String>)> {
        let spent = self.spent?;
        let text = |nanos: Nanos| match self.unit() {
            TENTH => tenths(nanos),
            unit => (nanos / unit).to_string(),
        };
        Some((text(spent), self.cap.map(text)))
    }

    fn unit(&self) -> Nanos {
        if self.is_low() { TENTH } else { SECOND }
    }
}

fn tenths(nanos: Nanos) -> String {
    format!("{}.{}", nanos / SECOND, nanos % SECOND / TENTH)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn face(left: Option<Nanos>, spent: Nanos) -> ClockFace {
        ClockFace { left, spent: Some(spent), cap: None, ..ClockFace::default() }
    }

    #[test]
    fn times_read_as_on_a_clock() {
        let text = |tenths: Nanos| face(Some(tenths * TENTH), 0).left_text();
        assert_eq!(text(36_000 + 1_230), "1:02:03");
        assert_eq!(text(7_549), "12:34");
        assert_eq!(text(200), "0:20");
        assert_eq!((text(199), text(5), text(0)), ("19.9".into(), "0.5".into(), "0.0".into()));
        assert_eq!(face(None, 0).left_text(), "∞");
    }

    #[test]
    fn an_answer_s_time_is_as_fine_as_the_clock() {
        assert_eq!(face(Some(60 * SECOND), 3 * SECOND + 1).spent_text(), Some(("3".into(), None)));
        let low = ClockFace { cap: Some(5 * SECOND), ..face(Some(4 * SECOND), SECOND) };
        assert_eq!(low.spent_text(), Some(("1.0".into(), Some("5.0".into()))));
    }
}
