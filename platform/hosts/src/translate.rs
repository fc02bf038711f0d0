//! Translates between the game's terms and the ABI's.

use tengen_abi::{
    Game, Info, Limits, MoveCode, Question, Reply, Score, Verdict, ask, game, have, limit, outcome,
    question, reply,
};
use tengen_arbiter::{Action, GameResult, Nanos, Termination, TimeControl};
use tengen_players::{GameSetup, Reply as PlayerReply, SearchInfo, SearchProgress};
use tengen_rules::{Alike, Answer, Ask, Color, Move, Point, Seat, Zone};

use tengen_packages::EngineSpec;

/// Stones in a winning row.
const WIN_LENGTH: u16 = 5;
/// How many more answers a game's clock is advised to be spread over.
const ANSWERS_LEFT: Nanos = 25;

pub(crate) fn to_game(setup: &GameSetup, spec: &EngineSpec) -> Game {
    let flag = |set, flag| if set { flag } else { 0 };
    Game {
        width: setup.size.width().into(),
        height: setup.size.height().into(),
        rule: setup.rule.number(),
        opening: setup.opening,
        flags: flag(setup.reproducible, game::REPRODUCIBLE)
            | flag(setup.draw_offers, game::DRAW_OFFERS)
            | flag(setup.alike == Alike::Board, game::ALIKE_BOARD),
        seed: setup.seed,
        threads: spec.threads.unwrap_or(1),
        memory_mib: spec.memory_mib.unwrap_or(0),
        main_us: micros(setup.time.main),
        increment_us: micros(setup.time.main.map(|_| setup.time.increment)),
        move_us: micros(setup.time.per_move),
        period_us: micros(setup.time.byo_yomi.map(|byo_yomi| byo_yomi.span)),
        periods: setup.time.byo_yomi.map_or(0, |byo_yomi| byo_yomi.periods),
        period_moves: setup.time.session.unwrap_or(0),
        node_limit: setup.time.nodes.unwrap_or(0),
        depth_limit: setup.time.depth.unwrap_or(0),
        win_length: WIN_LENGTH,
        ..Game::default()
    }
}

pub(crate) fn to_limits(limits: &tengen_arbiter::Limits, time: &TimeControl, lines: u32) -> Limits {
    let flag = |set, flag| if set { flag } else { 0 };
    let is_infinite = limits.hard.is_none() && limits.nodes.is_none() && limits.depth.is_none();
    Limits {
        flags: flag(is_infinite, limit::INFINITE)
            | flag(limits.draw_offered, limit::DRAW_OFFERED)
            | flag(limits.retry, limit::RETRY),
        own_us: micros(limits.own),
        opponent_us: micros(limits.opponent),
        soft_us: micros(advice(limits, time)),
        hard_us: micros(limits.hard),
        nodes: limits.nodes.unwrap_or(0),
        depth: limits.depth.unwrap_or(0),
        multipv: lines,
        ..Limits::default()
    }
}

/// How long an answer is advised to take: an even share of the clock and most of what comes again,
/// the increment and the period of byo-yomi, or most of the time for one move; and never beyond
/// nine tenths of the deadline, or of what uses up no period.
fn advice(limits: &tengen_arbiter::Limits, time: &TimeControl) -> Option<Nanos> {
    let most = limits.hard? / 10 * 9;
    let Some(own) = limits.own else { return Some(most) };
    let period = own.min(time.byo_yomi.map_or(0, |byo_yomi| byo_yomi.span));
    let answers = time.session.map_or(ANSWERS_LEFT, |moves| ANSWERS_LEFT.min(moves.into()).max(1));
    let again = (time.increment / 4 * 3).saturating_add(period / 10 * 9);
    let share = ((own - period) / answers).saturating_add(again);
    Some(share.min(most).min(own / 10 * 9))
}

fn micros(nanos: Option<Nanos>) -> i64 {
    nanos.map_or(-1, |nanos| (nanos / 1000).cast_signed())
}

pub(crate) fn to_code(mv: Move) -> MoveCode {
    match mv {
        Move::Stone(point) => MoveCode::xy(point.x(), point.y()),
        Move::Pass => MoveCode::PASS,
    }
}

/// A stone's point; one that no board has stands for what is no stone.
fn to_point(code: MoveCode) -> Point {
    let MoveCode(bits) = code;
    Point::new(bits as u8, (bits >> 8) as u8)
}

fn to_move(code: MoveCode) -> Move {
    if code == MoveCode::PASS { Move::Pass } else { Move::Stone(to_point(code)) }
}

/// The question that an ask becomes; none is an ordinary move. With a swap goes how many fifth
/// moves are to come.
pub(crate) fn to_question(
    asked: Ask,
    offered: usize,
    fifth_moves: Option<(u8, u8)>,
) -> Option<Question> {
    let (fewest, most) = fifth_moves.unwrap_or((0, 0));
    let (kind, min, max, choices) = match asked {
        Ask::Move { zone: Zone::Anywhere } => return None,
        Ask::Move { .. } => (ask::PLACE, 1, 1, 0),
        Ask::Place { count, .. } => (ask::PLACE, count, count, 0),
        Ask::Choose => (ask::SWAP, 0, 0, 0b11),
        Ask::Swap => (ask::SWAP, fewest, most, 0b11),
        Ask::ChooseOrPlace { count } => (ask::SWAP2, count, count, 0b111),
        Ask::Declare { min, max } => (ask::COUNT, min, max, bits(min, max)),
        Ask::Offer { count } => (ask::OFFER, count, count, 0),
        Ask::Pick => (ask::PICK, 1, 1, bits(0, (offered as u8).saturating_sub(1))),
        Ask::MoveOrOffer { count, .. } => (ask::TARAGUCHI, 1, count, 0b11),
    };
    let (radius, zone_flags) = match asked {
        Ask::Place { zone, .. } | Ask::Move { zone } | Ask::MoveOrOffer { zone, .. } => {
            to_radius(zone)
        }
        _ => (0, 0),
    };
    let is_canonical = matches!(asked, Ask::Place { canonical: true, .. });
    Some(Question {
        kind,
        min: min.into(),
        max: max.into(),
        radius,
        choices,
        candidates: if asked == Ask::Pick { offered as u32 } else { 0 },
        flags: zone_flags | if is_canonical { question::CANONICAL } else { 0 },
        ..Question::default()
    })
}

fn to_radius(zone: Zone) -> (u32, u32) {
    match zone {
        Zone::Anywhere => (0, 0),
        Zone::Within(0) => (0, question::CENTRE),
        Zone::Within(radius) => (radius.into(), 0),
        Zone::Beyond(radius) => (radius.into(), question::BEYOND),
    }
}

fn bits(low: u8, high: u8) -> u32 {
    (low..=high).filter(|&bit| bit < 32).fold(0, |bits, bit| bits | 1 << bit)
}

/// What a reply does, and whether it offers a draw along with it.
pub(crate) fn to_action(answer: &Reply) -> (Action, bool) {
    let has = |flag| answer.flags & flag != 0;
    let action = if has(reply::RESIGN) {
        Action::Resign
    } else if has(reply::ACCEPT_DRAW) {
        Action::AcceptDraw
    } else if has(reply::CLAIM_FOUL) {
        Action::Claim
    } else {
        Action::Answer(Answer::Move(to_move(answer.mv)))
    };
    (action, has(reply::OFFER_DRAW))
}

/// The move that a claim goes with, for when it is refused.
pub(crate) fn move_behind_claim(answer: &Reply) -> Option<Move> {
    (answer.flags & reply::CLAIM_FOUL != 0 && answer.mv != MoveCode::NONE)
        .then(|| to_move(answer.mv))
}

/// What a verdict answers. A choice that was not on offer becomes an answer to another question,
/// which the arbiter finds illegal.
pub(crate) fn to_answer(asked: Ask, seat: Seat, offered: &[Point], verdict: &Verdict) -> Answer {
    let stones = || verdict.stones().iter().map(|&code| to_point(code)).collect::<Vec<_>>();
    let number = u8::try_from(verdict.choice).unwrap_or(u8::MAX);
    let not_on_offer = Answer::Declare(number);
    match (asked, verdict.choice) {
        (Ask::Move { .. }, _) | (Ask::MoveOrOffer { .. }, 0) => match verdict.stones() {
            [code] => Answer::Move(to_move(*code)),
            _ => Answer::Place(stones()),
        },
        (Ask::Place { .. }, _) => Answer::Place(stones()),
        (Ask::Choose, 0) => Answer::Choose(held(seat)),
        (Ask::Choose, 1) => Answer::Choose(!held(seat)),
        (Ask::Swap, 0) => Answer::Swap(false),
        (Ask::Swap, 1) => Answer::Swap(true),
        (Ask::ChooseOrPlace { .. }, 0) => Answer::Choose(Color::White),
        (Ask::ChooseOrPlace { .. }, 1) => Answer::Choose(Color::Black),
        (Ask::ChooseOrPlace { .. }, 2) => Answer::Place(stones()),
        (Ask::Declare { .. }, _) => Answer::Declare(number),
        (Ask::Offer { .. }, _) | (Ask::MoveOrOffer { .. }, 1) => Answer::Offer(stones()),
        (Ask::Pick, index) => match offered.get(index as usize) {
            Some(&point) => Answer::Pick(point),
            None => not_on_offer,
        },
        _ => not_on_offer,
    }
}

/// The colour a seat holds before it takes one: no swap was made by then.
pub(crate) const fn held(seat: Seat) -> Color {
    match seat {
        Seat::First => Color::Black,
        Seat::Second => Color::White,
    }
}

/// What the engine reported of its search: along with its answer, or else while it searched.
pub(crate) fn to_search_info(answer: Option<&Reply>, last: Option<&Info>) -> Option<SearchInfo> {
    let said = |reply: &&Reply| reply.score.have != 0 || reply.depth > 0 || reply.nodes > 0;
    match (answer.filter(said), last) {
        (Some(reply), _) => {
            Some(search_info(&reply.score, reply.depth, reply.seldepth, reply.nodes))
        }
        (None, Some(info)) => Some(search_info(&info.score, info.depth, info.seldepth, info.nodes)),
        (None, None) => None,
    }
}

/// What an engine has reported of its best line since it was asked.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct LatestInfo {
    pub info: Option<Info>,
    /// The line itself, cut where no more of it is stored. A report without moves is about the same
    /// line as the one before.
    pub pv: Vec<Move>,
}

impl LatestInfo {
    /// Stores the latest report.
    pub(crate) fn update(&mut self, message: &[u8]) {
        let Ok((info, moves)) = Info::split(message) else {
            self.info = None;
            return;
        };
        if info.multipv > 1 {
            return;
        }
        self.info = Some(info);
        let mut moves = moves.take(PlayerReply::MOST_PV).map(to_move).peekable();
        if moves.peek().is_some() {
            self.pv.clear();
            self.pv.extend(moves);
        }
    }
}

/// What a message about a search says; none of one that makes no sense.
pub(crate) fn to_progress(message: &[u8]) -> Option<SearchProgress> {
    let (info, pv) = Info::split(message).ok()?;
    Some(SearchProgress {
        line: info.multipv,
        info: search_info(&info.score, info.depth, info.seldepth, info.nodes),
        elapsed: info.elapsed_us.saturating_mul(1000),
        pv: pv.map(to_move).collect(),
    })
}

fn search_info(score: &Score, depth: u32, seldepth: u32, nodes: u64) -> SearchInfo {
    let has = |bit| score.have & bit != 0;
    SearchInfo {
        eval: has(have::EVAL).then_some(score.eval),
        win_in: (has(have::WIN_IN) && score.win_in != 0).then_some(score.win_in),
        depth,
        seldepth,
        nodes,
    }
}

/// The outcome for the player on that seat, and the reason.
pub(crate) fn to_end(result: GameResult, seat: Seat) -> (i32, u32) {
    let outcome = match result {
        GameResult { termination: Termination::Aborted, .. } => outcome::ABORTED,
        GameResult { winner: None, .. } => outcome::DRAW,
        GameResult { winner: Some(winner), .. } if winner == seat => outcome::WIN,
        _ => outcome::LOSS,
    };
    // The ABI numbers the reasons in the order of the terminations, from 1, but for those that are
    // younger: a proof is one way of adjudication, and CPU time is a resource.
    let reason = match result.termination {
        Termination::Proof | Termination::Ruling => Termination::Adjudication,
        Termination::Unasked => Termination::ResourceLimit,
        reason => reason,
    };
    let is_numbered = |one: &Termination| {
        !matches!(one, Termination::Proof | Termination::Ruling | Termination::Unasked)
    };
    let numbered = Termination::ALL.into_iter().filter(is_numbered);
    let place = numbered.enumerate().find(|&(_, one)| one == reason).map(|(place, _)| place);
    (outcome, place.map_or(tengen_abi::end::UNKNOWN, |place| place as u32 + 1))
}

#[cfg(test)]
mod tests {
    use tengen_rules::Rule;

    use super::*;

    fn verdict(choice: u32, stones: &[(u8, u8)]) -> Verdict {
        let mut verdict = Verdict { choice, count: stones.len() as u32, ..Verdict::default() };
        for (code, &(x, y)) in verdict.moves.iter_mut().zip(stones) {
            *code = MoveCode::xy(x, y);
        }
        verdict
    }

    #[test]
    fn only_a_free_move_is_no_question() {
        assert_eq!(to_question(Ask::Move { zone: Zone::Anywhere }, 0, None), None);
        let centre = to_question(Ask::Move { zone: Zone::Within(0) }, 0, None).unwrap();
        assert_eq!((centre.kind, centre.radius, centre.flags), (ask::PLACE, 0, question::CENTRE));
        let beyond = to_question(Ask::Move { zone: Zone::Beyond(2) }, 0, None).unwrap();
        assert_eq!((beyond.min, beyond.radius, beyond.flags), (1, 2, question::BEYOND));
        let pick = to_question(Ask::Pick, 3, None).unwrap();
        assert_eq!((pick.kind, pick.candidates, pick.choices), (ask::PICK, 3, 0b111));
        let declare = to_question(Ask::Declare { min: 1, max: 5 }, 0, None).unwrap();
        assert_eq!((declare.min, declare.max, declare.choices), (1, 5, 0b11_1110));
        let zone = Zone::Anywhere;
        let place = to_question(Ask::Place { count: 3, zone, canonical: true }, 0, None).unwrap();
        assert_eq!((place.max, place.flags), (3, question::CANONICAL));
        let swap = to_question(Ask::Swap, 0, Some((3, 3))).unwrap();
        assert_eq!((swap.kind, swap.min, swap.max, swap.choices), (ask::SWAP, 3, 3, 0b11));
    }

    #[test]
    fn verdicts_answer_what_was_asked() {
        let (first, second) = (Seat::First, Seat::Second);
        let offered = [Point::new(7, 7), Point::new(8, 8)];
        let place = Ask::ChooseOrPlace { count: 2 };
        let both = [(7, 7), (8, 8)];
        let cases = [
            (Ask::Swap, first, verdict(1, &[]), Answer::Swap(true)),
            (Ask::Choose, second, verdict(0, &[]), Answer::Choose(Color::White)),
            (Ask::Choose, first, verdict(0, &[]), Answer::Choose(Color::Black)),
            (Ask::Choose, first, verdict(1, &[]), Answer::Choose(Color::White)),
            (place, second, verdict(1, &[]), Answer::Choose(Color::Black)),
            (place, second, verdict(2, &both), Answer::Place(offered.to_vec())),
            (Ask::Declare { min: 1, max: 5 }, first, verdict(3, &[]), Answer::Declare(3)),
            (Ask::Offer { count: 2 }, first, verdict(0, &both), Answer::Offer(offered.to_vec())),
            (Ask::Pick, second, verdict(1, &[]), Answer::Pick(offered[1])),
        ];
        for (asked, seat, verdict, answer) in cases {
            assert_eq!(to_answer(asked, seat, &offered, &verdict), answer, "{asked:?}");
        }
    }

    #[test]
    fn a_choice_that_was_not_on_offer_answers_another_question() {
        for asked in [Ask::Swap, Ask::Choose, Ask::ChooseOrPlace { count: 2 }, Ask::Pick] {
            let answer = to_answer(asked, Seat::Second, &[], &verdict(7, &[]));
            assert_eq!(answer, Answer::Declare(7), "{asked:?}");
        }
    }

    #[test]
    fn flags_come_before_the_move() {
        let reply = |flags| Reply { flags, mv: MoveCode::xy(1, 2), ..Reply::default() };
        let stone = Action::Answer(Answer::Move(Point::new(1, 2).into()));
        assert_eq!(to_action(&reply(reply::OFFER_DRAW)), (stone, true));
        assert_eq!(to_action(&reply(reply::RESIGN | reply::CLAIM_FOUL)).0, Action::Resign);
        assert_eq!(to_action(&reply(reply::ACCEPT_DRAW)).0, Action::AcceptDraw);
        assert_eq!(to_action(&reply(reply::CLAIM_FOUL)).0, Action::Claim);
        let behind = move_behind_claim(&reply(reply::CLAIM_FOUL));
        assert_eq!(behind, Some(Point::new(1, 2).into()));
    }

    #[test]
    fn the_advice_keeps_within_the_limits() {
        let seconds = |n: Nanos| Some(n * 1_000_000_000);
        let time = |main, increment| TimeControl { main, increment, ..TimeControl::default() };
        let limits = |own, hard| tengen_arbiter::Limits { own, hard, ..Default::default() };
        assert_eq!(advice(&limits(None, None), &time(None, 0)), None);
        assert_eq!(advice(&limits(seconds(50), seconds(50)), &time(seconds(60), 0)), seconds(2));
        assert_eq!(advice(&limits(None, seconds(10)), &time(None, 0)), seconds(9));
        let increment = 40_000_000_000;
        assert_eq!(advice(&limits(seconds(1), seconds(1)), &time(seconds(60), increment)), {
            Some(900_000_000)
        });
        let session = TimeControl { session: Some(5), ..time(seconds(60), 0) };
        assert_eq!(advice(&limits(seconds(60), seconds(60)), &session), seconds(12));
    }

    #[test]
    fn byo_yomi_is_told_and_advised_to_be_used() {
        let spec = EngineSpec::builtin("alphabeta").unwrap();
        let told = |time: &str| {
            let variant = crate::GameVariant {
                rule: Rule::Freestyle,
                size: tengen_rules::Size::STANDARD,
                opening: tengen_rules::Procedure::None,
            };
            let game = to_game(&variant.setup(Seat::First, time.parse().unwrap()), &spec);
            (game.main_us, game.period_us, game.periods, game.period_moves)
        };
        assert_eq!(told("600,byo=3x30"), (600_000_000, 30_000_000, 3, 0));
        assert_eq!(told("40/60"), (60_000_000, -1, 0, 40));
        assert_eq!(told("60+1"), (60_000_000, -1, 0, 0));
        let time: TimeControl = "600,byo=3x30".parse().unwrap();
        let seconds = |n: Nanos| n * 1_000_000_000;
        let advised = |own, hard| {
            let (own, hard) = (Some(seconds(own)), Some(seconds(hard)));
            advice(&tengen_arbiter::Limits { own, hard, ..Default::default() }, &time)
        };
        assert_eq!(advised(630, 690), Some(seconds(24 + 27)));
        assert_eq!(advised(30, 90), Some(seconds(27)), "with periods behind it");
        assert_eq!(advised(30, 30), Some(seconds(27)), "in the last one");
    }

    #[test]
    fn reasons_are_numbered_as_in_the_abi() {
        use tengen_abi::end;
        let reason = |termination| to_end(GameResult { winner: None, termination }, Seat::First).1;
        assert_eq!(reason(Termination::Five), end::FIVE);
        assert_eq!(reason(Termination::IllegalAnswer), end::ILLEGAL_ANSWER);
        assert_eq!(reason(Termination::Adjudication), end::ADJUDICATION);
        assert_eq!(reason(Termination::Proof), end::ADJUDICATION);
        assert_eq!(reason(Termination::Crash), end::CRASH);
        assert_eq!(reason(Termination::ResourceLimit), end::RESOURCE_LIMIT);
        assert_eq!(reason(Termination::Unasked), end::RESOURCE_LIMIT);
        assert_eq!(reason(Termination::Aborted), end::ABORTED);
        let won = GameResult { winner: Some(Seat::Second), termination: Termination::Five };
        assert_eq!((to_end(won, Seat::Second).0, to_end(won, Seat::First).0), (1, -1));
    }
}
