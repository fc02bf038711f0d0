use super::*;

fn said(text: &str) -> String {
    let flags: Vec<&str> = text.split_whitespace().collect();
    translate(&flags, 77).unwrap().join(" ")
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
        -rule 0 -boardsize 20 -rounds 1 -games 4000 -debug -repeat \
        -concurrency 8 -draw number=200 \
        -pgn my_games.pgn -sgf my_games.sgf \
        -openings file=openings_dir/openings_freestyle.txt order=random";
    let expected = "--rule freestyle --size 20 --log c-gomoku-cli.log --concurrency 8 \
        --move-limit 200 --pgn my_games.pgn --sgf my_games.sgf \
        --opening book --openings openings_dir/openings_freestyle.txt --openings-order random \
        --seed 77 --games 4000 \
        --engine cmd=./example-engine/pbrain-wine name=Wine tc=180,move=30 \
        --engine cmd=./example-engine/pbrain-rapfi1 name=Rapfi tc=180,move=30";
    assert_eq!(said(example), expected);
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
        ("tolerance=0.3", "margin=0.3"),
        ("maxmemory=367001600", "memory=350MiB"),
        ("maxmemory=367001601 thread=2", "memory=351MiB threads=2"),
        ("option.hash_size=64 option.style=1", "option.hash_size=64 option.style=1"),
    ] {
        let said = said(&format!("-engine cmd=./a -engine cmd=./b {theirs}"));
        assert!(said.ends_with(&format!("--engine cmd=./b {ours}")), "{theirs}: {said}");
    }
}

#[test]
fn what_each_is_told_goes_first_and_parts_of_a_time_come_together() {
    let each = "-engine cmd=./a tc=5 option.x=1 -engine cmd=./b nodes=9 -each tc=7 option.x=2";
    let said = said(each);
    assert!(said.contains("--engine cmd=./a tc=7 option.x=1 option.x=2"), "{said}");
    assert!(said.ends_with("--engine cmd=./b tc=7,nodes=9 option.x=2"), "{said}");
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
        let said = translate(&["-engine", &command, "-engine", "cmd=./b"], 0).unwrap();
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
        ("-resign 3 900 -rule 4", "--adjudicate-resign moves=3,score=900 --rule renju --games 1"),
        ("-log -debug -rule 1", "--log c-gomoku-cli.log --rule standard --games 1"),
        (
            "-openings file=o.txt type=pos srand=5 -transform",
            "--opening book --openings o.txt --seed 5 --openings-symmetries random --games 1",
        ),
    ] {
        let flags = flags(theirs);
        assert!(flags.starts_with(ours), "{theirs}: {flags}");
    }
    let three = said("-engine cmd=./a -engine cmd=./b -engine cmd=./c -gauntlet");
    assert!(three.starts_with("--format gauntlet"), "{three}");
}

#[test]
fn what_has_no_counterpart_is_refused_by_name() {
    for flag in ["-msg m.txt", "-sample", "-loseonly", "-fatalerror", "-sendbyboard"] {
        let words = format!("-engine cmd=./a -engine cmd=./b {flag}");
        let words: Vec<&str> = words.split_whitespace().collect();
        let error = translate(&words, 0).unwrap_err().to_string();
        let flag = flag.split_once(' ').map_or(flag, |(flag, _)| flag);
        assert!(error.starts_with(&format!("{flag}: ")), "{error}");
    }
    for (words, word) in [
        ("-engine cmd=./a", "two engines"),
        ("-engine tc=x -engine cmd=./b", "-engine tc=x"),
        ("-engine cmd -engine cmd=./b", "KEY=VALUE"),
        ("-engine colour=1 -engine cmd=./b", "no such setting"),
        ("-engine cmd=./a -engine cmd=./b -rule 2", "-rule: expected 0, 1 or 4"),
        ("-engine cmd=./a -engine cmd=./b -games", "-games: expected one word"),
        ("-engine cmd=./a -engine cmd=./b -openings order=best", "-openings order=best"),
        ("-engine cmd=./a -engine cmd=./b -nonsense", "-nonsense"),
    ] {
        let words: Vec<&str> = words.split_whitespace().collect();
        let error = translate(&words, 0).unwrap_err().to_string();
        assert!(error.contains(word), "no `{word}` in {error}");
    }
}
