//! The flags of c-gomoku-cli, said in our own: `tengen match -each tc=180/30 -engine …`.
//! docs/c-gomoku-cli.md is the table.

use std::ffi::OsString;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{anyhow, bail, ensure};

mod engine;

use engine::Engine;

/// What `tengen match` with flags of c-gomoku-cli means; None where none of them is used.
///
/// # Errors
/// Names the flag that has no counterpart, or is wrong.
pub(crate) fn arguments() -> anyhow::Result<Option<Vec<OsString>>> {
    let typed: Vec<OsString> = std::env::args_os().collect();
    let [program, command, flags @ ..] = typed.as_slice() else { return Ok(None) };
    if command != "match" || !flags.iter().any(|flag| flag == "-engine" || flag == "-each") {
        return Ok(None);
    }
    let flags: Option<Vec<&str>> = flags.iter().map(|flag| flag.to_str()).collect();
    let flags = flags.ok_or_else(|| anyhow!("an argument is not UTF-8"))?;
    let mut arguments = vec![program.clone(), command.clone()];
    arguments.extend(translate(&flags, chance())?.into_iter().map(OsString::from));
    Ok(Some(arguments))
}

/// A seed nobody has chosen.
fn chance() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(1, |since| since.as_nanos() as u64)
}

/// What the flags have said so far.
struct Flags {
    arguments: Vec<String>,
    engines: Vec<Engine>,
    each: Engine,
    games: u32,
    rounds: u32,
}

/// The flags in our words; `chance` is the seed where the user leaves it to chance.
fn translate(flags: &[&str], chance: u64) -> anyhow::Result<Vec<String>> {
    let mut said = Flags {
        arguments: Vec::new(),
        engines: Vec::new(),
        each: Engine::default(),
        games: 1,
        rounds: 1,
    };
    let mut rest = flags;
    while let [flag, after @ ..] = rest {
        let count = after.iter().take_while(|word| !is_flag(word)).count();
        let (words, next) = after.split_at(count);
        said.take(flag, words, chance)?;
        rest = next;
    }
    said.finish()
}

/// A negative number is a flag's word.
fn is_flag(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|word| word.starts_with(|c: char| !c.is_ascii_digit()))
}

impl Flags {
    fn take(&mut self, flag: &str, words: &[&str], chance: u64) -> anyhow::Result<()> {
        let problem = |problem: &str| anyhow!("{flag}: {problem}");
        let one = || match words {
            [word] => Ok(*word),
            _ => Err(problem("expected one word after it")),
        };
        let count = || -> anyhow::Result<u32> {
            one()?.parse().map_err(|_| problem("expected a number after it"))
        };
        match flag {
            "-engine" => self.engines.push(Engine::read(flag, words)?),
            "-each" => self.each = Engine::read(flag, words)?,
            "-games" => self.games = count()?,
            "-rounds" => self.rounds = count()?,
            "-concurrency" => self.put("--concurrency", one()?),
            "-boardsize" => self.put("--size", one()?),
            "-rule" => {
                let rule = match one()? {
                    "0" => "freestyle",
                    "1" => "standard",
                    "4" => "renju",
                    _ => bail!(problem("expected 0, 1 or 4")),
                };
                self.put("--rule", rule);
            }
            "-drawafter" => self.draw_after(one()?),
            "-draw" => match words {
                [number] if number.starts_with("number=") => self.draw_after(&number[7..]),
                [moves, score] => {
                    self.put("--adjudicate-draw", &format!("moves={moves},score={score}"));
                }
                _ => bail!(problem("expected COUNT SCORE, or number=N")),
            },
            "-resign" => match words {
                [moves, score] => {
                    self.put("--adjudicate-resign", &format!("moves={moves},score={score}"));
                }
                _ => bail!(problem("expected COUNT SCORE")),
            },
            "-openings" => self.openings(flag, words, chance)?,
            "-transform" => self.put("--openings-symmetries", "random"),
            "-gauntlet" => self.put("--format", "gauntlet"),
            "-pgn" => self.put("--pgn", one()?),
            "-sgf" => self.put("--sgf", one()?),
            "-repeat" | "-debug" | "-log" => {
                ensure!(words.is_empty(), problem("expected nothing after it"));
                if flag != "-repeat" && !self.arguments.iter().any(|known| known == "--log") {
                    self.put("--log", "c-gomoku-cli.log");
                }
            }
            "-sprt" => self.test(words),
            "-msg" | "-sample" | "-loseonly" => bail!(problem(
                "not written here; what was played is in games.jsonl, for `tengen convert`"
            )),
            "-fatalerror" => bail!(problem(
                "an engine's fault costs it its game and stops nothing; leave it out"
            )),
            "-sendbyboard" => bail!(problem("leave it out; how a brain is asked is not chosen")),
            _ => bail!(problem("c-gomoku-cli has no such flag; see docs/c-gomoku-cli.md")),
        }
        Ok(())
    }

    fn put(&mut self, flag: &str, value: &str) {
        self.arguments.extend([flag.to_owned(), value.to_owned()]);
    }

    /// What is left out has the value it has there.
    fn test(&mut self, words: &[&str]) {
        let mut test = Vec::new();
        for (key, usual) in [("elo0=", "0"), ("elo1=", "4"), ("alpha=", "0.05"), ("beta=", "0.05")]
        {
            let given = words.iter().find_map(|word| word.strip_prefix(key));
            test.push(format!("{key}{}", given.unwrap_or(usual)));
        }
        let known = ["elo0=", "elo1=", "alpha=", "beta="];
        let others = words.iter().filter(|word| !known.iter().any(|key| word.starts_with(key)));
        test.extend(others.map(|word| (*word).to_owned()));
        self.put("--sprt", &test.join(","));
    }

    /// 0 is never.
    fn draw_after(&mut self, stones: &str) {
        if stones != "0" {
            self.put("--move-limit", stones);
        }
    }

    fn openings(&mut self, flag: &str, words: &[&str], chance: u64) -> anyhow::Result<()> {
        let (mut seed, mut is_random) = (0, false);
        for word in words {
            match word.split_once('=') {
                Some(("file", file)) => {
                    self.put("--opening", "book");
                    self.put("--openings", file);
                }
                // Both notations are told apart by their looks.
                Some(("type", "offset" | "pos")) => {}
                Some(("order", order @ ("random" | "sequential"))) => {
                    is_random = order == "random";
                    self.put("--openings-order", order);
                }
                Some(("srand", number)) => {
                    let number = number.parse::<u64>();
                    seed = number.map_err(|_| anyhow!("{flag} {word}: expected a number"))?;
                }
                _ => {
                    let known =
                        "file=FILE, type=offset or pos, order=random or sequential, srand=N";
                    bail!("{flag} {word}: expected {known}")
                }
            }
        }
        if seed != 0 || is_random {
            let seed = if seed == 0 { chance } else { seed };
            self.put("--seed", &(seed & i64::MAX.cast_unsigned()).to_string());
        }
        Ok(())
    }

    fn finish(self) -> anyhow::Result<Vec<String>> {
        let Flags { mut arguments, engines, each, games, rounds } = self;
        ensure!(engines.len() >= 2, "-engine: expected two engines or more");
        // A gauntlet of two is a match.
        if engines.len() == 2
            && let Some(place) = arguments.iter().position(|known| known == "--format")
        {
            arguments.drain(place..place + 2);
        }
        let games = games.checked_mul(rounds);
        let games = games.ok_or_else(|| anyhow!("-games times -rounds is too many"))?;
        arguments.extend(["--games".to_owned(), games.to_string()]);
        if !arguments.iter().any(|known| known == "--concurrency") {
            arguments.extend(["--concurrency".to_owned(), "1".to_owned()]);
        }
        for engine in engines {
            arguments.push("--engine".to_owned());
            arguments.extend(engine.under(&each).settings());
        }
        Ok(arguments)
    }
}

#[cfg(test)]
mod tests;
