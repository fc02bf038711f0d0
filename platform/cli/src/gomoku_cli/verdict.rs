//! Results in the words of c-gomoku-cli.

use tengen_arbiter::{GameResult, Termination};
use tengen_record::GameRecord;
use tengen_rules::Seat;

/// The score and the reason of a result as c-gomoku-cli words them. There the first seat holds the
/// black stones to the end; the score is that of Black: `1-0`, `1/2-1/2`, `0-1`, or `*` of a game
/// that does not count.
pub(super) fn verdict(result: GameResult) -> (&'static str, String) {
    use Termination::*;
    let winner = result.winner.map(|seat| match seat {
        Seat::First => "Black",
        Seat::Second => "White",
    });
    let score = match result.winner {
        _ if result.termination == Aborted => "*",
        Some(Seat::First) => "1-0",
        Some(Seat::Second) => "0-1",
        None => "1/2-1/2",
    };
    let reason = match (winner, result.termination) {
        (_, Aborted) => "Unterminated".to_owned(),
        (_, Overline) => forbidden("overline"),
        (_, DoubleFour) => forbidden("double four"),
        (_, DoubleThree) => forbidden("double three"),
        (None, BoardFull) => "Draw by fullfilled board".to_owned(),
        (None, _) => "Draw by adjudication".to_owned(),
        (Some(winner), ending) => {
            let how = match ending {
                Five => "five connection",
                IllegalAnswer => "opponent illegal move",
                Timeout | Stall => "time forfeit",
                Crash | ProtocolError | ResourceLimit | Unasked => "opponent crash",
                _ => "adjudication",
            };
            format!("{winner} win by {how}")
        }
    };
    (score, reason)
}

fn forbidden(foul: &str) -> String {
    format!("Black play forbidden move - {foul}")
}

/// Whether the game ended by what c-gomoku-cli calls an error: any fault but an illegal answer.
pub(super) fn is_error(termination: Termination) -> bool {
    termination.is_fault() && termination != Termination::IllegalAnswer
}

/// The result of a game as a rating tool reads it, with an empty line behind it: in the tags of
/// c-gomoku-cli, so that old and new games may lie in one file. `moment` is when it ended.
pub(super) fn pgn(record: &GameRecord, games: u64, moment: &str) -> String {
    let number = record.header.game.unwrap_or(1);
    let index = number.saturating_sub(1);
    let (round, game) = (index / games.max(1) + 1, index % games.max(1) + 1);
    let (score, reason) = verdict(record.result);
    // Its results are White's.
    let score = match score {
        "1-0" => "0-1",
        "0-1" => "1-0",
        other => other,
    };
    let seats = &record.header.seats;
    let name = |name: &str| name.replace(['"', '\n', '\r'], " ");
    let (black, white) = (name(&seats.first.id), name(&seats.second.id));
    let plies = record.actions.iter().filter(|action| action.legal).count();
    format!(
        "[Event \"{number}\"]\n[Date \"{moment}\"]\n[Round \"{round}.{game}\"]\n\
         [Black \"{black}\"]\n[White \"{white}\"]\n[Result \"{score}\"]\n\
         [Termination \"{reason}\"]\n[PlyCount \"{plies}\"]\n{score}\n\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_worded_as_there() {
        let of = |winner, termination| {
            let (score, reason) = verdict(GameResult { winner, termination });
            format!("{score} {{{reason}}}")
        };
        use Termination::*;
        let (black, white) = (Some(Seat::First), Some(Seat::Second));
        for (winner, termination, words) in [
            (black, Five, "1-0 {Black win by five connection}"),
            (white, Five, "0-1 {White win by five connection}"),
            (None, BoardFull, "1/2-1/2 {Draw by fullfilled board}"),
            (None, Adjudication, "1/2-1/2 {Draw by adjudication}"),
            (black, Adjudication, "1-0 {Black win by adjudication}"),
            (white, Overline, "0-1 {Black play forbidden move - overline}"),
            (white, DoubleFour, "0-1 {Black play forbidden move - double four}"),
            (white, DoubleThree, "0-1 {Black play forbidden move - double three}"),
            (black, IllegalAnswer, "1-0 {Black win by opponent illegal move}"),
            (white, Timeout, "0-1 {White win by time forfeit}"),
            (black, Crash, "1-0 {Black win by opponent crash}"),
            (white, Unasked, "0-1 {White win by opponent crash}"),
            (None, Aborted, "* {Unterminated}"),
        ] {
            assert_eq!(of(winner, termination), words);
        }
    }
}
