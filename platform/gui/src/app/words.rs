//! What people read: every text about a game is made from its values here.

use tengen_arbiter::{Nanos, Termination};
use tengen_record::SearchInfo;
use tengen_rules::{Ask, Foul, Move, Point};

use super::{Phase, Snapshot};

/// A point as boards are labelled: `H8`.
pub fn point(point: Point) -> String {
    point.to_string().to_uppercase()
}

/// A ply: `H8`, or `pass`.
pub fn mv(mv: Move) -> String {
    mv.point().map_or_else(|| "pass".to_owned(), point)
}

/// Why a point is forbidden.
pub fn foul(foul: Foul) -> &'static str {
    match foul {
        Foul::Overline => "overline",
        Foul::DoubleFour => "double four",
        Foul::DoubleThree => "double three",
    }
}

/// What a seat does while it owes that answer.
pub fn ask(ask: Ask) -> &'static str {
    match ask {
        Ask::Place { .. } => "lays the opening",
        Ask::Choose => "takes a colour",
        Ask::ChooseOrPlace { .. } => "takes a colour or lays stones",
        Ask::Swap => "may swap",
        Ask::Declare { .. } => "names the number of fifth moves",
        Ask::Offer { .. } => "offers fifth moves",
        Ask::Pick => "picks a fifth move",
        Ask::Move { .. } => "to move",
        Ask::MoveOrOffer { .. } => "to move or offer fifth moves",
    }
}

/// What an answer took: `0.01 s`, `12.3 s`, `150 s`.
pub fn spent(nanos: Nanos) -> String {
    let seconds = nanos as f64 / 1e9;
    match seconds {
        0.0..9.995 => format!("{seconds:.2} s"),
        9.995..99.95 => format!("{seconds:.1} s"),
        _ => format!("{seconds:.0} s"),
    }
}

/// An evaluation for the side that moved: `+35`, `win in 7`, `loss in 6`.
pub fn eval(info: &SearchInfo) -> String {
    match (info.win_in, info.eval) {
        (Some(plies @ 0..), _) => format!("win in {plies}"),
        (Some(plies), _) => format!("loss in {}", plies.unsigned_abs()),
        (None, Some(eval)) => format!("{eval:+}"),
        (None, None) => String::new(),
    }
}

/// How the game shown ended, in a sentence; none while it is played.
pub fn result(snapshot: &Snapshot) -> Option<String> {
    let result = snapshot.result?;
    let Some(winner) = result.winner else {
        return Some(match result.termination {
            Termination::BoardFull => "Draw: the board is full".to_owned(),
            Termination::Passes => "Draw: both passed".to_owned(),
            Termination::Agreement => "Draw by agreement".to_owned(),
            Termination::Aborted => "Given up; it does not count".to_owned(),
            _ => "Draw by adjudication".to_owned(),
        });
    };
    let side = |seat| {
        let seated: &super::Seated = &snapshot.seats[seat];
        format!("{} ({})", seated.name, seated.color)
    };
    let (won, lost) = (side(winner), side(!winner));
    let how = match result.termination {
        Termination::Five => "five in a row".to_owned(),
        Termination::Overline => format!("{lost} made a forbidden overline"),
        Termination::DoubleFour => format!("{lost} made a forbidden double four"),
        Termination::DoubleThree => format!("{lost} made a forbidden double three"),
        Termination::IllegalAnswer => format!("{lost} gave an illegal answer"),
        Termination::Timeout => format!("{lost} overstepped the time"),
        Termination::Resignation => format!("{lost} resigned"),
        Termination::Crash => format!("{lost} crashed"),
        Termination::Stall => format!("{lost} did not answer"),
        Termination::ProtocolError => format!("{lost} broke the protocol"),
        Termination::ResourceLimit => format!("{lost} went over a limit"),
        _ => "adjudicated".to_owned(),
    };
    Some(format!("{won} won: {how}"))
}

/// What the match does, in a sentence.
pub fn status(snapshot: &Snapshot) -> String {
    let on_move = || {
        let asked = snapshot.asked?;
        let seated = &snapshot.seats[asked.seat];
        Some(format!("{} ({}) {}", seated.name, seated.color, ask(asked.ask)))
    };
    match snapshot.phase {
        Phase::Starting => "The engines get ready".to_owned(),
        Phase::Playing => on_move().unwrap_or_default(),
        Phase::Pausing => "Pauses after this answer".to_owned(),
        Phase::Paused => "Paused; no clock runs".to_owned(),
        Phase::Stopping => "Giving the game up".to_owned(),
        Phase::Between => "The next game begins in a moment".to_owned(),
        Phase::Stopped => "The match was stopped".to_owned(),
        Phase::Finished => "The match is over".to_owned(),
    }
}
