use std::collections::BTreeMap;

use eframe::egui::{Context, Event, Key, KeyboardShortcut, Modifiers, Popup};

use crate::app::{Command, Deed, Dialog, House, Step};

/// Which key does what.
pub struct Keymap {
    keys: BTreeMap<Deed, KeyboardShortcut>,
    /// What the person has changed, as settings hold it.
    changed: BTreeMap<String, String>,
}

const COMMAND_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

/// Every deed has a key.
const DEFAULT: &[(Deed, Modifiers, Key)] = &[
    (Deed::Open, Modifiers::COMMAND, Key::O),
    (Deed::Save, Modifiers::COMMAND, Key::S),
    (Deed::CopyPosition, Modifiers::COMMAND, Key::C),
    (Deed::CopyGame, COMMAND_SHIFT, Key::C),
    (Deed::Paste, Modifiers::COMMAND, Key::V),
    (Deed::NewGame, Modifiers::COMMAND, Key::N),
    (Deed::NewEvent, COMMAND_SHIFT, Key::N),
    (Deed::OpenEvent, COMMAND_SHIFT, Key::O),
    (Deed::Standings, Modifiers::COMMAND, Key::Num1),
    (Deed::Wall, Modifiers::COMMAND, Key::Num2),
    (Deed::Finished, Modifiers::COMMAND, Key::Num3),
    (Deed::FinishEvent, COMMAND_SHIFT, Key::F),
    (Deed::ResumeEvent, COMMAND_SHIFT, Key::R),
    (Deed::RepairEvent, COMMAND_SHIFT, Key::E),
    (Deed::SetUp, Modifiers::COMMAND, Key::B),
    (Deed::PlayHere, Modifiers::COMMAND, Key::P),
    (Deed::Pause, Modifiers::NONE, Key::P),
    (Deed::TakeBack, Modifiers::COMMAND, Key::Z),
    (Deed::Hint, Modifiers::NONE, Key::H),
    (Deed::Close, Modifiers::COMMAND, Key::W),
    (Deed::Start, Modifiers::NONE, Key::Home),
    (Deed::Back, Modifiers::NONE, Key::ArrowLeft),
    (Deed::Forward, Modifiers::NONE, Key::ArrowRight),
    (Deed::Live, Modifiers::NONE, Key::End),
    (Deed::Analyse, Modifiers::NONE, Key::A),
    (Deed::Sweep, Modifiers::SHIFT, Key::A),
    (Deed::LineOn, Modifiers::NONE, Key::Period),
    (Deed::LineBack, Modifiers::NONE, Key::Comma),
    (Deed::Lines, Modifiers::NONE, Key::V),
    (Deed::Graph, Modifiers::NONE, Key::G),
    (Deed::Cursor, Modifiers::NONE, Key::K),
    (Deed::Confirm, Modifiers::NONE, Key::Enter),
    (Deed::NumbersOff, Modifiers::NONE, Key::Num0),
    (Deed::NumbersLast, Modifiers::NONE, Key::Num5),
    (Deed::NumbersAll, Modifiers::NONE, Key::Num9),
    (Deed::Coordinates, Modifiers::NONE, Key::C),
    (Deed::Engines, Modifiers::COMMAND, Key::E),
    (Deed::Settings, Modifiers::COMMAND, Key::Comma),
    (Deed::Keys, Modifiers::NONE, Key::F1),
    (Deed::About, Modifiers::SHIFT, Key::F1),
    (Deed::Quit, Modifiers::COMMAND, Key::Q),
    (Deed::SaveAs, COMMAND_SHIFT, Key::S),
    (Deed::Picture, COMMAND_SHIFT, Key::P),
    (Deed::TakeBackHere, COMMAND_SHIFT, Key::Z),
    (Deed::Resign, Modifiers::COMMAND, Key::R),
    (Deed::OfferDraw, Modifiers::COMMAND, Key::D),
    (Deed::AcceptDraw, COMMAND_SHIFT, Key::D),
    (Deed::Stop, Modifiers::COMMAND, Key::Period),
    (Deed::NextGame, Modifiers::COMMAND, Key::G),
    (Deed::MatchAgain, COMMAND_SHIFT, Key::G),
    (Deed::Promote, Modifiers::COMMAND, Key::ArrowUp),
    (Deed::DeleteLine, Modifiers::NONE, Key::Delete),
    (Deed::FourEdges, Modifiers::SHIFT, Key::C),
    (Deed::Forbidden, Modifiers::NONE, Key::F),
    (Deed::Kaya, Modifiers::NONE, Key::Num1),
    (Deed::Slate, Modifiers::NONE, Key::Num2),
    (Deed::Paper, Modifiers::NONE, Key::Num3),
    (Deed::OwnPicture, Modifiers::NONE, Key::Num4),
    (Deed::Light, Modifiers::COMMAND, Key::L),
    (Deed::Dark, COMMAND_SHIFT, Key::L),
    (Deed::English, Modifiers::NONE, Key::F2),
    (Deed::Chinese, Modifiers::NONE, Key::F3),
    (Deed::Sound, Modifiers::NONE, Key::M),
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
        let mut keys: BTreeMap<Deed, KeyboardShortcut> = DEFAULT
            .iter()
            .map(|&(deed, modifiers, key)| (deed, KeyboardShortcut::new(modifiers, key)))
            .collect();
        for &deed in Deed::ALL {
            match changed.get(deed.id()).map(|text| (text.is_empty(), parse(text))) {
                Some((true, _)) => drop(keys.remove(&deed)),
                Some((_, Some(key))) => drop(keys.insert(deed, key)),
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
    pub fn key(&self, deed: Deed) -> Option<KeyboardShortcut> {
        self.keys.get(&deed).copied()
    }

    /// What a key does.
    pub fn deed(&self, key: KeyboardShortcut) -> Option<Deed> {
        self.keys.iter().find_map(|(deed, known)| (*known == key).then_some(*deed))
    }

    /// Its key in words; empty where it has none.
    pub fn text(&self, context: &Context, deed: Deed) -> String {
        self.key(deed).map(|key| context.format_shortcut(&key)).unwrap_or_default()
    }

    /// The other deed that has the same key.
    pub fn rival(&self, deed: Deed) -> Option<Deed> {
        let key = self.key(deed)?;
        self.keys.iter().find(|(other, known)| **other != deed && **known == key).map(|(o, _)| *o)
    }

    /// What the keys pressed ask for. Keys that a field or a focused button takes are theirs.
    pub fn commands(&self, context: &Context, house: &House) -> Vec<Command> {
        if let Some(Dialog::Keys { awaiting: Some(deed), .. }) = house.dialog() {
            return self.caught(context, *deed);
        }
        let focused = context.memory(|memory| memory.focused().is_some());
        if focused
            || Popup::is_any_open(context)
            || context.egui_wants_keyboard_input()
            || house.is_covered()
        {
            return Vec::new();
        }
        let mut commands = Vec::new();
        if house.table().is_some_and(|table| table.view.cursor.is_some()) {
            commands.extend(steps(context).into_iter().map(Command::Step));
        }
        // `Ctrl+Shift+Z` is also `Ctrl+Z` with one more: the longer goes first.
        let mut keys: Vec<_> = self.keys.iter().collect();
        keys.sort_by_key(|(_, key)| std::cmp::Reverse(weight(key.modifiers)));
        let view = house.table().map(|table| &table.view);
        let held = context.input(|input| {
            let held = |event: &Event| matches!(event, Event::Key { repeat: true, .. });
            input.events.iter().any(held)
        });
        if view.is_some_and(|view| view.resigning)
            && context.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape))
        {
            commands.push(Command::Resigning(false));
        }
        for (deed, key) in keys {
            // A key that is held does not answer the question it has put.
            if *deed == Deed::Resign && held {
                continue;
            }
            if context.input_mut(|input| input.consume_shortcut(key)) {
                commands.extend(house.command(*deed));
            }
        }
        commands
    }

    /// What the next key does while a deed waits for it. Another deed that has it loses it.
    fn caught(&self, context: &Context, deed: Deed) -> Vec<Command> {
        let Some((key, modifiers)) = pressed(context) else { return Vec::new() };
        match key {
            Key::Escape => vec![Command::Show(Dialog::Keys { awaiting: None, taken: None })],
            Key::Delete | Key::Backspace => vec![Command::Bind(deed, None)],
            key => {
                let name = name(KeyboardShortcut::new(modifiers, key));
                let given = parse(&name);
                let holds = |other: &Deed| *other != deed && self.key(*other) == given;
                let rivals: Vec<Deed> = Deed::ALL.iter().copied().filter(holds).collect();
                let mut commands: Vec<Command> =
                    rivals.iter().map(|rival| Command::Bind(*rival, None)).collect();
                commands.push(Command::Bind(deed, Some(name)));
                let taken = rivals.first().map(|rival| (*rival, deed));
                commands.push(Command::Show(Dialog::Keys { awaiting: None, taken }));
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
        let without: Vec<_> = Deed::ALL.iter().filter(|deed| keys.key(**deed).is_none()).collect();
        assert!(without.is_empty(), "{without:?}");
        let rivals: Vec<_> = Deed::ALL.iter().filter(|deed| keys.rival(**deed).is_some()).collect();
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
        let key = |deed| keys.key(deed).map(name);
        assert_eq!(key(Deed::NewGame), Some("Ctrl+M".into()));
        assert_eq!(key(Deed::Hint), None);
        assert_eq!(key(Deed::Pause), Some("P".into()));
        assert_eq!(key(Deed::TakeBack), Some("Ctrl+Z".into()));
    }
}
