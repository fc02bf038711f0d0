//! Types of the rules as structs of the ABI.

use tengen_abi as abi;
use tengen_rules::{Move, Point};

use crate::{Choice, Score};

/// The point as the ABI writes it.
pub(crate) fn code(point: Point) -> abi::MoveCode {
    abi::MoveCode::xy(point.x(), point.y())
}

/// The ply of a code; none for "no move". The point may lie off the board.
pub(crate) fn ply(code: abi::MoveCode) -> Option<Move> {
    match code {
        abi::MoveCode::PASS => Some(Move::Pass),
        code => code.stone().map(|(x, y)| Move::Stone(Point::new(x, y))),
    }
}

/// The score as the ABI writes it.
pub(crate) fn score(score: &Score) -> abi::Score {
    let mut have = 0;
    let mut bit = |is: bool, bit: u16| have |= if is { bit } else { 0 };
    bit(score.eval.is_some(), abi::have::EVAL);
    bit(score.win_in.is_some(), abi::have::WIN_IN);
    bit(score.win_draw_loss.is_some(), abi::have::WIN_DRAW_LOSS);
    let (win, draw, loss) = score.win_draw_loss.unwrap_or_default();
    abi::Score {
        eval: score.eval.unwrap_or_default(),
        win_in: score.win_in.unwrap_or_default(),
        win,
        draw,
        loss,
        have,
    }
}

/// The choice as the ABI writes it.
pub(crate) fn reply(choice: &Choice) -> abi::Reply {
    let mut flags = 0;
    let mut bit = |is: bool, bit: u32| flags |= if is { bit } else { 0 };
    bit(choice.resign, abi::reply::RESIGN);
    bit(choice.offer_draw, abi::reply::OFFER_DRAW);
    bit(choice.accept_draw, abi::reply::ACCEPT_DRAW);
    bit(choice.claim_foul, abi::reply::CLAIM_FOUL);
    abi::Reply {
        flags,
        mv: choice.mv.point().map_or(abi::MoveCode::PASS, code),
        ponder: choice.ponder.map_or(abi::MoveCode::NONE, code),
        depth: choice.depth,
        seldepth: choice.seldepth,
        score: score(&choice.score),
        nodes: choice.nodes,
        ..abi::Reply::default()
    }
}
