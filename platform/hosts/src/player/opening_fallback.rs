//! Answers opening questions for engines that cannot.

use tengen_arbiter::{Action, Failure, GameResult};
use tengen_players::{Fault, GameSetup, Player, Reply, Request, Time, Timing};
use tengen_rules::{Answer, Ask, Color, Move, Position, Procedure, Zone};
use tengen_sdk::{Choice, Engine, GameInfo, Placement, Swap2, Taraguchi, Thinking};

use super::assistant::{Assistant, fits};
use crate::translate;

/// Answers the opening questions of a player in its place, for an event that admits engines which
/// answer none. Ordinary moves are the player's own.
///
/// The answers are those of an engine that leaves every decision to the SDK: an even canonical
/// opening by the seed of the game, or stones that leave it balanced; the colour with the better
/// rows; the fewest fifth moves, the best ones, and of those offered the worst for Black. The same
/// seed gives the same answers. An engine may assist: then its answers come first, and the SDK's
/// only where it has none. No answer costs time on a clock.
pub struct OpeningFallback {
    player: Box<dyn Player>,
    asks_player_first: bool,
    /// A note for the record on the last answer that was not the player's own.
    note: Option<String>,
    setup: Option<GameSetup>,
    timing: Timing,
    assistant: Option<Assistant>,
}

impl OpeningFallback {
    /// Answers for this player.
    pub fn new(player: Box<dyn Player>) -> OpeningFallback {
        let (setup, timing, assistant) = (None, Timing::default(), None);
        OpeningFallback { player, asks_player_first: false, note: None, setup, timing, assistant }
    }

    /// Lets the player answer first, and answers in its place only where its answer cannot be one
    /// to the question. Its time is its own: one that is late loses by that.
    #[must_use]
    pub fn player_first(self) -> OpeningFallback {
        OpeningFallback { asks_player_first: true, ..self }
    }

    /// Answers for this player, and lets an engine assist.
    pub fn assisted(player: Box<dyn Player>, assistant: Box<dyn Player>) -> OpeningFallback {
        OpeningFallback {
            assistant: Some(Assistant::new(assistant)),
            ..OpeningFallback::new(player)
        }
    }

    /// The player's own answer to an opening question, unless it is unusable.
    fn own_answer(&mut self, request: &Request<'_>, time: &dyn Time) -> Option<Reply> {
        let position = position(self.setup.as_ref()?, request.moves)?;
        let reply = self.player.ask(request, time);
        self.timing = self.player.timing();
        let unusable = match &reply.outcome {
            Ok(Some(Action::Answer(answer))) if !fits(request, &position, answer) => {
                format!("{answer:?}")
            }
            Err(fault) if fault.failure == Failure::ProtocolError => fault.detail.clone(),
            _ => return Some(reply),
        };
        let question = request.ask;
        self.note =
            Some(format!("the arbiter answers {question:?} in its place, for it said: {unusable}"));
        None
    }

    /// The answer to an opening question; none is a question of ordinary play.
    fn answer(&mut self, request: &Request<'_>, time: &dyn Time) -> Option<Answer> {
        if matches!(request.ask, Ask::Move { zone: Zone::Anywhere }) {
            return None;
        }
        let setup = self.setup.as_ref()?;
        let position = position(setup, request.moves)?;
        let assistant = self.assistant.as_mut();
        let assisted =
            assistant.and_then(|assistant| assistant.answer(request, setup, &position, time));
        if assisted.is_some() {
            return assisted;
        }
        let game = GameInfo {
            opening: Procedure::from_number(setup.opening),
            alike: setup.alike,
            seed: setup.seed,
            ..GameInfo::new(setup.rule, setup.size)
        };
        let mut thinking = Thinking::free().in_game(&game);
        if let Some((least, most)) = request.fifth_moves {
            thinking = thinking.with_fifth_moves(least..=most);
        }
        Some(decide(request, setup, &position, &thinking))
    }
}

fn position(setup: &GameSetup, moves: &[Move]) -> Option<Position> {
    let mut position = Position::new(setup.rule, setup.size);
    for mv in moves {
        match mv {
            Move::Stone(point) => drop(position.play(*point).ok()?),
            Move::Pass => drop(position.pass()),
        }
    }
    Some(position)
}

/// What the SDK decides for an engine that decides nothing.
fn decide(
    request: &Request<'_>,
    setup: &GameSetup,
    position: &Position,
    thinking: &Thinking<'_>,
) -> Answer {
    let mut sdk = SdkDefaults;
    let place = |count: u8, zone, canonical| {
        let (min, max) = (count.into(), count.into());
        SdkDefaults.place(position, &Placement { min, max, zone, canonical }, thinking)
    };
    match request.ask {
        Ask::Place { count, zone, canonical } => Answer::Place(place(count, zone, canonical)),
        Ask::Move { zone } => match *place(1, zone, false) {
            [point] => Answer::Move(point.into()),
            _ => Answer::Move(Move::Pass),
        },
        Ask::Choose => {
            let held = translate::held(setup.seat);
            let swaps = sdk.swap(position, held, thinking);
            Answer::Choose(if swaps { !held } else { held })
        }
        Ask::ChooseOrPlace { .. } => match sdk.swap2(position, thinking) {
            Swap2::KeepWhite => Answer::Choose(Color::White),
            Swap2::TakeBlack => Answer::Choose(Color::Black),
            Swap2::Place(stones) => Answer::Place(stones.to_vec()),
        },
        // The side that is asked to swap moves next: the other has just laid its stones.
        Ask::Swap => Answer::Swap(sdk.swap(position, position.to_move(), thinking)),
        Ask::Declare { min, max } => Answer::Declare(sdk.declare(position, min..=max, thinking)),
        Ask::Offer { count } => Answer::Offer(sdk.offer(position, count.into(), thinking)),
        Ask::Pick => Answer::Pick(sdk.pick(position, request.offered, thinking)),
        Ask::MoveOrOffer { zone, count } => {
            match sdk.taraguchi(position, zone, count.into(), thinking) {
                Taraguchi::Move(point) => Answer::Move(point.into()),
                Taraguchi::Offer(points) => Answer::Offer(points),
            }
        }
    }
}

/// An engine that leaves every decision to the SDK, and is asked for no move.
#[derive(Default)]
struct SdkDefaults;

impl Engine for SdkDefaults {
    fn choose(&mut self, _position: &Position, _thinking: &Thinking<'_>) -> Choice {
        Move::Pass.into()
    }
}

impl Player for OpeningFallback {
    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        self.setup = Some(game.clone());
        self.assistant.iter_mut().for_each(Assistant::new_game);
        let ready = self.player.new_game(game);
        self.timing = self.player.timing();
        ready
    }

    fn timing(&self) -> Timing {
        self.timing
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        if self.asks_player_first
            && !matches!(request.ask, Ask::Move { zone: Zone::Anywhere })
            && let Some(reply) = self.own_answer(request, time)
        {
            return reply;
        }
        let Some(answer) = self.answer(request, time) else {
            let reply = self.player.ask(request, time);
            self.timing = self.player.timing();
            return reply;
        };
        self.timing = Timing::default();
        let now = time.now();
        let outcome = Ok(Some(Action::Answer(answer)));
        let (info, pv) = (None, Vec::new());
        Reply { asked_at: now, answered_at: now, offers_draw: false, outcome, info, pv }
    }

    fn failed_unasked(&mut self) -> Option<Fault> {
        self.player.failed_unasked()
    }

    fn take_said(&mut self) -> Vec<String> {
        let mut said = self.player.take_said();
        said.extend(self.note.take());
        said
    }

    fn end_game(&mut self, result: GameResult) {
        self.player.end_game(result);
    }
}

#[cfg(test)]
mod tests {
    use tengen_arbiter::{Game, GameConfig, Input, Order, Policies, TimeControl};
    use tengen_players::{GameVariant, RealTime, Scripted};
    use tengen_rules::{Alike, BySeat, OpeningSettings, Rule, Seat, Size};

    use super::*;

    fn setup(seat: Seat, opening: Procedure) -> GameSetup {
        let variant = GameVariant { rule: Rule::Renju, size: Size::STANDARD, opening };
        GameSetup { reproducible: true, ..variant.setup(seat, TimeControl::default()) }
    }

    const PLACE: Ask = Ask::Place { count: 3, zone: Zone::Anywhere, canonical: false };

    fn place(points: &[&str]) -> Action {
        let points = points.iter().map(|point| point.parse().unwrap());
        Action::Answer(Answer::Place(points.collect()))
    }

    /// Lets two fallbacks play an opening, and gives the game where ordinary play begins.
    fn walk(opening: OpeningSettings, seed: u64) -> Game {
        let time: TimeControl = "0.000000001+0".parse().unwrap();
        let config = GameConfig {
            rule: Rule::Renju,
            size: Size::STANDARD,
            opening,
            time: BySeat { first: time, second: time },
            margin: BySeat::default(),
            policies: Policies::default(),
        };
        let mut game = Game::new(config.clone()).unwrap();
        let mut fallbacks = BySeat::from_fn(|_| OpeningFallback::new(Box::new(Scripted::new([]))));
        for seat in Seat::ALL {
            let (alike, procedure) = (config.opening.alike, config.opening.procedure);
            let setup = GameSetup { alike, time, seed, ..setup(seat, procedure) };
            fallbacks[seat].new_game(&setup).unwrap();
        }
        let clock = RealTime::new();
        while let Some(Order::Ask { seat, ask, limits, patience }) = game.poll_order() {
            if game.opening().asked().is_none() {
                break;
            }
            let moves = game.position().moves();
            let (offered, fifth_moves) = (game.offered(), game.opening().fifth_moves());
            let request =
                Request { moves, ask, offered, fifth_moves, limits, patience, watch: None };
            // The fourth move of a renju opening is an ordinary one.
            let reply = match ask {
                Ask::Move { zone: Zone::Anywhere } => {
                    let free =
                        config.size.points().find(|point| game.position().check(*point).is_ok());
                    Action::Answer(Answer::Move(free.unwrap().into()))
                }
                _ => {
                    let reply = fallbacks[seat].ask(&request, &clock);
                    assert_eq!(reply.asked_at, reply.answered_at, "it takes no time");
                    reply.outcome.unwrap().unwrap()
                }
            };
            game.handle(0, seat, Input::Act(reply));
            assert_eq!(game.result(), None, "{ask:?}: {:?}", game.refusal());
        }
        game
    }

    #[test]
    fn every_procedure_is_answered_legally_and_alike_for_a_seed() {
        for procedure in Procedure::ALL {
            for (seed, alike) in [(1, Alike::Shape), (2, Alike::Board)] {
                let opening = OpeningSettings { alike, ..OpeningSettings::new(procedure) };
                let game = walk(opening.clone(), seed);
                assert_eq!(game.history(), walk(opening, seed).history(), "{procedure}");
            }
        }
    }

    #[test]
    fn an_assistant_answers_where_it_can_and_costs_no_game() {
        let setup = setup(Seat::First, Procedure::Swap2);
        let request = Request::new(&[], PLACE);
        let asked = |answer: Action| {
            let silent = Box::new(Scripted::new([]));
            let mut fallback = OpeningFallback::assisted(silent, Box::new(Scripted::new([answer])));
            fallback.new_game(&setup).unwrap();
            fallback.ask(&request, &RealTime::new()).outcome.unwrap().unwrap()
        };
        let good = place(&["a1", "b2", "c3"]);
        assert_eq!(asked(good.clone()), good);
        let two = place(&["a1", "b2"]);
        let double = place(&["a1", "a1", "b2"]);
        let off = place(&["a1", "b2", "z9"]);
        for bad in [two, double, off, Action::Resign, Action::Answer(Answer::Swap(true))] {
            let answered = asked(bad.clone());
            let Action::Answer(Answer::Place(points)) = &answered else { panic!("{answered:?}") };
            assert!(answered != bad && points.len() == 3, "{answered:?}");
        }
    }

    #[test]
    fn one_that_stands_by_answers_where_the_players_answer_can_be_none() {
        let request = Request::new(&[], PLACE);
        let asked = |answer: Action| {
            let player = Box::new(Scripted::new([answer]));
            let mut fallback = OpeningFallback::new(player).player_first();
            fallback.new_game(&setup(Seat::First, Procedure::Swap2)).unwrap();
            let answer = fallback.ask(&request, &RealTime::new()).outcome.unwrap().unwrap();
            (answer, fallback.take_said())
        };
        let good = place(&["a1", "b2", "c3"]);
        assert_eq!(asked(good.clone()), (good, vec![]));
        for bad in [place(&["a1", "b2"]), place(&["a1", "a1", "b2"])] {
            let (answered, said) = asked(bad.clone());
            assert!(answered != bad && said.len() == 1, "{said:?}");
            assert!(said[0].starts_with("the arbiter answers"), "{said:?}");
        }
        assert_eq!(asked(Action::Resign), (Action::Resign, vec![]), "that is no answer");
    }

    #[test]
    fn ordinary_moves_are_the_players_own() {
        let own = Action::Answer(Answer::Move("a1".parse::<tengen_rules::Point>().unwrap().into()));
        let mut fallback = OpeningFallback::new(Box::new(Scripted::new([own.clone()])));
        let request = Request::new(&[], Ask::Move { zone: Zone::Anywhere });
        assert_eq!(fallback.ask(&request, &RealTime::new()).outcome.unwrap(), Some(own));
    }
}
