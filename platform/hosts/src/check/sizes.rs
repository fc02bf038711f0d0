//! Structs as earlier and later hosts send them.

use tengen_abi::{Reply, names};
use tengen_rules::{OpeningSettings, Point, Procedure};

use super::StepResult;
use super::limits::{begin, legal};
use super::openings;
use super::positions::position;
use super::tested_engine::TestedEngine;
use crate::host::struct_fit::StructFit;

pub(super) const SIZES: &str = "read the smaller of a struct's `size` and your own, take what is \
     missing as zero, and write no further than the `size` of an answer";

/// Questions with structs of three sorts, each in a process of its own.
pub(super) fn structs(tested: &mut TestedEngine) -> StepResult {
    let usual = asked(tested)?;
    let fits = [
        (StructFit::Larger, "larger, as a later host sends them"),
        (StructFit::Smaller, "smaller, as an earlier host sends them"),
    ];
    for (fit, what) in fits {
        tested.restart()?;
        tested.set_fit(fit)?;
        let answers = asked(tested).map_err(|wrong| format!("structs {what}: {wrong}"))?;
        if tested.is_reproducible().is_ok() && answers != usual {
            return Err(format!("structs {what}: it plays otherwise than else").into());
        }
    }
    tested.restart()?;
    Ok("its own, larger and smaller ones".to_owned())
}

fn asked(tested: &mut TestedEngine) -> Result<Vec<Point>, String> {
    let start = begin(tested, 0).map_err(|wrong| format!("{}: {wrong}", names::NEW_GAME))?;
    let mut points = Vec::new();
    for plies in [0, 4, 11] {
        let position = position(start.rule(), start.size(), plies);
        let Reply { mv, flags, .. } = tested.choose(&position, &tested.limits())?.answer;
        let answer = Reply { mv, flags, ..Reply::default() };
        points.push(legal(&position, &answer)?);
    }
    let claimed = openings::claimed(tested).unwrap_or_default();
    let swap2 = claimed.into_iter().find(|(procedure, ..)| *procedure == Procedure::Swap2);
    if let Some((procedure, rule, size)) = swap2 {
        let settings = OpeningSettings::new(procedure);
        openings::walk(tested, &settings, rule, size, None)?;
    }
    Ok(points)
}
