use tengen_tournament::RepeatedGames;

use tengen_lineup::causes;

use super::*;

#[test]
fn a_cause_is_told_once() {
    let refused = || io::Error::new(io::ErrorKind::PermissionDenied, "Permission denied");
    let said = anyhow::Error::new(refused()).context("cup: Permission denied; check it");
    assert_eq!(causes(&said), "cup: Permission denied; check it");
    let unsaid = anyhow::Error::new(refused()).context("cup: cannot be read");
    assert_eq!(causes(&unsaid), "cup: cannot be read: Permission denied");
}

#[test]
fn what_must_be_known_stands_above_the_standings() {
    let engines = ["a", "b"].map(str::to_owned);
    let mut summary = Summary::new(&Tally::default(), &engines, "cup".as_ref());
    assert_eq!(notes(&summary), "");
    summary.games = 300;
    let numbers = (1..=20).collect();
    let spoiled = &mut summary.spoiled;
    (spoiled.games, spoiled.void, spoiled.numbers) = (40, 2, numbers);
    spoiled.void_numbers = vec![5, 6];
    let loser =
        |engine: &str, lost, won, p| SpoiledLoser { engine: engine.to_owned(), lost, won, p };
    spoiled.losers = vec![loser("a", 40, 2, 1e-9), loser("b", 2, 40, 1.0)];
    summary.standings[0].spoiled = 40;
    summary.repeated = RepeatedGames { games: 100, distinct: 16 };
    let reason = "cannot be loaded".to_owned();
    summary.set_aside = vec![SetAside { engine: "c".to_owned(), reason }];
    let text = text(&summary);
    for words in [
        "40 of 302 games were spoiled by this machine",
        "18, 19, 20, …",
        "2 of 302 games do not count",
        "a would have lost 40 games that this machine spoiled, its opponents 2 against it: more \
         than by chance (sign test, p = 1.00e-9)",
        "b would have lost 2 games that this machine spoiled, its opponents 40 against it\n",
        "5, 6",
        "16 of 100 games are different from each other, and Elo and tests count each once",
        "play from more openings",
        "c does not play: cannot be loaded",
        "0.0*",
    ] {
        assert!(text.contains(words), "no `{words}` in:\n{text}");
    }
    assert!(text.find("302").unwrap() < text.find("Engine").unwrap(), "{text}");
}

#[test]
fn a_report_fits_its_reader() {
    let text_of = |count: usize| {
        let engines: Vec<String> = (0..count).map(|engine| format!("engine-{engine}")).collect();
        text(&Summary::new(&Tally::default(), &engines, "cup".as_ref()))
    };
    let widest = |text: &str| text.lines().map(|line| line.chars().count()).max().unwrap();
    let full = text_of(8);
    assert!(full.contains("Cross table (points, wins-draws-losses)"), "{full}");
    let narrow = text_of(16);
    assert!(narrow.contains("Cross table (points)") && widest(&narrow) <= 160, "{narrow}");
    let forty = text_of(40);
    assert!(forty.contains("cross table of 40 engines is in a page"), "{forty}");
    assert!(forty.contains("engine-39") && widest(&forty) <= 160, "{forty}");
    let thousand = text_of(1000);
    assert!(thousand.contains("… and 970 more engines"), "{thousand}");
    assert!(thousand.lines().count() <= 100, "{thousand}");
}
