//! Wins by threats: found where they are, and only there.

use tengen_sdk::analysis::{Analysis, Threat};
use tengen_sdk::random::Random;
use tengen_sdk::search::{Stakes, ThreatBudget, ThreatKind, ThreatSearch, ThreatVerdict, stakes};
use tengen_sdk::{Color, Point, Rule, Size};

fn analysis(rule: Rule, black: &str, white: &str) -> Analysis {
    let mut analysis = Analysis::new(rule, Size::STANDARD);
    for (stones, color) in [(black, Color::Black), (white, Color::White)] {
        for point in stones.split_whitespace() {
            analysis.place(point.parse().unwrap(), color);
        }
    }
    analysis
}

fn find(analysis: &mut Analysis, us: Color, kind: ThreatKind) -> ThreatVerdict {
    let hash = analysis.hash();
    let verdict = ThreatSearch::new(1).find(analysis, us, kind, &ThreatBudget::default());
    assert_eq!(analysis.hash(), hash, "the analysis comes back as it was");
    verdict
}

#[test]
fn a_four_and_a_three_win_by_fours_and_a_double_three_by_threes() {
    let mut position = analysis(Rule::Freestyle, "h8 i8 j8 l9 l10", "g8 a1 c1 e1 a3");
    let win = find(&mut position, Color::Black, ThreatKind::Fours).win().unwrap();
    assert_eq!((win.first.to_string().as_str(), win.plies), ("l8", 5));
    assert_eq!(win.line.len(), 5, "{win:?}");
    // The same for White, with the colours changed.
    let mut position = analysis(Rule::Freestyle, "g8 a1 c1 e1 a3", "h8 i8 j8 l9 l10");
    assert_eq!(find(&mut position, Color::White, ThreatKind::Fours).win().unwrap().plies, 5);
    let mut position = analysis(Rule::Freestyle, "h9 h10 i8 j8", "a1 d15 o2 o12");
    assert_eq!(find(&mut position, Color::Black, ThreatKind::Fours), ThreatVerdict::NoWin);
    let win = find(&mut position, Color::Black, ThreatKind::All).win().unwrap();
    assert_eq!(win.first.to_string(), "h8");
}

#[test]
fn forbidden_points_win_for_white_and_not_for_black() {
    // h8 would be a double-three, and no other threat wins as quickly.
    let mut position = analysis(Rule::Renju, "h9 h10 i8 j8", "a1 d15 o2 o12");
    let win = find(&mut position, Color::Black, ThreatKind::All).win();
    assert_ne!(win.map(|win| win.first.to_string()).as_deref(), Some("h8"));
    // White's four must be stopped on h8, which is an overline.
    let mut position = analysis(Rule::Renju, "e8 f8 g8 i8 j8 h13 a15", "h9 h10 h11 a1 c1 e1");
    let win = find(&mut position, Color::White, ThreatKind::Fours).win().unwrap();
    assert_eq!(win.plies, 3);
}

#[test]
fn a_budget_that_is_too_small_says_so() {
    let mut position = analysis(Rule::Freestyle, "h9 h10 i8 j8", "a1 d15 o2 o12");
    let budget = ThreatBudget { nodes: 1, moves: 20 };
    let verdict = ThreatSearch::new(1).find(&mut position, Color::Black, ThreatKind::All, &budget);
    assert_eq!(verdict, ThreatVerdict::Unknown);
}

/// Whether the attacker, to move, wins by fours, tried without a table, an order or a budget.
fn wins_plainly(analysis: &mut Analysis, us: Color, left: usize) -> bool {
    if !analysis.points(us, Threat::Five).is_empty() {
        return true;
    }
    let size = analysis.size();
    let points: Vec<Point> = size.points().filter(|&point| analysis.is_empty(point)).collect();
    let only = match stakes(analysis, us) {
        Stakes::Lost(_) => return false,
        Stakes::Forced(points) => Some(points),
        _ => None,
    };
    left > 0
        && points.into_iter().any(|point| {
            if only.as_ref().is_some_and(|only| !only.contains(point))
                || !analysis.is_legal(point, us)
            {
                return false;
            }
            analysis.place(point, us);
            let fives = analysis.points(us, Threat::Five).clone();
            let wins = !fives.is_empty()
                && analysis.points(!us, Threat::Five).is_empty()
                && size.points().all(|reply| {
                    if !analysis.is_empty(reply) || !analysis.is_legal(reply, !us) {
                        return true;
                    }
                    // A reply that leaves a five is no defence.
                    analysis.place(reply, !us);
                    let wins = !analysis.points(us, Threat::Five).is_empty()
                        || wins_plainly(analysis, us, left - 1);
                    analysis.remove(reply);
                    wins
                });
            analysis.remove(point);
            wins
        })
}

#[test]
fn on_small_boards_it_finds_what_plain_trial_finds() {
    let (mut won, mut quiet) = (0, 0);
    for seed in 0..120 {
        let mut random = Random::new(seed);
        let rule = Rule::ALL[seed as usize % 4];
        let mut analysis = Analysis::new(rule, Size::new(7, 7).unwrap());
        for ply in 0..20 {
            let point = Point::new(random.below(7) as u8, random.below(7) as u8);
            let color = Color::of_ply(ply);
            if analysis.is_empty(point) && !analysis.board().wins(rule, point, color) {
                analysis.place(point, color);
            }
        }
        let moves = 2;
        let budget = ThreatBudget { nodes: 1_000_000, moves };
        let us = Color::of_ply(seed as usize / 4);
        let verdict = ThreatSearch::new(1).find(&mut analysis, us, ThreatKind::Fours, &budget);
        let is_won = matches!(verdict, ThreatVerdict::Win(_));
        // So many moves of the attacker, and then the four that nothing stops.
        let plainly = wins_plainly(&mut analysis, us, moves as usize + 1);
        assert!(!is_won || plainly, "seed {seed}, {rule}: {verdict:?}");
        assert!(is_won || !wins_plainly(&mut analysis, us, moves as usize), "seed {seed}, {rule}");
        (won, quiet) = (won + u32::from(is_won), quiet + u32::from(!is_won));
    }
    assert!(won > 5 && quiet > 5, "{won} won, {quiet} not");
}
