//! One game as the page shows it: every action with what is on the board after it, the clocks, and
//! what the player said of its search.

use serde::Serialize;
use serde::ser::Serializer;
use tengen_arbiter::{Action, Game, GameResult, HistoryEntry, Nanos, Termination};
use tengen_record::{Conditions, GameRecord, GameReplay, Header};
use tengen_rules::{
    Answer, Ask, Board, BySeat, Color, Foul, Move, OpeningError, Point, Rule, Seat, Size, Zone,
    canonical,
};

use crate::text::plain;

/// The most moves of a variation that are shown.
const MOST_PV: usize = 24;
/// The most lines that a player said before an answer, and the most signs of each.
const MOST_SAID: usize = 4;
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
pub(crate) struct OpeningName {
    pub code: &'static str,
    pub en: &'static str,
    pub zh: &'static str,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct ResultView {
    /// The seat that won, 0 or 1.
    winner: Option<u8>,
    by: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
}

/// One action, and how things are after it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct StepView {
    /// Who acted.
    #[serde(rename = "s")]
    seat: u8,
    /// What was done, where it is more than a stone.
    #[serde(rename = "a", skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(rename = "v", skip_serializing_if = "Option::is_none")]
    value: Option<ActionValue>,
    /// The stones that it laid.
    #[serde(rename = "p", skip_serializing_if = "Vec::is_empty")]
    laid: Vec<u16>,
    /// What it took, in milliseconds.
    #[serde(rename = "t", serialize_with = "rounded")]
    spent: f64,
    /// The clock after it, in milliseconds.
    #[serde(rename = "c", skip_serializing_if = "Option::is_none")]
    clock: Option<u64>,
    #[serde(rename = "e", skip_serializing_if = "Option::is_none")]
    eval: Option<i32>,
    #[serde(rename = "w", skip_serializing_if = "Option::is_none")]
    win_in: Option<i32>,
    #[serde(rename = "d", skip_serializing_if = "is_zero")]
    depth: u32,
    #[serde(rename = "sd", skip_serializing_if = "is_zero")]
    seldepth: u32,
    #[serde(rename = "n", skip_serializing_if = "is_zero")]
    nodes: u64,
    #[serde(rename = "pv", skip_serializing_if = "Vec::is_empty")]
    variation: Vec<i32>,
    /// Which seat has Black from now on, where that has changed.
    #[serde(rename = "b", skip_serializing_if = "Option::is_none")]
    black: Option<u8>,
    /// Whether it was refused.
    #[serde(rename = "x", skip_serializing_if = "std::ops::Not::not")]
    illegal: bool,
    /// Whether the arbiter answered for a seat that was late.
    #[serde(rename = "u", skip_serializing_if = "std::ops::Not::not")]
    substituted: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    said: Vec<String>,
    #[serde(flatten)]
    after: Circumstances,
}

#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum ActionValue {
    Number(u8),
    Flag(bool),
    Color(&'static str),
    Point(u16),
    Points(Vec<u16>),
}

/// What holds while an answer is waited for.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Circumstances {
    /// The forbidden points, where they are forbidden to who is to move.
    #[serde(rename = "f", skip_serializing_if = "Vec::is_empty")]
    forbidden: Vec<u16>,
    /// The fifth moves on offer.
    #[serde(rename = "o", skip_serializing_if = "Vec::is_empty")]
    offered: Vec<u16>,
    /// What is asked, where that is more than one stone anywhere.
    #[serde(rename = "q", skip_serializing_if = "Option::is_none")]
    asked: Option<AskView>,
}

#[derive(Clone, Debug, Serialize)]
struct AskView {
    seat: u8,
    ask: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u8>,
    /// The corners of the zone, bottom left and top right, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    zone: Option<[u16; 2]>,
    /// Whether stones may lie outside it instead.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    outside: bool,
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
            by: result.termination.name(),
            detail: detail.map(|detail| plain(detail, 2 * MOST_SIGNS)),
        }
    }
}

impl StepView {
    fn new(entry: &HistoryEntry, game: &Game, before: usize, had_black: u8) -> StepView {
        let moves = game.position().moves();
        let laid = laid(&moves[before.min(moves.len())..], before);
        let (kind, value) = match &entry.action {
            // A stone that was laid shows itself.
            Action::Answer(Answer::Move(Move::Stone(_))) if !laid.is_empty() => (None, None),
            action => named(action),
        };
        let info = entry.info.unwrap_or_default();
        let has_black = black(game);
        StepView {
            seat: seat_number(entry.seat),
            kind,
            value,
            laid,
            spent: entry.spent as f64 / 1e6,
            clock: entry.clock.map(millis),
            eval: info.eval,
            win_in: info.win_in,
            depth: info.depth,
            seldepth: info.seldepth,
            nodes: info.nodes,
            variation: entry.pv.iter().take(MOST_PV).map(|mv| variation_point(*mv)).collect(),
            black: (has_black != had_black).then_some(has_black),
            illegal: !entry.legal,
            substituted: entry.substituted,
            said: entry.said.iter().take(MOST_SAID).map(|line| plain(line, MOST_SIGNS)).collect(),
            after: Circumstances::of(game, game.result().is_none()),
        }
    }
}

impl Circumstances {
    /// What holds in a game that goes on, or is over.
    pub(crate) fn of(game: &Game, goes_on: bool) -> Circumstances {
        let position = game.position();
        let Some((seat, ask)) = game.asked().filter(|_| goes_on) else {
            return Circumstances::default();
        };
        let is_judged = position.rule() == Rule::Renju && position.to_move() == Color::Black;
        let forbidden = if is_judged {
            position
                .board()
                .forbidden()
                .iter()
                .map(|(at, foul)| 4 * point(at) + kind(foul))
                .collect()
        } else {
            Vec::new()
        };
        Circumstances {
            forbidden,
            offered: game.offered().iter().map(|at| point(*at)).collect(),
            asked: AskView::new(seat, ask, position.size()),
        }
    }
}

impl AskView {
    /// None for one stone anywhere.
    fn new(seat: Seat, ask: Ask, size: Size) -> Option<AskView> {
        let (count, zone) = match ask {
            Ask::Move { zone: Zone::Anywhere } => return None,
            Ask::Place { count, zone, .. } => (Some(count), zone),
            Ask::ChooseOrPlace { count } | Ask::Offer { count } => (Some(count), Zone::Anywhere),
            Ask::Move { zone } => (None, zone),
            Ask::MoveOrOffer { zone, count } => (Some(count), zone),
            Ask::Choose | Ask::Swap | Ask::Pick | Ask::Declare { .. } => (None, Zone::Anywhere),
        };
        let corners = |radius: u8| {
            let (center, width, height) = (size.center(), size.width(), size.height());
            let low =
                Point::new(center.x().saturating_sub(radius), center.y().saturating_sub(radius));
            let high = Point::new(
                center.x().saturating_add(radius).min(width - 1),
                center.y().saturating_add(radius).min(height - 1),
            );
            [point(low), point(high)]
        };
        let (zone, outside) = match zone {
            Zone::Anywhere => (None, false),
            Zone::Within(radius) => (Some(corners(radius)), false),
            Zone::Beyond(radius) => (Some(corners(radius)), true),
        };
        Some(AskView { seat: seat_number(seat), ask: ask.name(), count, zone, outside })
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
fn black(game: &Game) -> u8 {
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

fn kind(foul: Foul) -> u16 {
    match foul {
        Foul::Overline => 0,
        Foul::DoubleFour => 1,
        Foul::DoubleThree => 2,
    }
}

/// A pass is −1.
fn variation_point(mv: Move) -> i32 {
    mv.point().map_or(-1, |at| i32::from(point(at)))
}

fn named(action: &Action) -> (Option<&'static str>, Option<ActionValue>) {
    let points = |list: &[Point]| ActionValue::Points(list.iter().map(|at| point(*at)).collect());
    let (kind, value) = match action {
        Action::Answer(Answer::Place(list)) => ("place", Some(points(list))),
        Action::Answer(Answer::Declare(number)) => ("declare", Some(ActionValue::Number(*number))),
        Action::Answer(Answer::Swap(swap)) => ("swap", Some(ActionValue::Flag(*swap))),
        Action::Answer(Answer::Choose(color)) => ("choose", Some(ActionValue::Color(color.name()))),
        Action::Answer(Answer::Offer(list)) => ("offer", Some(points(list))),
        Action::Answer(Answer::Pick(at)) => ("pick", Some(ActionValue::Point(point(*at)))),
        Action::Answer(Answer::Move(Move::Stone(at))) => {
            ("move", Some(ActionValue::Point(point(*at))))
        }
        Action::Answer(Answer::Move(Move::Pass)) => ("pass", None),
        Action::Resign => ("resign", None),
        Action::Claim => ("claim", None),
        Action::OfferDraw => ("offer_draw", None),
        Action::AcceptDraw => ("accept_draw", None),
    };
    (Some(kind), value)
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

fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}

/// Three significant digits below a tenth of a second, whole milliseconds above.
fn rounded<S: Serializer>(millis: &f64, to: S) -> Result<S::Ok, S::Error> {
    if *millis >= 100.0 {
        return to.serialize_u64(millis.round() as u64);
    }
    let scale = if *millis >= 1.0 { 10.0 } else { 1000.0 };
    to.serialize_f64((millis * scale).round() / scale)
}
