use core::mem::offset_of;

use crate::codec::{CodecError, Field, claimed, fields, wire};
use crate::{MoveCode, Wire};

fields! {
    /// One game, told before its first question. Times are in microseconds; -1 is none.
    ///
    /// ```
    /// use tengen_abi::{Game, game, rule};
    /// let renju = Game { width: 15, height: 15, rule: rule::RENJU, ..Game::default() };
    /// assert!(renju.main_us < 0 && renju.flags & game::PONDER == 0);
    /// ```
    Game {
        /// 88.
        size: u32,
        /// Columns.
        width: u16,
        /// Rows.
        height: u16,
        /// One of [`crate::rule`].
        rule: u16,
        /// One of [`crate::opening`].
        opening: u16,
        /// Bits of [`crate::game`].
        flags: u32,
        /// Same seed, one thread, a node limit: same play.
        seed: u64,
        /// The most threads.
        threads: u32,
        /// The most memory, code and stacks included, in MiB.
        memory_mib: u32,
        /// The whole game's time.
        main_us: i64,
        /// Added after each answer.
        increment_us: i64,
        /// The cap on any one move.
        move_us: i64,
        /// One byo-yomi period.
        period_us: i64,
        /// How many periods follow the game's time.
        periods: u32,
        /// The game's time is added again after so many answers; 0 is never.
        period_moves: u32,
        /// The most nodes a move; 0 is none.
        node_limit: u64,
        /// The greatest depth; 0 is none.
        depth_limit: u32,
        /// Stones in a winning row; 0 is five.
        win_length: u16,
        /// Zero.
        reserved: u16,
    }
}
wire!(Game, 88);

impl Default for Game {
    /// No size, no rule, no limit on time.
    fn default() -> Game {
        Game { main_us: -1, increment_us: -1, move_us: -1, period_us: -1, ..Game::ZERO }
    }
}

fields! {
    /// What may be used for one question. Times are in microseconds; -1 is none.
    ///
    /// ```
    /// use tengen_abi::Limits;
    /// let limits = Limits { hard_us: 100_000, lag_us: 300, ..Limits::default() };
    /// // No clock of a game, and no advice.
    /// assert!(limits.own_us < 0 && limits.soft_us < 0);
    /// ```
    Limits {
        /// 64.
        size: u32,
        /// Bits of [`crate::limit`].
        flags: u32,
        /// The engine's own clock now.
        own_us: i64,
        /// The opponent's clock now.
        opponent_us: i64,
        /// Advice.
        soft_us: i64,
        /// The arbiter's deadline, the way of the answer included.
        hard_us: i64,
        /// The most nodes; 0 is none.
        nodes: u64,
        /// The greatest depth; 0 is none.
        depth: u32,
        /// Variations wanted; 0 is one.
        multipv: u32,
        /// The way to the engine and back, at its longest of late; 0 is unknown. Since minor 1.
        lag_us: i64,
    }
}
wire!(Limits, 64);

impl Default for Limits {
    /// No limit.
    fn default() -> Limits {
        Limits { own_us: -1, opponent_us: -1, soft_us: -1, hard_us: -1, ..Limits::ZERO }
    }
}

fields! {
    /// What an engine thinks of a position; part of [`Reply`] and [`Info`].
    ///
    /// ```
    /// use tengen_abi::{Score, have};
    /// let score = Score { win_in: 5, have: have::WIN_IN, ..Score::default() };
    /// assert_eq!(score.have & have::EVAL, 0);
    /// ```
    Score {
        /// The engine's own unit, for the side to move.
        eval: i32,
        /// Plies: n wins, -n loses, 0 unknown.
        win_in: i32,
        /// Permille.
        win: u16,
        /// Permille.
        draw: u16,
        /// Permille.
        loss: u16,
        /// Bits of [`crate::have`].
        have: u16,
    }
}
const _: () = assert!(size_of::<Score>() == 16);

impl Default for Score {
    /// Nothing known.
    fn default() -> Score {
        Score::ZERO
    }
}

fields! {
    /// The answer to `tengen_choose`.
    ///
    /// ```
    /// use tengen_abi::{MoveCode, Reply, reply};
    /// let resigns = Reply { flags: reply::RESIGN, mv: MoveCode::PASS, ..Reply::default() };
    /// assert_eq!(resigns.ponder, MoveCode::NONE);
    /// ```
    Reply {
        /// 48; on the way in, the capacity.
        size: u32,
        /// Bits of [`crate::reply`].
        flags: u32,
        /// The move.
        mv: MoveCode,
        /// The expected answer, or [`MoveCode::NONE`].
        ponder: MoveCode,
        /// Depth searched, in plies.
        depth: u32,
        /// Greatest depth reached.
        seldepth: u32,
        /// Zero.
        reserved: u32,
        /// The score of the move.
        score: Score,
        /// Nodes visited.
        nodes: u64,
    }
}
wire!(Reply, 48);

impl Default for Reply {
    /// No move.
    fn default() -> Reply {
        Reply { mv: MoveCode::NONE, ponder: MoveCode::NONE, ..Reply::ZERO }
    }
}

fields! {
    /// An opening question.
    ///
    /// ```
    /// use tengen_abi::{Question, ask};
    /// let pick = Question { kind: ask::PICK, candidates: 2, ..Question::default() };
    /// assert_eq!((pick.min, pick.max), (0, 0));
    /// ```
    Question {
        /// 32.
        size: u32,
        /// One of [`crate::ask`].
        kind: u32,
        /// The fewest stones, or the smallest number; of fifth moves to come where a swap is asked.
        min: u32,
        /// The most stones, or the largest number.
        max: u32,
        /// Stones within this distance of the centre; 0 is anywhere.
        radius: u32,
        /// Bit i set: choice i is legal now.
        choices: u32,
        /// Length of the candidates argument.
        candidates: u32,
        /// Bits of [`crate::question`].
        flags: u32,
    }
}
wire!(Question, 32);

impl Default for Question {
    /// No question.
    fn default() -> Question {
        Question::ZERO
    }
}

fields! {
    /// The answer to `tengen_decide`.
    ///
    /// ```
    /// use tengen_abi::{MoveCode, Verdict};
    /// let mut verdict = Verdict { choice: 2, count: 2, ..Verdict::default() };
    /// verdict.moves[0] = MoveCode::xy(6, 7);
    /// verdict.moves[1] = MoveCode::xy(8, 8);
    /// assert_eq!(verdict.stones().len(), 2);
    /// ```
    Verdict {
        /// 80; on the way in, the capacity.
        size: u32,
        /// The choice, the number or the index.
        choice: u32,
        /// How many of `moves` count.
        count: u32,
        /// Zero.
        reserved: u32,
        /// Stones laid or offered.
        moves: [MoveCode; 32],
    }
}
wire!(Verdict, 80);

impl Default for Verdict {
    /// Choice 0, no stones.
    fn default() -> Verdict {
        Verdict { moves: [MoveCode::NONE; 32], ..Verdict::ZERO }
    }
}

impl Verdict {
    /// The moves that count; none beyond the 32 there are, whatever `count` claims.
    pub fn stones(&self) -> &[MoveCode] {
        &self.moves[..(self.count as usize).min(self.moves.len())]
    }
}

fields! {
    /// Search progress, the payload of [`crate::send::INFO`]; `pv_len` moves follow at offset
    /// `size`.
    ///
    /// ```
    /// use tengen_abi::{Info, MoveCode, Wire};
    /// let head = Info { depth: 8, nodes: 12_000, pv_len: 1, ..Info::default() };
    /// let mut message = head.to_bytes().to_vec();
    /// message.extend_from_slice(&MoveCode::xy(7, 7).0.to_le_bytes());
    /// let (info, mut moves) = Info::split(&message).unwrap();
    /// assert_eq!((info.depth, moves.next()), (8, Some(MoveCode::xy(7, 7))));
    /// ```
    Info {
        /// 56.
        size: u32,
        /// Which variation, from 1; 0 is the only one.
        multipv: u32,
        /// Depth searched, in plies.
        depth: u32,
        /// Greatest depth reached.
        seldepth: u32,
        /// The score of the variation.
        score: Score,
        /// Nodes visited.
        nodes: u64,
        /// Time spent, in microseconds.
        elapsed_us: u64,
        /// How full the table is.
        hash_permille: u32,
        /// Length of the variation.
        pv_len: u32,
    }
}
wire!(Info, 56);

impl Default for Info {
    /// Nothing known, no variation.
    fn default() -> Info {
        Info::ZERO
    }
}

impl Info {
    /// Splits a whole message into the struct and the variation behind it.
    ///
    /// # Errors
    /// When the struct is damaged, or the variation goes beyond the message.
    pub fn split(message: &[u8]) -> Result<(Info, impl Iterator<Item = MoveCode>), CodecError> {
        let size = claimed(message)?;
        let info = Info::from_bytes(message)?;
        let tail = &message[size..];
        let length = (info.pv_len as usize).checked_mul(2).filter(|&length| length <= tail.len());
        let Some(length) = length else {
            return Err(CodecError::Truncated { size: size as u32, have: message.len() });
        };
        Ok((info, tail[..length].chunks_exact(2).map(MoveCode::get)))
    }
}

const _: () = assert!(offset_of!(Game, seed) == 16 && offset_of!(Game, main_us) == 32);
const _: () = assert!(offset_of!(Game, periods) == 64 && offset_of!(Game, node_limit) == 72);
const _: () = assert!(offset_of!(Game, depth_limit) == 80 && offset_of!(Game, win_length) == 84);
const _: () = assert!(offset_of!(Limits, own_us) == 8 && offset_of!(Limits, nodes) == 40);
const _: () = assert!(offset_of!(Limits, depth) == 48 && offset_of!(Limits, multipv) == 52);
const _: () = assert!(offset_of!(Score, win_in) == 4 && offset_of!(Score, have) == 14);
const _: () = assert!(offset_of!(Reply, mv) == 8 && offset_of!(Reply, score) == 24);
const _: () = assert!(offset_of!(Reply, nodes) == 40 && align_of::<Reply>() == 8);
const _: () = assert!(offset_of!(Question, radius) == 16 && offset_of!(Question, flags) == 28);
const _: () = assert!(offset_of!(Verdict, count) == 8 && offset_of!(Verdict, moves) == 16);
const _: () = assert!(offset_of!(Info, score) == 16 && offset_of!(Info, nodes) == 32);
const _: () = assert!(offset_of!(Info, elapsed_us) == 40 && offset_of!(Info, pv_len) == 52);
