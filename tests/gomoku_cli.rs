//! `tengen match` with engines that have settings of their own, and with the flags of
//! c-gomoku-cli.

mod common;

use std::env::consts::{DLL_SUFFIX, EXE_SUFFIX};
use std::fs;
use std::io::Read;
use std::path::Path;

use common::{ProgramRun, assert_whole, repository, tengen};
use tempfile::TempDir;
use tengen_arbiter::{MarginPolicy, Termination};
use tengen_record::{GameRecord, PlayerHeader};
use tengen_rules::Seat;

/// Runs a match in that folder.
fn play(folder: &Path, arguments: &[&str]) -> ProgramRun {
    let mut command = tengen(["match"]);
    ProgramRun::of(command.args(arguments).current_dir(folder))
}

/// A folder with an engine and a suite of openings.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let theirs = folder.path().join("theirs");
    fs::create_dir(&theirs).unwrap();
    let engine = common::rust_library(&repository("engines"), "greedy");
    fs::copy(engine, theirs.join(format!("wine{DLL_SUFFIX}"))).unwrap();
    fs::write(folder.path().join("openings.txt"), "8,-3, 6,-4, 5,-4, 4,-3\n0,0, 1,1\n").unwrap();
    folder
}

fn sitters(record: &GameRecord) -> [&PlayerHeader; 2] {
    [&record.header.seats.first, &record.header.seats.second]
}

/// The lines that c-gomoku-cli's users read, of so many games between Wine and Rapfi.
fn assert_told(shown: &str, games: usize) {
    for number in 1..=games {
        let begun = format!("] Started game {number} of {games} (");
        let over = format!("] Finished game {number} (");
        assert_eq!(shown.matches(&begun).count(), 1, "{begun}: {shown}");
        let over = shown.lines().find(|line| line.contains(&over)).expect("it is told");
        let (who, how) = over.split_once("): ").unwrap();
        assert!(who.ends_with("Wine vs Rapfi") || who.ends_with("Rapfi vs Wine"), "{over}");
        let (score, reason) = how.split_once(' ').unwrap();
        assert!(["1-0", "0-1", "1/2-1/2"].contains(&score), "{over}");
        assert!(reason.starts_with('{') && reason.ends_with('}'), "{over}");
    }
    let scores: Vec<_> =
        shown.lines().filter_map(|line| line.strip_prefix("Score of Wine vs Rapfi: ")).collect();
    assert_eq!(scores.len(), games, "{shown}");
    for (count, score) in (1..).zip(&scores) {
        let (counts, rest) = score.split_once("  [").unwrap();
        let counts: Vec<u32> = counts.split(" - ").map(|count| count.parse().unwrap()).collect();
        let [won, _, drawn] = counts[..] else { panic!("{score}") };
        assert_eq!(counts.iter().sum::<u32>(), count, "{score}");
        let share = (f64::from(won) + 0.5 * f64::from(drawn)) / f64::from(count);
        assert_eq!(rest, format!("{share:.3}] {count}"), "{score}");
    }
    assert!(shown.contains("Tournament update:\nWine vs Rapfi: "), "{shown}");
    let known = ["[", "Score of ", "Tournament update:", "Wine vs Rapfi: ", "Matches/min: "];
    let others = shown.lines().filter(|line| !known.iter().any(|known| line.starts_with(known)));
    assert_eq!(others.collect::<Vec<_>>(), [""; 0], "nothing else is on standard output");
}

#[test]
fn the_example_of_the_readme_of_c_gomoku_cli_is_played() {
    let folder = folder();
    let wine = format!("./theirs/wine{DLL_SUFFIX}");
    let example = "-each tc=180/30 -engine name=Wine cmd=WINE \
        -engine name=Rapfi cmd=builtin:alphabeta nodes=200 \
        -rule 0 -boardsize 20 -rounds 2 -games 2 -debug -repeat -concurrency 2 -drawafter 200 \
        -pgn my_games.pgn -sgf my_games.sgf -msg my_games.txt -log \
        -openings file=openings.txt order=random";
    let example = example.replace("WINE", &wine);
    let arguments: Vec<&str> = example.split_whitespace().collect();
    let run = play(folder.path(), &arguments);
    assert!(run.stderr.contains("margin of each move: 1.5 s"), "{}", run.stderr);
    assert!(run.stderr.contains("How games ended"), "{}", run.stderr);
    assert_told(&run.done(), 4);
    let event = folder.path().join("events/001-Wine-vs-Rapfi");
    assert_whole(&event, 4);
    let records = common::records(&event);
    for record in &records {
        let names = ["Wine", "Rapfi"];
        assert!(sitters(record).iter().all(|sitter| names.contains(&sitter.id.as_str())));
        let wine = sitters(record).into_iter().find(|sitter| sitter.id == "Wine").unwrap();
        assert_eq!(wine.time.to_string(), "180+0,move=30");
        let other = sitters(record).into_iter().find(|sitter| sitter.id == "Rapfi").unwrap();
        assert_eq!(other.time.to_string(), "180+0,move=30,nodes=200");
        assert_eq!((wine.margin, other.margin), (1_500_000_000, 1_500_000_000));
        assert_eq!(record.header.policies.margin, MarginPolicy::Move);
    }
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let heads = |of: &str, begin: &str, end: &str| -> Vec<String> {
        let lines = of.lines().filter_map(|line| line.strip_prefix(begin)?.split(end).next());
        lines.map(str::to_owned).collect()
    };
    let numbers = ["1", "2", "3", "4"];
    let pgn = read("my_games.pgn");
    assert_eq!(heads(&pgn, "[Event \"", "\""), numbers);
    assert_eq!(heads(&pgn, "[Round \"", "\""), ["1.1", "1.2", "2.1", "2.2"]);
    let sgf = read("my_games.sgf");
    assert_eq!(sgf.matches("(;FF[4]").count(), 4);
    assert_eq!(heads(&read("my_games.txt"), "Game ID: ", "\n"), numbers);
    assert_eq!(heads(&read("my_games.txt"), "Engines: ", "\n").len(), 4);
    let log = read("c-gomoku-cli.log");
    assert_eq!(log.matches(" - new game: freestyle on 20").count(), 8, "{log}");
    assert_eq!(log.matches(" - game over: ").count(), 8, "{log}");

    // What is there is added to, and the log begins anew.
    assert_told(&play(folder.path(), &arguments).done(), 4);
    assert!(read("my_games.pgn").starts_with(&pgn) && read("my_games.sgf").starts_with(&sgf));
    assert_eq!(heads(&read("my_games.pgn"), "[Event \"", "\"").len(), 8);
    assert_eq!(read("c-gomoku-cli.log").matches(" - new game: ").count(), 8);
}

#[test]
fn the_example_is_played_by_brains_and_what_is_missing_is_written_when_it_goes_on() {
    let folder = folder();
    let engines = folder.path().join("example-engine");
    fs::create_dir(&engines).unwrap();
    copy_brains(&engines, ["pbrain-wine", "pbrain-rapfi1"]);
    fs::create_dir(folder.path().join("opening_examples")).unwrap();
    let openings = "opening_examples/offset_freestyle_20x20.txt";
    fs::copy(folder.path().join("openings.txt"), folder.path().join(openings)).unwrap();
    let page = fs::read_to_string(repository("docs/c-gomoku-cli.md")).unwrap();
    let example = page.split("```sh").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let example = example.replace('\\', " ").replace("4000", "3").replace("tengen match", "");
    let arguments: Vec<&str> = example.split_whitespace().collect();
    assert_told(&play(folder.path(), &arguments).done(), 6);
    let event = folder.path().join("events/001-Wine-vs-Rapfi");
    assert_whole(&event, 6);
    for record in common::records(&event) {
        // Two hundred stones are a draw there.
        let end = record.result.termination;
        assert!(matches!(end, Termination::Five | Termination::Adjudication), "{end:?}");
        assert!(!record.header.opening.book.is_empty());
    }

    let resume = |flags: &[&str]| {
        let mut command = tengen(["tournament", "resume", "events/001-Wine-vs-Rapfi"]);
        ProgramRun::of(command.args(flags).current_dir(folder.path()))
    };
    resume(&["--sgf", "my_games.sgf"]).refused(2, &["my_games.sgf", "exists already"]);
    resume(&["--sgf", "again.sgf", "--pgn", "again.pgn", "--log", "again.log"]).done();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("again.sgf"), read("my_games.sgf"));
    assert_eq!(read("again.pgn").matches("[Event ").count(), 6);
    assert_eq!(read("again.log"), "", "nothing was left to play");
}

/// Makes the same brain twice, which does not think.
fn copy_brains(folder: &Path, names: [&str; 2]) {
    let [first, second] = names.map(|name| format!("{name}{EXE_SUFFIX}"));
    common::brain::quirk(folder, &first);
    fs::copy(folder.join(first), folder.join(second)).unwrap();
}

/// Two brains that do not think, in the folder `brains`, and the flags that seat them; each with
/// what comes behind its name.
fn brains(folder: &Path, arguments: [&str; 2]) -> Vec<String> {
    let brains = folder.join("brains");
    fs::create_dir(&brains).unwrap();
    copy_brains(&brains, ["pbrain-wine", "pbrain-rapfi"]);
    let engine = |name: &str, program: &str, arguments: &str| {
        let command = format!("cmd=./brains/{program} {arguments}");
        ["-engine".to_owned(), format!("name={name}"), command.trim_end().to_owned()]
    };
    let [wine, rapfi] = arguments;
    [engine("Wine", "pbrain-wine", wine), engine("Rapfi", "pbrain-rapfi", rapfi)].concat()
}

fn play_brains(folder: &Path, brains: &[String], flags: &str) -> ProgramRun {
    let brains = brains.iter().map(String::as_str);
    let arguments: Vec<&str> = brains.chain(flags.split_whitespace()).collect();
    play(folder, &arguments)
}

/// What a brain says to people goes into a file in the form of c-gomoku-cli, and its line of play
/// into the record.
#[test]
fn messages_are_written_by_the_move_and_lines_of_play_are_in_the_record() {
    let folder = folder();
    let brains = brains(folder.path(), ["message", ""]);
    let flags = "-each tc=60 -games 2 -drawafter 4 -msg said.txt -sgf all.sgf";
    play_brains(folder.path(), &brains, flags).done();
    let said = fs::read_to_string(folder.path().join("said.txt")).unwrap();
    let line = "-".repeat(40);
    let search = "Depth 12-24 | Eval 42 | Time 350ms | H8 I9";
    let pv = "depth 13-26 ev -7 n 240K n/ms 500 tm 480 pv H8 I9";
    let spoken = |plies: [u32; 2]| -> String {
        let thoughts = plies
            .iter()
            .flat_map(|ply| ["a thought", search, pv].map(|text| format!("{ply}) Wine: {text}\n")));
        thoughts.collect()
    };
    let game = |number: u32, names: &str, plies| {
        format!("{line}\nGame ID: {number}\nEngines: {names}\n{}", spoken(plies))
    };
    let expected = game(1, "Wine x Rapfi", [1, 3]) + &game(2, "Rapfi x Wine", [2, 4]);
    assert_eq!(said, expected);
    let sgf = fs::read_to_string(folder.path().join("all.sgf")).unwrap();
    assert_eq!(sgf.matches("depth 13-26, 240000 nodes, pv h8 i7").count(), 4, "{sgf}");
    for record in common::records(&folder.path().join("events/001-Wine-vs-Rapfi")) {
        let wine = if record.header.seats.first.id == "Wine" { Seat::First } else { Seat::Second };
        for action in &record.actions {
            let pv: Vec<_> = action.pv.iter().map(ToString::to_string).collect();
            let expected: &[&str] = if action.seat == wine { &["h8", "i7"] } else { &[] };
            assert_eq!(pv, expected);
        }
    }
}

/// As the program itself writes them, byte for byte.
#[test]
fn samples_are_written_as_trainers_read_them() {
    let folder = folder();
    let brains = brains(folder.path(), ["", ""]);
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let sample = |format: &str| {
        let flags = format!(
            "-each tc=60 -boardsize 20 -rule 1 -games 2 -drawafter 7 -openings file=openings.txt \
             -sample format={format}"
        );
        play_brains(folder.path(), &brains, &flags).done();
    };
    sample("csv");
    let game = "s8q7p7o8,a1,1\ns8q7p7o8a1,j2,1\ns8q7p7o8a1j2,s3,1\n";
    assert_eq!(String::from_utf8(read("sample.csv")).unwrap(), game.repeat(2));
    sample("csv");
    assert_eq!(read("sample.csv").len(), 4 * game.len(), "a file that is there is added to");

    let points = [(18, 7), (16, 6), (15, 6), (14, 7), (0, 0), (9, 1), (18, 2)];
    let code = |place: usize| (points[place].0 << 5 | points[place].1) as u16;
    let mut bin = Vec::new();
    for place in 4..7 {
        let white = (place as u16 % 2) << 10;
        bin.extend([1 | (place as u16) << 2 | 20 << 11, 1 | (white | code(place)) << 3]);
        bin.extend((0..place).map(code));
    }
    let bytes =
        |words: &[u16]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    sample("bin");
    assert_eq!(read("sample.bin"), bytes(&bin).repeat(2));
    let mut binpack = Vec::new();
    let (head, moves): (u32, u32) = (20 | 1 << 5 | 1 << 8 | 7 << 12 | 4 << 22, 3 << 14);
    binpack.extend([head.to_le_bytes(), moves.to_le_bytes()].concat());
    binpack.extend(bytes(&(0..4).map(code).collect::<Vec<_>>()));
    binpack.extend(bytes(&(4..7).flat_map(|place| [7 | code(place) << 6, 0]).collect::<Vec<_>>()));
    sample("binpack");
    assert_eq!(read("sample.binpack"), binpack.repeat(2));
    for format in ["bin", "binpack"] {
        sample(&format!("{format}_lz4"));
        let packed = read(&format!("sample.{format}.lz4"));
        let mut plain = Vec::new();
        lz4_flex::frame::FrameDecoder::new(&packed[..]).read_to_end(&mut plain).unwrap();
        assert_eq!(plain, read(&format!("sample.{format}")));
    }
    sample("csv freq=0 file=none.csv");
    assert_eq!(read("none.csv"), b"");
}

/// Of a gauntlet only what the first engine lost is written, where that is asked.
#[test]
fn only_lost_games_are_written_where_that_is_asked() {
    for (arguments, games) in [(["junk", ""], 2), (["", "junk"], 0)] {
        let folder = folder();
        let brains = brains(folder.path(), arguments);
        let flags =
            "-gauntlet -loseonly -each tc=2 -games 2 -pgn all.pgn -sgf all.sgf -msg all.txt";
        assert_told(&play_brains(folder.path(), &brains, flags).done(), 2);
        let count = |name: &str, word: &str| {
            fs::read_to_string(folder.path().join(name)).unwrap().matches(word).count()
        };
        assert_eq!(count("all.pgn", "[Event "), games);
        assert_eq!(count("all.sgf", "(;FF[4]"), games);
        assert_eq!(count("all.txt", "Game ID: "), games);
        assert_whole(&folder.path().join("events/001-Wine-vs-Rapfi"), 2);
    }
}

#[test]
fn a_fault_ends_the_event_where_it_is_fatal() {
    let folder = folder();
    let brains = brains(folder.path(), ["crash", ""]);
    let flags = "-each tc=60 -games 2";
    let shown = play_brains(folder.path(), &brains, flags).done();
    assert!(shown.contains("(Wine vs Rapfi): 0-1 {White win by opponent crash}"), "{shown}");
    let resume = format!("tengen tournament resume {}", Path::new("events").join("002").display());
    let words = ["-fatalerror", "Wine lost game ", " by crash", &resume];
    play_brains(folder.path(), &brains, &format!("{flags} -fatalerror")).refused(1, &words);
}

/// Half of the tolerance, in each move. An answer takes longer than the whole game may.
#[test]
fn what_c_gomoku_cli_forgives_is_forgiven() {
    let folder = folder();
    let brains = brains(folder.path(), ["slow 300", "slow 300"]);
    let flags = "-each tc=0.2 tolerance=60 -games 2 -drawafter 6";
    let shown = play_brains(folder.path(), &brains, flags).done();
    assert_eq!(shown.matches("1/2-1/2 {Draw by adjudication}").count(), 2, "{shown}");
    let ours = "--tc 0.2 --margin 0.25 --games 2 --spoiled keep --out ours --engine name=a";
    let mut arguments: Vec<&str> = ours.split(' ').collect();
    let command = "cmd=cmd:./brains/pbrain-wine slow 300";
    arguments.extend([command, "--engine", "name=b", command]);
    play(folder.path(), &arguments).done();
    for record in common::records(&folder.path().join("ours")) {
        assert_eq!(record.result.termination, Termination::Timeout, "our own flags are strict");
    }
}

#[test]
fn openings_are_checked_as_far_as_they_are_used() {
    let folder = folder();
    let brains = brains(folder.path(), ["", ""]);
    fs::write(folder.path().join("some.txt"), "0,0, 1,1\n\n2,2, 1,0\nnonsense\n").unwrap();
    let flags = "-each tc=60 -drawafter 5 -openings file=some.txt -games";
    let run = play_brains(folder.path(), &brains, &format!("{flags} 4"));
    assert!(run.stderr.contains("some.txt: line 4"), "{}", run.stderr);
    assert_told(&run.done(), 4);
    let words = ["some.txt: line 4", "`nonsense` is not a point"];
    play_brains(folder.path(), &brains, &format!("{flags} 6")).refused(2, &words);
}

/// Each line of the log: the seconds, the game, the player, the way, and the words.
fn logged(log: &str) -> Vec<(u64, String, char, String)> {
    let line = |line: &str| {
        let mut words = line.splitn(6, ' ');
        let mut next = || words.next().unwrap_or_else(|| panic!("{line}"));
        assert!(next().parse::<f64>().is_ok(), "{line}");
        assert_eq!(next(), "game", "{line}");
        let number = next().parse().unwrap();
        let (player, way) = (next().to_owned(), next().parse().unwrap());
        (number, player, way, next().to_owned())
    };
    log.lines().map(line).collect()
}

/// Every line both ways as it went over the pipes, of each game by its number, at any concurrency
/// and by whichever command the log was asked for.
#[test]
fn the_log_has_the_wire_word_for_word() {
    let folder = folder();
    let brains = brains(folder.path(), ["message", ""]);
    let flags = "-each tc=60 -games 6 -concurrency 3 -drawafter 4 -log -sendbyboard";
    play_brains(folder.path(), &brains, flags).done();
    let read = |name: &str| logged(&fs::read_to_string(folder.path().join(name)).unwrap());
    let log = read("c-gomoku-cli.log");
    for game in 1..=6 {
        let of_wine = log
            .iter()
            .filter(|(number, player, ..)| *number == game && player.starts_with("Wine["));
        let words: Vec<String> = of_wine
            .filter(|line| line.2 != '-')
            .map(|line| format!("{} {}", line.2, line.3))
            .collect();
        assert!(words[0].starts_with("> START 15"), "{words:?}");
        assert_eq!(words[1], "< OK");
        assert!(words.contains(&"< MESSAGE a thought".to_owned()), "{words:?}");
        assert!(words.contains(&"> INFO timeout_match 60000".to_owned()), "{words:?}");
        let answers = words.iter().filter(|line| {
            line.strip_prefix("< ")
                .is_some_and(|text| text.starts_with(|c: char| c.is_ascii_digit()))
        });
        assert_eq!(answers.count(), 2, "{words:?}");
        assert!(!words.iter().any(|line| line.starts_with("> TURN")), "{words:?}");
        assert_eq!(
            words.iter().filter(|line| *line == "> BOARD").count(),
            1 + usize::from(words.iter().all(|line| line != "> BEGIN"))
        );
    }
    let ours = "--games 2 --opening none --log ours.log --tc 60 --move-limit 4 --engine name=Wine";
    let mut arguments: Vec<&str> = ours.split(' ').collect();
    arguments.extend([
        "cmd=./brains/pbrain-wine",
        "--engine",
        "cmd=builtin:alphabeta",
        "tc=nodes=300",
    ]);
    play(folder.path(), &arguments).done();
    let log = read("ours.log");
    let has = |player: &str, way, words: &str| {
        log.iter()
            .any(|line| line.1.starts_with(player) && line.2 == way && line.3.starts_with(words))
    };
    assert!(has("Wine[", '>', "TURN ") && has("Wine[", '<', "OK"), "{log:?}");
    assert!(
        has("builtin:alphabeta[", '>', "Move ") && has("builtin:alphabeta[", '<', "search in ")
    );
    assert!(log.iter().any(|line| line.3.contains(", pv ")), "{log:?}");
}

#[test]
fn an_engine_may_have_settings_of_its_own() {
    let folder = folder();
    let flags = "--engine cmd=builtin:alphabeta name=deep tc=60,nodes=400 option.Depth=3 \
        --engine cmd=builtin:alphabeta name=shallow tc=60,nodes=50 margin=1 \
        --games 2 --seed 5 --out cup --sgf cup.sgf --adjudicate-draw moves=2,score=30000,stones=9";
    let arguments: Vec<&str> = flags.split_whitespace().collect();
    play(folder.path(), &arguments).done();
    let records = common::records(&folder.path().join("cup"));
    assert_eq!(records.len(), 2);
    for record in &records {
        let shallow = sitters(record).into_iter().find(|sitter| sitter.id == "shallow").unwrap();
        assert_eq!(
            (shallow.time.to_string().as_str(), shallow.margin),
            ("60+0,nodes=50", 1_000_000_000)
        );
        let window = record.header.policies.adjudication.unwrap().draw.unwrap();
        assert_eq!((window.moves, window.score, window.stones), (2, 30000, 9));
    }
    assert_eq!(
        fs::read_to_string(folder.path().join("cup.sgf")).unwrap().matches("(;FF[4]").count(),
        2
    );
}

#[test]
fn what_has_no_counterpart_is_said_in_words() {
    let folder = TempDir::new().unwrap();
    let two = ["-engine", "cmd=builtin:alphabeta", "-engine", "cmd=builtin:alphabeta"];
    let refused = |flags: &[&str], words: &[&str]| {
        play(folder.path(), &[&two[..], flags].concat()).refused(2, words);
    };
    refused(&["-sprt", "elo1=-5"], &["--sprt", "elo0 below elo1"]);
    refused(&["-msg", "nowhere/all.txt"], &["nowhere/all.txt", "cannot be written"]);
    refused(&["-engine", "cmd=builtin:alphabeta", "-gauntlet"], &["-gauntlet", "each opponent"]);
    refused(&["-sample", "-boardsize", "20x15"], &["-sample", "20x15"]);
    refused(&["-boardsize", "100"], &["--size", "100"]);
    refused(&["-nonsense"], &["-nonsense", "docs/c-gomoku-cli.md"]);
    refused(&["-sgf", "nowhere/all.sgf", "-log"], &["nowhere/all.sgf", "cannot be written"]);
    play(folder.path(), &two[..2]).refused(2, &["two engines"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is begun");
    let native = ["--engine", "cmd=builtin:alphabeta", "tc=never"];
    play(folder.path(), &native).refused(2, &["--engine tc=never"]);
    play(folder.path(), &["builtin:alphabeta"]).refused(2, &["two engines"]);
}
