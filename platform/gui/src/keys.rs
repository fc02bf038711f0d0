use std::collections::BTreeMap;

use eframe::egui::{Context, Event, Key, KeyboardShortcut, Modifiers, Popup};

use crate::app::{App, Command, CursorStep, Dialog, UserAction};

/// Which key does what.
pub struct Keymap {
    keys: BTreeMap<UserAction, KeyboardShortcut>,
    /// What the person has changed, as settings hold it.
    changed: BTreeMap<String, String>,
}

const COMMAND_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

/// Every deed has a key.
const DEFAULT: &[(UserAction, Modifiers, Key)] = &[
    (UserAction::Open, Modifiers::COMMAND, Key::O),
    (UserAction::Save, Modifiers::COMMAND, Key::S),
    (UserAction::CopyPosition, Modifiers::COMMAND, Key::C),
    (UserAction::CopyGame, COMMAND_SHIFT, Key::C),
    (UserAction::Paste, Modifiers::COMMAND, Key::V),
    (UserAction::NewGame, Modifiers::COMMAND, Key::N),
    (UserAction::NewEvent, COMMAND_SHIFT, Key::N),
    (UserAction::OpenEvent, COMMAND_SHIFT, Key::O),
    (UserAction::Standings, Modifiers::COMMAND, Key::Num1),
    (UserAction::RunningGames, Modifiers::COMMAND, Key::Num2),
    (UserAction::FinishedGames, Modifiers::COMMAND, Key::Num3),
    (UserAction::FinishEvent, COMMAND_SHIFT, Key::F),
    (UserAction::ResumeEvent, COMMAND_SHIFT, Key::R),
    (UserAction::RepairEvent, COMMAND_SHIFT, Key::E),
    (UserAction::SetUp, Modifiers::COMMAND, Key::B),
    (UserAction::PlayHere, Modifiers::COMMAND, Key::P),
    (UserAction::Pause, Modifiers::NONE, Key::P),
    (UserAction::TakeBack, Modifiers::COMMAND, Key::Z),
    (UserAction::Hint, Modifiers::NONE, Key::H),
    (UserAction::Close, Modifiers::COMMAND, Key::W),
    (UserAction::Start, Modifiers::NONE, Key::Home),
    (UserAction::Back, Modifiers::NONE, Key::ArrowLeft),
    (UserAction::Forward, Modifiers::NONE, Key::ArrowRight),
    (UserAction::FollowGame, Modifiers::NONE, Key::End),
    (UserAction::Analyse, Modifiers::NONE, Key::A),
    (UserAction::AnalyseAll, Modifiers::SHIFT, Key::A),
    (UserAction::LineOn, Modifiers::NONE, Key::Period),
    (UserAction::LineBack, Modifiers::NONE, Key::Comma),
    (UserAction::Lines, Modifiers::NONE, Key::V),
    (UserAction::Graph, Modifiers::NONE, Key::G),
    (UserAction::Cursor, Modifiers::NONE, Key::K),
    (UserAction::Confirm, Modifiers::NONE, Key::Enter),
    (UserAction::NumbersOff, Modifiers::NONE, Key::Num0),
    (UserAction::NumbersLast, Modifiers::NONE, Key::Num5),
    (UserAction::NumbersAll, Modifiers::NONE, Key::Num9),
    (UserAction::Coordinates, Modifiers::NONE, Key::C),
    (UserAction::Engines, Modifiers::COMMAND, Key::E),
    (UserAction::Settings, Modifiers::COMMAND, Key::Comma),
    (UserAction::Keys, Modifiers::NONE, Key::F1),
    (UserAction::About, Modifiers::SHIFT, Key::F1),
    (UserAction::Quit, Modifiers::COMMAND, Key::Q),
    (UserAction::SaveAs, COMMAND_SHIFT, Key::S),
    (UserAction::SavePicture, COMMAND_SHIFT, Key::P),
    (UserAction::TakeBackHere, COMMAND_SHIFT, Key::Z),
    (UserAction::Resign, Modifiers::COMMAND, Key::R),
    (UserAction::OfferDraw, Modifiers::COMMAND, Key::D),
    (UserAction::AcceptDraw, COMMAND_SHIFT, Key::D),
    (UserAction::Stop, Modifiers::COMMAND, Key::Period),
    (UserAction::NextGame, Modifiers::COMMAND, Key::G),
    (UserAction::MatchAgain, COMMAND_SHIFT, Key::G),
    (UserAction::Promote, Modifiers::COMMAND, Key::ArrowUp),
    (UserAction::DeleteLine, Modifiers::NONE, Key::Delete),
    (UserAction::FourEdges, Modifiers::SHIFT, Key::C),
    (UserAction::Forbidden, Modifiers::NONE, Key::F),
    (UserAction::Kaya, Modifiers::NONE, Key::Num1),
    (UserAction::Slate, Modifiers::NONE, Key::Num2),
    (UserAction::Paper, Modifiers::NONE, Key::Num3),
    (UserAction::OwnPicture, Modifiers::NONE, Key::Num4),
    (UserAction::Light, Modifiers::COMMAND, Key::L),
    (UserAction::Dark, COMMAND_SHIFT, Key::L),
    (UserAction::English, Modifiers::NONE, Key::F2),
    (UserAction::Chinese, Modifiers::NONE, Key::F3),
    (UserAction::Sound, Modifiers::NONE, Key::M),
];

impl Default for Keymap {
    fn default() -> Keymap {
        Keymap::new(&BTreeMap::new())
    }
}

impl Keymap {
    /// The keys as they are at first, and what the person has changed of them: by the ids of deeds
    /// `Ctrl+Shift+N`, or nothing where a key was taken away. What is no key changes nothing.
    pub fn new(changed: &BTreeMap<String, String>) -> Keymap {
        let mut keys: BTreeMap<UserAction, KeyboardShortcut> = DEFAULT
            .iter()
            .map(|&(action, modifiers, key)| (action, KeyboardShortcut::new(modifiers, key)))
            .collect();
        for &action in UserAction::ALL {
            match changed.get(action.id()).map(|text| (text.is_empty(), parse(text))) {
                Some((true, _)) => drop(keys.remove(&action)),
                Some((_, Some(key))) => drop(keys.insert(action, key)),
                _ => {}
            }
        }
        Keymap { keys, changed: changed.clone() }
    }

    /// Takes over what the person has changed since.
    pub(crate) fn follow(&mut self, changed: &BTreeMap<String, String>) {
        if self.changed != *changed {
            *self = Keymap::new(changed);
        }
    }

    /// The key of a deed, if it has one.
    pub fn key(&self, action: UserAction) -> Option<KeyboardShortcut> {
        self.keys.get(&action).copied()
    }

    /// What a key does.
    pub fn action(&self, key: KeyboardShortcut) -> Option<UserAction> {
        self.keys.iter().find_map(|(action, known)| (*known == key).then_some(*action))
    }

    /// Its key in words; empty where it has none.
    pub fn text(&self, context: &Context, action: UserAction) -> String {
        self.key(action).map(|key| context.format_shortcut(&key)).unwrap_or_default()
    }

    /// The other deed that has the same key.
    pub fn rival(&self, action: UserAction) -> Option<UserAction> {
        let key = self.key(action)?;
        self.keys.iter().find(|(other, known)| **other != action && **known == key).map(|(o, _)| *o)
    }

    /// What the keys pressed ask for. Keys that a field or a focused button takes are theirs.
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
        // `Ctrl+Shift+Z` is also `Ctrl+Z` with one more: the longer goes first.
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
            // A key that is held does not answer the question it has put.
            if *action == UserAction::Resign && held {
                continue;
            }
            if context.input_mut(|input| input.consume_shortcut(key)) {
                commands.extend(app.command(*action));
            }
        }
        commands
    }

    /// What the next key does while a deed waits for it. Another deed that has it loses it.
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

/// A key as settings name it: `Ctrl+Shift+N`. `Ctrl` is the command key of a Macintosh.
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

/// Whether a key only changes what others mean.
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

/// The key that was pressed, nobody else hears of which. One that is held for another is none.
fn pressed(context: &Context) -> Option<(Key, Modifiers)> {
    context.input_mut(|input| {
        let key = input.events.iter().find_map(|event| match event {
            Event::Key { key, pressed: true, modifiers, .. } if !is_modifier(*key) => {
                Some((*key, *modifiers))
            }
            // Systems turn these keys into what they mean to texts.
            Event::Copy => Some((Key::C, Modifiers::COMMAND)),
            Event::Cut => Some((Key::X, Modifiers::COMMAND)),
            Event::Paste(_) => Some((Key::V, Modifiers::COMMAND)),
            _ => None,
        });
        let heard = |event: &Event| {
            matches!(event, Event::Key { .. } | Event::Text(_) | Event::Copy | Event::Cut)
                || matches!(event, Event::Paste(_))
        };
        input.events.retain(|event| !heard(event));
        key
    })
}

/// What the arrows do while there is a cursor.
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
        for &(_, modifiers, key) in DEFAULT {
            let key = KeyboardShortcut::new(modifiers, key);
            assert_eq!(parse(&name(key)).unwrap(), key, "{}", name(key));
        }
        let all = Modifiers::COMMAND.plus(Modifiers::ALT).plus(Modifiers::SHIFT);
        assert_eq!(name(KeyboardShortcut::new(all, Key::F5)), "Ctrl+Alt+Shift+F5");
        assert_eq!(parse("Ctrl+Nonsense"), None);
    }

    #[test]
    fn every_deed_has_a_key_of_its_own_at_first() {
        let keys = Keymap::default();
        let without: Vec<_> =
            UserAction::ALL.iter().filter(|action| keys.key(**action).is_none()).collect();
        assert!(without.is_empty(), "{without:?}");
        let rivals: Vec<_> =
            UserAction::ALL.iter().filter(|action| keys.rival(**action).is_some()).collect();
        assert!(rivals.is_empty(), "{rivals:?}");
    }

    #[test]
    fn keys_are_changed_and_taken_away() {
        let changed = [
            ("game.new", "Ctrl+M"),
            ("game.hint", ""),
            ("game.pause", "what"),
            ("game.take-back", "ShiftLeft"),
        ];
        let changed = changed.map(|(id, key)| (id.to_owned(), key.to_owned())).into();
        let keys = Keymap::new(&changed);
        let key = |action| keys.key(action).map(name);
        assert_eq!(key(UserAction::NewGame), Some("Ctrl+M".into()));
        assert_eq!(key(UserAction::Hint), None);
        assert_eq!(key(UserAction::Pause), Some("P".into()));
        assert_eq!(key(UserAction::TakeBack), Some("Ctrl+Z".into()));
    }
}
