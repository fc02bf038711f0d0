use std::time::Duration;

use tengen_arbiter::{Failure, Limits, TimeControl};
use tengen_gomocup::{Asked, Dialogue, Swap2Lines, Terms};
use tengen_packages::{EngineDescription, EngineKind, EngineSpec, RuleSupport};
use tengen_rules::{Answer, Ask, Move, Point, Procedure, Rule, Size, Zone};

use super::shown::Shown;
use super::talk::{Event, Talk};
use super::{introduce, open};
use crate::link::{Loss, Ready};
use crate::{HostError, HostSettings, Occasion};

/// The time that an engine is told it has for a move, in nanoseconds.
const TURN: u64 = 100_000_000;
/// What it is waited for beyond that: it may have to make itself ready first.
const BEYOND: Duration = Duration::from_secs(3);
/// How long a line is waited for that most brains answer at once, or never.
const SOON: Duration = Duration::from_millis(250);
/// How long it may take to end; it has played nothing that it could wish to keep.
const END: Duration = Duration::from_millis(50);
/// The boards on which Gomocup plays; not every brain knows more than one of them.
const SIDES: [u8; 2] = [15, 20];
/// The boards of the SAU protocol, which has letters for as many columns.
const SAU_SIDES: std::ops::RangeInclusive<u8> = 5..=26;

/// Why an engine could not be asked.
enum Trouble {
    Loss(Loss),
    /// It does not play what it was asked about, for this reason.
    UnusableProgram(String),
}

impl From<Loss> for Trouble {
    fn from(loss: Loss) -> Trouble {
        Trouble::Loss(loss)
    }
}

/// What a text engine says of itself, what its answers show, and the walls that hold around it.
/// With an occasion it is asked for that alone.
///
/// # Errors
/// When it cannot be started or asked, or does not play what the occasion is.
pub(crate) fn probe(
    spec: &EngineSpec,
    settings: &HostSettings,
    occasion: Option<&Occasion>,
) -> Result<(Ready, EngineDescription, Shown), (HostError, Shown)> {
    let mut talk = Talk::new(spec.clone(), settings.clone());
    let ready = talk.start().map_err(|error| (error, Shown::default()))?;
    let mut shown = Shown::default();
    let asked = match spec.kind {
        EngineKind::Sau => sau(&mut talk).map_err(Trouble::Loss),
        _ => gomocup(&mut talk, occasion, &mut shown),
    };
    talk.stop_within(END);
    let engine = spec.id.clone();
    match asked {
        Ok(description) => Ok((ready, description, shown)),
        Err(Trouble::UnusableProgram(reason)) => {
            Err((HostError::UnusableProgram { engine, reason }, shown))
        }
        Err(Trouble::Loss(Loss::Interrupted)) => Err((HostError::Interrupted { engine }, shown)),
        Err(Trouble::Loss(loss)) => {
            let fault = talk.fault(loss, "say that it is ready");
            Err((HostError::Failed { engine, fault }, shown))
        }
    }
}

fn sau(talk: &mut Talk) -> Result<EngineDescription, Loss> {
    introduce(talk)?;
    let rules = Rule::ALL.map(|rule| RuleSupport { rule, sizes: SAU_SIDES });
    Ok(EngineDescription {
        name: talk.about().and_then(|about| about.name.clone()),
        rules: rules.to_vec(),
        openings: openings(None),
        ..EngineDescription::default()
    })
}

fn gomocup(
    talk: &mut Talk,
    occasion: Option<&Occasion>,
    shown: &mut Shown,
) -> Result<EngineDescription, Trouble> {
    let rule = occasion.map_or(Rule::Freestyle, |occasion| occasion.rule);
    let sizes = match occasion {
        Some(occasion) => vec![occasion.size],
        None => SIDES.map(|side| Size::new(side, side).expect("a board of Gomocup's")).to_vec(),
    };
    let size = first_board(talk, &sizes, rule, occasion, shown)?;
    // Whether it plays on the other board too is asked along with who it is.
    let next = *sizes.last().filter(|_| size == sizes[0]).unwrap_or(&size);
    let plays_on = match introduced(talk, rule, next, occasion.is_some()) {
        Ok(plays_on) => plays_on,
        Err(Loss::Interrupted) => return Err(Loss::Interrupted.into()),
        // It does not bear to be started twice, which no game asks of it.
        Err(_) => false,
    };
    if next != size {
        shown.board(next, plays_on);
    }
    if let Some(occasion) = occasion {
        let minds = minded(talk);
        shown.rule(occasion.rule, minds.is_none());
        if let Some(words) = minds {
            let reason = format!("does not play {}: it answered that rule with `{words}`", rule);
            return Err(Trouble::UnusableProgram(reason));
        }
    }
    let about = talk.about().cloned().unwrap_or_default();
    let terms = terms(talk, rule, size);
    find_line_end(talk, &terms)?;
    let asks_swap2 = occasion.is_none_or(|occasion| occasion.opening == Procedure::Swap2);
    let answers = asks_swap2 && knows_swap2(talk, &terms)?;
    Ok(EngineDescription {
        name: about.name,
        version: about.version,
        author: about.author,
        about: Some(about.text).filter(|text| !text.is_empty()),
        openings: openings(answers.then_some(Procedure::Swap2)),
        ..EngineDescription::default()
    })
}

/// The first of these boards for which it gets ready.
fn first_board(
    talk: &mut Talk,
    sizes: &[Size],
    rule: Rule,
    occasion: Option<&Occasion>,
    shown: &mut Shown,
) -> Result<Size, Trouble> {
    let mut refusal = None;
    for &size in sizes {
        if refusal.is_some() {
            talk.start().map_err(|error| Loss::Fault(error.into_fault()))?;
        }
        match begin(talk, rule, size) {
            Err(Loss::Fault(fault)) if fault.failure == Failure::ProtocolError => {
                shown.board(size, false);
                refusal = Some(fault);
            }
            begun => {
                begun?;
                shown.board(size, true);
                return Ok(size);
            }
        }
    }
    let fault = refusal.expect("a board that was asked about was refused");
    match occasion {
        Some(occasion) => {
            let (size, words) = (occasion.size, fault.detail);
            Err(Trouble::UnusableProgram(format!("does not play on a board of {size}: it {words}")))
        }
        None => Err(Loss::Fault(fault).into()),
    }
}

/// Asks who it is and tells it the rule, either of which it may leave unanswered, and begins
/// another game, which it may not: so it is seen that nothing more will come. Gives whether the
/// game began.
fn introduced(talk: &mut Talk, rule: Rule, size: Size, tells_rule: bool) -> Result<bool, Loss> {
    let terms = terms(talk, rule, size);
    let Some(brain) = talk.tongue.gomocup() else { return Ok(false) };
    brain.about();
    if tells_rule {
        brain.tell_rule(rule);
    }
    brain.start_over(&terms);
    talk.said.new_game();
    talk.say(Some(talk.settings().startup))?;
    settled(talk).map(|event| matches!(event, Some(Event::Ready)))
}

/// Waits for the OK to a START behind lines that need no answer. One that has answered ERROR to
/// something is not waited for as long.
fn settled(talk: &mut Talk) -> Result<Option<Event>, Loss> {
    let soon = talk.await_event(SOON)?;
    if soon.is_some() || talk.said.has_stray() {
        return Ok(soon);
    }
    talk.await_event(talk.optional_patience())
}

/// What it had against the rule that it was told.
fn minded(talk: &mut Talk) -> Option<String> {
    let names_it = |line: &String| {
        let line = line.to_ascii_lowercase();
        line.contains("rule") && (line.starts_with("error") || line.starts_with("unknown"))
    };
    talk.said.take().into_iter().find(names_it)
}

fn terms(talk: &Talk, rule: Rule, size: Size) -> Terms {
    let time = TimeControl { per_move: Some(TURN), ..TimeControl::default() };
    let folder = talk.desk().map(str::to_owned);
    // Threads and options are for games, and no brain need know them.
    Terms { time, folder, ..Terms::new(rule, size) }
}

fn begin(talk: &mut Talk, rule: Rule, size: Size) -> Result<bool, Loss> {
    let terms = terms(talk, rule, size);
    open(talk, &terms)
}

/// Sees whether a brain that got ready takes a word alone too with CR LF behind it: one that has no
/// move at BEGIN, and yet is ready for the next game, is spoken to with LF alone from then on if it
/// has a move then.
fn find_line_end(talk: &mut Talk, terms: &Terms) -> Result<(), Loss> {
    if !cfg!(unix) || talk.is_told_line_end() || !fresh(talk, terms)? {
        return Ok(());
    }
    let begin = Ask::Move { zone: Zone::Anywhere };
    talk.said.new_game();
    let is_left_out = match try_ask(talk, terms, &[], begin)? {
        Tried::Answer(_) => false,
        Tried::LeftOut => true,
        // It says that it does not know the word, and perhaps not to be started twice.
        Tried::Silent => talk.said.has_stray(),
    };
    if !is_left_out || !talk.tongue.gomocup().is_some_and(Dialogue::speak_lf) {
        return Ok(());
    }
    let has_move =
        starts_anew(talk, terms) && matches!(try_ask(talk, terms, &[], begin)?, Tried::Answer(_));
    if !has_move {
        talk.tongue.gomocup().into_iter().for_each(Dialogue::undo_lf);
    }
    Ok(())
}

/// Whether it answers the questions of swap2, and to which lines.
fn knows_swap2(talk: &mut Talk, terms: &Terms) -> Result<bool, Loss> {
    let place = Ask::Place { count: 3, zone: Zone::Anywhere, canonical: false };
    if !fresh(talk, terms)? {
        return Ok(false);
    }
    match try_ask(talk, terms, &[], place)? {
        Tried::Answer(Answer::Place(laid)) if laid.len() == 3 => {}
        _ => return Ok(false),
    }
    let stones = three_stones(terms.size);
    let three = Ask::ChooseOrPlace { count: 2 };
    for lines in [None, Some(Swap2Lines::Owners)] {
        // It is asked again by itself where it answers what can be no answer.
        talk.tongue.gomocup().into_iter().for_each(|brain| brain.show_swap2_as(lines));
        if !fresh(talk, terms)? {
            break;
        }
        match try_ask(talk, terms, &stones, three)? {
            Tried::Answer(Answer::Choose(_)) => return Ok(true),
            Tried::Answer(Answer::Place(laid)) if laid.len() == 2 => return Ok(true),
            _ => {}
        }
    }
    talk.tongue.gomocup().into_iter().for_each(|brain| brain.show_swap2_as(None));
    Ok(false)
}

/// Begins a game, with the process as it stands or else with another. Gives whether that went well.
fn fresh(talk: &mut Talk, terms: &Terms) -> Result<bool, Loss> {
    if talk.is_running_here() && !talk.tongue.is_waiting() {
        talk.tongue.gomocup().into_iter().for_each(|brain| brain.start_over(terms));
        let said = talk.say(Some(talk.settings().startup));
        match said.and_then(|()| settled(talk)) {
            Ok(Some(Event::Ready)) => return Ok(true),
            Err(Loss::Interrupted) => return Err(Loss::Interrupted),
            _ => {}
        }
    }
    Ok(starts_anew(talk, terms))
}

fn starts_anew(talk: &mut Talk, terms: &Terms) -> bool {
    talk.start().is_ok() && matches!(open(talk, terms), Ok(true))
}

/// What came of a question that a brain need not know.
enum Tried {
    Answer(Answer),
    /// It answered the START behind it, and so never will.
    LeftOut,
    Silent,
}

/// Puts a question that a brain need not know, and a START behind it if no answer comes soon.
/// Nothing that it does costs it more than the answer.
fn try_ask(talk: &mut Talk, terms: &Terms, moves: &[Move], ask: Ask) -> Result<Tried, Loss> {
    if talk.tongue.ask(moves, ask, Limits::default()) != Asked::Sent {
        return Ok(Tried::Silent);
    }
    let mut answered = || -> Result<Option<Event>, Loss> {
        talk.say(Some(talk.settings().startup.max(2 * BEYOND)))?;
        let patience = if moves.is_empty() { SOON } else { Duration::from_nanos(TURN) + BEYOND };
        if let Some(event) = talk.await_event(patience)? {
            return Ok(Some(event));
        }
        talk.tongue.gomocup().into_iter().for_each(|brain| brain.start_over(terms));
        talk.say(Some(talk.settings().startup))?;
        settled(talk)
    };
    match answered() {
        Ok(Some(Event::Answer(answer))) => Ok(Tried::Answer(answer)),
        Ok(Some(Event::Ready)) => Ok(Tried::LeftOut),
        Err(Loss::Interrupted) => Err(Loss::Interrupted),
        Ok(_) | Err(_) => Ok(Tried::Silent),
    }
}

/// Three stones near the centre, in no row.
fn three_stones(size: Size) -> [Move; 3] {
    let (x, y) = (size.width() / 2, size.height() / 2);
    [(x, y), (x + 1, y + 1), (x - 1, y + 2)].map(|(x, y)| Move::Stone(Point::new(x, y)))
}

/// The openings that ask an engine for moves alone, and those beside them that it answers.
fn openings(answered: Option<Procedure>) -> Vec<String> {
    let plain = [Procedure::None, Procedure::Book];
    plain.into_iter().chain(answered).map(|opening| opening.name().to_owned()).collect()
}
