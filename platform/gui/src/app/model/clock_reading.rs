//! A clock as it is displayed.

use tengen_arbiter::{ByoYomi, ClockFace, GameResult, Nanos, Termination};
use tengen_rules::Seat;

use super::{Phase, Snapshot};

const SECOND: Nanos = 1_000_000_000;
const TENTH: Nanos = SECOND / 10;
/// The step of a clock that shows tenths. Twice as many frames a second would cost a fifth of a
/// core with software rendering, and are too fast to read.
const FIFTH: Nanos = SECOND / 5;
/// Below this, time is short.
const LOW: Nanos = 20 * SECOND;
/// Below this, tenths of a second are shown.
const FINE: Nanos = 10 * SECOND;

/// A player's clock at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockReading {
    /// The time left in the game, or for the answer where only that is limited; none is unlimited.
    pub left: Option<Nanos>,
    /// The periods of byo-yomi that follow; none without byo-yomi.
    pub byo_yomi: Option<ByoYomi>,
    /// Whether a period runs: what is left is of that.
    pub in_period: bool,
    /// In how many answers the game's time is added again; none if it never is.
    pub answers_left: Option<u32>,
    /// How far the time is overrun, within the margin.
    pub over: Nanos,
    /// The most time for one move: at the start of the game, which is main time with one increment,
    /// in a period, or the limit of one answer.
    pub whole: Option<Nanos>,
    /// The time the awaited answer has taken; none when the player is not asked.
    pub spent: Option<Nanos>,
    /// The time used in the game, with that of the awaited answer.
    pub used: Nanos,
    /// The limit of one answer.
    pub cap: Option<Nanos>,
    pub state: ClockState,
    /// The time until the display changes; none when the clock is stopped.
    pub next_change: Option<Nanos>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ClockState {
    /// It is not this player's turn, or no game is running.
    #[default]
    Stopped,
    /// It counts down.
    Running,
    /// It is this player's turn, and the game is paused.
    Paused,
    /// The player lost on time.
    Expired,
}

impl ClockReading {
    /// Reads a player's clock.
    pub fn read(snapshot: &Snapshot, seat: Seat, now: Nanos) -> ClockReading {
        let seated = &snapshot.seats[seat];
        let (main, cap) = (seated.control.main, seated.control.per_move);
        let expired = GameResult { winner: Some(!seat), termination: Termination::Timeout };
        let rests = matches!(snapshot.phase, Phase::Pausing | Phase::Paused);
        let asked = snapshot.asked.filter(|asked| asked.seat == seat);
        let state = match asked {
            _ if snapshot.result == Some(expired) => ClockState::Expired,
            Some(asked) if asked.since.is_some() => ClockState::Running,
            Some(_) if rests => ClockState::Paused,
            _ => ClockState::Stopped,
        };
        let since = asked.and_then(|asked| asked.since);
        let used = asked.map_or(0, |asked| asked.used);
        let spent = used + since.map_or(0, |since| now.saturating_sub(since));
        let bound = seated.clock.map(ClockFace::whole).or(cap);
        let face = seated.clock.map(|clock| match state {
            ClockState::Expired => clock.after(Nanos::MAX),
            _ => clock.after(spent),
        });
        let left = match state {
            ClockState::Expired => bound.map(|_| 0),
            _ => face.map(|face| face.left).or(cap.map(|cap| cap.saturating_sub(spent))),
        };
        let period = face.filter(|face| face.in_period).and_then(|face| face.byo_yomi);
        let whole = match period {
            Some(period) => Some(period.span),
            None => main.map(|main| main.saturating_add(seated.control.increment)),
        };
        let mut reading = ClockReading {
            byo_yomi: face.and_then(|face| face.byo_yomi),
            in_period: period.is_some(),
            answers_left: face.and_then(|face| face.answers_left),
            left,
            over: bound.map_or(0, |bound| spent.saturating_sub(bound)),
            whole: whole.or(cap),
            spent: asked.map(|_| spent),
            // In whole seconds, so that it changes with that of the answer.
            used: seated.used - seated.used % SECOND + spent,
            cap,
            state,
            next_change: None,
        };
        if reading.is_running() {
            let unit = reading.unit();
            let down = left.filter(|&left| left > 0).map(|left| left % unit + 1);
            let up = unit - spent % unit;
            // Tenths of both are redrawn in one frame.
            let both = |down: Nanos| if unit == FIFTH { down } else { down.min(up) };
            reading.next_change = Some(down.map_or(up, both));
        }
        reading
    }

    /// Whether it counts down.
    pub fn is_running(&self) -> bool {
        self.state == ClockState::Running
    }

    /// Whether time is short: less than a fifth of what there was, and less than twenty seconds.
    pub fn is_low(&self) -> bool {
        let low = |left: Nanos, whole: Nanos| left < LOW.min(whole / 5);
        let game = self.left.zip(self.whole).is_some_and(|(left, whole)| low(left, whole));
        let of_answer = self.cap.zip(self.spent);
        game || of_answer.is_some_and(|(cap, spent)| low(cap.saturating_sub(spent), cap))
    }

    /// The time left: `1:02:03`, `12:34`, below ten seconds `9.8`, overrun `−0.3`; `∞` without a
    /// limit.
    pub fn left_text(&self) -> String {
        let Some(left) = self.left else {
            return "∞".to_owned();
        };
        if self.over >= TENTH {
            return format!("−{}", tenths(self.over));
        }
        if left < FINE {
            return tenths(left - left % FIFTH);
        }
        format_clock(left)
    }

    /// How many periods of byo-yomi follow: `(2)`; empty without byo-yomi.
    pub fn periods_text(&self) -> String {
        self.byo_yomi.map_or_else(String::new, |follows| format!("({})", follows.periods))
    }

    /// The time the awaited answer has taken, and its limit, in seconds: `3`, `0.4` of `5.0`.
    pub fn spent_text(&self) -> Option<(String, Option<String>)> {
        let spent = self.spent?;
        let text = |nanos: Nanos| match self.unit() {
            FIFTH => tenths(nanos),
            unit => (nanos / unit).to_string(),
        };
        Some((text(spent), self.cap.map(text)))
    }

    /// The time used in the game: `3:41`.
    pub fn used_text(&self) -> String {
        format_clock(self.used)
    }

    fn unit(&self) -> Nanos {
        let left = self.left.unwrap_or(Nanos::MAX);
        let answer = self.cap.map_or(Nanos::MAX, |cap| cap.saturating_sub(self.spent.unwrap_or(0)));
        if left.min(answer) < FINE { FIFTH } else { SECOND }
    }
}

/// A time as `1:02:03` or `12:34`.
pub fn format_clock(nanos: Nanos) -> String {
    let seconds = nanos / SECOND;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

fn tenths(nanos: Nanos) -> String {
    format!("{}.{}", nanos / SECOND, nanos % SECOND / TENTH)
}

#[cfg(test)]
mod tests {
    use tengen_rules::Ask;

    use super::*;
    use crate::app::model::OpenQuestion;
    use crate::app::model::snapshot::empty;

    fn reading(left: Option<Nanos>, spent: Nanos) -> ClockReading {
        let (spent, state) = (Some(spent), ClockState::Running);
        ClockReading { left, spent, state, ..ClockReading::default() }
    }

    #[test]
    fn times_read_as_on_a_clock() {
        let text = |tenths: Nanos| reading(Some(tenths * TENTH), 0).left_text();
        assert_eq!(text(36_000 + 1_230), "1:02:03");
        assert_eq!(text(7_549), "12:34");
        assert_eq!(
            (text(200), text(199), text(100)),
            ("0:20".into(), "0:19".into(), "0:10".into())
        );
        assert_eq!((text(99), text(5), text(0)), ("9.8".into(), "0.4".into(), "0.0".into()));
        assert_eq!(reading(None, 0).left_text(), "∞");
    }

    #[test]
    fn an_answer_s_time_is_as_fine_as_the_clock() {
        assert_eq!(
            reading(Some(60 * SECOND), 3 * SECOND + 1).spent_text(),
            Some(("3".into(), None))
        );
        let low = ClockReading { cap: Some(5 * SECOND), ..reading(Some(4 * SECOND), SECOND) };
        assert_eq!(low.spent_text(), Some(("1.0".into(), Some("5.0".into()))));
    }

    #[test]
    fn the_time_used_in_the_game_grows_with_that_of_the_answer() {
        let mut snapshot = table("inf", None, 0);
        snapshot.seats.first.used = 221 * SECOND + SECOND / 2;
        let used = |tenths: Nanos| {
            let reading = read(&snapshot, tenths * TENTH);
            (reading.used_text(), reading.next_change)
        };
        assert_eq!(used(0), ("3:41".into(), Some(SECOND)));
        assert_eq!(used(9), ("3:41".into(), Some(TENTH)));
        assert_eq!(used(10), ("3:42".into(), Some(SECOND)));
        assert_eq!(ClockReading::read(&snapshot, Seat::Second, SECOND).used_text(), "0:00");
    }

    /// A game with this time control in which the first seat has thought for that long.
    fn table(control: &str, left: Option<Nanos>, spent: Nanos) -> Snapshot {
        let mut snapshot = empty();
        snapshot.seats.first.control = control.parse().unwrap();
        let byo_yomi = snapshot.seats.first.control.byo_yomi;
        snapshot.seats.first.clock =
            left.map(|left| ClockFace { left, in_period: false, byo_yomi, answers_left: None });
        let asked = OpenQuestion {
            number: 0,
            seat: Seat::First,
            ask: Ask::Choose,
            since: Some(0),
            used: 0,
        };
        snapshot.asked = Some(asked);
        assert!(ClockReading::read(&snapshot, Seat::Second, spent).spent.is_none());
        snapshot
    }

    fn read(snapshot: &Snapshot, spent: Nanos) -> ClockReading {
        ClockReading::read(snapshot, Seat::First, spent)
    }

    #[test]
    fn little_is_left_by_what_there_was() {
        let low = |control: &str, left: Option<u64>, spent: u64| {
            let left = left.map(|left| left * SECOND);
            read(&table(control, left, spent * SECOND), spent * SECOND).is_low()
        };
        assert!(!low("300", Some(21), 1) && low("300", Some(21), 2));
        assert!(!low("10", Some(5), 3) && low("10", Some(5), 4), "of ten seconds two are little");
        assert!(!low("move=5", None, 4) && low("move=5", None, 5));
        assert!(low("300+3,move=30", Some(200), 25), "the answer's limit is the nearer one");
        assert!(low("1+10", Some(11), 9), "its increment is of a move's time, too");
        assert!(!low("inf", None, 1000));
    }

    #[test]
    fn in_byo_yomi_the_period_is_read_and_how_many_follow() {
        let snapshot = table("60,byo=3x30", Some(20 * SECOND), 0);
        let shown = |seconds: Nanos| {
            let reading = read(&snapshot, seconds * SECOND);
            let text = format!("{} {}", reading.left_text(), reading.periods_text());
            (text, reading.is_low(), reading.over)
        };
        assert_eq!(shown(5), ("0:15 (3)".into(), false, 0));
        assert_eq!(shown(26), ("0:24 (2)".into(), false, 0));
        assert_eq!(shown(45), ("5.0 (2)".into(), true, 0));
        assert_eq!(shown(51), ("0:29 (1)".into(), false, 0), "the first is used up");
        assert_eq!(shown(105), ("5.0 (0)".into(), true, 0));
        assert_eq!(shown(111), ("−1.0 (0)".into(), true, SECOND));
    }

    #[test]
    fn a_time_that_is_overrun_has_a_sign() {
        let snapshot = table("60", Some(5 * SECOND), 0);
        let over = read(&snapshot, 5 * SECOND + 4 * TENTH);
        assert_eq!((over.left_text().as_str(), over.is_low()), ("−0.4", true));
    }
}
