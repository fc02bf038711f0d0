//! Options: as they are set, at their bounds, beyond them, and unknown ones.

use std::ops::RangeInclusive;

use tengen_abi::status;
use tengen_packages::{EngineOption, OptionKind};

use super::StepResult;
use super::limits::{begin, legal};
use super::tested_engine::TestedEngine;

pub(super) const UNKNOWN: &str = "answer TENGEN_E_UNSUPPORTED (-1) to a name you do not describe";
pub(super) const OPTIONS: &str = "take every value that tengen_describe names, play with it, and \
                                  answer TENGEN_E_ARGUMENT (-2) to others";

/// The most memory that an option is tried with.
const MOST_MIB: i64 = 256;

pub(super) fn unknown(tested: &mut TestedEngine) -> StepResult {
    match tested.set_option("NoSuchOptionOfAnyEngine", "1")? {
        status::UNSUPPORTED => Ok("refused".to_owned()),
        code => Err(format!("answered with {code}").into()),
    }
}

/// What an option is tried with.
struct Trials {
    /// What it must take, and play with.
    good: Vec<String>,
    /// What it must refuse.
    bad: Vec<String>,
    /// What it may take or refuse.
    any: Vec<String>,
}

fn trials(option: &EngineOption) -> Trials {
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    match &option.value {
        OptionKind::Int { range, unit, .. } => {
            let (low, high) = (*range.start(), *range.end());
            let good = vec![low.to_string(), most(range, unit.as_deref()).to_string()];
            let beyond = [low.checked_sub(1), high.checked_add(1)];
            let mut bad: Vec<_> = beyond.into_iter().flatten().map(|n| n.to_string()).collect();
            bad.extend(words(&["", "x"]));
            Trials { good, bad, any: Vec::new() }
        }
        OptionKind::Bool { .. } => {
            Trials { good: words(&["true", "false"]), bad: words(&["", "maybe"]), any: Vec::new() }
        }
        OptionKind::Choice { words: choices, .. } => Trials {
            good: choices.clone(),
            bad: words(&["NoSuchChoiceOfAnyEngine"]),
            any: Vec::new(),
        },
        OptionKind::Text { .. } => Trials {
            good: Vec::new(),
            bad: Vec::new(),
            any: vec![String::new(), "x".repeat(1000), "weiß 黑".to_owned()],
        },
    }
}

/// The greatest value that is tried: of memory no more than a machine has.
fn most(range: &RangeInclusive<i64>, unit: Option<&str>) -> i64 {
    let most = match unit.map(str::to_lowercase).as_deref() {
        Some("mib" | "mb") => MOST_MIB,
        Some("kib" | "kb") => MOST_MIB << 10,
        Some("gib" | "gb") => 1,
        Some("b" | "bytes") => MOST_MIB << 20,
        _ => i64::MAX,
    };
    most.clamp(*range.start(), *range.end())
}

/// The value that an option has in games: the one that it is given, or else its own.
pub(super) fn usual_value(tested: &TestedEngine, option: &EngineOption) -> String {
    let given = tested.spec().options.iter().find(|(name, _)| *name == option.name);
    given.map_or_else(|| option.value.default_text(), |(_, value)| value.clone())
}

/// Every option at its bounds, in a process of its own: the others go on with the options as they
/// are played.
pub(super) fn values(tested: &mut TestedEngine) -> StepResult {
    let set = &tested.spec().options;
    let played = set.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>();
    let played = match &played[..] {
        [] => "played as they are by default".to_owned(),
        played => format!("played with {}", played.join(" ")),
    };
    let options = tested.description().options;
    if options.is_empty() {
        return Ok(format!("it describes none, {played}"));
    }
    let mut other = tested.another(tested.settings().clone());
    let result = other.restart().and_then(|()| {
        options.iter().try_for_each(|option| {
            one(&mut other, option).map_err(|wrong| format!("option {}{wrong}", option.name))
        })
    });
    tested.hung_as(&other);
    result?;
    Ok(format!("{} at their bounds, {played}", options.len()))
}

fn one(tested: &mut TestedEngine, option: &EngineOption) -> Result<(), String> {
    let Trials { good, bad, any } = trials(option);
    let set = |tested: &mut TestedEngine, value: &str| {
        tested.set_option(&option.name, value).map_err(|wrong| format!(" = {value:?}: {wrong}"))
    };
    for value in good {
        match set(tested, &value)? {
            status::OK => {}
            status::MEMORY => continue,
            code => return Err(format!(" = {value:?}: answered with {code}")),
        }
        for plies in [0, 8] {
            let position =
                begin(tested, plies).map_err(|wrong| format!(" = {value:?}: {wrong}"))?;
            let chosen = tested.choose(&position, &tested.limits());
            let chosen = chosen.and_then(|chosen| legal(&position, &chosen.answer));
            chosen.map_err(|wrong| format!(" = {value:?}: {wrong}"))?;
        }
    }
    for value in bad {
        if set(tested, &value)? == status::OK {
            return Err(format!(" = {value:?}: it takes what it cannot have by its description"));
        }
    }
    for value in any {
        set(tested, &value)?;
    }
    let usual = usual_value(tested, option);
    match set(tested, &usual)? {
        status::OK => Ok(()),
        code => Err(format!(" = {usual:?}, as it is played: answered with {code}")),
    }
}
