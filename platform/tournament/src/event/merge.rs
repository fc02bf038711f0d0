//! Makes one event of two.

use std::iter;
use std::path::Path;

use tengen_rules::BySeat;

use super::lock::try_lock;
use super::{Change, ChangeKind, DATABASE, Event, EventError, UNFINISHED, files, freeze, records};
use crate::config::Places;
use crate::store::{ChangeDraft, GameBatch, Store, StoreWriter, StoredGame};
use crate::{
    EngineEntry, EventConfig, EventFormat, EventPart, OpeningOrder, SetAside, StageConfig,
    Symmetries,
};

/// What two events may differ in, and still be played by the same rules.
const FREE: [&str; 19] = [
    "title",
    "place",
    "date",
    "engines",
    "challengers",
    "games",
    "seed",
    "concurrency",
    "cpus",
    "dir",
    "out",
    "set-aside",
    "openings-start",
    "openings-count",
    "parts",
    "absent",
    "changed",
    "remote-wait",
    "rounds-by-hand",
];

impl Event {
    /// Makes a new event in `out` of all games of two that are not running: those of `one` keep
    /// their numbers, and those of `other` come behind them. An engine that is the same in both
    /// (its file, its label and its settings) is one engine; one that challenges in one of two
    /// gauntlets challenges in both. Games that neither has finished can still be played. The
    /// changes of both stay on record.
    ///
    /// A game that is in both, because one event is a copy of the other, is taken once, and so are
    /// the others of that part of the schedule. If both events have played a game by themselves,
    /// that of `one` is taken.
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
        let Merged { config, places, parts } = merged(&one, &other)?;
        files::make_folder(out)?;
        files::refuse_used(out)?;
        let _lock = try_lock(out)?;
        files::refuse_used(out)?;
        files::remove_left_over(out)?;
        let unfinished = out.join(format!("{DATABASE}{UNFINISHED}"));
        let text = config.to_toml();
        Store::create(&unfinished, &text, &config.labels(), &config.engines)?;
        let overlap = Overlap::of(&one, &other, &parts)?;
        adopt_changes(&unfinished, [&one, &other], &places, &overlap, date)?;
        let moved = |event: &Event, mut game: StoredGame, number: u64, places: &[usize]| {
            // An older database has other lines.
            if event.store.is_older() {
                game.line = records::line(&event.config, &event.schedule(), &game);
            }
            game.number = number;
            game.seats = BySeat::from_fn(|seat| places[game.seats[seat]]);
            game
        };
        let mut writer = StoreWriter::open(&unfinished, config.schedule())?;
        let ours = |game: StoredGame| {
            let number = game.number;
            moved(&one, game, number, &places[0])
        };
        let theirs = |game: StoredGame| {
            let number = MergedPart::moved(&parts, game.number);
            moved(&other, game, number, &places[1])
        };
        copy(&one, &mut writer, ours)?;
        // Those that are there are passed over.
        copy(&other, &mut writer, theirs)?;
        writer.settle()?;
        files::rename(&unfinished, &out.join(DATABASE))?;
        freeze(out, &text)?;
        Event::open(out)
    }
}

/// Gives a new event the changes of the two that it is made of, and notes that it was.
fn adopt_changes(
    database: &Path,
    [one, other]: [&Event; 2],
    places: &[Vec<usize>; 2],
    overlap: &Overlap,
    date: &str,
) -> Result<(), EventError> {
    let store = Store::open_to_write(database)?;
    let known = one.changes()?;
    let mut changes = changes_of(one, &places[0], &[])?;
    changes.append(&mut changes_of(other, &places[1], &known)?);
    let after = changes.len() as u64;
    store.adopt_changes(changes)?;
    let text_of = |event: &Event| format!("{} ({})", event.dir.display(), event.tally.len());
    let text = format!(
        "it was made of the games of {} and {}{}",
        text_of(one),
        text_of(other),
        overlap.text(&one.dir)
    );
    let kind = ChangeKind::Merged;
    let (config, run, by, reason, act) = (None, None, None, None, None);
    let draft = ChangeDraft { after, date, kind, text, config, run, by, reason, act };
    let _last: Result<u64, Change> = store.change(&draft)?;
    Ok(())
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

/// Where the games of a part of the other event come to lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct MergedPart {
    /// How many games are before it there, and how many it has.
    before: u64,
    games: u64,
    /// How many are before it in what is made.
    after: u64,
    /// Whether it is a part of the first event, too.
    is_shared: bool,
}

impl MergedPart {
    /// The part of that game.
    fn of(parts: &[MergedPart], number: u64) -> Option<&MergedPart> {
        parts.iter().find(|part| number > part.before && number <= part.before + part.games)
    }

    /// The number that a game gets.
    fn moved(parts: &[MergedPart], number: u64) -> u64 {
        MergedPart::of(parts, number).map_or(number, |part| number - part.before + part.after)
    }
}

/// Whether two are one game: played once, by the same processes at the same time.
fn is_same(one: &StoredGame, other: &StoredGame) -> bool {
    one.packed == other.packed
        && one.result == other.result
        && one.conditions.began == other.conditions.began
}

/// The games that two events have in common.
#[derive(Default)]
struct Overlap {
    /// How many are in both.
    shared: u64,
    /// How many each of them played by itself, and the first numbers of those.
    twice: u64,
    numbers: Vec<u64>,
}

impl Overlap {
    /// The most numbers that a message names.
    const NUMBERS: usize = 10;

    fn of(one: &Event, other: &Event, parts: &[MergedPart]) -> Result<Overlap, EventError> {
        let mut overlap = Overlap::default();
        if !parts.iter().any(|part| part.is_shared) {
            return Ok(overlap);
        }
        for game in other.store.games() {
            let game = game?;
            let Some(part) = MergedPart::of(parts, game.number).filter(|part| part.is_shared)
            else {
                continue;
            };
            let number = game.number - part.before + part.after;
            match one.store.game(number) {
                Some(known) if is_same(&known, &game) => overlap.shared += 1,
                Some(_) => {
                    overlap.twice += 1;
                    if overlap.numbers.len() < Overlap::NUMBERS {
                        overlap.numbers.push(number);
                    }
                }
                None => {}
            }
        }
        Ok(overlap)
    }

    fn text(&self, kept: &Path) -> String {
        let Overlap { shared, twice, numbers } = self;
        let mut text = String::new();
        if *shared > 0 {
            text += &format!("; {shared} games are in both, and were taken once");
        }
        if *twice > 0 {
            let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
            let more = if *twice > numbers.len() as u64 { ", …" } else { "" };
            let (numbers, kept) = (numbers.join(", "), kept.display());
            text += &format!(
                "; {twice} games ({numbers}{more}) were played in each of them by itself, and \
                 those of {kept} were taken"
            );
        }
        text
    }
}

/// The changes of an event, except for those in `known`, with its engines moved to these places.
fn changes_of(
    event: &Event,
    places: &[usize],
    known: &[Change],
) -> Result<Vec<Change>, EventError> {
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
    let new = event.changes()?.into_iter().filter(|change| !known.contains(change));
    Ok(new.map(moved).collect())
}

/// What two events become.
struct Merged {
    config: EventConfig,
    /// Where the engines of each are in it.
    places: [Vec<usize>; 2],
    /// The parts of the second one.
    parts: Vec<MergedPart>,
}

/// The engines of two events, each once, and which of them those of the other one are.
fn joined_engines(
    one: &EventConfig,
    other: &EventConfig,
) -> Result<(Vec<EngineEntry>, Vec<usize>), String> {
    let mut engines = one.engines.clone();
    let mut theirs = Vec::new();
    for (engine, label) in other.engines.iter().zip(other.labels()) {
        let is_same = |(place, known): &(usize, &EngineEntry)| {
            let files = [&known.files, &engine.files];
            let is_unlike = files[0] != files[1] && files.iter().all(|files| !files.is_empty());
            !theirs.contains(place) && !is_unlike && identity(known) == identity(engine)
        };
        let place = engines.iter().enumerate().find(is_same).map(|(place, _)| place);
        let place = place.unwrap_or_else(|| {
            engines.push(engine.clone());
            engines.len() - 1
        });
        if engine.removed.is_some() != engines[place].removed.is_some() {
            return Err(format!("engines: {label} was removed from one of them and not the other"));
        }
        theirs.push(place);
    }
    Ok((engines, theirs))
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
    let (engines, theirs) = joined_engines(&one.config, &other.config).map_err(unlike)?;
    if one.config.sprt.is_some() && engines.len() > one.config.engines.len() {
        return Err(unlike("engines: both must be a test of the same ones".to_owned()));
    }
    for event in [one, other] {
        if let Some(problem) = beyond_window(&event.config) {
            return Err(unlike(format!("{}: {problem}", event.dir.display())));
        }
    }
    let mut challengers = 1;
    let mut order: Vec<usize> = (0..engines.len()).collect();
    if one.config.own.format == EventFormat::Gauntlet {
        let challenging = |event: &Event| event.config.own.challengers();
        let is_challenger = |place: &usize| {
            *place < challenging(one) || theirs[..challenging(other)].contains(place)
        };
        challengers = order.iter().filter(|place| is_challenger(place)).count();
        if challengers == engines.len() {
            let problem = "challengers: every engine is a challenger in one of the events, and \
                           none is left for them to meet; play a round-robin";
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
        own: StageConfig {
            challengers: Some(challengers as u32).filter(|&count| count != 1),
            ..one.config.own.clone()
        },
        engines: order.iter().map(|&place| engines[place].clone()).collect(),
        // Each part goes on where its event did in the order of all.
        openings_start: None,
        openings_count: None,
        parts: Vec::new(),
        ..one.config.clone()
    };
    config.parts = placed(one, &ours);
    let parts = join_parts(&mut config.parts, placed(other, &theirs), one, other)?;
    config.set_aside = set_aside([one, other], &config.labels());
    config.validate()?;
    Ok(Merged { config, places: [ours, theirs], parts })
}

/// The parts of an event, with its engines moved to these places.
fn placed(event: &Event, places: &[usize]) -> Vec<EventPart> {
    let mut parts = event.config.parts_so_far();
    for part in &mut parts {
        part.meetings += event.config.openings_start.unwrap_or(1) - 1;
        let Places(engines) = &mut part.engines;
        engines.iter_mut().for_each(|place| *place = places[usize::from(*place)] as u16);
    }
    parts
}

/// Puts the parts of the other event behind those of the first, except for those that it has: a
/// part is the same in both if it is drawn alike and both have a game of it that was played once.
fn join_parts(
    joined: &mut Vec<EventPart>,
    theirs: Vec<EventPart>,
    one: &Event,
    other: &Event,
) -> Result<Vec<MergedPart>, EventError> {
    let ours = joined.len();
    let start = |parts: &[EventPart]| parts.iter().map(EventPart::len).sum::<u64>();
    let (mut parts, mut before, mut taken) = (Vec::new(), 0, Vec::new());
    for part in theirs {
        let games = part.len();
        let mut shared = None;
        for place in (0..ours).filter(|&place| joined[place] == part && !taken.contains(&place)) {
            let after = start(&joined[..place]);
            let candidate = MergedPart { before, games, after, is_shared: true };
            if Overlap::of(one, other, &[candidate])?.shared > 0 {
                taken.push(place);
                shared = Some(candidate);
                break;
            }
        }
        parts.push(shared.unwrap_or_else(|| {
            let after = start(joined);
            joined.push(part);
            MergedPart { before, games, after, is_shared: false }
        }));
        before += games;
    }
    Ok(parts)
}

/// The problem of an event with more games than openings, so that openings come again: in the order
/// of another event, others would stand there. A test ends before that.
fn beyond_window(config: &EventConfig) -> Option<String> {
    let window = config.opening_window().filter(|_| config.sprt.is_none())?;
    let parts = config.parts_so_far();
    let meetings = |part: &EventPart| u64::from(part.meetings + part.games.div_ceil(2));
    let most = parts.iter().map(meetings).max()?;
    (most > window).then(|| {
        format!(
            "its pairs play {most} openings, and openings-count leaves {window}: they come again, \
             and a merged event could not tell which of them was played"
        )
    })
}

/// What was set aside in two events. One by a name that an engine here has was set aside in one of
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

/// What makes two engines the same, wherever the file lies. The contents may be known for only one
/// of the two.
fn identity(engine: &EngineEntry) -> EngineEntry {
    let (path, folder, removed, files) = (None, None, None, String::new());
    EngineEntry { path, folder, removed, files, ..engine.clone() }
}

/// The first key in which two events to be merged differ, and what each has there.
fn difference(one: &EventConfig, other: &EventConfig) -> Option<String> {
    for config in [one, other] {
        // Two parts of a test are of the same engines, or it is refused later.
        let drawn = EventConfig { sprt: None, ..config.clone() };
        if let Err(error) = drawn.check_open("format") {
            return Some(error.to_string());
        }
    }
    let tables = [one, other].map(|config| {
        // In an older event, 0 says that none was set.
        let margin = config.margin.filter(|margin| margin.0 > 0);
        let config = EventConfig { margin, ..config.clone() };
        toml::Table::try_from(&config).unwrap_or_default()
    });
    let keys = tables[0].keys().chain(tables[1].keys());
    let mut keys = keys.filter(|key| !FREE.contains(&key.as_str()));
    if let Some(key) = keys.find(|key| tables[0].get(*key) != tables[1].get(*key)) {
        let [one, other] = tables.each_ref().map(|table| shown(table.get(key)));
        return Some(format!("{key}: one has {one}, the other {other}"));
    }
    let is_drawn =
        one.openings_order != OpeningOrder::default() || one.symmetries() == Symmetries::Random;
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
