//! A game as it is shown: every action as in a record, and what is on the board after it.

mod circumstances;
mod step;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use tengen_arbiter::{ByoYomi, ClockFace, Game, GameResult, HistoryEntry, Nanos, Termination};
use tengen_record::{Conditions, GameRecord, GameReplay, Header};
use tengen_rules::{BySeat, Color, OpeningError, Point, Seat, Size, canonical};

pub use self::circumstances::{Asked, Circumstances};
pub use self::step::StepView;
use crate::text::plain;

/// The most characters of a line that a player said.
const MOST_LINE: usize = 200;

/// A game as it is shown: in a report, while it is played, at a table. What was done is written as
/// in a record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameView {
    /// Its number in the event, or at the table.
    #[serde(default)]
    pub number: u64,
    #[serde(default)]
    round: u32,
    /// Which of the event's engines sit first and second.
    seats: BySeat<usize>,
    /// Which seat has Black at the beginning.
    black: Seat,
    /// The clocks at the beginning, in milliseconds; null where there is none.
    clocks: BySeat<Option<u64>>,
    /// The stones that lie before the first action.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    book: Vec<Point>,
    /// What is asked first, and what is forbidden then.
    #[serde(default)]
    first: Circumstances,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<OpeningName>,
    /// Its actions so far.
    pub steps: Vec<StepView>,
    /// The stones of the winning row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub row: Vec<Point>,
    pub result: Option<ResultView>,
    /// When it began, in seconds since the beginning of 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    began: Option<u64>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    void: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    spoiled: bool,
}

/// One of the 26 openings of renju.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpeningName {
    /// Its code: `D1`, `I13`.
    pub code: Cow<'static, str>,
    /// Its English name.
    pub en: Cow<'static, str>,
    /// Its Chinese name.
    pub zh: Cow<'static, str>,
}

/// How a game ended, as in a record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ResultView {
    /// For whom, and how.
    #[serde(flatten)]
    pub result: GameResult,
    /// What there is to say about that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Where a foul ended it, the stones of each line that made it one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub foul: Vec<Vec<Point>>,
}

/// Which clock runs, and what is on both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TurnView {
    /// The seat that is asked; none while no clock runs.
    pub asked: Option<Seat>,
    /// When it was asked, in milliseconds since 1970.
    #[serde(default)]
    pub since: u64,
    /// What each clock showed when it last stopped, in milliseconds: what was left of the game's
    /// time, or of a period of byo-yomi.
    pub left: BySeat<Option<u64>>,
    /// The periods of byo-yomi of each clock that has some.
    #[serde(default, skip_serializing_if = "are_both_none")]
    pub byo_yomi: BySeat<Option<ByoYomiView>>,
    /// In how many answers each clock gets the game's time again, where it does.
    #[serde(default, skip_serializing_if = "are_both_none")]
    pub answers_left: BySeat<Option<u32>>,
}

/// The byo-yomi of a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ByoYomiView {
    /// Whether the game's time is over, and a period runs.
    pub in_period: bool,
    /// How many periods follow.
    pub periods: u32,
    /// How long each is, in milliseconds.
    pub span: u64,
}

pub(crate) fn are_both_none<T>(told: &BySeat<Option<T>>) -> bool {
    told.first.is_none() && told.second.is_none()
}

impl ByoYomiView {
    /// What a clock shows of it.
    fn of(face: ClockFace) -> Option<ByoYomiView> {
        let ByoYomi { periods, span } = face.byo_yomi?;
        Some(ByoYomiView { in_period: face.in_period, periods, span: millis(span) })
    }
}

/// A stopped clock that has byo-yomi.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct FaceView {
    /// What is left of the game's time, or of the period, in milliseconds.
    left: u64,
    #[serde(flatten)]
    byo_yomi: ByoYomiView,
}

impl FaceView {
    fn of(face: ClockFace) -> Option<FaceView> {
        Some(FaceView { left: millis(face.left), byo_yomi: ByoYomiView::of(face)? })
    }
}

impl TurnView {
    /// Two stopped clocks that show this.
    pub fn of(faces: BySeat<Option<ClockFace>>) -> TurnView {
        TurnView {
            left: faces.map(|face| face.map(|face| millis(face.left))),
            byo_yomi: faces.map(|face| ByoYomiView::of(face?)),
            answers_left: faces.map(|face| face?.answers_left),
            ..TurnView::default()
        }
    }

    /// What a seat's clock showed when it last stopped.
    pub fn clock(&self, seat: Seat) -> Option<ClockFace> {
        let of_seat = self.byo_yomi[seat];
        let byo_yomi =
            |told: ByoYomiView| ByoYomi { periods: told.periods, span: nanos(told.span) };
        Some(ClockFace {
            left: nanos(self.left[seat]?),
            in_period: of_seat.is_some_and(|told| told.in_period),
            byo_yomi: of_seat.map(byo_yomi),
            answers_left: self.answers_left[seat],
        })
    }
}

impl GameView {
    /// A game before its first action, between these engines.
    pub fn new(header: &Header, seats: BySeat<usize>, game: &Game) -> GameView {
        let stones = game.position().moves();
        GameView {
            number: header.game.unwrap_or(0),
            round: header.round.unwrap_or(0),
            seats,
            black: black(game),
            clocks: BySeat::from_fn(|seat| game.clock(seat).left().map(millis)),
            book: stones.iter().filter_map(|mv| mv.point()).collect(),
            first: Circumstances::of(game, true),
            opening: None,
            steps: Vec::new(),
            row: Vec::new(),
            result: None,
            began: None,
            void: false,
            spoiled: false,
        }
    }

    /// The view of a finished game.
    ///
    /// # Errors
    /// When its opening procedure does not go with its rule or its board.
    pub fn of_record(record: &GameRecord, seats: BySeat<usize>) -> Result<GameView, OpeningError> {
        GameView::with_replay(record, seats).map(|(view, _)| view)
    }

    /// The same, with the game as it stands at its end.
    pub fn with_replay(
        record: &GameRecord,
        seats: BySeat<usize>,
    ) -> Result<(GameView, GameReplay), OpeningError> {
        let mut replay = GameReplay::new(record.header.config())?;
        let mut view = GameView::new(&record.header, seats, replay.game());
        view.steps.reserve_exact(record.actions.len());
        for entry in &record.actions {
            view.act(&mut replay, entry);
        }
        view.end(replay.game(), record.result, record.detail.as_deref(), &record.conditions);
        Ok((view, replay))
    }

    /// Plays one more action, and shows it.
    pub fn act(&mut self, replay: &mut GameReplay, entry: &HistoryEntry) -> &StepView {
        let had_black = black(replay.game());
        replay.act(entry);
        let game = replay.game();
        self.follow(entry, game, had_black)
    }

    /// Shows an action that has been played. Before it this seat had Black.
    pub fn follow(&mut self, entry: &HistoryEntry, game: &Game, had_black: Seat) -> &StepView {
        self.steps.push(StepView::new(entry, game, had_black));
        if self.opening.is_none() {
            self.opening = opening_name(game);
        }
        &self.steps[self.steps.len() - 1]
    }

    /// Shows the game as it stood after so many actions.
    pub fn take_back(&mut self, keep: usize, game: &Game) {
        self.steps.truncate(keep);
        self.opening = opening_name(game);
    }

    pub fn end(
        &mut self,
        game: &Game,
        result: GameResult,
        detail: Option<&str>,
        conditions: &Conditions,
    ) {
        let mut shown = ResultView::new(result, detail);
        let position = game.position();
        if let Some(last) = position.last().and_then(|mv| mv.point()) {
            let board = position.board();
            match result.termination {
                Termination::Five => self.row = board.winning_row(position.rule(), last),
                Termination::Overline | Termination::DoubleFour | Termination::DoubleThree => {
                    shown.foul = board.foul_lines(last);
                }
                _ => {}
            }
        }
        self.result = Some(shown);
        self.began = conditions.began;
        self.void = conditions.is_void;
        self.spoiled = conditions.is_spoiled();
    }
}

impl From<GameResult> for ResultView {
    fn from(result: GameResult) -> ResultView {
        ResultView { result, detail: None, foul: Vec::new() }
    }
}

impl ResultView {
    fn new(result: GameResult, detail: Option<&str>) -> ResultView {
        let detail = detail.map(|detail| plain(detail, 2 * MOST_LINE));
        ResultView { detail, ..result.into() }
    }
}

pub fn millis(span: Nanos) -> u64 {
    span / 1_000_000
}

/// Milliseconds of a message.
pub fn nanos(millis: u64) -> Nanos {
    millis.saturating_mul(1_000_000)
}

/// The renju opening of a game's first three stones.
pub fn opening_name(game: &Game) -> Option<OpeningName> {
    let position = game.position();
    let mut stones = position.moves().iter().filter_map(|mv| mv.point());
    let three = [stones.next()?, stones.next()?, stones.next()?];
    name_of(position.size(), three)
}

/// The renju opening that three stones make.
pub fn name_of(size: Size, stones: [Point; 3]) -> Option<OpeningName> {
    let known = canonical::recognise(size, stones)?;
    Some(OpeningName {
        code: known.code.into(),
        en: known.english.into(),
        zh: known.chinese.into(),
    })
}

pub fn black(game: &Game) -> Seat {
    if game.colors().first == Color::Black { Seat::First } else { Seat::Second }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// The view of a game under a rule and an opening, with these actions and this result.
    fn view(rule: &str, opening: &str, actions: Value, result: Value) -> Value {
        timed_view("60+1", rule, opening, actions, result)
    }

    fn timed_view(time: &str, rule: &str, opening: &str, actions: Value, result: Value) -> Value {
        let seat = |id| json!({ "id": id, "name": id, "time": time });
        let record = json!({
            "format": 1, "rule": rule, "size": 15, "opening": opening,
            "seats": { "first": seat("a"), "second": seat("b") },
            "actions": actions, "result": result,
        });
        let record = GameRecord::from_json_line(&record.to_string()).unwrap();
        let view = GameView::of_record(&record, BySeat { first: 4, second: 2 }).unwrap();
        let text = serde_json::to_string(&view).unwrap();
        let read: GameView = serde_json::from_str(&text).unwrap();
        assert_eq!(read, view, "a client reads what is written");
        serde_json::to_value(view).unwrap()
    }

    /// Moves by turns, a millisecond each.
    fn moves(points: &str) -> Value {
        let seats = ["first", "second"].iter().cycle();
        points
            .split(' ')
            .zip(seats)
            .map(|(point, seat)| json!({ "seat": seat, "move": point, "ns": 1_000_000 }))
            .collect()
    }

    #[test]
    fn a_row_is_marked_and_clocks_are_told() {
        let won = json!({ "winner": "first", "termination": "five" });
        let game = view("freestyle", "none", moves("a1 a15 b1 b15 c1 c15 d1 d15 e1"), won);
        assert_eq!(game["row"], json!(["a1", "b1", "c1", "d1", "e1"]));
        assert_eq!(game["seats"], json!({ "first": 4, "second": 2 }));
        assert_eq!(game["clocks"], json!({ "first": 60_000, "second": 60_000 }));
        assert_eq!(game["steps"][1]["move"], "a15");
        assert_eq!(game["steps"][0]["ns"], 1_000_000);
        assert_eq!(game["result"], json!({ "winner": "first", "termination": "five" }));
    }

    #[test]
    fn a_foul_is_shown_by_its_lines() {
        let won = json!({ "winner": "second", "termination": "double_three" });
        let game = view("renju", "none", moves("g8 a1 i8 o1 h7 a15 h9 o15 h8"), won);
        assert_eq!(game["result"]["foul"], json!([["g8", "h8", "i8"], ["h7", "h8", "h9"]]));
    }

    #[test]
    fn a_step_tells_the_period_that_is_left_where_the_game_s_time_is_over() {
        let moved = |seat, at, ms| json!({ "seat": seat, "move": at, "ns": nanos(ms) });
        let moves = json!([
            moved("first", "h8", 15_000),
            moved("second", "a1", 2_000),
            moved("first", "h9", 31_000),
        ]);
        let aborted = json!({ "winner": null, "termination": "aborted" });
        let game = timed_view("10,byo=3x30", "freestyle", "none", moves, aborted);
        let shown = [(30_000, true, 2), (8_000, false, 3), (30_000, true, 1)];
        for (step, (left, runs, follow)) in shown.into_iter().enumerate() {
            let face =
                json!({ "left": left, "in_period": runs, "periods": follow, "span": 30_000 });
            assert_eq!(game["steps"][step]["face"], face);
        }
    }

    #[test]
    fn a_blocked_five_of_caro_is_not_marked() {
        let won = json!({ "winner": "first", "termination": "five" });
        let moves = moves("b1 a1 c1 g1 d1 o15 e1 o13 f2 o11 f3 o9 f4 o7 f5 o5 f1");
        let game = view("caro", "none", moves, won);
        assert_eq!(game["row"], json!(["f1", "f2", "f3", "f4", "f5"]));
    }

    #[test]
    fn forbidden_points_come_with_their_kind_where_black_is_to_move() {
        let resigned = json!({ "winner": "second", "termination": "resignation" });
        let mut actions = moves("g8 a1 i8 a3 h7 a5 h9 a7");
        let resign = json!({ "seat": "first", "resign": true, "ns": 1 });
        actions.as_array_mut().unwrap().push(resign);
        let game = view("renju", "none", actions, resigned);
        assert_eq!(game["steps"][7]["forbidden"], json!({ "h8": "double_three" }));
        assert_eq!(game["steps"][6]["forbidden"], Value::Null, "White is to move");
        assert_eq!(game["steps"][8]["forbidden"], Value::Null, "the game is over");
        assert_eq!(game["steps"][8]["resign"], true);
    }

    #[test]
    fn an_opening_procedure_is_told_step_by_step() {
        let resigned = json!({ "winner": "second", "termination": "resignation" });
        let actions = json!([
            { "seat": "first", "place": ["h8", "a1", "j9"], "ns": 1 },
            { "seat": "second", "choose": "black", "ns": 1 },
            { "seat": "first", "resign": true, "ns": 1 },
        ]);
        let game = view("freestyle", "swap", actions, resigned);
        let asked = json!({ "seat": "first", "ask": "place", "count": 3 });
        assert_eq!(game["first"]["ask"], asked);
        assert_eq!(game["black"], "first");
        assert_eq!(game["steps"][0]["place"], json!(["h8", "a1", "j9"]));
        assert_eq!(game["steps"][0]["ask"], json!({ "seat": "second", "ask": "choose" }));
        assert_eq!(game["steps"][1]["choose"], "black");
        assert_eq!(game["steps"][1]["black"], "second", "it has Black now");
    }

    #[test]
    fn clocks_are_read_as_they_were_written_and_say_only_what_they_have() {
        let face = |control: &str| ClockFace::of(&control.parse().unwrap());
        let second = face("600,byo=3x30").map(|face| face.after(606_000_000_000));
        let faces = BySeat { first: face("40/60"), second };
        let turn = TurnView::of(faces);
        let written = serde_json::to_value(turn).unwrap();
        let byo_yomi = json!({ "in_period": true, "periods": 2, "span": 30_000 });
        assert_eq!(written["byo_yomi"], json!({ "first": null, "second": byo_yomi }));
        assert_eq!(written["answers_left"], json!({ "first": 40, "second": null }));
        assert_eq!(written["left"], json!({ "first": 60_000, "second": 24_000 }));
        let read: TurnView = serde_json::from_value(written).unwrap();
        assert_eq!(BySeat::from_fn(|seat| read.clock(seat)), faces);
        let plain = TurnView::of(BySeat { first: face("60+1"), second: None });
        let written = serde_json::to_value(plain).unwrap();
        assert!(written.get("byo_yomi").is_none() && written.get("answers_left").is_none());
        assert_eq!((plain.clock(Seat::First), plain.clock(Seat::Second)), (face("60+1"), None));
    }
}
