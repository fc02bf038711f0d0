//! `--adjudicate-draw` and `--adjudicate-resign`.

use clap::Args as ClapArgs;
use tengen_arbiter::{DrawWindow, ResignWindow};
use tengen_tournament::EventConfig;

/// When the scores of the engines end a game.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(crate) struct AdjudicationArgs {
    /// End a game as a draw when both scores were within score of 0 for this many moves in a row,
    /// with at least this many stones on the board (default 0) [default: never]
    #[arg(long, value_name = "moves=N,score=N,stones=N", value_parser = draw)]
    pub adjudicate_draw: Option<DrawWindow>,
    /// End a game when both scores showed the same winner by at least score for this many moves in
    /// a row [default: never]
    #[arg(long, value_name = "moves=N,score=N", value_parser = resign)]
    pub adjudicate_resign: Option<ResignWindow>,
}

impl AdjudicationArgs {
    /// Overrides the configuration with the options given.
    pub(crate) fn apply(&self, config: &mut EventConfig) {
        config.adjudicate_draw = self.adjudicate_draw.or(config.adjudicate_draw);
        config.adjudicate_resign = self.adjudicate_resign.or(config.adjudicate_resign);
    }
}

fn draw(text: &str) -> Result<DrawWindow, String> {
    let [moves, score, stones] = numbers(text, ["moves", "score", "stones"])?;
    let (Some(moves @ 1..), Some(score)) = (moves, score) else {
        return Err("expected moves (at least 1) and score, as in moves=8,score=10".to_owned());
    };
    Ok(DrawWindow { stones: stones.unwrap_or(0), moves, score })
}

fn resign(text: &str) -> Result<ResignWindow, String> {
    let [moves, score] = numbers(text, ["moves", "score"])?;
    match (moves, score) {
        (Some(moves @ 1..), Some(score)) => Ok(ResignWindow { moves, score }),
        _ => Err("expected moves (at least 1) and score, as in moves=3,score=9000".to_owned()),
    }
}

/// The number of each key of `key=number,key=number`.
fn numbers<const N: usize>(text: &str, keys: [&str; N]) -> Result<[Option<u32>; N], String> {
    let mut numbers = [None; N];
    for part in text.split(',') {
        let known = part.split_once('=').and_then(|(key, value)| {
            let place = keys.iter().position(|known| *known == key)?;
            Some((place, value.parse::<u32>().ok()?))
        });
        let (place, number) = known.ok_or_else(|| {
            let keys = keys.map(|key| format!("{key}=N")).join(", ");
            format!("`{part}`: expected {keys}")
        })?;
        if numbers[place].replace(number).is_some() {
            return Err(format!("`{part}`: given twice"));
        }
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_read_in_any_order() {
        let window = DrawWindow { stones: 40, moves: 8, score: 10 };
        assert_eq!(draw("score=10,moves=8,stones=40"), Ok(window));
        assert_eq!(draw("moves=8,score=10"), Ok(DrawWindow { stones: 0, ..window }));
        assert_eq!(resign("moves=3,score=9000"), Ok(ResignWindow { moves: 3, score: 9000 }));
        for text in ["", "8,10", "moves=8", "moves=0,score=1", "moves=1,moves=2", "score=-1"] {
            assert!(draw(text).is_err() && resign(text).is_err(), "{text}");
        }
        assert!(resign("moves=1,score=1,stones=1").is_err());
    }
}
