use tengen_record::formats::sample::SampleFormat;

use super::*;

fn said(text: &str) -> String {
    let flags: Vec<&str> = text.split_whitespace().collect();
    translate(&flags, 77).unwrap().0.join(" ")
}

/// What no flag of ours says, of these flags and two engines.
fn extras(text: &str) -> Extras {
    let text = format!("-engine cmd=./a -engine cmd=./b {text}");
    let flags: Vec<&str> = text.split_whitespace().collect();
    translate(&flags, 77).unwrap().1
}

/// The words for two engines and these flags, without what is said of the engines.
fn flags(text: &str) -> String {
    let all = said(&format!("-engine cmd=./a -engine cmd=./b {text}"));
    let engines = all.find(" --engine").unwrap();
    all[..engines].to_owned()
}

#[test]
fn the_example_of_its_readme_is_understood() {
    let example = "-each tc=180/30 \
        -engine name=Wine cmd=./example-engine/pbrain-wine \
        -engine name=Rapfi cmd=./example-engine/pbrain-rapfi1 \
        -rule 0 -boardsize 20 -rounds 2 -games 4000 -debug -repeat \
        -concurrency 8 -drawafter 200 \
        -pgn my_games.pgn -sgf my_games.sgf -msg my_games.txt \
        -openings file=opening_examples/offset_freestyle_20x20.txt order=random";
    let expected = "--rule freestyle --size 20 --concurrency 8 --move-limit 200 \
        --opening book --openings opening_examples/offset_freestyle_20x20.txt \
        --openings-order random --seed 77 --games 8000 --set margin-per=move \
        --engine cmd=./example-engine/pbrain-wine name=Wine tc=180,move=30 margin=1.5 \
        --engine cmd=./example-engine/pbrain-rapfi1 name=Rapfi tc=180,move=30 margin=1.5";
    assert_eq!(said(example), expected);
    let flags: Vec<&str> = example.split_whitespace().collect();
    let extras = translate(&flags, 0).unwrap().1;
    assert!(extras.logs && !extras.lost_only && !extras.stops_at_fault);
    assert_eq!(extras.pgn, Some("my_games.pgn".into()));
    assert_eq!(extras.sgf, Some("my_games.sgf".into()));
    assert_eq!(extras.messages, Some("my_games.txt".into()));
    assert_eq!((extras.games, extras.tolerances), (4000, vec![3.0, 3.0]));
}

#[test]
fn times_are_of_the_game_and_of_the_move() {
    for (theirs, ours) in [
        ("tc=180/30", "tc=180,move=30"),
        ("tc=60", "tc=60"),
        ("tc=0/5", "tc=move=5"),
        ("tc=60/5+0.5", "tc=60+0.5,move=5"),
        ("tc=60+1", "tc=60+1"),
        ("tc=10 nodes=5000", "tc=10,nodes=5000"),
        ("depth=8", "tc=depth=8"),
        ("maxmemory=367001600", "memory=350MiB"),
        ("maxmemory=367001601 thread=2", "memory=351MiB threads=2"),
        ("option.hash_size=64 option.style=1", "option.hash_size=64 option.style=1"),
    ] {
        let said = said(&format!("-engine cmd=./a -engine cmd=./b {theirs}"));
        let ours = format!("--engine cmd=./b {ours} margin=1.5").replace("  ", " ");
        let expected: Vec<&str> = ours.split_whitespace().collect();
        let found: Vec<&str> = said.split_whitespace().collect();
        let mut found = found[found.len() - expected.len()..].to_vec();
        // The margin stands before the options.
        found.sort_unstable();
        let mut expected = expected;
        expected.sort_unstable();
        assert_eq!(found, expected, "{theirs}: {said}");
    }
}

#[test]
fn half_of_a_tolerance_is_forgiven_in_each_move() {
    let given = "-engine cmd=./a tolerance=0.5 -engine cmd=./b";
    let text = said(given);
    assert!(text.contains("--set margin-per=move --engine cmd=./a margin=0.25 "), "{text}");
    assert!(text.ends_with("--engine cmd=./b margin=1.5"), "{text}");
    let each = said(&format!("{given} -each tolerance=40"));
    assert!(each.contains("--set margin-per=move --startup 40 "), "{each}");
    assert_eq!(each.matches("margin=20").count(), 2, "{each}");
}

#[test]
fn what_no_flag_of_ours_says_is_kept() {
    for (flags, file, format, is_compressed, frequency) in [
        ("-sample", "sample.csv", SampleFormat::Csv, false, 1.0),
        ("-sample format=bin freq=0.25", "sample.bin", SampleFormat::Bin, false, 0.25),
        ("-sample format=bin_lz4", "sample.bin.lz4", SampleFormat::Bin, true, 1.0),
        ("-sample format=binpack", "sample.binpack", SampleFormat::Binpack, false, 1.0),
        ("-sample format=binpack_lz4 file=x", "x", SampleFormat::Binpack, true, 1.0),
    ] {
        let file = file.into();
        let expected = Sampling { frequency, format, is_compressed, file };
        assert_eq!(extras(flags).sampling, Some(expected), "{flags}");
    }
    assert!(!extras("-loseonly").lost_only, "without a gauntlet it says nothing");
    assert!(extras("-gauntlet -loseonly").lost_only);
    assert!(extras("-fatalerror").stops_at_fault);
    assert!(extras("-log -debug -log").logs);
}

#[test]
fn what_each_is_told_goes_first_and_parts_of_a_time_come_together() {
    let each = "-engine cmd=./a tc=5 option.x=1 -engine cmd=./b nodes=9 -each tc=7 option.x=2";
    let said = said(each);
    assert!(said.contains("--engine cmd=./a tc=7 margin=1.5 option.x=1 option.x=2"), "{said}");
    assert!(said.ends_with("--engine cmd=./b tc=7,nodes=9 margin=1.5 option.x=2"), "{said}");
}

#[test]
fn a_command_is_told_from_a_path() {
    for (theirs, ours) in [
        ("../engines/pbrain-a", "../engines/pbrain-a"),
        ("pbrain-a", "cmd:pbrain-a"),
        ("../a -foo=1", "cmd:../a -foo=1"),
        ("builtin:alphabeta", "builtin:alphabeta"),
    ] {
        let command = format!("cmd={theirs}");
        let said = translate(&["-engine", &command, "-engine", "cmd=./b"], 0).unwrap().0;
        let place = said.iter().position(|word| word == "--engine").unwrap();
        assert_eq!(said[place + 1], format!("cmd={ours}"));
    }
}

#[test]
fn flags_are_said_in_our_words() {
    for (theirs, ours) in [
        ("", "--games 1 --concurrency 1"),
        ("-games 4 -rounds 3 -concurrency 2", "--concurrency 2 --games 12"),
        ("-gauntlet -drawafter 0", "--games 1 --concurrency 1"),
        (
            "-draw 8 10 -concurrency 1",
            "--adjudicate-draw moves=8,score=10 --concurrency 1 --games 1",
        ),
        ("-sprt elo1=5 alpha=0.1", "--sprt elo0=0,elo1=5,alpha=0.1,beta=0.05 --games 1"),
        (
            "-resign 3 900 -rule 4",
            "--adjudicate-resign moves=3,score=900,by=loser --rule renju --games 1",
        ),
        ("-log -log -debug -rule 1", "--rule standard --games 1"),
        (
            "-rule 4 -rule 1 -sendbyboard -sendbyboard",
            "--rule standard --set send-board=true --games 1",
        ),
        (
            "-openings file=o.txt type=pos srand=5 -transform",
            "--opening book --openings o.txt --seed 5 --openings-symmetries random --games 1",
        ),
    ] {
        let flags = flags(theirs);
        assert!(flags.starts_with(ours), "{theirs}: {flags}");
    }
}

#[test]
fn what_has_no_counterpart_is_refused_by_name() {
    for (words, word) in [
        ("-engine cmd=./a", "two engines"),
        ("-engine tc=x -engine cmd=./b", "-engine tc=x"),
        ("-engine cmd -engine cmd=./b", "KEY=VALUE"),
        ("-engine colour=1 -engine cmd=./b", "unknown setting"),
        ("-engine cmd=./a -engine cmd=./b -rule 2", "-rule: expected 0, 1 or 4"),
        ("-engine cmd=./a -engine cmd=./b -games", "-games: expected one value"),
        ("-engine cmd=./a -engine cmd=./b -openings order=best", "-openings order=best"),
        ("-engine cmd=./a -engine cmd=./b -nonsense", "-nonsense"),
        ("-engine cmd=./a -engine cmd=./b -engine cmd=./c -gauntlet", "-gauntlet: more than two"),
        ("-engine cmd=./a -engine cmd=./b -sample format=txt", "-sample format=txt"),
        ("-engine cmd=./a -engine cmd=./b -sample freq=2", "-sample freq=2"),
        ("-engine cmd=./a -engine cmd=./b -msg", "-msg: expected one value"),
        ("-engine cmd=./a -engine cmd=./b -log x", "-log: takes no value"),
        ("-engine cmd=./a tolerance=x -engine cmd=./b", "tolerance=x: expected seconds"),
    ] {
        let words: Vec<&str> = words.split_whitespace().collect();
        let error = translate(&words, 0).unwrap_err().to_string();
        assert!(error.contains(word), "no `{word}` in {error}");
    }
}
