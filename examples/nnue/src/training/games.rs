//! Games of the plain search against itself, and the positions to learn from.

use tengen_sdk::analysis::{Analysis, Threat};
use tengen_sdk::eval::{Evaluate, ThreatEval};
use tengen_sdk::random::{Random, output};
use tengen_sdk::search::{Budget, Search, Stakes, stakes};
use tengen_sdk::{Color, Point, Rule, Size};

use super::TrainingPlan;
use crate::accumulator::{Accumulator, canonical};

/// One position, as the network sees it.
pub(super) struct TrainingSample {
    pub(super) game: usize,
    /// How often each pattern occurs, for the side to move and for the other.
    pub(super) patterns: [Vec<(u16, u16)>; 2],
    /// What the plain evaluation says.
    pub(super) plain: f32,
    /// What the search says, and what came of the game if the position was in it.
    pub(super) value: i32,
    pub(super) result: Option<f32>,
}

/// A game is a draw after so many stones.
const LONGEST: usize = 150;
/// Of so many moves one is random.
const RANDOM_IN: usize = 12;

/// Plays one game. Beside each position of it another is searched, a stone or two away, for an
/// evaluation is mostly asked about moves that are not played.
pub(super) fn play(game: usize, plan: &TrainingPlan) -> Vec<TrainingSample> {
    let mut random = Random::new(output(plan.seed, game as u64));
    let rule = Rule::ALL[game % Rule::ALL.len()];
    let mut analysis = Analysis::new(rule, Size::STANDARD);
    let mut search = Search::new(ThreatEval::default(), 2);
    let budget = Budget { nodes: Some(plan.nodes), ..Budget::default() };
    let mut samples: Vec<(Color, TrainingSample)> = Vec::new();
    let mut us = Color::Black;
    let begin = 2 + random.below(6);
    let winner = loop {
        if analysis.stones() >= LONGEST {
            break None;
        }
        if let Some(color) = five(&analysis, us) {
            break Some(color);
        }
        let report = search.run(&mut analysis, us, &budget, &mut ());
        let is_begun = analysis.stones() >= begin;
        if is_begun {
            let sample = sample(game, &analysis, us, report.value);
            samples.extend(sample.map(|sample| (us, sample)));
            let aside = aside(game, &mut analysis, us, &mut search, &budget, &mut random);
            samples.extend(aside.map(|sample| (us, sample)));
        }
        let is_random = !is_begun || random.below(RANDOM_IN) == 0;
        let point = match is_random {
            true => random_move(&analysis, us, &mut random).or(report.best),
            false => report.best,
        };
        let Some(point) = point.filter(|&point| analysis.is_legal(point, us)) else { break None };
        analysis.place(point, us);
        us = !us;
    };
    let finish = |(us, mut sample): (Color, TrainingSample)| {
        let result = winner.map_or(0.5, |winner| if winner == us { 1.0 } else { 0.0 });
        sample.result = sample.result.map(|_| result);
        sample
    };
    samples.into_iter().map(finish).collect()
}

/// The colour that makes a five next, whatever is done.
fn five(analysis: &Analysis, us: Color) -> Option<Color> {
    if !analysis.points(us, Threat::Five).is_empty() {
        return Some(us);
    }
    matches!(stakes(analysis, us), Stakes::Lost(_)).then_some(!us)
}

/// A move near the stones, the promising ones more often.
fn random_move(analysis: &Analysis, us: Color, random: &mut Random) -> Option<Point> {
    if analysis.stones() == 0 {
        let away = |random: &mut Random| 5 + random.below(5) as u8;
        return Some(Point::new(away(random), away(random)));
    }
    let legal = analysis.near().iter().filter(|&point| analysis.is_legal(point, us));
    let mut moves: Vec<Point> = legal.collect();
    let promise = |point: &Point| -ThreatEval::USUAL.promise(analysis, *point, us);
    moves.sort_by_cached_key(promise);
    moves.truncate(16);
    (!moves.is_empty()).then(|| moves[random.below(moves.len())])
}

/// A position a stone or two away from this one, with what a search says of it.
fn aside(
    game: usize,
    analysis: &mut Analysis,
    us: Color,
    search: &mut Search<ThreatEval>,
    budget: &Budget,
    random: &mut Random,
) -> Option<TrainingSample> {
    let mut laid = Vec::new();
    let mut to_move = us;
    for _ in 0..2 {
        // A five ends what there is to learn.
        let point = random_move(analysis, to_move, random)
            .filter(|&point| analysis.threat(point, to_move) != Threat::Five);
        let Some(point) = point else { break };
        analysis.place(point, to_move);
        laid.push(point);
        to_move = !to_move;
    }
    let mut found = None;
    if is_open(analysis, to_move) {
        let value = search.run(analysis, to_move, budget, &mut ()).value;
        found = sample(game, analysis, to_move, value);
    }
    for point in laid.into_iter().rev() {
        analysis.remove(point);
    }
    found.map(|sample| TrainingSample { result: None, ..sample })
}

/// Whether an evaluation may be asked about the position: no five is next, and nothing is forced.
fn is_open(analysis: &Analysis, us: Color) -> bool {
    let is_five = !analysis.points(us, Threat::Five).is_empty();
    !is_five && matches!(stakes(analysis, us), Stakes::Quiet | Stakes::Menaced(_))
}

fn sample(game: usize, analysis: &Analysis, us: Color, value: i32) -> Option<TrainingSample> {
    if !is_open(analysis, us) {
        return None;
    }
    let lines = Accumulator::of(analysis);
    let mover = usize::from(us == Color::White);
    let count = |side: usize| {
        let mut all: Vec<u16> =
            lines.patterns().map(|pair| canonical(pair[side].into()) as u16).collect();
        all.sort_unstable();
        let counted = all.chunk_by(|one, other| one == other);
        counted
            .map(|same| (same[0], same.len() as u16))
            .filter(|&(pattern, _)| pattern != 0)
            .collect()
    };
    Some(TrainingSample {
        game,
        patterns: [count(mover), count(1 - mover)],
        plain: ThreatEval::USUAL.evaluate(analysis, us) as f32,
        value,
        result: Some(0.5),
    })
}
