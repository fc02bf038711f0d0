/// What a call returns.
pub mod status {
    /// Done.
    pub const OK: i32 = 0;
    /// The engine does not do that; the same as a missing export.
    pub const UNSUPPORTED: i32 = -1;
    /// An argument is wrong.
    pub const ARGUMENT: i32 = -2;
    /// Not enough memory.
    pub const MEMORY: i32 = -3;
    /// Not now, as a move before any game.
    pub const STATE: i32 = -4;
    /// The engine is at fault.
    pub const INTERNAL: i32 = -5;
}

/// `tengen_game.rule`.
pub mod rule {
    /// Five or more win.
    pub const FREESTYLE: u16 = 1;
    /// Exactly five win.
    pub const STANDARD: u16 = 2;
    /// Black has forbidden moves.
    pub const RENJU: u16 = 3;
    /// A five blocked at both ends does not win.
    pub const CARO: u16 = 4;
}

/// `tengen_game.opening`.
pub mod opening {
    /// Empty board, Black moves.
    pub const NONE: u16 = 0;
    /// The event gives the position.
    pub const BOOK: u16 = 1;
    /// First stone on the centre, third outside 5×5.
    pub const PRO: u16 = 2;
    /// First stone on the centre, third outside 7×7.
    pub const LONG_PRO: u16 = 3;
    /// Three stones, then a choice of colour.
    pub const SWAP: u16 = 4;
    /// Three stones, then a choice of colour or two more stones.
    pub const SWAP2: u16 = 5;
    /// Canonical opening, swap, two fifth moves.
    pub const RIF: u16 = 6;
    /// Canonical opening, three-move swap, N fifth moves.
    pub const CONTEST: u16 = 7;
    /// As contest, N up to 12.
    pub const YAMAGUCHI: u16 = 8;
    /// N declared with the fourth move.
    pub const SOOSORV8: u16 = 9;
    /// A swap after each of the first stones, or ten fifth moves.
    pub const TARAGUCHI10: u16 = 10;
}

/// `tengen_game.flags`.
pub mod game {
    /// The engine may be asked to ponder.
    pub const PONDER: u32 = 1;
    /// Same seed and limits must give the same play.
    pub const REPRODUCIBLE: u32 = 2;
    /// Analysis of positions, not a game.
    pub const ANALYSIS: u32 = 4;
    /// Draw offers are allowed.
    pub const DRAW_OFFERS: u32 = 8;
    /// Offered fifth moves are alike by a symmetry of the board alone, not by their shape.
    pub const ALIKE_BOARD: u32 = 16;
}

/// `tengen_limits.flags`.
pub mod limit {
    /// Think until told to stop.
    pub const INFINITE: u32 = 1;
    /// A draw offer of the opponent stands.
    pub const DRAW_OFFERED: u32 = 2;
    /// The last answer was illegal; give another.
    pub const RETRY: u32 = 4;
}

/// `tengen_score.have`.
pub mod have {
    /// `eval` is set.
    pub const EVAL: u16 = 1;
    /// `win_in` is set.
    pub const WIN_IN: u16 = 2;
    /// `win`, `draw` and `loss` are set.
    pub const WIN_DRAW_LOSS: u16 = 4;
}

/// `tengen_reply.flags`.
pub mod reply {
    /// Give up.
    pub const RESIGN: u32 = 1;
    /// Offer a draw with the move.
    pub const OFFER_DRAW: u32 = 2;
    /// Accept the standing draw offer.
    pub const ACCEPT_DRAW: u32 = 4;
    /// Claim that Black's last stone was forbidden; the move is for when the claim is refused.
    pub const CLAIM_FOUL: u32 = 8;
}

/// `tengen_question.kind`.
pub mod ask {
    /// Lay stones.
    pub const PLACE: u32 = 1;
    /// Keep the colour held, or swap.
    pub const SWAP: u32 = 2;
    /// Keep White, take Black, or lay two.
    pub const SWAP2: u32 = 3;
    /// Name the number of fifth moves.
    pub const COUNT: u32 = 4;
    /// Offer fifth moves.
    pub const OFFER: u32 = 5;
    /// Keep one of the candidates.
    pub const PICK: u32 = 6;
    /// One fifth move, or an offer.
    pub const TARAGUCHI: u32 = 7;
}

/// `tengen_question.flags`.
pub mod question {
    /// Stones 1 to 3 must be one of the 26 canonical openings.
    pub const CANONICAL: u32 = 1;
    /// The one stone lies on the centre.
    pub const CENTRE: u32 = 2;
    /// Stones lie outside the square of `radius`, not inside it.
    pub const BEYOND: u32 = 4;
}

/// The kinds of message an engine sends its host.
pub mod send {
    /// UTF-8 text for the log.
    pub const LOG: u32 = 1;
    /// Search progress: an `Info` and its variation.
    pub const INFO: u32 = 2;
}

/// The `outcome` of `tengen_end_game`, for the engine that is told.
pub mod outcome {
    /// It lost.
    pub const LOSS: i32 = -1;
    /// Neither won.
    pub const DRAW: i32 = 0;
    /// It won.
    pub const WIN: i32 = 1;
    /// The game does not count.
    pub const ABORTED: i32 = 2;
}

/// The `reason` of `tengen_end_game`.
pub mod end {
    /// Not told.
    pub const UNKNOWN: u32 = 0;
    /// A winning row.
    pub const FIVE: u32 = 1;
    /// No empty point left.
    pub const BOARD_FULL: u32 = 2;
    /// Two passes in a row.
    pub const PASSES: u32 = 3;
    /// A forbidden overline.
    pub const OVERLINE: u32 = 4;
    /// A forbidden double-four.
    pub const DOUBLE_FOUR: u32 = 5;
    /// A forbidden double-three.
    pub const DOUBLE_THREE: u32 = 6;
    /// An answer the rules do not allow.
    pub const ILLEGAL_ANSWER: u32 = 7;
    /// A clock ran out.
    pub const TIMEOUT: u32 = 8;
    /// The loser gave up.
    pub const RESIGNATION: u32 = 9;
    /// A draw was agreed.
    pub const AGREEMENT: u32 = 10;
    /// The event's policy.
    pub const ADJUDICATION: u32 = 11;
    /// A player's process died.
    pub const CRASH: u32 = 12;
    /// A player hung with no clock running.
    pub const STALL: u32 = 13;
    /// A player spoke outside its protocol.
    pub const PROTOCOL_ERROR: u32 = 14;
    /// A player went over a limit.
    pub const RESOURCE_LIMIT: u32 = 15;
    /// The event stopped the game.
    pub const ABORTED: u32 = 16;
}
