use std::collections::BTreeMap;

use eframe::egui::{Context, Key, KeyboardShortcut, Modifiers};

use crate::app::{Command, Deed, House, Step};

/// Which key does what.
pub struct Keymap {
    keys: BTreeMap<Deed, KeyboardShortcut>,
}

impl Default for Keymap {
    fn default() -> Keymap {
        const DEFAULT: [(Deed, Modifiers, Key); 15] = [
            (Deed::NewGame, Modifiers::COMMAND, Key::N),
            (Deed::Pause, Modifiers::NONE, Key::P),
            (Deed::TakeBack, Modifiers::COMMAND, Key::Z),
            (Deed::Hint, Modifiers::NONE, Key::H),
            (Deed::Close, Modifiers::COMMAND, Key::W),
            (Deed::Start, Modifiers::NONE, Key::Home),
            (Deed::Back, Modifiers::NONE, Key::ArrowLeft),
            (Deed::Forward, Modifiers::NONE, Key::ArrowRight),
            (Deed::Live, Modifiers::NONE, Key::End),
            (Deed::Cursor, Modifiers::NONE, Key::K),
            (Deed::Confirm, Modifiers::NONE, Key::Enter),
            (Deed::NumbersOff, Modifiers::NONE, Key::Num0),
            (Deed::NumbersLast, Modifiers::NONE, Key::Num5),
            (Deed::NumbersAll, Modifiers::NONE, Key::Num9),
            (Deed::Coordinates, Modifiers::NONE, Key::C),
        ];
        let keys = DEFAULT
            .into_iter()
            .map(|(deed, modifiers, key)| (deed, KeyboardShortcut::new(modifiers, key)));
        Keymap { keys: keys.collect() }
    }
}

impl Keymap {
    /// The key of a deed, if it has one.
    pub fn key(&self, deed: Deed) -> Option<KeyboardShortcut> {
        self.keys.get(&deed).copied()
    }

    /// Its key in words; empty where it has none.
    pub fn text(&self, context: &Context, deed: Deed) -> String {
        self.key(deed).map(|key| context.format_shortcut(&key)).unwrap_or_default()
    }

    /// What the keys pressed ask for. Keys that a field or a focused button takes are theirs.
    pub fn commands(&self, context: &Context, house: &House) -> Vec<Command> {
        let focused = context.memory(|memory| memory.focused().is_some());
        if focused || context.egui_wants_keyboard_input() || house.form().is_some() {
            return Vec::new();
        }
        let mut commands = Vec::new();
        if house.table().is_some_and(|table| table.view.cursor.is_some()) {
            commands.extend(steps(context).into_iter().map(Command::Step));
        }
        for (deed, key) in &self.keys {
            if context.input_mut(|input| input.consume_shortcut(key)) {
                commands.extend(house.command(*deed));
            }
        }
        commands
    }
}

/// What the arrows do while there is a cursor.
fn steps(context: &Context) -> Vec<Step> {
    const ARROWS: [(Key, Step); 4] = [
        (Key::ArrowLeft, Step { right: -1, up: 0 }),
        (Key::ArrowRight, Step { right: 1, up: 0 }),
        (Key::ArrowUp, Step { right: 0, up: 1 }),
        (Key::ArrowDown, Step { right: 0, up: -1 }),
    ];
    context.input_mut(|input| {
        let mut pressed = |key| input.consume_key(Modifiers::NONE, key);
        ARROWS.into_iter().filter(|(key, _)| pressed(*key)).map(|(_, step)| step).collect()
    })
}
