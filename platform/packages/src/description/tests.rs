use super::*;

const HOSHI: &str = "name Hoshi\nversion 1.2.0\nauthor A. Author\nabout one line of text\n\
    rule renju 15..15\nrule freestyle 10..22\nopening swap2 contest\nthreads 1..8\n\
    option int Hash 16 1..4096 MiB\noption int FourBonus 900 0..5000 tune\n\
    option bool Book true\noption choice Style solid solid|wild\noption string Weights \"\"\n";

#[test]
fn the_header_of_the_manual_is_read_whole() {
    let hoshi = EngineDescription::parse(HOSHI).unwrap();
    assert_eq!(EngineDescription::parse(&hoshi.to_text()), Ok(hoshi.clone()));
    assert_eq!(hoshi.author.as_deref(), Some("A. Author"));
    assert_eq!(hoshi.about.as_deref(), Some("one line of text"));
    assert!(hoshi.plays(Rule::Renju, 15, 15) && !hoshi.plays(Rule::Renju, 15, 19));
    assert!(hoshi.plays(Rule::Freestyle, 20, 15) && !hoshi.plays(Rule::Caro, 15, 15));
    assert!(hoshi.opens("contest") && !hoshi.opens("rif"));
    assert_eq!(hoshi.threads, Some(1..=8));
    let hash = OptionKind::Int { default: 16, range: 1..=4096, unit: Some("MiB".into()) };
    let names: Vec<_> = hoshi.options.iter().map(|option| option.name.as_str()).collect();
    assert_eq!(names, ["Hash", "FourBonus", "Book", "Style", "Weights"]);
    assert_eq!((&hoshi.options[0].value, hoshi.options[0].tune), (&hash, false));
    assert!(hoshi.options[1].tune);
    assert_eq!(hoshi.options[4].value, OptionKind::Text { default: String::new() });
}

#[test]
fn unknown_lines_are_passed_over_and_malformed_ones_named() {
    let odd = EngineDescription::parse("\n \nfuture x\nrules of go\nname N\n").unwrap();
    assert_eq!(odd, EngineDescription { name: Some("N".into()), ..EngineDescription::default() });
    for (line, word) in [
        ("name", "nothing follows"),
        ("rule", "no rule is named"),
        ("rule go 19..19", "freestyle, standard"),
        ("rule renju 15", "no range"),
        ("rule renju 15-15", "no range"),
        ("rule renju 19..15", "empty"),
        ("rule renju 4..15", "5 to 32"),
        ("rule renju 15..15 please", "`please`"),
        ("opening swap9", "swap9"),
        ("threads many", "no range"),
        ("threads 0..4", "one thread"),
        ("option", "write option int"),
        ("option int A", "write option int"),
        ("option int A x 1..2", "no whole number"),
        ("option int A 3 1..2", "out of its range"),
        ("option int A 1 1..2 MiB tune more", "`more`"),
        ("option bool A yes", "neither true nor false"),
        ("option choice A c a|b", "none of its choices"),
        ("option string A b", "not in quotes"),
        ("option string A \"b\" c", "follows the default"),
        ("option float A 0.5", "no kind `float`"),
        ("option bool Twice true\noption bool Twice true", "described twice"),
    ] {
        let error = EngineDescription::parse(&format!("name N\n{line}\n")).unwrap_err();
        let told = error.to_string();
        let last = line.lines().last().unwrap();
        assert!(told.contains(word) && told.contains(last), "{line}: {told}");
        assert_eq!(error.line, 1 + line.lines().count(), "{line}");
    }
}

#[test]
fn a_text_may_hold_quotes_and_spaces_and_be_tuned() {
    let text = "option string A \"a \"b\" c\" tune\noption choice B x x|y tune\n";
    let read = EngineDescription::parse(text).unwrap();
    assert_eq!(read.options[0].value, OptionKind::Text { default: "a \"b\" c".into() });
    assert!(read.options[0].tune && read.options[1].tune);
    assert_eq!(EngineDescription::parse(&read.to_text()), Ok(read));
}

#[test]
fn an_engine_that_names_no_rule_plays_all() {
    assert!(EngineDescription::default().plays(Rule::Caro, 5, 32));
    assert!(EngineDescription::default().opens("swap2"));
}
