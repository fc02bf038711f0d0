use tengen_arbiter::{Failure, Limits, TimeControl};
use tengen_gomocup::{Asked, Terms};
use tengen_packages::{Description, EngineSpec, Kind, RuleSupport};
use tengen_players::Fault;
use tengen_rules::{Answer, Ask, Procedure, Rule, Size, Zone};

use super::talk::{Event, Talk};
use super::{introduce, open};
use crate::link::{Loss, Ready};
use crate::{HostError, HostSettings};

/// The time that an engine is told it has for a move, in nanoseconds.
const TURN: u64 = 1_000_000_000;
/// The boards on which Gomocup plays; not every brain knows more than one of them.
const SIDES: [u8; 2] = [15, 20];
/// The boards of the SAU protocol, which has letters for as many columns.
const SAU_SIDES: std::ops::RangeInclusive<u8> = 5..=26;

/// What a text engine says of itself, and the walls that hold around it. Which openings it answers
/// is seen by asking it: nobody says so.
pub(crate) fn probe(
    spec: &EngineSpec,
    settings: &HostSettings,
) -> Result<(Ready, Description), HostError> {
    let mut talk = Talk::new(spec.clone(), settings.clone());
    let ready = talk.start()?;
    let asked = if spec.kind == Kind::Sau { sau(&mut talk) } else { gomocup(&mut talk) };
    let description = asked.map_err(|loss| match loss {
        Loss::Interrupted => HostError::Interrupted { engine: spec.id.clone() },
        loss => {
            let fault = talk.fault(loss, "say that it is ready");
            HostError::Failed { engine: spec.id.clone(), fault }
        }
    })?;
    Ok((ready, description))
}

fn sau(talk: &mut Talk) -> Result<Description, Loss> {
    introduce(talk)?;
    let rules = Rule::ALL.map(|rule| RuleSupport { rule, sizes: SAU_SIDES });
    Ok(Description {
        name: talk.about().and_then(|about| about.name.clone()),
        rules: rules.to_vec(),
        openings: openings(None),
        ..Description::default()
    })
}

fn gomocup(talk: &mut Talk) -> Result<Description, Loss> {
    talk.tongue.about();
    let is_begun = match begin(talk, SIDES[0]) {
        // It may play on the other board alone.
        Err(Loss::Fault(Fault { failure: Failure::ProtocolError, .. })) => {
            talk.start().map_err(|error| Loss::Fault(error.into_fault()))?;
            begin(talk, SIDES[1])?
        }
        begun => begun?,
    };
    let about = talk.about().cloned().unwrap_or_default();
    let swap2 = (is_begun && knows_swap2(talk)?).then_some(Procedure::Swap2);
    Ok(Description {
        name: about.name,
        version: about.version,
        author: about.author,
        about: Some(about.text).filter(|text| !text.is_empty()),
        openings: openings(swap2),
        ..Description::default()
    })
}

fn begin(talk: &mut Talk, side: u8) -> Result<bool, Loss> {
    let size = Size::new(side, side).expect("boards of Gomocup's sizes are boards");
    let time = TimeControl { per_move: Some(TURN), ..TimeControl::default() };
    let folder = talk.desk().map(str::to_owned);
    // Threads and options are for games, and no brain need know them: an UNKNOWN to one of them
    // could not be told from that to the question.
    open(talk, &Terms { time, folder, ..Terms::new(Rule::Freestyle, size) })
}

/// Whether it lays the three stones of swap2. One that does not answer that at all does not.
fn knows_swap2(talk: &mut Talk) -> Result<bool, Loss> {
    let ask = Ask::Place { count: 3, zone: Zone::Anywhere, canonical: false };
    let startup = talk.settings().startup;
    if talk.tongue.ask(&[], ask, Limits::default()) != Asked::Sent {
        return Ok(false);
    }
    match talk.exchange(Some(startup)) {
        Ok(event) => Ok(matches!(event, Event::Answer(Answer::Place(stones)) if stones.len() == 3)),
        Err(Loss::Interrupted) => Err(Loss::Interrupted),
        Err(_) => Ok(false),
    }
}

/// The openings that ask an engine for moves alone, and those beside them that it answers.
fn openings(answered: Option<Procedure>) -> Vec<String> {
    let plain = [Procedure::None, Procedure::Book];
    plain.into_iter().chain(answered).map(|opening| opening.name().to_owned()).collect()
}
