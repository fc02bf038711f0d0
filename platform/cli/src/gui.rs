//! `tengen gui`: a match in a window.

use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use tengen_gui::app::{Session, SessionConfig};
use tengen_players::RealTime;
use tengen_tournament::{EngineEntry, EventConfig, Openings};

use crate::args::{EventArgs, GuiArgs};
use crate::roster::Hosted;
use crate::{Outcome, WrongUse};

/// How long a finished game stays on the board.
const INTERVAL: Duration = Duration::from_secs(4);

pub(crate) fn show(args: &GuiArgs) -> anyhow::Result<Outcome> {
    refuse_useless(&args.options)?;
    let engines = if args.engines.is_empty() {
        vec![EngineEntry::new("builtin:alphabeta"); 2]
    } else {
        args.engines.iter().map(EngineEntry::new).collect()
    };
    let mut event = EventConfig { engines, ..EventConfig::default() };
    args.options.apply(&mut event);
    if let Some(file) = &args.options.openings {
        event.openings = Openings::File(file.clone());
    }
    event.load_openings().map_err(|error| WrongUse(error.into()))?;
    event.validate().map_err(|error| WrongUse(error.into()))?;
    let hosted = Hosted::enroll(&mut event)?;
    let session = Session::start(
        SessionConfig { event, interval: INTERVAL },
        Box::new(move || Arc::new(hosted.renewed())),
        Arc::new(RealTime::new()),
    )?;
    tengen_gui::run(session)?;
    Ok(Outcome::Done)
}

/// Refuses the options of events that mean nothing to a match in a window.
fn refuse_useless(options: &EventArgs) -> anyhow::Result<()> {
    let given = [
        ("--out", options.out.is_some()),
        ("--json", options.json),
        ("--concurrency", options.concurrency.is_some()),
        ("--affinity", options.affinity.is_some()),
    ];
    match given.into_iter().find(|(_, given)| *given) {
        Some((option, _)) => {
            let problem = "the window plays one game at a time and keeps none; use `tengen match`";
            Err(WrongUse(anyhow!("{option}: {problem}")).into())
        }
        None => Ok(()),
    }
}
