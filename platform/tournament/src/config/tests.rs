use std::fs;

use super::*;
use tengen_arbiter::{FoulPolicy, IllegalPolicy, LatePolicy, ResignBy};

const FULL: &str = r#"
rule = "renju"
size = 15
opening = "contest"
fifth-moves = "2..4"
alike = "board"
openings-order = "random"
openings-symmetries = "all"
tc = "60+1,nodes=100000"
margin = 0.1
stall = 60
startup = 5
games = 4
concurrency = 3
affinity = "0,2-3"
seed = 42
format = "round-robin"
isolation = "in-process"
restart = true
memory = "350MiB"
folder-limit = "70MiB"
require-sandbox = true
ponder = true
illegal = "retries=2"
forbidden = "claim"
late = "substitute"
draw-offers = true
passing = true
move-limit = 200
dir = "players"
out = "cup"
adjudicate-draw = { stones = 40, moves = 8, score = 10 }
adjudicate-resign = { moves = 3, score = 9000 }

[[engines]]
id = "hoshi"
label = "Hoshi 1.2"
name = "Hoshi"
path = "hoshi.so"
version = "1.2"
hash = "00ff"
layers = ["landlock", "seccomp"]
memory-mib = 350
threads = 1
tc = "move=1"
margin = 1
options = { Depth = "6" }

[[engines]]
id = "greedy"
"#;

fn read(text: &str) -> Result<EventConfig, ConfigError> {
    EventConfig::from_toml(text, "cup.toml".as_ref())
}

fn with(text: &str) -> EventConfig {
    read(&format!("engines = ['a', 'b']\n{text}")).unwrap()
}

#[test]
fn every_key_reads_and_reads_back() {
    let config = read(FULL).unwrap();
    // The openings of this procedure are played, not drawn.
    let drawn = (OpeningOrder::Random, Some(Symmetries::All));
    assert_eq!((config.openings_order, config.openings_symmetries), drawn);
    let (openings_order, openings_symmetries) = Default::default();
    let valid = EventConfig { openings_order, openings_symmetries, ..config.clone() }.validate();
    assert_eq!(valid.map_err(|error| error.to_string()), Ok(()));
    assert_eq!(read(&config.to_toml()).unwrap(), config);
    assert_eq!((config.memory, config.folder_limit), (Some(Mebibytes(350)), Some(Mebibytes(70))));
    assert!(config.require_sandbox && config.ponder);
    let game = config.game(&config.schedule().get(2).unwrap());
    assert_eq!(game.rule, Rule::Renju);
    assert_eq!(game.opening.procedure, Procedure::Contest);
    assert_eq!(game.opening.fifth_moves, Some((2, 4)));
    assert_eq!(game.opening.alike, tengen_rules::Alike::Board);
    assert_eq!(game.time.first.to_string(), "60+1,nodes=100000");
    assert_eq!(game.time.second.to_string(), "move=1");
    assert_eq!(game.margin, BySeat { first: 100_000_000, second: 1_000_000_000 });
    assert_eq!(game.policies.illegal, IllegalPolicy::Retries(2));
    assert_eq!(game.policies.foul, FoulPolicy::Claim);
    assert_eq!(game.policies.late, LatePolicy::Substitute);
    assert!(game.policies.draw_offers && game.policies.passing);
    assert_eq!(game.policies.move_limit, Some(200));
    let windows = game.policies.adjudication.unwrap();
    assert_eq!(windows.draw, Some(DrawWindow { stones: 40, moves: 8, score: 10 }));
    assert_eq!(windows.resign, Some(ResignWindow { moves: 3, score: 9000, by: ResignBy::Both }));
}

#[test]
fn the_defaults_are_those_of_the_rules() {
    let config = with("");
    assert_eq!(config, EventConfig { engines: config.engines.clone(), ..EventConfig::default() });
    let game = config.game(&config.schedule().get(1).unwrap());
    assert_eq!(game.policies, Policies::default());
    assert_eq!(game.margin, BySeat::default());
    assert_eq!(game.time.first.to_string(), "10+0.1");
}

#[test]
fn mistakes_are_told_with_their_place() {
    for (text, place, words) in [
        ("gmaes = 5", "line 2", "gmaes"),
        ("rouns = 5", "line 2", "`rounds`"),
        ("tc = 'soon'", "line 2", "soon"),
        ("rule = 'go'", "line 2", "renju"),
        ("size = 4", "line 2", "5 to 32"),
        ("games = -1", "line 2", "-1"),
        ("margin = -1", "line 2", "seconds"),
        ("fifth-moves = '5..1'", "line 2", "1..5"),
        ("openings = ['h8 zz']", "line 2", "h8 zz"),
        ("affinity = '3-1'", "line 2", "0,2,4-7"),
        ("format = 'league'", "line 2", "round-robin"),
        ("adjudicate-draw = { move = 3 }", "line 2", "move"),
        ("[seed", "line 2", "seed"),
        ("games = 'ten'", "line 2", "a whole number from 0"),
        ("games = 2\ngames = 4", "line 3", "duplicate key"),
        ("seed = 99999999999999999999", "line 2", "a whole number"),
        ("adjudicate-resign = { moves = 3, score = 3, by = 'one' }", "line 2", "`loser`"),
        ("sprt = 'elo0=5,elo1=0'", "line 2", "elo0 below elo1"),
        ("format = 'swiss'\ntie-breaks = 'sonneborn'", "line 3", "sonneborn-berger"),
    ] {
        let error = read(&format!("engines = ['a', 'b']\n{text}")).unwrap_err().to_string();
        assert!(error.starts_with("cup.toml: "), "{error}");
        assert!(error.contains(place) && error.contains(words), "{text}: {error}");
    }
    let error = read("engines = ['a', { id = 'b', memory = 3 }]").unwrap_err().to_string();
    assert!(error.contains("line 1") && error.contains("memory-mib"), "{error}");
}

#[test]
fn what_cannot_be_held_is_refused_by_name() {
    for (text, option) in [
        ("games = 0", "games: "),
        ("concurrency = 0", "concurrency: "),
        ("concurrency = 3\ncpus = '0-1'", "cpus: 2 CPUs are too few for 3 games"),
        ("startup = 0", "startup: "),
        ("format = 'gauntlet'\nchallengers = 2", "challengers: expected 1 to 1"),
        ("challengers = 2", "challengers: round-robin has none; only a gauntlet"),
        ("format = 'swiss'\nchallengers = 2", "challengers: swiss has none; only a gauntlet"),
        ("rounds = 3", "rounds: round-robin has none; only swiss"),
        ("format = 'swiss'\nrounds = 0", "rounds: expected 1 to 500, not 0"),
        ("format = 'groups'", "groups: how many are there?"),
        ("format = 'groups'\ngroups = 2", "groups: expected 1 to 1: of two engines each, not 2"),
        ("format = 'knockout'\ngames = 3", "games: 3 is an odd number"),
        ("format = 'knockout'\nseeding = 'rating'", "seeding: a has no rating"),
        ("format = 'swiss'\ndeciders = 1", "deciders: swiss has none; only knockout"),
        ("format = 'knockout'\ndeciders = 0\ndecider-tc = '1'", "decider-tc: there are no"),
        ("format = 'double-elimination'\nthird-place = true", "third-place: double-elimination"),
        ("format = 'ladder'\nnewcomers = 2", "newcomers: expected 1 to 1: fewer than"),
        ("format = 'knockout'\nsprt = 'elo0=0,elo1=5'", "sprt: a test is of two engines"),
        ("rounds = 2\n[[stage]]\nformat = 'swiss'", "rounds: the event has stages"),
        ("format = 'swiss'\n[[stage]]\nformat = 'swiss'", "format: the event has stages"),
        ("[[stage]]\ntake = 2", "stage 1: take: the first stage has all engines"),
        ("[[stage]]\n[[stage]]\ntake = 3", "stage 2: take: expected 2 to 2, of as many as"),
        ("opening = 'contest'\nsize = 19", "opening: "),
        ("opening = 'swap2'\nfifth-moves = 3", "opening: "),
        ("opening = 'book'", "opening: "),
        ("openings = ['h8']", "openings: "),
        ("openings = 'suite.txt'", "openings: "),
        (
            "opening = 'book'\nopenings = ['h8', 'h8 h8']",
            "opening: position 2: a book stone: h8 is occupied",
        ),
        (
            "opening = 'book'\nopenings = ['h8 h9 i8 i9 j8 j9 k8 k9 l8']",
            "opening: position 1: the book's stone on l8 ends the game",
        ),
        (
            "rule = 'renju'\nopening = 'book'\nopenings = ['g8 a1 i8 c1 h7 e1 h9 g1 h8']",
            "opening: position 1: the book's stone on h8 ends the game",
        ),
        (
            "opening = 'swap2'\nopenings = ['h8']",
            "openings: swap2 plays none; add the opening book",
        ),
        (
            "size = 20\nopening = 'soosorv8'\nrule = 'renju'",
            "opening: the opening soosorv8 needs a board of 15, not 20",
        ),
        ("move-limit = 0", "move-limit: expected 1 or more"),
        (
            "move-limit = 2\nopening = 'book'\nopenings = ['h8 h9 i8']",
            "move-limit: the position has 3 stones, so that its games are drawn before a move",
        ),
        (
            "adjudicate-draw = { moves = 0, score = 3 }",
            "adjudicate-draw: expected moves of 1 or more",
        ),
        ("adjudicate-proof = 0", "adjudicate-proof: expected 1 to 1000000"),
    ] {
        let error = with(text).validate().unwrap_err().to_string();
        assert!(error.starts_with(option), "{text}: {error}");
    }
    let alone = EventConfig { engines: vec![EngineEntry::new("a")], ..EventConfig::default() };
    assert!(alone.validate().unwrap_err().to_string().starts_with("engines: "));
    let seed = EventConfig { seed: u64::MAX, ..with("") };
    assert!(seed.validate().unwrap_err().to_string().starts_with("seed: "));
}

#[test]
fn namesakes_are_numbered() {
    let engines = ["a", "b", "a", "a"].map(EngineEntry::new).to_vec();
    let config = EventConfig { engines, ..EventConfig::default() };
    assert_eq!(config.labels(), ["a", "b", "a#2", "a#3"]);
}

#[test]
fn every_pairing_plays_the_same_openings() {
    let config = with("games = 6\nopening = 'book'\nopenings = ['h8 h9', 'a1, a2']");
    config.validate().unwrap();
    let first_stones: Vec<String> = config
        .schedule()
        .iter()
        .map(|game| config.game(&game).opening.book[0].to_string())
        .collect();
    assert_eq!(first_stones, ["h8", "h8", "a1", "a1", "h8", "h8"]);
}

#[test]
fn a_file_of_openings_is_read_beside_the_file_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cup.toml");
    let text = "opening = 'book'\nsize = 20\nopenings = 'suite.txt'\nengines = ['a', 'b']";
    fs::write(&path, text).unwrap();
    let read = || -> Result<EventConfig, ConfigError> {
        let mut config = EventConfig::read(&path)?;
        config.load_openings()?;
        Ok(config)
    };
    let missing = read().unwrap_err().to_string();
    assert!(missing.contains("suite.txt"), "{missing}");
    fs::write(folder.path().join("suite.txt"), "# two\nh8 h9\n\n8,-3, -1,5 # offsets\n").unwrap();
    let config = read().unwrap();
    assert_eq!(config.openings.positions()[1], [Point::new(18, 12), Point::new(9, 4)]);
    config.validate().unwrap();
    let frozen = EventConfig::from_toml(&config.to_toml(), "frozen".as_ref()).unwrap();
    assert_eq!(frozen, config);
    for (text, words) in [
        ("h8 h9\nnonsense\n", "suite.txt: line 2, column 1: `nonsense` is not a point"),
        ("h8 h9\n\nh8 h8\n", "suite.txt: line 3: a book stone: h8 is occupied"),
        ("9,9, 10,0", "suite.txt: line 1, column 9: 10,0 from the centre is off a board of 20"),
        ("", "suite.txt: no position"),
    ] {
        fs::write(folder.path().join("suite.txt"), text).unwrap();
        let wrong = read().unwrap_err().to_string();
        assert!(wrong.contains(words), "{wrong}");
    }
}

#[test]
fn both_games_of_a_pair_begin_alike_in_any_order() {
    let text = "games = 12\nopening = 'book'\nopenings = ['h8 i10', 'a1 b3']\nseed = 3\n\
                openings-order = 'random'\nopenings-symmetries = 'random'";
    let config = with(text);
    let writer: Vec<_> =
        config.schedule().iter().map(|game| config.game(&game).opening.book).collect();
    for pair in writer.chunks(2) {
        assert_eq!(pair[0], pair[1]);
    }
    assert!(writer.iter().collect::<std::collections::BTreeSet<_>>().len() > 2);
}

#[test]
fn an_order_of_no_positions_is_refused() {
    for option in ["openings-order = 'random'", "openings-symmetries = 'all'"] {
        let error = with(option).validate().unwrap_err().to_string();
        assert!(error.starts_with(option.split(' ').next().unwrap()), "{error}");
        assert!(error.contains("no positions"), "{error}");
    }
}

/// A line is checked if a game comes to it: a large suite may have a bad one.
#[test]
fn only_openings_that_are_played_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("suite.txt");
    fs::write(&suite, "h8 h9\n\ni9 j10\nh8 nine\na1 b2\n").unwrap();
    let load = |games: u32, order| {
        let openings = Openings::File(suite.clone());
        let engines = vec![EngineEntry::new("a"), EngineEntry::new("b")];
        let (opening, openings_order) = (Procedure::Book, order);
        let mut config =
            EventConfig { games, opening, openings, openings_order, engines, ..Default::default() };
        config.load_openings().map(|()| config)
    };
    let config = load(4, OpeningOrder::Sequential).unwrap();
    config.validate().unwrap();
    assert_eq!(config.openings.positions().len(), 4, "every position keeps its place");
    let again = EventConfig::from_toml(&config.to_toml(), "cup.toml".as_ref()).unwrap();
    assert_eq!(again, config);
    again.validate().unwrap();
    for (games, order) in [
        (5, OpeningOrder::Sequential),
        (6, OpeningOrder::Sequential),
        (100, OpeningOrder::Sequential),
        (8, OpeningOrder::Random),
    ] {
        let error = load(games, order).unwrap_err().to_string();
        assert!(error.contains("suite.txt") && error.contains("line 4"), "{error}");
    }
}

#[test]
fn bombs_are_refused_by_their_place() {
    let error = |text: &str| {
        let read = EventConfig::from_toml(text, "cup.toml".as_ref());
        read.expect_err("no configuration").to_string()
    };
    let times = 100_000;
    for text in [
        format!("games = {}", "[".repeat(times)),
        format!("games = {}", "{a=".repeat(times)),
        format!("{}a = 1", "a.".repeat(times)),
        format!("games = {}", "9".repeat(times)),
        "games = -1".to_owned(),
        "seed = -1".to_owned(),
        "games = 18446744073709551615".to_owned(),
        "games = 9223372036854775807".to_owned(),
        "games = 1e999".to_owned(),
        "games = 18446744073709551616".to_owned(),
        "seed = 0x1_0000_0000_0000_0000".to_owned(),
        "startup = 1e400".to_owned(),
        "startup = nan".to_owned(),
        "tc = '99999999999999999999999999+1'".to_owned(),
        "memory = '99999999999999999999GiB'".to_owned(),
    ] {
        let error = error(&text);
        let has_place = error.contains("line 1") || error.contains("recursion limit");
        assert!(error.starts_with("cup.toml: ") && has_place, "{error:.500}");
    }
}
