//! Asks a text engine what it is. Its protocol has few words for that, so much is found out by
//! trying.

mod old_stones;
mod second_start;

use std::ops::RangeInclusive;
use std::time::Duration;

use tengen_arbiter::{Failure, Limits, TimeControl};
use tengen_gomocup::{AskResult, GameTerms, Swap2Lines};
use tengen_packages::{EngineDescription, EngineSpec, RestartPolicy, RuleSupport};
use tengen_rules::{Answer, Ask, Move, Point, Procedure, Rule, Size, Zone};

use super::ObservedSupport;
use crate::process::{EngineLoss, TextProcess};
use crate::protocol::{Ready, TextEvent};
use crate::{GameVariant, HostError, HostSettings};

/// The time for a move that an engine is given, in nanoseconds.
const MOVE_TIME: u64 = 100_000_000;
/// How much longer to wait: it may have to make itself ready first.
const EXTRA_TIME: Duration = Duration::from_secs(3);
/// How long to wait for a line that most brains answer at once, or never.
const SOON: Duration = Duration::from_millis(250);
/// How long it may take to end; it has played nothing that it could wish to keep.
const END: Duration = Duration::from_millis(50);
/// The boards on which Gomocup plays; not every brain knows more than one of them.
const SIDES: [u8; 2] = [15, 20];

/// Why an engine could not be asked.
enum ProbeError {
    EngineLoss(EngineLoss),
    /// It does not play what it was asked about, for this reason.
    UnusableProgram(String),
}

impl From<EngineLoss> for ProbeError {
    fn from(loss: EngineLoss) -> ProbeError {
        ProbeError::EngineLoss(loss)
    }
}

/// What a text engine says of itself, what its answers show, and the sandbox that holds it. With a
/// variant it is asked for that alone.
///
/// # Errors
/// When it cannot be started or asked, or does not play the variant.
pub(crate) fn probe_text(
    spec: &EngineSpec,
    settings: &HostSettings,
    variant: Option<&GameVariant>,
) -> Result<(Ready, EngineDescription, ObservedSupport), (HostError, ObservedSupport)> {
    let mut process = TextProcess::of_text(spec.clone(), settings.clone());
    let ready = process.start().map_err(|error| (error, ObservedSupport::default()))?;
    let mut observed = ObservedSupport::default();
    let asked = match &process.protocol.kind.untold_boards {
        Some(sizes) => introduce(&mut process, sizes).map_err(ProbeError::EngineLoss),
        None => try_out(&mut process, variant, &mut observed),
    };
    process.stop_within(END);
    let engine = spec.id.clone();
    match asked {
        Ok(description) => Ok((ready, description, observed)),
        Err(ProbeError::UnusableProgram(reason)) => {
            Err((HostError::UnusableProgram { engine, reason }, observed))
        }
        Err(ProbeError::EngineLoss(EngineLoss::Interrupted)) => {
            Err((HostError::Interrupted { engine }, observed))
        }
        Err(ProbeError::EngineLoss(loss)) => {
            let is_silent = matches!(loss, EngineLoss::Late);
            let mut fault = process.fault(loss, "say that it is ready");
            if is_silent {
                process.explain_silence(&mut fault);
            }
            Err((HostError::Failed { engine, fault }, observed))
        }
    }
}

/// Makes it say its name. It is told no rule and no board, and so counts as playing all of them.
fn introduce(
    process: &mut TextProcess,
    sizes: &RangeInclusive<u8>,
) -> Result<EngineDescription, EngineLoss> {
    process.introduce()?;
    let rules = Rule::ALL.map(|rule| RuleSupport { rule, sizes: sizes.clone() });
    Ok(EngineDescription {
        name: process.protocol.about().and_then(|about| about.name.clone()),
        rules: rules.to_vec(),
        openings: openings(None),
        ..EngineDescription::default()
    })
}

/// Asks it for its name, and observes how it takes the rule and the board.
fn try_out(
    process: &mut TextProcess,
    variant: Option<&GameVariant>,
    observed: &mut ObservedSupport,
) -> Result<EngineDescription, ProbeError> {
    let rule = variant.map_or(Rule::Freestyle, |variant| variant.rule);
    let sizes = match variant {
        Some(variant) => vec![variant.size],
        None => SIDES.map(|side| Size::new(side, side).expect("a board of Gomocup's")).to_vec(),
    };
    let size = first_board(process, &sizes, rule, variant, observed)?;
    // Whether it plays on the other board too is asked along with its name.
    let next = *sizes.last().filter(|_| size == sizes[0]).unwrap_or(&size);
    let plays_on = match introduced(process, rule, next, variant.is_some()) {
        Ok(plays_on) => plays_on,
        Err(EngineLoss::Interrupted) => return Err(EngineLoss::Interrupted.into()),
        // It does not bear to be started twice, which no game asks of it.
        Err(_) => false,
    };
    if next != size {
        observed.board(next, plays_on);
    }
    if let Some(variant) = variant {
        let minds = rule_objection(process);
        observed.rule(variant.rule, minds.is_none());
        if let Some(words) = minds {
            let reason = format!("does not play {}: it answered that rule with `{words}`", rule);
            return Err(ProbeError::UnusableProgram(reason));
        }
    }
    let about = process.protocol.about().cloned().unwrap_or_default();
    let terms = terms(process, rule, size);
    find_line_end(process, &terms)?;
    if process.restart() == RestartPolicy::Auto && second_start::clears_board(process, &terms)? {
        process.protocol.dialogue.clears_board();
    }
    let asks_swap2 = variant.is_none_or(|variant| variant.opening == Procedure::Swap2);
    let answers = asks_swap2 && knows_swap2(process, &terms)?;
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
    process: &mut TextProcess,
    sizes: &[Size],
    rule: Rule,
    variant: Option<&GameVariant>,
    observed: &mut ObservedSupport,
) -> Result<Size, ProbeError> {
    let mut refusal = None;
    for &size in sizes {
        if refusal.is_some() {
            process.start().map_err(|error| EngineLoss::Fault(error.into_fault()))?;
        }
        match begin(process, rule, size) {
            Err(EngineLoss::Fault(fault)) if fault.failure == Failure::ProtocolError => {
                observed.board(size, false);
                refusal = Some(fault);
            }
            begun => {
                begun?;
                observed.board(size, true);
                return Ok(size);
            }
        }
    }
    let fault = refusal.expect("a board that was asked about was refused");
    match variant {
        Some(variant) => {
            let (size, words) = (variant.size, fault.detail);
            Err(ProbeError::UnusableProgram(format!(
                "does not play on a board of {size}: it {words}"
            )))
        }
        None => Err(EngineLoss::Fault(fault).into()),
    }
}

/// Asks for its name and tells it the rule: it need not answer either. Then begins another game,
/// which it has to answer; after that answer, no other one can come. Gives whether the game began.
fn introduced(
    process: &mut TextProcess,
    rule: Rule,
    size: Size,
    tells_rule: bool,
) -> Result<bool, EngineLoss> {
    let terms = terms(process, rule, size);
    let dialogue = &mut process.protocol.dialogue;
    dialogue.ask_about();
    if tells_rule {
        dialogue.send_rule(rule);
    }
    dialogue.start_over(&terms);
    process.protocol.record_lines.new_game();
    process.send(Some(process.settings().startup))?;
    await_ready(process).map(|event| matches!(event, Some(TextEvent::Ready)))
}

/// Waits for the OK to a START after lines that need no answer, and less long once the engine has
/// answered ERROR to something.
fn await_ready(process: &mut TextProcess) -> Result<Option<TextEvent>, EngineLoss> {
    let soon = process.wait_while_working(SOON)?;
    if soon.is_some() || process.protocol.record_lines.has_unexpected() {
        return Ok(soon);
    }
    process.wait_while_working(process.optional_patience())
}

/// What it answered against the rule.
fn rule_objection(process: &mut TextProcess) -> Option<String> {
    let names_it = |line: &String| {
        let line = line.to_ascii_lowercase();
        line.contains("rule") && (line.starts_with("error") || line.starts_with("unknown"))
    };
    process.protocol.record_lines.take().into_iter().find(names_it)
}

fn terms(process: &TextProcess, rule: Rule, size: Size) -> GameTerms {
    let time = TimeControl { per_move: Some(MOVE_TIME), ..TimeControl::default() };
    let folder = process.scratch().map(str::to_owned);
    // Threads and options are for games, and no brain need know them.
    GameTerms { time, folder, ..GameTerms::new(rule, size) }
}

fn begin(process: &mut TextProcess, rule: Rule, size: Size) -> Result<bool, EngineLoss> {
    let terms = terms(process, rule, size);
    process.begin_game(&terms)
}

/// Sees whether a brain that got ready takes a word alone too with CR LF behind it: one that has no
/// move at BEGIN, and yet is ready for the next game, is spoken to with LF alone from then on if it
/// has a move then.
fn find_line_end(process: &mut TextProcess, terms: &GameTerms) -> Result<(), EngineLoss> {
    if process.spec().lf_alone.is_some() || !start_fresh_game(process, terms)? {
        return Ok(());
    }
    let begin = Ask::Move { zone: Zone::Anywhere };
    process.protocol.record_lines.new_game();
    let is_left_out = match try_ask(process, terms, &[], begin)? {
        OptionalReply::Answer(_) => false,
        OptionalReply::LeftOut => true,
        // It says that it does not know the word, and perhaps not to be started twice.
        OptionalReply::Silent => process.protocol.record_lines.has_unexpected(),
    };
    if !is_left_out || !process.protocol.dialogue.use_lf() {
        return Ok(());
    }
    let has_move = restart_process(process, terms)
        && matches!(try_ask(process, terms, &[], begin)?, OptionalReply::Answer(_));
    if !has_move {
        process.protocol.dialogue.use_cr_lf();
    }
    Ok(())
}

/// Whether it answers the questions of swap2, and to which lines.
fn knows_swap2(process: &mut TextProcess, terms: &GameTerms) -> Result<bool, EngineLoss> {
    let place = Ask::Place { count: 3, zone: Zone::Anywhere, canonical: false };
    if !start_fresh_game(process, terms)? {
        return Ok(false);
    }
    match try_ask(process, terms, &[], place)? {
        OptionalReply::Answer(Answer::Place(laid)) if laid.len() == 3 => {}
        _ => return Ok(false),
    }
    let stones = three_stones(terms.size);
    let three = Ask::ChooseOrPlace { count: 2 };
    for lines in [None, Some(Swap2Lines::Owners)] {
        // It is asked again by itself where it answers what can be no answer.
        process.protocol.dialogue.set_swap2_lines(lines);
        if !start_fresh_game(process, terms)? {
            break;
        }
        match try_ask(process, terms, &stones, three)? {
            OptionalReply::Answer(Answer::Choose(_)) => return Ok(true),
            OptionalReply::Answer(Answer::Place(laid)) if laid.len() == 2 => return Ok(true),
            _ => {}
        }
    }
    process.protocol.dialogue.set_swap2_lines(None);
    Ok(false)
}

/// Begins a game, with the process as it stands or else with another. Gives whether that went well.
fn start_fresh_game(process: &mut TextProcess, terms: &GameTerms) -> Result<bool, EngineLoss> {
    Ok(starts_over(process, terms)? || restart_process(process, terms))
}

/// Begins another game in the process as it stands. Gives whether that went well.
fn starts_over(process: &mut TextProcess, terms: &GameTerms) -> Result<bool, EngineLoss> {
    if !process.is_running_here() || process.protocol.dialogue.is_waiting() {
        return Ok(false);
    }
    process.protocol.dialogue.start_over(terms);
    let sent = process.send(Some(process.settings().startup));
    match sent.and_then(|()| await_ready(process)) {
        Ok(Some(TextEvent::Ready)) => Ok(true),
        Err(EngineLoss::Interrupted) => Err(EngineLoss::Interrupted),
        _ => Ok(false),
    }
}

fn restart_process(process: &mut TextProcess, terms: &GameTerms) -> bool {
    process.start().is_ok() && matches!(process.begin_game(terms), Ok(true))
}

/// What came of a question that a brain need not know.
enum OptionalReply {
    Answer(Answer),
    /// It answered the START behind it, and so never will.
    LeftOut,
    Silent,
}

/// Sends a question that a brain need not know, and a START behind it if no answer comes soon.
/// Nothing that it does costs it more than the answer.
fn try_ask(
    process: &mut TextProcess,
    terms: &GameTerms,
    moves: &[Move],
    ask: Ask,
) -> Result<OptionalReply, EngineLoss> {
    if process.protocol.ask(moves, ask, Limits::default()) != AskResult::Sent {
        return Ok(OptionalReply::Silent);
    }
    let mut answered = || -> Result<Option<TextEvent>, EngineLoss> {
        process.send(Some(process.settings().startup.max(2 * EXTRA_TIME)))?;
        let patience =
            if moves.is_empty() { SOON } else { Duration::from_nanos(MOVE_TIME) + EXTRA_TIME };
        if let Some(event) = process.wait_while_working(patience)? {
            return Ok(Some(event));
        }
        process.protocol.dialogue.start_over(terms);
        process.send(Some(process.settings().startup))?;
        await_ready(process)
    };
    match answered() {
        Ok(Some(TextEvent::Answer(answer))) => Ok(OptionalReply::Answer(answer)),
        Ok(Some(TextEvent::Ready)) => Ok(OptionalReply::LeftOut),
        Err(EngineLoss::Interrupted) => Err(EngineLoss::Interrupted),
        Ok(_) | Err(_) => Ok(OptionalReply::Silent),
    }
}

/// Three stones near the centre, in no row.
fn three_stones(size: Size) -> [Move; 3] {
    let (x, y) = (size.width() / 2, size.height() / 2);
    [(x, y), (x + 1, y + 1), (x - 1, y + 2)].map(|(x, y)| Move::Stone(Point::new(x, y)))
}

/// The openings that ask an engine for moves alone, and those beside them that it answers.
fn openings(answered: Option<Procedure>) -> Vec<String> {
    let plain = Procedure::ALL.into_iter().filter(|opening| !opening.asks());
    plain.chain(answered).map(|opening| opening.name().to_owned()).collect()
}
