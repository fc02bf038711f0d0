//! The engine: its answers to the questions of the host.

use std::ops::RangeInclusive;

use tengen_sdk::analysis::{Analysis, Shape};
use tengen_sdk::opening::{OpeningAnswers as _, OpeningSearch, SearchedOpenings};
use tengen_sdk::search::{Budget, Report, Search, Watch, plies_to_end};
use tengen_sdk::{
    Choice, Color, Description, Engine, GameInfo, Move, OptionError, Options, Placement, Point,
    Position, Score, SearchInfo, Swap2, Taraguchi, Thinking, Zone,
};

use crate::options::AlphaBetaOptions;
use crate::seeded_eval::SeededEval;

/// The built-in engine.
pub struct AlphaBeta {
    settings: AlphaBetaOptions,
    /// The table's size, which the settings or the game's memory limit give.
    hash_mib: usize,
    search: Search<SeededEval>,
    /// The analysis of the last position: most next positions continue it.
    analysed: Option<(Position, Analysis)>,
}

impl Default for AlphaBeta {
    fn default() -> AlphaBeta {
        let settings = AlphaBetaOptions::default();
        let hash_mib = settings.hash_mib;
        let taste = SeededEval { variety: settings.variety, ..SeededEval::default() };
        AlphaBeta { settings, hash_mib, search: Search::new(taste, hash_mib), analysed: None }
    }
}

impl Engine for AlphaBeta {
    fn describe() -> Description {
        Description { options: AlphaBetaOptions::specs(), ..Description::default() }
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        self.settings.set(name, value)
    }

    fn new_game(&mut self, game: &GameInfo) {
        let taste =
            SeededEval { seed: game.seed, variety: self.settings.variety, ..SeededEval::default() };
        let most = game.memory_mib.map_or(usize::MAX, |mib| (mib as usize / 4).max(1));
        let hash_mib = self.settings.hash_mib.min(most);
        if hash_mib == self.hash_mib {
            self.search.clear(taste);
        } else {
            self.search = Search::new(taste, hash_mib);
            self.hash_mib = hash_mib;
        }
        // The first analysis under a rule builds its tables. That takes too long for any question.
        let empty = Position::new(game.rule, game.size);
        self.analysed = Some((empty.clone(), Analysis::of(&empty)));
    }

    fn choose(&mut self, position: &Position, thinking: &Thinking<'_>) -> Choice {
        let mut analysis = self.take_analysis(position);
        let us = position.to_move();
        let limits = thinking.limits();
        let budget = Budget { lines: limits.multipv as usize, ..self.budget(thinking) };
        let mut watch = Reporter { thinking };
        let report = self.search.run(&mut analysis, us, &budget, &mut watch);
        let best = report.best.map_or(Move::Pass, Move::Stone);
        let choice = Choice {
            accept_draw: limits.draw_offered
                && (is_dead(&analysis) || takes_draw(report.value, position)),
            offer_draw: thinking.game().draw_offers && is_dead(&analysis),
            claim_foul: position.last_foul().is_some(),
            ponder: report.line.get(1).copied(),
            score: score(&report),
            depth: report.depth,
            seldepth: report.seldepth,
            nodes: report.nodes,
            ..Choice::from(best)
        };
        self.analysed = Some((position.clone(), analysis));
        choice
    }

    fn place(
        &mut self,
        position: &Position,
        placement: &Placement,
        thinking: &Thinking<'_>,
    ) -> Vec<Point> {
        SearchedOpenings.place(&mut self.opening_search(thinking), position, placement)
    }

    fn swap(&mut self, position: &Position, own: Color, thinking: &Thinking<'_>) -> bool {
        SearchedOpenings.swap(&mut self.opening_search(thinking), position, own)
    }

    fn swap2(&mut self, position: &Position, thinking: &Thinking<'_>) -> Swap2 {
        SearchedOpenings.swap2(&mut self.opening_search(thinking), position)
    }

    fn declare(
        &mut self,
        position: &Position,
        range: RangeInclusive<u8>,
        thinking: &Thinking<'_>,
    ) -> u8 {
        SearchedOpenings.declare(&mut self.opening_search(thinking), position, range)
    }

    fn offer(&mut self, position: &Position, count: usize, thinking: &Thinking<'_>) -> Vec<Point> {
        SearchedOpenings.offer(&mut self.opening_search(thinking), position, count)
    }

    fn pick(&mut self, position: &Position, offered: &[Point], thinking: &Thinking<'_>) -> Point {
        SearchedOpenings.pick(&mut self.opening_search(thinking), position, offered)
    }

    fn taraguchi(
        &mut self,
        position: &Position,
        zone: Zone,
        count: usize,
        thinking: &Thinking<'_>,
    ) -> Taraguchi {
        SearchedOpenings.taraguchi(&mut self.opening_search(thinking), position, zone, count)
    }
}

impl AlphaBeta {
    /// The analysis of a position: that of the last one with the stones laid since, where it goes
    /// on from there.
    fn take_analysis(&mut self, position: &Position) -> Analysis {
        let Some((last, mut analysis)) = self.analysed.take() else {
            return Analysis::of(position);
        };
        let is_same = last.rule() == position.rule() && last.size() == position.size();
        let before = last.moves().len();
        let set_up = position.ply() - position.moves().len();
        if !is_same || set_up > 0 || last.ply() > before {
            return Analysis::of(position);
        }
        if position.moves().get(..before) != Some(last.moves()) {
            return Analysis::of(position);
        }
        for (ply, mv) in position.moves().iter().enumerate().skip(before) {
            if let Move::Stone(point) = mv {
                analysis.place(*point, Color::of_ply(ply));
            }
        }
        analysis
    }

    /// What one search may spend, apart from time.
    fn budget(&self, thinking: &Thinking<'_>) -> Budget {
        let limits = thinking.limits();
        let depth = limits.depth.unwrap_or(u32::MAX).min(self.settings.depth);
        Budget { nodes: limits.nodes, depth, ..Budget::default() }
    }

    /// Short searches for an opening question.
    fn opening_search<'a>(
        &'a mut self,
        thinking: &'a Thinking<'a>,
    ) -> OpeningSearch<'a, SeededEval> {
        let budget = self.budget(thinking);
        OpeningSearch::new(&mut self.search, thinking, budget)
    }
}

/// Tells the host of each iteration and stops in time.
struct Reporter<'a> {
    thinking: &'a Thinking<'a>,
}

impl Watch for Reporter<'_> {
    fn is_up(&mut self) -> bool {
        self.thinking.is_up()
    }

    fn goes_on(&mut self, report: &Report) -> bool {
        self.tell(1, report);
        self.thinking.goes_on()
    }

    fn also(&mut self, line: usize, report: &Report) {
        self.tell(line, report);
    }
}

impl Reporter<'_> {
    fn tell(&self, line: usize, report: &Report) {
        let is_one_of_many = self.thinking.limits().multipv > 1;
        self.thinking.info(&SearchInfo {
            multipv: if is_one_of_many { line as u32 } else { 0 },
            depth: report.depth,
            seldepth: report.seldepth,
            score: score(report),
            nodes: report.nodes,
            hash_permille: report.hash_permille,
            pv: &report.line,
        });
    }
}

fn score(report: &Report) -> Score {
    Score { eval: Some(report.value), win_in: plies_to_end(report.value), win_draw_loss: None }
}

/// Whether a draw is better than playing on: when the search stands clearly worse once the game
/// has taken shape, or no better with little of the board left.
fn takes_draw(value: i32, position: &Position) -> bool {
    const SHAPED: usize = 30;
    const WORSE: i32 = -200;
    let (ply, area) = (position.ply(), position.size().area());
    (ply >= SHAPED && value <= WORSE) || (ply * 4 >= area * 3 && value <= 0)
}

/// Whether neither side can make a five any more.
fn is_dead(analysis: &Analysis) -> bool {
    Color::ALL.into_iter().all(|color| {
        let counts = analysis.counts(color);
        let useless = counts[Shape::Dead as usize] + counts[Shape::Overline as usize];
        counts.iter().sum::<i32>() == useless
    })
}

#[cfg(test)]
mod tests {
    use tengen_sdk::{Rule, Size};

    use super::*;

    /// A board with so many stones that make no row.
    fn stones(count: usize) -> Position {
        let mut position = Position::new(Rule::Freestyle, Size::STANDARD);
        let size = position.size();
        // Pairs of a colour, in rows that are shifted against each other.
        let points = size.points().collect::<Vec<_>>();
        let is_black = |at: &Point| (at.x() + 2 * at.y()) % 4 < 2;
        let (black, white): (Vec<Point>, Vec<Point>) = points.into_iter().partition(is_black);
        for (black, white) in black.into_iter().zip(white).take(count / 2) {
            position.play(black).unwrap();
            position.play(white).unwrap();
        }
        position
    }

    /// Whatever was asked before, the answer is the same as from a fresh engine.
    #[test]
    fn what_was_analysed_before_changes_no_answer() {
        let game = GameInfo { nodes: Some(300), ..GameInfo::new(Rule::Renju, Size::STANDARD) };
        let limits = tengen_sdk::Limits { nodes: Some(300), ..Default::default() };
        let thinking = Thinking::free().in_game(&game).with_limits(limits);
        let ask = |engine: &mut AlphaBeta, position: &Position| {
            engine.search.clear(SeededEval { variety: 2, ..SeededEval::default() });
            let choice = engine.choose(position, &thinking);
            (choice.mv, choice.score, choice.nodes)
        };
        let mut known = AlphaBeta::default();
        known.new_game(&game);
        let mut position = Position::new(Rule::Renju, Size::STANDARD);
        let mut before = position.clone();
        for turn in 0..24 {
            let mut fresh = AlphaBeta::default();
            fresh.new_game(&game);
            fresh.analysed = None;
            let answer = ask(&mut known, &position);
            assert_eq!(answer, ask(&mut fresh, &position), "move {turn}");
            if turn % 5 == 4 {
                // A move taken back, and another position of the game.
                ask(&mut known, &before);
            }
            before = position.clone();
            let Move::Stone(point) = answer.0 else { break };
            if position.play(point).unwrap().is_some() {
                break;
            }
        }
        assert!(position.ply() > 8);
    }

    #[test]
    fn a_draw_is_taken_where_nothing_better_is_to_be_had() {
        let (empty, shaped, late) = (stones(0), stones(30), stones(170));
        assert!(!takes_draw(-18, &empty) && !takes_draw(-300, &empty));
        assert!(!takes_draw(-18, &shaped) && takes_draw(-300, &shaped));
        assert!(takes_draw(0, &late) && !takes_draw(20, &late));
    }
}
