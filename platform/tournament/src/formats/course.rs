//! The course of an event through its stages: what is drawn so far, and the results.

use std::collections::BTreeMap;
use std::sync::Arc;

use tengen_rules::{BySeat, Seat};

use super::stage::Stage;
use super::standing::StageSummary;
use crate::config::StagePlan;
use crate::schedule::{Schedule, StagePart, Staged};
use crate::{EventConfig, EventFormat, FinishedGame};

/// What two engines made in the games of one part, the one with the smaller number first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct MeetingScore {
    pub halves: [u32; 2],
    pub void: u32,
}

/// The scores of a part, by the engines, the one with the smaller number first.
pub(crate) type PartScores = BTreeMap<[u16; 2], MeetingScore>;

/// The score of these two, in their order.
pub(crate) fn score_of(scores: &PartScores, one: usize, other: usize) -> MeetingScore {
    let (low, high) = (one.min(other), one.max(other));
    let score = scores.get(&[low as u16, high as u16]).copied().unwrap_or_default();
    let [a, b] = score.halves;
    MeetingScore { halves: if one == low { [a, b] } else { [b, a] }, ..score }
}

/// The schedule of an event as far as it is drawn. It is drawn only from the event's configuration
/// and the results of its games, so that a resumed event draws the same again.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    schedule: Schedule,
    /// None where everything is known from the beginning.
    drawing: Option<Drawing>,
}

#[derive(Clone, Debug)]
struct Drawing {
    seed: u64,
    plans: Vec<StagePlan>,
    ratings: Vec<Option<i32>>,
    stages: Vec<Stage>,
    staged: Arc<Staged>,
    /// From this part on, results are not taken in yet.
    open: usize,
    scores: Vec<PartScores>,
    /// Their games that are not finished.
    left: u64,
    /// The first game of each wave: of the parts that were drawn together.
    waves: Vec<u64>,
    /// How many waves may be drawn, where a referee begins each.
    limit: usize,
}

impl Course {
    /// The course of an event of which no game is finished.
    ///
    /// # Panics
    /// Unless the configuration is valid.
    pub fn new(config: &EventConfig) -> Course {
        if config.is_drawn_at_once() {
            return Course { schedule: config.schedule(), drawing: None };
        }
        let mut course = Course::begun(config);
        course.grow();
        course
    }

    /// The same, of which nothing is drawn yet.
    ///
    /// # Panics
    /// As [`Course::new`].
    pub fn begun(config: &EventConfig) -> Course {
        if config.is_drawn_at_once() {
            return Course { schedule: config.schedule(), drawing: None };
        }
        let plans = config.plan().expect("a valid configuration has stages that can be played");
        let mut drawing = Drawing {
            seed: config.seed,
            plans,
            ratings: config.engines.iter().map(|engine| engine.rating).collect(),
            stages: Vec::new(),
            staged: Arc::default(),
            open: 0,
            scores: Vec::new(),
            left: 0,
            waves: Vec::new(),
            limit: config.rounds_by_hand.map_or(usize::MAX, |rounds| rounds as usize),
        };
        drawing.begin((0..config.engines.len()).collect());
        let schedule = Schedule::staged(Arc::clone(&drawing.staged), config.seed);
        Course { schedule, drawing: Some(drawing) }
    }

    /// What is drawn so far.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Whether the games are known only as the event goes on.
    pub fn is_drawn(&self) -> bool {
        self.drawing.is_some()
    }

    /// Whether the last games are drawn: those of the schedule are all that will be.
    pub fn is_complete(&self) -> bool {
        self.drawing.as_ref().is_none_or(|drawing| {
            let over = |stage: &Stage| stage.is_over();
            drawing.left == 0
                && drawing.stages.len() == drawing.plans.len()
                && drawing.stages.last().is_none_or(over)
        })
    }

    /// The number of games, as far as it can be told.
    pub fn total(&self) -> u64 {
        let Some(drawing) = self.drawing.as_ref().filter(|_| !self.is_complete()) else {
            return self.schedule.len();
        };
        let planned: u64 = drawing.plans.iter().map(StagePlan::expected_games).sum();
        planned.max(self.schedule.len())
    }

    /// Takes in a finished game. False where it is none of those that are open.
    pub fn note(&mut self, game: &FinishedGame) -> bool {
        let Some(drawing) = &mut self.drawing else { return true };
        drawing.note(game.number, game.seats, game.result.winner, game.conditions.is_void)
    }

    /// Draws what follows, if every game that was drawn is finished. Whether there is more to play.
    pub fn grow(&mut self) -> bool {
        self.grow_along(&[])
    }

    /// The same, where these games were played behind those that are drawn: they tell how a round
    /// was drawn, which is then not drawn again.
    pub fn grow_along(&mut self, played: &[FinishedGame]) -> bool {
        let Some(drawing) = &mut self.drawing else { return false };
        if drawing.left > 0 {
            return false;
        }
        drawing.take_in();
        if drawing.waves.len() >= drawing.limit {
            return false;
        }
        // What is drawn is then this one's alone, and grows in place.
        self.schedule = Schedule::new(2, 0, 0);
        let before = drawing.staged.len();
        drawing.draw(played);
        self.schedule = Schedule::staged(Arc::clone(&drawing.staged), drawing.seed);
        drawing.staged.len() > before
    }

    /// The same course with one round more, if every game that was drawn is finished and a referee
    /// begins the next round.
    pub fn with_next_round(&self) -> Option<Course> {
        let mut course = self.clone();
        let drawing = course.drawing.as_mut()?;
        drawing.limit = drawing.limit.checked_add(1)?;
        course.grow().then_some(course)
    }

    /// The first game of the wave that was drawn last; none before.
    pub fn last_wave(&self) -> Option<u64> {
        self.drawing.as_ref()?.waves.last().copied()
    }

    /// Which wave has that game, counted from 1: what is drawn together, from the results before.
    pub fn wave_of(&self, number: u64) -> usize {
        let waves = self.drawing.as_ref().map_or(&[][..], |drawing| &drawing.waves);
        waves.partition_point(|&first| first <= number)
    }

    /// The engines of a stage in which all play on, in every round but one at most.
    pub fn pool(&self, stage: u16) -> Vec<usize> {
        let stages = self.drawing.as_ref().map_or(&[][..], |drawing| &drawing.stages);
        stages.get(usize::from(stage)).map(Stage::pool).unwrap_or_default()
    }

    /// How many of the games after the drawn ones can tell that.
    pub fn reach(&self) -> usize {
        let round = |plan: &StagePlan| match plan.format {
            EventFormat::Swiss => plan.size / 2 * plan.games.min(2) as usize,
            _ => 1,
        };
        let plans = self.drawing.iter().flat_map(|drawing| &drawing.plans);
        plans.map(round).max().unwrap_or(1)
    }

    /// How the stages stand that have begun.
    pub fn stages(&self, labels: &[String]) -> Vec<StageSummary> {
        let Some(drawing) = &self.drawing else { return Vec::new() };
        let last = drawing.stages.len();
        let summary = |(number, stage): (usize, &Stage)| {
            let open = if number == last { &drawing.scores[..] } else { &[] };
            stage.summary(number, open, labels)
        };
        (1..).zip(&drawing.stages).map(summary).collect()
    }
}

impl Drawing {
    /// Begins the next stage with these engines, best first.
    fn begin(&mut self, engines: Vec<usize>) {
        let number = self.stages.len();
        let Some(plan) = self.plans.get(number) else { return };
        self.stages.push(Stage::new(plan, engines, &self.ratings, self.seed, number));
    }

    /// Draws the next parts, in the next stage where this one is over.
    fn draw(&mut self, played: &[FinishedGame]) {
        let next = (self.staged.len() + 1..).zip(played);
        let played = &played[..next.take_while(|(number, game)| *number == game.number).count()];
        while let Some(stage) = self.stages.last_mut() {
            let drawn = stage.draw(played);
            let number = (self.stages.len() - 1) as u16;
            if drawn.is_empty() {
                if self.stages.len() == self.plans.len() {
                    return;
                }
                let engines = self.stages.last().map(|stage| stage.going_on(self.next_size()));
                self.begin(engines.unwrap_or_default());
                continue;
            }
            self.open = self.staged.parts();
            self.scores = vec![PartScores::default(); drawn.len()];
            self.left = drawn.iter().map(|part| part.games.len()).sum();
            let parts = drawn.into_iter().map(|part| StagePart { stage: number, ..part });
            let first = self.staged.len() + 1;
            Arc::make_mut(&mut self.staged).push(parts);
            if self.left > 0 {
                self.waves.push(first);
                return;
            }
        }
    }

    /// How many engines the next stage has.
    fn next_size(&self) -> usize {
        self.plans.get(self.stages.len()).map_or(0, |plan| plan.size)
    }

    fn note(
        &mut self,
        number: u64,
        seats: BySeat<usize>,
        winner: Option<Seat>,
        is_void: bool,
    ) -> bool {
        let part = self.staged.part_of(number).and_then(|part| part.checked_sub(self.open));
        let scheduled = self.staged.get(self.seed, number).map(|game| game.seats);
        let Some(scores) = part.and_then(|part| self.scores.get_mut(part)) else { return false };
        if scheduled != Some(seats) {
            return false;
        }
        let (first, second) = (seats.first, seats.second);
        let key = [first.min(second) as u16, first.max(second) as u16];
        let score = scores.entry(key).or_default();
        match winner {
            _ if is_void => score.void += 1,
            None => score.halves = score.halves.map(|halves| halves + 1),
            Some(winner) => score.halves[usize::from(seats[winner] != first.min(second))] += 2,
        }
        self.left = self.left.saturating_sub(1);
        true
    }

    /// Hands the results of the open parts to their stage.
    fn take_in(&mut self) {
        let scores = std::mem::take(&mut self.scores);
        if let Some(stage) = self.stages.last_mut().filter(|_| !scores.is_empty()) {
            stage.take_in(&scores);
        }
        self.open = self.staged.parts();
    }
}
