//! The opening procedures as values: tables of steps for one state machine.

use crate::Color::{Black, White};
use crate::{Ask, Color, Procedure, Zone};

/// The question of a step, with the numbers left open that only the game can fill in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StepAsk {
    /// A question that is always the same.
    Ask(Ask),
    /// The number of fifth moves, within the range of the event or of the plan.
    Declare,
    /// As many fifth moves as were declared.
    OfferDeclared,
}

/// One question of a procedure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PlanStep {
    /// The seat that holds this colour when the step is reached answers.
    pub(crate) color: Color,
    pub(crate) task: StepAsk,
    /// The step after the usual answer.
    pub(crate) next: NextStep,
    /// The step after the other answer: a swap made, a colour taken where stones might have been
    /// laid, or fifth moves offered where one might have been played.
    pub(crate) aside: NextStep,
}

/// Where a procedure goes from a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NextStep {
    /// To the step below, or to ordinary play from the last one.
    Below,
    /// To the step of this number.
    PlanStep(u8),
    /// To ordinary play.
    Play,
}

/// A procedure: its steps, and what the event must provide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Plan {
    pub(crate) steps: &'static [PlanStep],
    /// The numbers of fifth moves that may be declared, unless the event says otherwise.
    pub(crate) fifth_moves: Option<(u8, u8)>,
    /// Whether it is defined on 15×15 alone.
    pub(crate) standard_board: bool,
}

impl Procedure {
    pub(crate) const fn plan(self) -> Plan {
        match self {
            Procedure::None | Procedure::Book => free(&[]),
            Procedure::Pro => free(&PRO),
            Procedure::LongPro => free(&LONG_PRO),
            Procedure::Swap => free(&SWAP),
            Procedure::Swap2 => free(&SWAP2),
            Procedure::Rif => renju(&RIF, None),
            Procedure::Contest => renju(&CONTEST, Some((1, 5))),
            Procedure::Yamaguchi => renju(&CONTEST, Some((1, 12))),
            Procedure::Soosorv8 => renju(&SOOSORV8, Some((1, 8))),
            Procedure::Taraguchi10 => renju(&TARAGUCHI10, None),
        }
    }
}

/// What can be known of a procedure before it is played.
impl Procedure {
    /// Whether it asks the players anything.
    pub const fn asks(self) -> bool {
        !self.plan().steps.is_empty()
    }

    /// Whether it asks for moves, and for nothing else.
    pub fn asks_moves_alone(self) -> bool {
        let is_move = |step: &PlanStep| matches!(step.task, StepAsk::Ask(Ask::Move { .. }));
        self.asks() && self.plan().steps.iter().all(is_move)
    }

    /// Whether a player declares how many fifth moves there are to be.
    pub const fn declares_fifths(self) -> bool {
        self.plan().fifth_moves.is_some()
    }

    /// Whether fifth moves are always offered: a number that is declared, or a fixed one.
    pub fn offers_fifths(self) -> bool {
        let is_offer = |step: &PlanStep| {
            matches!(step.task, StepAsk::OfferDeclared | StepAsk::Ask(Ask::Offer { .. }))
        };
        self.plan().steps.iter().any(is_offer)
    }

    /// Whether it is defined on 15×15 alone.
    pub const fn needs_standard_board(self) -> bool {
        self.plan().standard_board
    }

    /// The colour held by the player that may swap or take a colour once so many stones lie.
    ///
    /// ```
    /// use tengen_rules::{Color, Procedure};
    /// assert_eq!(Procedure::Swap.chooser(3), Some(Color::White));
    /// assert_eq!(Procedure::Swap2.chooser(5), Some(Color::Black));
    /// ```
    pub fn chooser(self, stones: usize) -> Option<Color> {
        let mut laid = 0;
        self.plan().steps.iter().find_map(|step| {
            let before = laid;
            laid += step.stones();
            (step.is_choice() && before == stones).then_some(step.color)
        })
    }
}

const fn free(steps: &'static [PlanStep]) -> Plan {
    Plan { steps, fifth_moves: None, standard_board: false }
}

const fn renju(steps: &'static [PlanStep], fifth_moves: Option<(u8, u8)>) -> Plan {
    Plan { steps, fifth_moves, standard_board: true }
}

const CENTER: Zone = Zone::Within(0);

static PRO: [PlanStep; 3] = pro(2);
static LONG_PRO: [PlanStep; 3] = pro(3);

const fn pro(radius: u8) -> [PlanStep; 3] {
    [lay(Black, CENTER), lay(White, Zone::Anywhere), lay(Black, Zone::Beyond(radius))]
}

static SWAP: [PlanStep; 2] = [place(Zone::Anywhere, false), ask(White, Ask::Choose)];

static SWAP2: [PlanStep; 3] = [
    place(Zone::Anywhere, false),
    ask(White, Ask::ChooseOrPlace { count: 2 }).aside(NextStep::Play),
    ask(Black, Ask::Choose),
];

static RIF: [PlanStep; 5] = [
    place(Zone::Within(2), true),
    ask(White, Ask::Swap),
    lay(White, Zone::Anywhere),
    ask(Black, Ask::Offer { count: 2 }),
    ask(White, Ask::Pick),
];

static CONTEST: [PlanStep; 6] = [
    place(Zone::Within(2), true),
    step(Black, StepAsk::Declare),
    ask(White, Ask::Swap),
    lay(White, Zone::Anywhere),
    step(Black, StepAsk::OfferDeclared),
    ask(White, Ask::Pick),
];

static SOOSORV8: [PlanStep; 7] = [
    place(Zone::Within(2), true),
    ask(White, Ask::Swap),
    lay(White, Zone::Anywhere),
    step(White, StepAsk::Declare),
    ask(Black, Ask::Swap),
    step(Black, StepAsk::OfferDeclared),
    ask(White, Ask::Pick),
];

// A swap after the fourth stone uses up that right: its player may not offer ten fifth moves.
static TARAGUCHI10: [PlanStep; 12] = [
    lay(Black, CENTER),
    ask(White, Ask::Swap),
    lay(White, Zone::Within(1)),
    ask(Black, Ask::Swap),
    lay(Black, Zone::Within(2)),
    ask(White, Ask::Swap),
    lay(White, Zone::Within(3)),
    ask(Black, Ask::Swap).aside(NextStep::PlanStep(9)),
    ask(Black, Ask::MoveOrOffer { zone: Zone::Within(4), count: 10 })
        .then(NextStep::PlanStep(10))
        .aside(NextStep::PlanStep(11)),
    lay(Black, Zone::Within(4)),
    ask(White, Ask::Swap).then(NextStep::Play).aside(NextStep::Play),
    ask(White, Ask::Pick),
];

const fn step(color: Color, task: StepAsk) -> PlanStep {
    PlanStep { color, task, next: NextStep::Below, aside: NextStep::Below }
}

const fn ask(color: Color, ask: Ask) -> PlanStep {
    step(color, StepAsk::Ask(ask))
}

/// Three stones, by Black's seat.
const fn place(zone: Zone, canonical: bool) -> PlanStep {
    ask(Black, Ask::Place { count: 3, zone, canonical })
}

const fn lay(color: Color, zone: Zone) -> PlanStep {
    ask(color, Ask::Move { zone })
}

impl PlanStep {
    const fn is_choice(&self) -> bool {
        matches!(self.task, StepAsk::Ask(Ask::Swap | Ask::Choose | Ask::ChooseOrPlace { .. }))
    }

    /// How many stones it lays where the game goes on to the step below.
    const fn stones(&self) -> usize {
        match self.task {
            StepAsk::Ask(Ask::Place { count, .. } | Ask::ChooseOrPlace { count }) => count as usize,
            StepAsk::Ask(Ask::Move { .. } | Ask::Pick) => 1,
            StepAsk::Ask(
                // Where its move is laid, the step below, that lays the same one, is passed over.
                Ask::MoveOrOffer { .. } | Ask::Choose | Ask::Swap | Ask::Offer { .. },
            ) => 0,
            StepAsk::Ask(Ask::Declare { .. }) | StepAsk::Declare | StepAsk::OfferDeclared => 0,
        }
    }

    const fn then(self, next: NextStep) -> PlanStep {
        PlanStep { next, ..self }
    }

    const fn aside(self, aside: NextStep) -> PlanStep {
        PlanStep { aside, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn which(is: impl Fn(Procedure) -> bool) -> impl Iterator<Item = Procedure> {
        Procedure::ALL.into_iter().filter(move |procedure| is(*procedure))
    }

    #[test]
    fn the_plans_tell_what_each_procedure_asks() {
        use Procedure::{Book, Contest, LongPro, None, Pro, Rif, Soosorv8, Taraguchi10, Yamaguchi};
        assert!(which(|one| !one.asks()).eq([None, Book]));
        assert!(which(Procedure::asks_moves_alone).eq([Pro, LongPro]));
        assert!(which(Procedure::declares_fifths).eq([Contest, Yamaguchi, Soosorv8]));
        assert!(which(Procedure::offers_fifths).eq([Rif, Contest, Yamaguchi, Soosorv8]));
        let renju = [Rif, Contest, Yamaguchi, Soosorv8, Taraguchi10];
        assert!(which(Procedure::needs_standard_board).eq(renju));
    }

    #[test]
    fn what_is_declared_is_offered() {
        for procedure in Procedure::ALL {
            let steps = procedure.plan().steps;
            let has = |task| steps.iter().any(|step| step.task == task);
            assert_eq!(has(StepAsk::Declare), procedure.declares_fifths(), "{procedure}");
            assert_eq!(has(StepAsk::OfferDeclared), procedure.declares_fifths(), "{procedure}");
        }
    }
}
