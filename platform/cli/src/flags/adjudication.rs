//! `--adjudicate-draw`, `--adjudicate-resign` and `--adjudicate-proof`.

use clap::Args as ClapArgs;
use tengen_arbiter::{DrawWindow, ResignBy, ResignWindow};
use tengen_tournament::EventConfig;

/// When the scores of the engines, or a proof, end a game.
#[derive(Clone, Copy, Debug, ClapArgs)]
#[command(next_help_heading = "Policies")]
pub(crate) struct AdjudicationArgs {
    /// End a game as a draw when both engines' scores were within `score` of 0 for this many moves
    /// in a row, with at least this many stones on the board (0 if not given) [default: never]
    #[arg(long, value_name = "moves=N,score=N,stones=N", value_parser = draw)]
    #[arg(hide_short_help = true)]
    pub adjudicate_draw: Option<DrawWindow>,
    /// End a game when both engines' scores showed the same winner by at least `score` for this
    /// many moves in a row; with by=loser, when the loser's own scores did [default: never]
    #[arg(long, value_name = "moves=N,score=N[,by=loser]", value_parser = resign)]
    #[arg(hide_short_help = true)]
    pub adjudicate_resign: Option<ResignWindow>,
    /// End a game when the side to move has a VCF (a win by continuous fours): Tengen searches for
    /// one after each move, with at most this many nodes (1000 if no number is given), and the
    /// record keeps it [default: never]
    #[arg(long, value_name = "NODES", hide_short_help = true)]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "1000")]
    pub adjudicate_proof: Option<u32>,
}

impl AdjudicationArgs {
    /// Overrides the configuration with the options given.
    pub(crate) fn apply(&self, config: &mut EventConfig) {
        config.adjudicate_draw = self.adjudicate_draw.or(config.adjudicate_draw);
        config.adjudicate_resign = self.adjudicate_resign.or(config.adjudicate_resign);
        config.adjudicate_proof = self.adjudicate_proof.or(config.adjudicate_proof);
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
    let sides = ["by=both", "by=loser"];
    let (by, rest): (Vec<&str>, Vec<&str>) = text.split(',').partition(|part| sides.contains(part));
    let by = match by[..] {
        [] | ["by=both"] => ResignBy::Both,
        ["by=loser"] => ResignBy::Loser,
        _ => return Err("`by`: given twice".to_owned()),
    };
    let [moves, score] = numbers(&rest.join(","), ["moves", "score"])?;
    match (moves, score) {
        (Some(moves @ 1..), Some(score)) => Ok(ResignWindow { moves, score, by }),
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
        let window = ResignWindow { moves: 3, score: 9000, by: ResignBy::Both };
        assert_eq!(resign("moves=3,score=9000"), Ok(window));
        assert_eq!(resign("moves=3,by=both,score=9000"), Ok(window));
        let window = ResignWindow { by: ResignBy::Loser, ..window };
        assert_eq!(resign("by=loser,score=9000,moves=3"), Ok(window));
        for text in ["", "8,10", "moves=8", "moves=0,score=1", "moves=1,moves=2", "score=-1"] {
            assert!(draw(text).is_err() && resign(text).is_err(), "{text}");
        }
        for text in ["moves=1,score=1,stones=1", "moves=1,score=1,by=one", "by=both,by=loser"] {
            assert!(resign(text).is_err(), "{text}");
        }
    }
}
