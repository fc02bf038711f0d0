//! A position on the command line: moves, or a game in a file.

use std::path::Path;

use anyhow::{anyhow, bail};
use clap::Args as ClapArgs;
use tengen_hosts::GameVariant;
use tengen_record::formats::{Format, ScoreSheet, suite};
use tengen_rules::{Ending, Move, Position, Procedure, Rule, Size};

use crate::output_target::is_stream;
use crate::{WrongUse, convert};

#[derive(Debug, ClapArgs)]
pub(crate) struct PositionArgs {
    /// The moves so far, as in h8 i9 h9; or a file with a game [default: no moves]
    ///
    /// Moves may also be written together: h8i9h9. A file is json, jsonl, sgf, psq or pos.
    #[arg(value_name = "POSITION|FILE")]
    pub position: Vec<String>,
    /// The rule [default: the game's, or freestyle]
    ///
    /// One of freestyle, standard, renju and caro.
    #[arg(long)]
    pub rule: Option<Rule>,
    /// The board: 15, or 20x15 [default: the game's, or 15]
    #[arg(long, value_name = "N|WxH")]
    pub size: Option<Size>,
    /// The number of the game in a file with several, from 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub game: u64,
    /// Take the position after this many moves [default: all]
    #[arg(long, value_name = "N")]
    pub plies: Option<usize>,
}

/// A position of a game that is not over.
pub(crate) struct OpenPosition {
    pub variant: GameVariant,
    /// Every ply from the empty board.
    pub moves: Vec<Move>,
    pub position: Position,
}

impl PositionArgs {
    /// The position that was named.
    pub(crate) fn read(&self) -> anyhow::Result<OpenPosition> {
        let sheet = match &self.position[..] {
            [file] if is_file(file) => {
                convert::game(Path::new(file), self.game, self.size.unwrap_or(Size::STANDARD))?
            }
            words => self.typed(&words.join(" ")).map_err(WrongUse)?,
        };
        let size = self.size.unwrap_or(sheet.size);
        if size != sheet.size {
            bail!(WrongUse(anyhow!("--size {size}: the game is on a board of {}", sheet.size)));
        }
        let rule = self.rule.or(sheet.rule).unwrap_or(Rule::Freestyle);
        let mut moves = plies(&sheet);
        if let Some(count) = self.plies {
            let most = moves.len();
            if count > most {
                bail!(WrongUse(anyhow!("--plies {count}: the game has {most} moves")));
            }
            moves.truncate(count);
        }
        open(rule, size, moves).map_err(|error| WrongUse(error).into())
    }

    fn typed(&self, text: &str) -> anyhow::Result<ScoreSheet> {
        let size = self.size.unwrap_or(Size::STANDARD);
        let wrong = |error: &dyn std::fmt::Display| {
            anyhow!("`{text}` is neither a file nor a position: {error}")
        };
        let stones = suite::read_line(text, size).map_err(|error| wrong(&error.message))?;
        ScoreSheet::from_stones(&stones.unwrap_or_default(), size).map_err(|error| wrong(&error))
    }
}

/// Whether a word means a file: it is one, or it ends like one.
fn is_file(word: &str) -> bool {
    let path = Path::new(word);
    let extension = path.extension().and_then(|extension| extension.to_str());
    is_stream(path) || path.is_file() || extension.and_then(Format::of_extension).is_some()
}

/// The plies of the main line. Stones that were set up are laid in turn before it.
fn plies(sheet: &ScoreSheet) -> Vec<Move> {
    let (black, white) = (&sheet.set_up.black, &sheet.set_up.white);
    let pairs =
        (0..black.len().max(white.len())).flat_map(|turn| [black.get(turn), white.get(turn)]);
    let set_up = pairs.flatten().map(|&point| Move::Stone(point));
    set_up.chain(sheet.moves().map(|(_, mv)| mv)).collect()
}

/// Plays the moves; the game must not be over after them.
fn open(rule: Rule, size: Size, moves: Vec<Move>) -> anyhow::Result<OpenPosition> {
    let mut position = Position::new(rule, size);
    for (&mv, ply) in moves.iter().zip(1..) {
        let ending = match mv {
            Move::Stone(point) => {
                position.play(point).map_err(|illegal| anyhow!("move {ply}: {illegal}"))?
            }
            Move::Pass => position.pass(),
        };
        // A foul may not have been claimed.
        if let Some(ending) = ending.filter(|ending| !matches!(ending, Ending::Foul(_))) {
            let how = match ending {
                Ending::Five(color) => format!("{color} has five"),
                Ending::BoardFull => "the board is full".to_owned(),
                _ => "both passed".to_owned(),
            };
            let before = ply - 1;
            bail!(
                "the game is over after move {ply}: {how}; name an earlier position with --plies \
                 {before}"
            );
        }
    }
    let variant = GameVariant { rule, size, opening: Procedure::None };
    Ok(OpenPosition { variant, moves, position })
}
