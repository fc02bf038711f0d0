//! Thinks until the SDK says that its time is up, and then plays the first empty point: following
//! the documentation must be enough never to lose on time.

use tengen_sdk::{Choice, Engine, Position, Thinking, export_engine};

/// The engine.
#[derive(Default)]
pub struct Spinner;

impl Engine for Spinner {
    fn choose(&mut self, position: &Position, thinking: &Thinking<'_>) -> Choice {
        // Where the time has no limit, it is up at once.
        while thinking.left().is_some() && !thinking.is_up() {}
        let mut points = position.size().points();
        points.find(|&point| position.check(point).is_ok()).expect("there is an empty point").into()
    }
}

export_engine!(Spinner);
