//! Asks an engine for a hint.

use std::sync::Arc;
use std::thread;

use tengen_arbiter::{Action, Limits, Nanos};
use tengen_lineup::EngineProvider;
use tengen_players::{GameVariant, Reply, Request};
use tengen_rules::Move;

use super::handle::GameHandle;
use crate::app::model::{Advice, Hint, OpenQuestion, Snapshot};

/// Asks an engine about the open question, on a thread of its own. Its answer is shown, not played,
/// and costs no clock time.
pub(super) fn ask(
    handle: &Arc<GameHandle>,
    provider: &Arc<dyn EngineProvider>,
    engine: String,
    budget: Nanos,
) {
    let awaited = Hint { name: engine.clone(), advice: Advice::Awaited };
    let Some(snapshot) = handle.begin_hint(|snapshot| snapshot.hint = Some(awaited)) else {
        return;
    };
    let asked = snapshot.asked.expect("advice is on an open question");
    let (handle, provider) = (Arc::clone(handle), Arc::clone(provider));
    let show_hint = move || {
        let (name, advice) =
            match start_and_ask(&handle, &*provider, &engine, &snapshot, asked, budget) {
                Ok(Some((name, advice))) => (name, advice),
                Ok(None) => return,
                Err(reason) => (engine, Advice::Failed(reason)),
            };
        handle.show_hint(asked.number, |snapshot| snapshot.hint = Some(Hint { name, advice }));
    };
    thread::Builder::new()
        .name("hint".to_owned())
        .spawn(show_hint)
        .expect("the system has a thread left");
}

/// None when the hint is no longer wanted.
fn start_and_ask(
    handle: &GameHandle,
    provider: &dyn EngineProvider,
    engine: &str,
    snapshot: &Snapshot,
    asked: OpenQuestion,
    budget: Nanos,
) -> Result<Option<(String, Advice)>, String> {
    let Snapshot { rule, size, opening, .. } = *snapshot;
    let variant = GameVariant { rule, size, opening };
    let mut instance = provider.start(engine, &variant)?;
    if !handle.set_hint_engine(asked.number, &instance.interrupt) {
        return Ok(None);
    }
    let setup = variant.setup(asked.seat, snapshot.seats[asked.seat].control);
    instance.player.new_game(&setup).map_err(|fault| fault.detail)?;
    let moves: Vec<Move> = snapshot.rows.iter().map(|row| row.mv).collect();
    let request = Request {
        offered: &snapshot.offered,
        fifth_moves: snapshot.fifth_moves,
        limits: Limits { hard: Some(budget), ..Limits::default() },
        patience: Some(budget.saturating_mul(4)),
        ..Request::new(&moves, asked.ask)
    };
    let Reply { outcome, info, .. } = instance.player.ask(&request, &*handle.time);
    let advice = match outcome {
        Ok(Some(Action::Answer(answer))) => Advice::Answer(answer, info),
        Ok(Some(Action::Resign)) => Advice::Resign,
        Ok(_) => Advice::Failed(String::new()),
        Err(fault) => Advice::Failed(fault.detail),
    };
    Ok(Some((instance.name, advice)))
}
