use super::*;

fn five(winner: Option<Seat>) -> GameResult {
    let termination = if winner.is_some() { Termination::Five } else { Termination::BoardFull };
    GameResult { winner, termination }
}

#[test]
fn counts_games_for_both_sides() {
    let mut tally = Tally::default();
    tally.add_game(BySeat { first: 0, second: 1 }, five(Some(Seat::First)));
    tally.add_game(BySeat { first: 1, second: 0 }, five(None));
    tally.add_game(BySeat { first: 2, second: 0 }, five(Some(Seat::First)));
    assert_eq!(tally.len(), 3);
    assert_eq!(tally.score(0, 1), WinDrawLoss { wins: 1, draws: 1, losses: 0 });
    assert_eq!(tally.score(1, 0), WinDrawLoss { wins: 0, draws: 1, losses: 1 });
    assert_eq!(tally.score(0, 2), WinDrawLoss { wins: 0, draws: 0, losses: 1 });
    assert_eq!(tally.losses_by_termination(0), BTreeMap::from([(Termination::Five, 1)]));
    assert_eq!(
        tally.terminations(),
        BTreeMap::from([(Termination::Five, 2), (Termination::BoardFull, 1)])
    );
}

#[test]
fn a_finished_pair_leaves_the_singles() {
    let mut tally = Tally::default();
    let seats = BySeat { first: 0, second: 1 };
    tally.add_game(seats, five(Some(Seat::First)));
    assert_eq!(
        tally.pairs_and_singles(0),
        (Pentanomial::default(), WinDrawLoss { wins: 1, draws: 0, losses: 0 })
    );
    tally.add_game(BySeat { first: 1, second: 0 }, five(None));
    tally.add_pair(seats, Some(Seat::First), None);
    let one_and_a_half = Pentanomial { counts: [0, 0, 0, 1, 0] };
    assert_eq!(tally.pairs_and_singles(0), (one_and_a_half, WinDrawLoss::default()));
    assert_eq!(tally.pairs_and_singles(1), (one_and_a_half.reversed(), WinDrawLoss::default()));
    assert_eq!(tally.pairs(1, 0), one_and_a_half.reversed());
}

/// What is kept for each engine is what the counts say, however many there are.
#[test]
fn figures_of_engines_are_sums_of_counts() {
    let mut tally = Tally::default();
    let winners = [None, Some(Seat::First), Some(Seat::Second)];
    for first in 0..7 {
        for second in (0..7).filter(|&second| second != first) {
            let seats = BySeat { first, second };
            let winner = winners[(first * 5 + second) % 3];
            tally.add_game(seats, five(winner));
            if first < second {
                tally.add_pair(seats, winner, winners[first % 3]);
            }
        }
    }
    tally.add_void(BySeat { first: 0, second: 1 });
    tally.add_lags([5, 90, 7_000]);
    let scores = tally.scores(7);
    for (engine, row) in scores.iter().enumerate() {
        let (mut score, mut pairs) = (WinDrawLoss::default(), Pentanomial::default());
        for (other, against) in row.iter().enumerate() {
            assert_eq!(*against, tally.score(engine, other));
            score += tally.score(engine, other);
            pairs += tally.pairs(engine, other);
        }
        assert_eq!((tally.total(engine), tally.pairs_and_singles(engine).0), (score, pairs));
    }
    let meetings = tally.meetings();
    assert_eq!(meetings.len(), 42, "each order of seats is one");
    for (seats, score) in meetings {
        assert_eq!(score.games(), 1, "{seats:?}");
        assert_eq!(score.wins, u64::from((seats.first * 5 + seats.second) % 3 == 1));
    }
    let best = (0..7).map(|engine| tally.total(engine).points()).fold(0.0, f64::max);
    assert_eq!(tally.leader().map(|(_, points)| points), Some(best));
    assert_eq!((tally.len(), tally.counted(), tally.void()), (43, 42, 1));
    let mut sum = Tally::default();
    sum += &tally;
    assert_eq!(sum, tally);
    assert!(tally.fits(7) && !tally.fits(6));
}
