use super::*;

fn score(wins: u64, draws: u64, losses: u64) -> WinDrawLoss {
    WinDrawLoss { wins, draws, losses }
}

fn plain(model: RatingModel) -> RatingSettings {
    RatingSettings { model, prior: 0.0, advantage: Some(0.0), ..RatingSettings::default() }
}

/// Of two players the difference is the one at which they are expected to make what they made.
#[test]
fn two_players_are_as_far_apart_as_their_score() {
    let games = [
        Meeting { first: 0, second: 1, score: score(60, 0, 20) },
        Meeting { first: 1, second: 0, score: score(10, 0, 30) },
    ];
    for model in RatingModel::ALL {
        let list = rating_list(2, &games, &plain(model)).unwrap();
        let difference = list.difference(0, 1).unwrap();
        assert!((difference.value - crate::elo_of_rate(0.75)).abs() < 1e-6, "{model}");
        // The error of a logarithm of odds: 1/√(n·p·q).
        let expected = Z95 * POINTS / (120.0_f64 * 0.75 * 0.25).sqrt();
        assert!((difference.error - expected).abs() < 1e-6, "{model}");
        assert!((list.ratings[0].value + list.ratings[1].value).abs() < 1e-9);
        assert!((list.ratings[0].error - difference.error / 2.0).abs() < 1e-6);
        assert!(list.los(0, 1).unwrap() > 0.999_99);
        assert!((list.los(0, 1).unwrap() + list.los(1, 0).unwrap() - 1.0).abs() < 1e-12);
    }
}

/// Davidson's maximum gives every player the points it made, and the draws that there were.
#[test]
fn davidsons_list_expects_the_points_that_were_made() {
    let games: Vec<Meeting> = (0..5)
        .flat_map(|first| (0..5).map(move |second| (first, second)))
        .filter(|(first, second)| first != second)
        .map(|(first, second)| {
            let wins = 3 + 2 * ((first * 3 + second) as u64 % 5);
            Meeting { first, second, score: score(wins, 4, 6) }
        })
        .collect();
    let settings = RatingSettings { prior: 0.0, ..RatingSettings::default() };
    let settings = RatingSettings { model: RatingModel::Davidson, ..settings };
    let list = rating_list(5, &games, &settings).unwrap();
    let nu = 2.0 * list.draw_rate.unwrap() / (1.0 - list.draw_rate.unwrap());
    let scale = 2.0 / (2.0 + nu) * POINTS;
    let (mut expected, mut made) = ([0.0; 5], [0.0; 5]);
    let (mut drawn, mut draws) = (0.0, 0.0);
    for Meeting { first, second, score } in games {
        let x = (list.ratings[first].value - list.ratings[second].value) / scale
            + list.advantage.value / POINTS;
        let [win, draw, loss] = [(x / 2.0).exp(), nu, (-x / 2.0).exp()];
        let games = score.games() as f64 / (win + draw + loss);
        expected[first] += games * (win + draw / 2.0);
        expected[second] += games * (loss + draw / 2.0);
        made[first] += score.points();
        made[second] += score.reversed().points();
        (drawn, draws) = (drawn + games * draw, draws + score.draws as f64);
    }
    for (expected, made) in expected.into_iter().zip(made) {
        assert!((expected - made).abs() < 1e-6, "{expected} {made}");
    }
    assert!((drawn - draws).abs() < 1e-6);
}

/// A table of a list: the results, and what BayesElo and Ordo print of them.
struct Published {
    meetings: Vec<Meeting>,
    names: Vec<String>,
    ratings: Vec<(String, String, f64, f64)>,
}

/// `tests/ratings.txt`: lines `games FIRST SECOND WINS DRAWS LOSSES` and `LIST FIGURE RATING
/// ERROR`.
fn published() -> Published {
    let text = include_str!("../../tests/ratings.txt");
    let mut published = Published { meetings: vec![], names: vec![], ratings: vec![] };
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |place: usize| words[place].parse::<f64>().unwrap();
        if words[0] == "games" {
            let [first, second] = [1, 2].map(|place| {
                let known = published.names.iter().position(|name| name == words[place]);
                known.unwrap_or_else(|| {
                    published.names.push(words[place].to_owned());
                    published.names.len() - 1
                })
            });
            let [wins, draws, losses] = [3, 4, 5].map(|place| number(place) as u64);
            published.meetings.push(Meeting { first, second, score: score(wins, draws, losses) });
        } else {
            let row = (words[0].to_owned(), words[1].to_owned(), number(2), number(3));
            published.ratings.push(row);
        }
    }
    published
}

/// `unit`: how many of our points are one of the list's.
fn assert_agrees(
    name: &str,
    settings: &RatingSettings,
    (digits, unit): (f64, f64),
    errors: Option<f64>,
) {
    let Published { meetings, names, ratings } = published();
    let list = rating_list(names.len(), &meetings, settings).unwrap();
    let mut compared = 0;
    for (_, player, rating, error) in ratings.iter().filter(|(of, ..)| of == name) {
        let told = match player.as_str() {
            "advantage" => list.advantage,
            "draws" => list.draw_margin.unwrap(),
            player => list.ratings[names.iter().position(|one| one == player).unwrap()],
        };
        // Their own search ends a little earlier.
        let half = 0.55 * digits;
        let value = told.value / unit;
        assert!((value - rating).abs() <= half, "{name} {player}: {value} {rating}");
        if let Some(within) = errors {
            let apart = (told.error / unit - error).abs();
            assert!(apart <= within, "{name} {player} ±: {} {error}", told.error);
        }
        compared += 1;
    }
    assert!(compared > 5, "{compared} of {name}");
}

#[test]
fn figures_of_players_that_never_met_are_not_compared() {
    let games = [
        Meeting { first: 0, second: 1, score: score(3, 0, 1) },
        Meeting { first: 2, second: 3, score: score(5, 0, 1) },
    ];
    let settings = RatingSettings { anchors: vec![(1, 1800.0)], ..RatingSettings::default() };
    let list = rating_list(4, &games, &settings).unwrap();
    assert_eq!(list.groups, [0, 0, 1, 1]);
    assert_eq!((list.los(0, 2), list.difference(1, 3)), (None, None));
    assert_eq!((list.ratings[1].value, list.ratings[1].error), (1800.0, 0.0));
    assert!(list.ratings[0].value > 1800.0);
    assert!((list.ratings[2].value + list.ratings[3].value).abs() < 1e-9);
    let two = RatingSettings { anchors: vec![(1, 1800.0), (0, 1900.0)], ..settings };
    assert_eq!(rating_list(4, &games, &two), Err(RatingError::TwoAnchors(1, 0)));
}

#[test]
fn a_shutout_needs_a_prior() {
    let games = [
        Meeting { first: 0, second: 1, score: score(5, 1, 5) },
        Meeting { first: 1, second: 0, score: score(4, 1, 5) },
        Meeting { first: 2, second: 1, score: score(10, 0, 0) },
        Meeting { first: 0, second: 2, score: score(0, 0, 10) },
    ];
    for model in RatingModel::ALL {
        let none = RatingSettings { model, prior: 0.0, ..RatingSettings::default() };
        assert_eq!(rating_list(3, &games, &none), Err(RatingError::Shutout(vec![2])));
        let weak = RatingSettings { prior: 0.1, ..none.clone() };
        let strong = RatingSettings { prior: 2.0, ..none };
        let [weak, strong] = [weak, strong]
            .map(|settings| rating_list(3, &games, &settings).unwrap().difference(2, 0).unwrap());
        assert!(weak.value > strong.value && strong.value > 200.0, "{weak:?} {strong:?}");
        assert!(weak.error > strong.error && weak.value.is_finite());
    }
}

#[test]
fn what_has_no_list_says_why() {
    let none = Meeting { first: 0, second: 1, score: score(0, 0, 0) };
    let settings = RatingSettings { prior: 0.0, ..RatingSettings::default() };
    assert_eq!(rating_list(2, &[none], &settings), Err(RatingError::NoGames));
    let drawn = Meeting { score: score(0, 9, 0), ..none };
    assert_eq!(rating_list(2, &[drawn], &settings), Err(RatingError::OnlyDraws));
    let logistic = RatingSettings { model: RatingModel::Logistic, ..settings.clone() };
    assert_eq!(rating_list(2, &[drawn], &logistic).unwrap().ratings[0].value, 0.0);
    let drawn = RatingSettings { prior: 2.0, ..settings.clone() };
    let list = rating_list(2, &[Meeting { score: score(0, 9, 0), ..none }], &drawn).unwrap();
    assert_eq!(list.ratings[0].value, 0.0);
    assert!(list.draw_rate.unwrap() > 0.7);
    // The first seat won each.
    let seats =
        [(0, 1), (1, 0)].map(|(first, second)| Meeting { first, second, score: score(9, 0, 0) });
    assert_eq!(rating_list(2, &seats, &settings), Err(RatingError::NoMaximum));
    let with_prior = RatingSettings { prior: 1.0, ..settings };
    let list = rating_list(2, &seats, &with_prior).unwrap();
    assert!(list.advantage.value > 100.0 && list.ratings[0].value.abs() < 1e-6);
}

/// The intervals hold the strengths that the games were drawn from.
#[test]
fn errors_are_as_large_as_they_say() {
    let mut random = 0x2026_u64;
    let mut draw = move || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 11) as f64 / (1_u64 << 53) as f64
    };
    let strengths = [-0.8, -0.3, 0.0, 0.2, 0.9];
    let (mut held, mut all) = (0, 0);
    for _ in 0..60 {
        let mut games = Vec::new();
        for first in 0..5 {
            for second in (0..5).filter(|&second| second != first) {
                let mut score = WinDrawLoss::default();
                for _ in 0..30 {
                    let x: f64 = strengths[first] - strengths[second] + 0.3;
                    let (p, q) = (1.0 / (1.0 + (0.4 - x).exp()), 1.0 / (1.0 + (0.4 + x).exp()));
                    match draw() {
                        lot if lot < p => score.wins += 1,
                        lot if lot > 1.0 - q => score.losses += 1,
                        _ => score.draws += 1,
                    }
                }
                games.push(Meeting { first, second, score });
            }
        }
        let settings = RatingSettings { prior: 0.0, ..RatingSettings::default() };
        let list = rating_list(5, &games, &settings).unwrap();
        let points = POINTS * RatingModel::RaoKupper.scale(0.4);
        for (player, strength) in strengths.into_iter().enumerate() {
            let Estimate { value, error } = list.ratings[player];
            held += u32::from((value - strength * points).abs() <= error);
            all += 1;
        }
        held += u32::from((list.advantage.value - 0.3 * POINTS).abs() <= list.advantage.error);
        let margin = list.draw_margin.unwrap();
        held += u32::from((margin.value - 0.4 * POINTS).abs() <= margin.error);
        all += 2;
    }
    let part = f64::from(held) / f64::from(all);
    assert!((0.92..0.98).contains(&part), "{part}");
}

/// Ratings and errors to the printed digit. BayesElo takes the advantage and the margin of draws as
/// known when it computes errors, even where it has estimated them.
#[test]
fn agrees_with_bayeselo() {
    let given = RatingSettings {
        advantage: Some(32.8),
        draw_margin: Some(97.3),
        ..RatingSettings::default()
    };
    assert_agrees("bayeselo-given", &given, (1.0, 1.0), Some(0.5));
    assert_agrees("bayeselo", &RatingSettings::default(), (1.0, 1.0), Some(1.0));
    let without = RatingSettings { prior: 0.0, ..RatingSettings::default() };
    assert_agrees("bayeselo-without-prior", &without, (1.0, 1.0), Some(1.0));
}

/// Ratings to the printed digit, in Ordo's points: 202 of them, and not 200.24, are a score of 76
/// per cent, unless it is told otherwise. Its errors are those of simulated events, and differ from
/// run to run.
#[test]
fn agrees_with_ordo() {
    let logistic =
        RatingSettings { model: RatingModel::Logistic, prior: 0.0, ..RatingSettings::default() };
    let scale = (0.01, crate::elo_of_rate(0.76) / 202.0);
    assert_agrees("ordo", &logistic, scale, None);
    assert_agrees("ordo-simulated", &logistic, scale, Some(3.0));
    let without = RatingSettings { advantage: Some(0.0), ..logistic };
    assert_agrees("ordo-no-advantage", &without, scale, None);
}
