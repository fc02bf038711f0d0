//! Prints random games as lines of `tengen rules replay`:
//! `cargo run --release -p tengen-record --example random_games -- 1000000 none 40 > games.jsonl`

#[path = "../benches/random_game/mod.rs"]
mod random_game;

use std::io::{self, BufWriter, Write};

use random_game::RandomGame;

fn main() -> io::Result<()> {
    let mut words = std::env::args().skip(1);
    let count: u64 = words.next().and_then(|word| word.parse().ok()).unwrap_or(1000);
    let opening = words.next().unwrap_or("none".to_string());
    let plies = words.next().and_then(|word| word.parse().ok()).unwrap_or(40);
    let mut output = BufWriter::new(io::stdout().lock());
    for seed in 0..count {
        let game = RandomGame { opening: &opening, plies, seed };
        output.write_all(game.line().as_bytes())?;
        output.write_all(b"\n")?;
    }
    output.flush()
}
