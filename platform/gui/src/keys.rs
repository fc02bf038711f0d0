//! The keys of actions: the defaults with the changes of the settings.

use std::collections::BTreeMap;

use eframe::egui::{Context, Event, Key, KeyboardShortcut, Modifiers, Popup};

use crate::app::{App, Command, CursorStep, Dialog, UserAction};

/// The keys of the actions.
pub struct Keymap {
    keys: BTreeMap<UserAction, KeyboardShortcut>,
    /// The user's keys, as in the settings.
    changed: BTreeMap<String, String>,
}

impl Default for Keymap {
    fn default() -> Keymap {
        Keymap::new(&BTreeMap::new())
    }
}

impl Keymap {
    /// The default keys with the user's changes: by action id `Ctrl+Shift+N`, or empty for none. An
    /// invalid key changes nothing.
    pub fn new(changed: &BTreeMap<String, String>) -> Keymap {
        let default = |action: &UserAction| Some((*action, parse(action.default_key())?));
        let mut keys: BTreeMap<_, _> = UserAction::ALL.iter().filter_map(default).collect();
        for &action in UserAction::ALL {
            match changed.get(action.id()).map(|text| (text.is_empty(), parse(text))) {
                Some((true, _)) => drop(keys.remove(&action)),
                Some((_, Some(key))) => drop(keys.insert(action, key)),
                _ => {}
            }
        }
        Keymap { keys, changed: changed.clone() }
    }

    /// Takes over changed settings.
    pub(crate) fn follow(&mut self, changed: &BTreeMap<String, String>) {
        if self.changed != *changed {
            *self = Keymap::new(changed);
        }
    }

    /// The key of an action, if any.
    pub fn key(&self, action: UserAction) -> Option<KeyboardShortcut> {
        self.keys.get(&action).copied()
    }

    pub fn action(&self, key: KeyboardShortcut) -> Option<UserAction> {
        self.keys.iter().find_map(|(action, known)| (*known == key).then_some(*action))
    }

    /// Its key as text; empty if it has none.
    pub fn text(&self, context: &Context, action: UserAction) -> String {
        self.key(action).map(|key| context.format_shortcut(&key)).unwrap_or_default()
    }

    /// Another action with the same key.
    pub fn rival(&self, action: UserAction) -> Option<UserAction> {
        let key = self.key(action)?;
        self.keys.iter().find(|(other, known)| **other != action && **known == key).map(|(o, _)| *o)
    }

    /// The commands for the keys pressed. Keys for a text field or a focused button are left to it.
    pub fn commands(&self, context: &Context, app: &App) -> Vec<Command> {
        if let Some(Dialog::Keys { awaiting: Some(action), .. }) = app.dialog() {
            return self.caught(context, *action);
        }
        let focused = context.memory(|memory| memory.focused().is_some());
        if focused
            || Popup::is_any_open(context)
            || context.egui_wants_keyboard_input()
            || app.has_dialog()
        {
            return Vec::new();
        }
        let mut commands = Vec::new();
        if app.tab().is_some_and(|tab| tab.view.cursor.is_some()) {
            commands.extend(steps(context).into_iter().map(Command::MoveCursor));
        }
        // `Ctrl+Shift+Z` also matches `Ctrl+Z`: longer keys go first.
        let mut keys: Vec<_> = self.keys.iter().collect();
        keys.sort_by_key(|(_, key)| std::cmp::Reverse(weight(key.modifiers)));
        let view = app.tab().map(|tab| &tab.view);
        let held = context.input(|input| {
            let held = |event: &Event| matches!(event, Event::Key { repeat: true, .. });
            input.events.iter().any(held)
        });
        if view.is_some_and(|view| view.resigning)
            && context.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape))
        {
            commands.push(Command::AskResign(false));
        }
        for (action, key) in keys {
            // A held key must not answer its own question.
            if *action == UserAction::Resign && held {
                continue;
            }
            if context.input_mut(|input| input.consume_shortcut(key)) {
                commands.extend(app.command(*action));
            }
        }
        commands
    }

    /// The next key while an action waits for one. Another action with that key loses it.
    fn caught(&self, context: &Context, action: UserAction) -> Vec<Command> {
        let Some((key, modifiers)) = pressed(context) else { return Vec::new() };
        match key {
            Key::Escape => vec![Command::ShowDialog(Dialog::Keys { awaiting: None, taken: None })],
            Key::Delete | Key::Backspace => vec![Command::BindKey(action, None)],
            key => {
                let name = name(KeyboardShortcut::new(modifiers, key));
                let given = parse(&name);
                let holds = |other: &UserAction| *other != action && self.key(*other) == given;
                let rivals: Vec<UserAction> =
                    UserAction::ALL.iter().copied().filter(holds).collect();
                let mut commands: Vec<Command> =
                    rivals.iter().map(|rival| Command::BindKey(*rival, None)).collect();
                commands.push(Command::BindKey(action, Some(name)));
                let taken = rivals.first().map(|rival| (*rival, action));
                commands.push(Command::ShowDialog(Dialog::Keys { awaiting: None, taken }));
                commands
            }
        }
    }
}

fn weight(modifiers: Modifiers) -> u8 {
    u8::from(modifiers.shift) + u8::from(modifiers.alt)
}

/// A key as in the settings: `Ctrl+Shift+N`. `Ctrl` is the command key on a Mac.
pub(crate) fn name(key: KeyboardShortcut) -> String {
    let mut text = String::new();
    let KeyboardShortcut { modifiers, logical_key } = key;
    for (held, name) in [
        (modifiers.command || modifiers.ctrl, "Ctrl+"),
        (modifiers.alt, "Alt+"),
        (modifiers.shift, "Shift+"),
    ] {
        if held {
            text.push_str(name);
        }
    }
    text.push_str(logical_key.name());
    text
}

fn parse(text: &str) -> Option<KeyboardShortcut> {
    let mut modifiers = Modifiers::NONE;
    let mut rest = text;
    for (name, held) in
        [("Ctrl+", Modifiers::COMMAND), ("Alt+", Modifiers::ALT), ("Shift+", Modifiers::SHIFT)]
    {
        if let Some(after) = rest.strip_prefix(name) {
            modifiers = modifiers.plus(held);
            rest = after;
        }
    }
    let key = Key::from_name(rest).filter(|key| !is_modifier(*key))?;
    Some(KeyboardShortcut::new(modifiers, key))
}

fn is_modifier(key: Key) -> bool {
    use Key::{
        AltLeft, AltRight, ControlLeft, ControlRight, ShiftLeft, ShiftRight, SuperLeft, SuperRight,
    };
    matches!(
        key,
        ShiftLeft
            | ShiftRight
            | ControlLeft
            | ControlRight
            | AltLeft
            | AltRight
            | SuperLeft
            | SuperRight
    )
}

/// The key pressed; nothing else sees it. A modifier alone does not count.
fn pressed(context: &Context) -> Option<(Key, Modifiers)> {
    context.input_mut(|input| {
        let key = input.events.iter().find_map(|event| match event {
            Event::Key { key, pressed: true, modifiers, .. } if !is_modifier(*key) => {
                Some((*key, *modifiers))
            }
            // Systems turn these keys into clipboard events.
            Event::Copy => Some((Key::C, Modifiers::COMMAND)),
            Event::Cut => Some((Key::X, Modifiers::COMMAND)),
            Event::Paste(_) => Some((Key::V, Modifiers::COMMAND)),
            _ => None,
        });
        let is_input = |event: &Event| {
            matches!(event, Event::Key { .. } | Event::Text(_) | Event::Copy | Event::Cut)
                || matches!(event, Event::Paste(_))
        };
        input.events.retain(|event| !is_input(event));
        key
    })
}

/// The steps of the arrow keys.
fn steps(context: &Context) -> Vec<CursorStep> {
    const ARROWS: [(Key, CursorStep); 4] = [
        (Key::ArrowLeft, CursorStep { right: -1, up: 0 }),
        (Key::ArrowRight, CursorStep { right: 1, up: 0 }),
        (Key::ArrowUp, CursorStep { right: 0, up: 1 }),
        (Key::ArrowDown, CursorStep { right: 0, up: -1 }),
    ];
    context.input_mut(|input| {
        let mut pressed = |key| input.consume_key(Modifiers::NONE, key);
        ARROWS.into_iter().filter(|(key, _)| pressed(*key)).map(|(_, step)| step).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_they_are_named() {
        for action in UserAction::ALL {
            let key = parse(action.default_key()).unwrap();
            assert_eq!(parse(&name(key)), Some(key), "{action:?}");
        }
        let all = Modifiers::COMMAND.plus(Modifiers::ALT).plus(Modifiers::SHIFT);
        assert_eq!(name(KeyboardShortcut::new(all, Key::F5)), "Ctrl+Alt+Shift+F5");
        assert_eq!(parse("Ctrl+Nonsense"), None);
    }

    #[test]
    fn every_action_has_a_key_of_its_own() {
        let keys = Keymap::default();
        let without: Vec<_> =
            UserAction::ALL.iter().filter(|action| keys.key(**action).is_none()).collect();
        assert!(without.is_empty(), "{without:?}");
        let rivals: Vec<_> =
            UserAction::ALL.iter().filter(|action| keys.rival(**action).is_some()).collect();
        assert!(rivals.is_empty(), "{rivals:?}");
    }
}
