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
    const fn then(self, next: NextStep) -> PlanStep {
        PlanStep { next, ..self }
    }

    const fn aside(self, aside: NextStep) -> PlanStep {
        PlanStep { aside, ..self }
    }
}
