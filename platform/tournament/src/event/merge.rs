//! Makes one event of two.

use std::fs;
use std::iter;
use std::path::Path;

use tengen_record::unpack;
use tengen_rules::BySeat;

use super::lock::try_lock;
use super::{Change, ChangeKind, DATABASE, Event, EventError, UNFINISHED, files, freeze};
use crate::config::Places;
use crate::store::{ChangeDraft, GameBatch, Store, StoreWriter, StoredGame};
use crate::{EngineEntry, EventConfig, EventFormat, OpeningOrder, SetAside, Symmetries};

/// What two events may differ in, and still be played by the same rules.
const FREE: [&str; 12] = [
    "engines",
    "challengers",
    "games",
    "seed",
    "concurrency",
    "cpus",
    "dir",
    "out",
    "set-aside",
    "parts",
    "absent",
    "remote-wait",
];

impl Event {
    /// Makes a new event in `out` of all games of two that are not running: those of `one` keep
    /// their numbers, and those of `other` come behind them. An engine that is the same in both
    /// (its file, its label and its settings) is one engine; whoever challenges in one of two
    /// gauntlets challenges in both. Games that neither has finished can still be played. What was
    /// changed in them stays told.
    ///
    /// # Errors
    /// When one of them is damaged or running, they are played by different rules, or the new
    /// folder is not free. Nothing is made then.
    pub fn merge(one: &Path, other: &Path, out: &Path, date: &str) -> Result<Event, EventError> {
        for dir in [one, other] {
            Event::open(dir)?;
        }
        let _locks = [try_lock(one)?, try_lock(other)?];
        // What they were before may have grown.
        let (one, other) = (Event::open(one)?, Event::open(other)?);
        for event in [&one, &other] {
            event.store.verify(|number| event.schedule().twin(number))?;
        }
        let Merged { config, places } = merged(&one, &other)?;
        fs::create_dir_all(out).map_err(EventError::file(out, "made"))?;
        files::refuse_used(out)?;
        let _lock = try_lock(out)?;
        files::refuse_used(out)?;
        files::remove_left_over(out)?;
        let unfinished = out.join(format!("{DATABASE}{UNFINISHED}"));
        let text = config.to_toml();
        Store::create(&unfinished, &text, &config.labels(), &config.engines)?;
        let text_of = |event: &Event| format!("{} ({})", event.dir.display(), event.tally.len());
        let store = Store::open_to_write(&unfinished)?;
        let mut changes = changes_of(&one, &places[0])?;
        changes.append(&mut changes_of(&other, &places[1])?);
        let after = changes.len() as u64;
        store.adopt_changes(changes)?;
        let draft = ChangeDraft {
            after,
            date,
            kind: ChangeKind::Merged,
            text: format!("it was made of the games of {} and {}", text_of(&one), text_of(&other)),
            config: None,
            run: None,
        };
        let _last: Result<u64, Change> = store.change(&draft)?;
        drop(store);
        let before = one.schedule().len();
        let moved = |mut game: StoredGame, before: u64, places: &[usize]| {
            game.number += before;
            let seats = BySeat::from_fn(|seat| places[game.seats[seat]]);
            if seats != game.seats {
                game.seats = seats;
                game.line = unpack(&game.packed)
                    .map_or(game.line, |actions| StoredGame::line_of(seats, &actions));
            }
            game
        };
        let mut writer = StoreWriter::open(&unfinished, config.schedule())?;
        copy(&one, &mut writer, |game| moved(game, 0, &places[0]))?;
        copy(&other, &mut writer, |game| moved(game, before, &places[1]))?;
        writer.settle()?;
        files::rename(&unfinished, &out.join(DATABASE))?;
        freeze(out, &text)?;
        Event::open(out)
    }
}

/// Writes the games of an event to another one.
fn copy(
    from: &Event,
    to: &mut StoreWriter,
    moved: impl Fn(StoredGame) -> StoredGame,
) -> Result<(), EventError> {
    let mut failed = None;
    let games =
        from.store.games().map_while(|game| game.map_err(|error| failed = Some(error)).ok());
    let mut games = games.map(|game| GameBatch::from(moved(game))).peekable();
    while let Some(game) = games.next() {
        to.commit(iter::once(game).chain(&mut games))?;
    }
    drop(games);
    if let Some(error) = failed {
        return Err(error.into());
    }
    let mut discarded = Vec::new();
    from.store.discarded(|game| discarded.push(moved(game)))?;
    if !discarded.is_empty() {
        to.commit(iter::once(GameBatch { discarded, ..GameBatch::default() }))?;
    }
    Ok(())
}

/// What was changed in an event whose engines are at these places from now on.
fn changes_of(event: &Event, places: &[usize]) -> Result<Vec<Change>, EventError> {
    let moved = |change: Change| {
        let kind = match change.kind {
            ChangeKind::Removed(place) => {
                ChangeKind::Removed(places.get(place).copied().unwrap_or(place))
            }
            kind => kind,
        };
        let text = format!("{}: {}", event.dir.display(), change.text);
        Change { kind, text, ..change }
    };
    Ok(event.changes()?.into_iter().map(moved).collect())
}

/// What two events become.
struct Merged {
    config: EventConfig,
    /// Where the engines of each are in it.
    places: [Vec<usize>; 2],
}

fn merged(one: &Event, other: &Event) -> Result<Merged, EventError> {
    let unlike = |problem: String| EventError::Unlike {
        one: one.dir.clone(),
        other: other.dir.clone(),
        problem,
    };
    if let Some(problem) = difference(&one.config, &other.config) {
        return Err(unlike(problem));
    }
    let mut engines = one.config.engines.clone();
    let mut theirs = Vec::new();
    for (engine, label) in other.config.engines.iter().zip(other.config.labels()) {
        let is_same = |(place, known): &(usize, &EngineEntry)| {
            !theirs.contains(place) && identity(known) == identity(engine)
        };
        let place = engines.iter().enumerate().find(is_same).map(|(place, _)| place);
        let place = place.unwrap_or_else(|| {
            engines.push(engine.clone());
            engines.len() - 1
        });
        if engine.removed.is_some() != engines[place].removed.is_some() {
            let problem =
                format!("engines: {label} was removed from one of them and not the other");
            return Err(unlike(problem));
        }
        theirs.push(place);
    }
    let mut challengers = 1;
    let mut order: Vec<usize> = (0..engines.len()).collect();
    if one.config.format == EventFormat::Gauntlet {
        let challenging = |event: &Event| event.config.challengers as usize;
        let is_challenger = |place: &usize| {
            *place < challenging(one) || theirs[..challenging(other)].contains(place)
        };
        challengers = order.iter().filter(|place| is_challenger(place)).count();
        if challengers == engines.len() {
            let problem = "challengers: every engine is one in one of them, and nobody is left \
                           whom all of them could meet; play a round-robin";
            return Err(unlike(problem.to_owned()));
        }
        // They are the first ones.
        order.sort_by_key(|place| !is_challenger(place));
    }
    let mut new_places = vec![0; order.len()];
    for (place, &before) in order.iter().enumerate() {
        new_places[before] = place;
    }
    let ours = new_places[..one.config.engines.len()].to_vec();
    let theirs: Vec<usize> = theirs.into_iter().map(|place| new_places[place]).collect();
    let mut config = EventConfig {
        games: one.config.games.max(other.config.games),
        challengers: challengers as u32,
        engines: order.iter().map(|&place| engines[place].clone()).collect(),
        parts: Vec::new(),
        ..one.config.clone()
    };
    for (event, places) in [(one, &ours), (other, &theirs)] {
        for mut part in event.config.parts_so_far() {
            let Places(engines) = &mut part.engines;
            engines.iter_mut().for_each(|place| *place = places[usize::from(*place)] as u16);
            config.parts.push(part);
        }
    }
    config.set_aside = set_aside([one, other], &config.labels());
    config.validate()?;
    Ok(Merged { config, places: [ours, theirs] })
}

/// Who was set aside in two events. One by a name that an engine here has was set aside in one of
/// them only.
fn set_aside(events: [&Event; 2], labels: &[String]) -> Vec<SetAside> {
    let mut all: Vec<SetAside> = Vec::new();
    for event in events {
        for aside in &event.config.set_aside {
            let mut aside = aside.clone();
            if labels.contains(&aside.engine) {
                aside.reason = format!("in {}: {}", event.dir.display(), aside.reason);
            }
            if !all.contains(&aside) {
                all.push(aside);
            }
        }
    }
    all
}

/// What an engine is, wherever its file lies.
fn identity(engine: &EngineEntry) -> EngineEntry {
    EngineEntry { path: None, folder: None, removed: None, ..engine.clone() }
}

/// The first key in which two events differ that are to be one, and what each has there.
fn difference(one: &EventConfig, other: &EventConfig) -> Option<String> {
    for config in [one, other] {
        if let Err(error) = config.check_open("format") {
            return Some(error.to_string());
        }
    }
    let tables = [one, other].map(|config| toml::Table::try_from(config).unwrap_or_default());
    let keys = tables[0].keys().chain(tables[1].keys());
    let mut keys = keys.filter(|key| !FREE.contains(&key.as_str()));
    if let Some(key) = keys.find(|key| tables[0].get(*key) != tables[1].get(*key)) {
        let [one, other] = tables.each_ref().map(|table| shown(table.get(key)));
        return Some(format!("{key}: one has {one}, the other {other}"));
    }
    let is_drawn = one.openings_order != OpeningOrder::default()
        || one.openings_symmetries == Symmetries::Random;
    (is_drawn && one.seed != other.seed).then(|| {
        format!(
            "seed: one has {}, the other {}, and openings are drawn by it",
            one.seed, other.seed
        )
    })
}

fn shown(value: Option<&toml::Value>) -> String {
    let text = value.map_or("nothing".to_owned(), ToString::to_string);
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
