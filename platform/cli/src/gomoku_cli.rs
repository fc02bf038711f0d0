//! The flags of c-gomoku-cli, said in our own: `tengen match -each tc=180/30 -engine …`; and what
//! there is only there. docs/c-gomoku-cli.md is the table.

mod engine;
mod extras;
mod files;
mod output;
mod verdict;

use std::ffi::OsString;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{anyhow, bail, ensure};

use engine::EngineFlags;
pub(crate) use extras::Extras;
use extras::Sampling;
pub(crate) use files::GameFiles;
pub(crate) use output::GomokuCliOutput;

/// The command in our own flags, and what these do not say; none where no flag of c-gomoku-cli is
/// used.
///
/// # Errors
/// Names the flag that has no counterpart, or is wrong.
pub(crate) fn arguments() -> anyhow::Result<Option<(Vec<OsString>, Extras)>> {
    let typed: Vec<OsString> = std::env::args_os().collect();
    let [program, command, flags @ ..] = typed.as_slice() else { return Ok(None) };
    if command != "match" || !flags.iter().any(|flag| flag == "-engine" || flag == "-each") {
        return Ok(None);
    }
    let flags: Option<Vec<&str>> = flags.iter().map(|flag| flag.to_str()).collect();
    let flags = flags.ok_or_else(|| anyhow!("an argument is not UTF-8"))?;
    let (words, extras) = translate(&flags, chance())?;
    let mut arguments = vec![program.clone(), command.clone()];
    arguments.extend(words.into_iter().map(OsString::from));
    Ok(Some((arguments, extras)))
}

/// A seed from the clock.
fn chance() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(1, |since| since.as_nanos() as u64)
}

/// What the flags have said so far.
#[derive(Default)]
struct Flags {
    arguments: Vec<String>,
    extras: Extras,
    engines: Vec<EngineFlags>,
    each: EngineFlags,
    games: u32,
    rounds: u32,
    is_gauntlet: bool,
    loses_only: bool,
}

/// The flags in our words, and what these do not say; `chance` is the seed where the user leaves it
/// to chance.
fn translate(flags: &[&str], chance: u64) -> anyhow::Result<(Vec<String>, Extras)> {
    let mut said = Flags { games: 1, rounds: 1, ..Flags::default() };
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
        if self.take_switch(flag) {
            ensure!(words.is_empty(), "{flag}: takes no value");
            return Ok(());
        }
        let problem = |problem: &str| anyhow!("{flag}: {problem}");
        let one = || match words {
            [word] => Ok(*word),
            _ => Err(problem("expected one value")),
        };
        let count =
            || -> anyhow::Result<u32> { one()?.parse().map_err(|_| problem("expected a number")) };
        match flag {
            "-engine" => self.engines.push(EngineFlags::read(flag, words)?),
            "-each" => self.each = EngineFlags::read(flag, words)?,
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
            "-resign" => {
                let [moves, score] = words else { bail!(problem("expected COUNT SCORE")) };
                let window = format!("moves={moves},score={score},by=loser");
                self.put("--adjudicate-resign", &window);
            }
            "-openings" => self.openings(flag, words, chance)?,
            "-sprt" => self.test(words),
            "-pgn" => self.extras.pgn = Some(one()?.into()),
            "-sgf" => self.extras.sgf = Some(one()?.into()),
            "-msg" => self.extras.messages = Some(one()?.into()),
            "-sample" => self.extras.sampling = Some(Sampling::read(flag, words)?),
            _ => bail!(problem("unknown flag of c-gomoku-cli; see docs/c-gomoku-cli.md")),
        }
        Ok(())
    }

    /// Takes a flag that has no value. Whether it is one.
    fn take_switch(&mut self, flag: &str) -> bool {
        match flag {
            "-transform" => self.put("--openings-symmetries", "random"),
            "-sendbyboard" => {
                if !self.arguments.iter().any(|known| known == "send-board=true") {
                    self.arguments.extend(["--set", "send-board=true"].map(str::to_owned));
                }
            }
            "-log" | "-debug" => self.extras.logs = true,
            "-gauntlet" => self.is_gauntlet = true,
            "-loseonly" => self.loses_only = true,
            "-fatalerror" => self.extras.stops_at_fault = true,
            // It is always so.
            "-repeat" => {}
            _ => return false,
        }
        true
    }

    /// The flag with this value, in place of one it was given before.
    fn put(&mut self, flag: &str, value: &str) {
        if let Some(place) = self.arguments.iter().position(|known| known == flag) {
            self.arguments.drain(place..place + 2);
        }
        self.arguments.extend([flag.to_owned(), value.to_owned()]);
    }

    /// What is left out has the value it has there.
    fn test(&mut self, words: &[&str]) {
        let keys = [("elo0=", "0"), ("elo1=", "4"), ("alpha=", "0.05"), ("beta=", "0.05")];
        let mut test = Vec::from(keys.map(|(key, usual)| {
            let given = words.iter().find_map(|word| word.strip_prefix(key));
            format!("{key}{}", given.unwrap_or(usual))
        }));
        let others = words.iter().filter(|word| !keys.iter().any(|(key, _)| word.starts_with(key)));
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

    fn finish(self) -> anyhow::Result<(Vec<String>, Extras)> {
        let Flags { mut arguments, mut extras, engines, each, games, rounds, .. } = self;
        ensure!(engines.len() >= 2, "-engine: expected two engines or more");
        // Of two it is a match.
        ensure!(
            !self.is_gauntlet || engines.len() == 2,
            "-gauntlet: more than two engines are not supported yet; play a match against each \
             opponent"
        );
        extras.lost_only = self.is_gauntlet && self.loses_only;
        let all = games.checked_mul(rounds);
        let all = all.ok_or_else(|| anyhow!("-games times -rounds is too large"))?;
        extras.games = games;
        arguments.extend(["--games".to_owned(), all.to_string()]);
        if !arguments.iter().any(|known| known == "--concurrency") {
            arguments.extend(["--concurrency".to_owned(), "1".to_owned()]);
        }
        arguments.extend(["--set", "margin-per=move"].map(str::to_owned));
        let engines: Vec<EngineFlags> =
            engines.into_iter().map(|engine| engine.under(&each)).collect();
        extras.tolerances = engines.iter().map(EngineFlags::tolerance).collect();
        // What an engine does before its first move may take as long as its tolerance is, there.
        let slowest = extras.tolerances.iter().copied().fold(0.0, f64::max);
        if slowest > STARTUP {
            arguments.extend(["--startup".to_owned(), slowest.to_string()]);
        }
        for engine in engines {
            arguments.push("--engine".to_owned());
            arguments.extend(engine.settings());
        }
        Ok((arguments, extras))
    }
}

/// The seconds that our own flags give an engine to get ready.
const STARTUP: f64 = 10.0;

#[cfg(test)]
mod tests;
