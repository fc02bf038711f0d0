//! One game as the page shows it: every action with what is on the board after it, the clocks, and
//! what the player said of its search.

mod circumstances;
mod step_view;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use tengen_arbiter::{Game, GameResult, HistoryEntry, Nanos, Termination};
use tengen_record::{Conditions, GameRecord, GameReplay, Header};
use tengen_rules::{Board, BySeat, Color, Move, OpeningError, Point, Rule, Seat, Size, canonical};

use self::circumstances::Circumstances;
pub(crate) use self::step_view::StepView;
use crate::text::plain;

/// The most signs of a line that a player said.
const MOST_SIGNS: usize = 200;

/// A game for the page. In JSON its keys are short, since a report has thousands.
///
/// A point is `32 · row + column`, both counted from 0 at `a1`; a stone is `2 · point`, and one
/// more where it is white; a forbidden point is `4 · point`, and its kind of foul.
#[derive(Clone, Debug, Serialize)]
pub struct GameView {
    /// Its number in the event.
    pub number: u64,
    round: u32,
    /// Which of the event's engines sit first and second.
    seats: [usize; 2],
    /// Which seat has Black at the beginning.
    black: u8,
    /// The clocks at the beginning, in milliseconds; null where there is none.
    clocks: [Option<u64>; 2],
    /// The stones that lie before the first action.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    book: Vec<u16>,
    /// What is asked first, and what is forbidden then.
    first: Circumstances,
    /// The name of the opening, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<OpeningName>,
    steps: Vec<StepView>,
    /// The stones of the winning row.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    row: Vec<u16>,
    result: Option<ResultView>,
    /// When it began, in seconds since the beginning of 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    began: Option<u64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    void: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    spoiled: bool,
}

/// One of the 26 openings of renju.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct OpeningName {
    /// Its code: `D1`, `I13`.
    pub code: &'static str,
    /// Its English name.
    pub en: &'static str,
    /// Its Chinese name.
    pub zh: &'static str,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ResultView {
    /// The seat that won, 0 or 1.
    pub winner: Option<u8>,
    /// The name of its termination.
    pub by: Cow<'static, str>,
    /// What there is to say about that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// Whose clock runs, and what is on the clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TurnView {
    /// The seat that is asked, 0 or 1; none while no clock runs.
    pub asked: Option<u8>,
    /// When it was asked, in milliseconds since 1970.
    #[serde(default)]
    pub since: u64,
    /// What each clock had when it last stopped, in milliseconds.
    pub left: [Option<u64>; 2],
}

impl GameView {
    /// A game before its first action, between these engines.
    pub(crate) fn new(header: &Header, seats: BySeat<usize>, game: &Game) -> GameView {
        let stones = game.position().moves();
        GameView {
            number: header.game.unwrap_or(0),
            round: header.round.unwrap_or(0),
            seats: [seats.first, seats.second],
            black: black(game),
            clocks: [Seat::First, Seat::Second].map(|seat| game.clock(seat).left().map(millis)),
            book: laid(stones, 0),
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
    pub(crate) fn with_replay(
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

    /// Its opening, if that has a name.
    #[cfg(feature = "server")]
    pub(crate) fn opening(&self) -> Option<OpeningName> {
        self.opening
    }

    /// Its actions so far.
    #[cfg(feature = "server")]
    pub(crate) fn steps(&self) -> &[StepView] {
        &self.steps
    }

    /// How it ended.
    #[cfg(feature = "server")]
    pub(crate) fn result(&self) -> Option<&ResultView> {
        self.result.as_ref()
    }

    /// The stones of the winning row.
    #[cfg(feature = "server")]
    pub(crate) fn row(&self) -> &[u16] {
        &self.row
    }

    /// Plays one more action, and shows it.
    pub(crate) fn act(&mut self, replay: &mut GameReplay, entry: &HistoryEntry) -> &StepView {
        let (before, had_black) = (replay.game().position().moves().len(), black(replay.game()));
        replay.act(entry);
        let game = replay.game();
        let step = StepView::new(entry, game, before, had_black);
        self.steps.push(step);
        if self.opening.is_none() {
            self.opening = opening_name(game);
        }
        &self.steps[self.steps.len() - 1]
    }

    /// Shows an action that has been played in a game at a table. There were `before` stones and
    /// passes before it, and this seat had Black.
    #[cfg(feature = "server")]
    pub(crate) fn follow(
        &mut self,
        entry: &HistoryEntry,
        game: &Game,
        before: usize,
        had_black: u8,
    ) -> &StepView {
        self.steps.push(StepView::new(entry, game, before, had_black));
        if self.opening.is_none() {
            self.opening = opening_name(game);
        }
        &self.steps[self.steps.len() - 1]
    }

    /// Shows the game as it stood after so many actions.
    #[cfg(feature = "server")]
    pub(crate) fn take_back(&mut self, keep: usize, game: &Game) {
        self.steps.truncate(keep);
        self.opening = opening_name(game);
    }

    /// Shows how it ended.
    pub(crate) fn end(
        &mut self,
        game: &Game,
        result: GameResult,
        detail: Option<&str>,
        conditions: &Conditions,
    ) {
        self.result = Some(ResultView::new(result, detail));
        if result.termination == Termination::Five {
            self.row = row(game);
        }
        self.began = conditions.began;
        self.void = conditions.is_void;
        self.spoiled = conditions.is_spoiled();
    }
}

impl ResultView {
    fn new(result: GameResult, detail: Option<&str>) -> ResultView {
        ResultView {
            winner: result.winner.map(seat_number),
            by: result.termination.name().into(),
            detail: detail.map(|detail| plain(detail, 2 * MOST_SIGNS)),
        }
    }
}

/// A point as a number.
pub(crate) fn point(at: Point) -> u16 {
    32 * u16::from(at.y()) + u16::from(at.x())
}

/// A seat as a number.
pub(crate) fn seat_number(seat: Seat) -> u8 {
    seat as u8
}

/// Time as the page has it.
pub(crate) fn millis(span: Nanos) -> u64 {
    span / 1_000_000
}

/// The renju opening of a game's first three stones.
pub(crate) fn opening_name(game: &Game) -> Option<OpeningName> {
    let position = game.position();
    let mut stones = position.moves().iter().filter_map(|mv| mv.point());
    let three = [stones.next()?, stones.next()?, stones.next()?];
    name_of(position.size(), three)
}

/// The renju opening that three stones make.
pub(crate) fn name_of(size: Size, stones: [Point; 3]) -> Option<OpeningName> {
    let known = canonical::recognise(size, stones)?;
    Some(OpeningName { code: known.code, en: known.english, zh: known.chinese })
}

/// Which seat holds Black.
pub(crate) fn black(game: &Game) -> u8 {
    u8::from(game.colors().first != Color::Black)
}

/// The stones among these moves, of which so many came before.
fn laid(moves: &[Move], before: usize) -> Vec<u16> {
    let stone = |(ply, mv): (usize, &Move)| {
        let color = Color::of_ply(before + ply);
        mv.point().map(|at| 2 * point(at) + u16::from(color == Color::White))
    };
    moves.iter().enumerate().filter_map(stone).collect()
}

/// The stones of every winning row through the last one.
fn row(game: &Game) -> Vec<u16> {
    let position = game.position();
    let Some(last) = position.last().and_then(|mv| mv.point()) else { return Vec::new() };
    let (board, rule) = (position.board(), position.rule());
    let Some(color) = board.get(last) else { return Vec::new() };
    let is_exact = rule == Rule::Standard || rule == Rule::Renju && color == Color::Black;
    let mut row = Vec::new();
    for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
        let mut line = vec![point(last)];
        line.extend(ray(board, last, color, dx, dy).map(point));
        line.extend(ray(board, last, color, -dx, -dy).map(point));
        if line.len() == 5 || line.len() > 5 && !is_exact {
            row.extend(line);
        }
    }
    row.sort_unstable();
    row.dedup();
    row
}

/// The stones of a colour next to a point in one direction.
fn ray(
    board: &Board,
    from: Point,
    color: Color,
    dx: i16,
    dy: i16,
) -> impl Iterator<Item = Point> + '_ {
    (1_i16..)
        .map_while(move |step| {
            let x = u8::try_from(i16::from(from.x()) + step * dx).ok()?;
            let y = u8::try_from(i16::from(from.y()) + step * dy).ok()?;
            Some(Point::new(x, y))
        })
        .take_while(move |&at| board.size().contains(at) && board.get(at) == Some(color))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// The view of a game under a rule and an opening, of which these are the actions and the
    /// result.
    fn view(rule: &str, opening: &str, actions: Value, result: Value) -> Value {
        let seat = |id| json!({ "id": id, "name": id, "time": "60+1" });
        let record = json!({
            "format": 1, "rule": rule, "size": 15, "opening": opening,
            "seats": { "first": seat("a"), "second": seat("b") },
            "actions": actions, "result": result,
        });
        let record = GameRecord::from_json_line(&record.to_string()).unwrap();
        let view = GameView::of_record(&record, BySeat { first: 4, second: 2 }).unwrap();
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

    fn at(name: &str) -> u16 {
        point(name.parse().unwrap())
    }

    #[test]
    fn a_row_is_marked_and_clocks_are_told() {
        let won = json!({ "winner": "first", "termination": "five" });
        let game = view("freestyle", "none", moves("a1 a15 b1 b15 c1 c15 d1 d15 e1"), won);
        assert_eq!(game["row"], json!(["a1", "b1", "c1", "d1", "e1"].map(at)));
        assert_eq!(game["seats"], json!([4, 2]));
        assert_eq!(game["clocks"], json!([60_000, 60_000]));
        assert_eq!(game["steps"][1]["p"], json!([2 * at("a15") + 1]));
        assert_eq!(game["steps"][0]["t"], 1.0);
        assert_eq!(game["result"], json!({ "winner": 0, "by": "five" }));
    }

    #[test]
    fn forbidden_points_come_with_their_kind_where_black_is_to_move() {
        let resigned = json!({ "winner": "second", "termination": "resignation" });
        let mut actions = moves("g8 a1 i8 a3 h7 a5 h9 a7");
        let resign = json!({ "seat": "first", "resign": true, "ns": 1 });
        actions.as_array_mut().unwrap().push(resign);
        let game = view("renju", "none", actions, resigned);
        assert_eq!(game["steps"][7]["f"], json!([4 * at("h8") + 2]));
        assert_eq!(game["steps"][6]["f"], Value::Null, "White is to move");
        assert_eq!(game["steps"][8]["f"], Value::Null, "the game is over");
        assert_eq!(game["steps"][8]["a"], "resign");
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
        let asked = json!({ "seat": 0, "ask": "place", "count": 3 });
        assert_eq!(game["first"]["q"], asked);
        assert_eq!(game["black"], 0);
        let laid = json!([2 * at("h8"), 2 * at("a1") + 1, 2 * at("j9")]);
        assert_eq!(game["steps"][0]["p"], laid);
        assert_eq!(game["steps"][0]["q"], json!({ "seat": 1, "ask": "choose" }));
        assert_eq!(game["steps"][1]["v"], "black");
        assert_eq!(game["steps"][1]["b"], 1, "the second seat has Black now");
    }
}
