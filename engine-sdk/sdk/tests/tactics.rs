//! The search on positions with one right idea, and what it guarantees in every position.

use tengen_rules::FoursLimits;
use tengen_sdk::analysis::Analysis;
use tengen_sdk::eval::ThreatEval;
use tengen_sdk::random::Random;
use tengen_sdk::search::{Budget, Report, Search, Watch, is_proven, plies_to_end};
use tengen_sdk::{Color, Point, Rule, Size};

fn search(analysis: &mut Analysis, to_move: Color, nodes: u64) -> Report {
    let budget = Budget { nodes: Some(nodes), ..Budget::default() };
    Search::new(ThreatEval::default(), 1).run(analysis, to_move, &budget, &mut ())
}

fn points(text: &str) -> Vec<Point> {
    text.split_whitespace().map(|point| point.parse().unwrap()).collect()
}

#[test]
fn tactics_are_found() {
    let lines = include_str!("data/tactics.txt").lines();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let [name, rule, to_move, black, white, right, win] = fields[..] else {
            panic!("seven fields, not {}: {line}", fields.len())
        };
        let rule: Rule = rule.parse().unwrap();
        let to_move = Color::ALL.into_iter().find(|color| color.name() == to_move).unwrap();
        let mut analysis = Analysis::new(rule, Size::STANDARD);
        for (stones, color) in [(black, Color::Black), (white, Color::White)] {
            for point in points(stones) {
                analysis.place(point, color);
            }
        }
        let report = search(&mut analysis, to_move, 20_000);
        let best = report.best.unwrap();
        let found = match right.strip_prefix('!') {
            Some(wrong) => !points(wrong).contains(&best),
            None => right == "*" || points(right).contains(&best),
        };
        assert!(found, "{name}: {best} {report:?}");
        if let Ok(plies) = win.parse() {
            assert_eq!(plies_to_end(report.value), Some(plies), "{name}: {report:?}");
        }
        assert!(analysis.is_legal(best, to_move), "{name}");
    }
}

/// A position that random play of some plies leads to, without a five on the board.
fn random_position(rule: Rule, seed: u64) -> (Analysis, Color) {
    let mut random = Random::new(seed);
    let size = [(15, 15), (20, 15), (6, 9), (5, 5)][random.below(4)];
    let size = Size::new(size.0, size.1).unwrap();
    let mut analysis = Analysis::new(rule, size);
    let points: Vec<Point> = size.points().collect();
    let plies = random.below(size.area() / 3);
    for ply in 0..plies {
        let point = points[random.below(points.len())];
        let color = Color::of_ply(ply);
        if analysis.is_empty(point) && !analysis.board().wins(rule, point, color) {
            analysis.place(point, color);
        }
    }
    (analysis, Color::of_ply(plies))
}

#[test]
fn a_node_limit_is_kept_and_gives_the_same_search_again() {
    for seed in 0..60 {
        let rule = Rule::ALL[seed as usize % 4];
        let (mut analysis, to_move) = random_position(rule, seed);
        let (hash, counts) = (analysis.hash(), *analysis.counts(to_move));
        let nodes = [0, 1, 17, 700][seed as usize / 4 % 4];
        let one = search(&mut analysis, to_move, nodes);
        let other = search(&mut analysis, to_move, nodes);
        assert_eq!(one, other, "seed {seed}");
        assert!(one.nodes <= nodes, "seed {seed}");
        let best = one.best.unwrap();
        assert!(analysis.is_empty(best) && analysis.is_legal(best, to_move), "seed {seed}");
        assert_eq!((analysis.hash(), *analysis.counts(to_move)), (hash, counts), "seed {seed}");
    }
}

#[test]
fn every_line_can_be_played() {
    for seed in 0..20 {
        let rule = Rule::ALL[seed as usize % 4];
        let (mut analysis, mut to_move) = random_position(rule, 100 + seed);
        let report = search(&mut analysis, to_move, 3000);
        assert_eq!(report.line.first(), report.best.as_ref());
        for point in report.line {
            assert!(analysis.is_empty(point) && analysis.is_legal(point, to_move), "seed {seed}");
            analysis.place(point, to_move);
            to_move = !to_move;
        }
    }
}

#[test]
fn an_empty_board_is_opened_in_the_centre() {
    for size in [Size::STANDARD, Size::new(20, 7).unwrap()] {
        let mut analysis = Analysis::new(Rule::Renju, size);
        assert_eq!(search(&mut analysis, Color::Black, 100).best, Some(size.center()));
    }
}

#[test]
fn only_the_moves_asked_for_are_considered() {
    let mut analysis = Analysis::new(Rule::Renju, Size::STANDARD);
    analysis.place("h8".parse().unwrap(), Color::Black);
    let only = points("a1 o15").into_iter().collect();
    let budget = Budget { nodes: Some(500), only: Some(only), ..Budget::default() };
    let mut search = Search::new(ThreatEval::default(), 1);
    let report = search.run(&mut analysis, Color::White, &budget, &mut ());
    assert!(points("a1 o15").contains(&report.best.unwrap()));
}

#[test]
fn a_watch_stops_the_search() {
    struct Impatient(u32);
    impl Watch for Impatient {
        fn is_up(&mut self) -> bool {
            self.0 -= 1;
            self.0 == 0
        }
    }
    let mut analysis = Analysis::new(Rule::Freestyle, Size::STANDARD);
    analysis.place("h8".parse().unwrap(), Color::Black);
    for polls in [1, 2, 5] {
        let mut search = Search::new(ThreatEval::default(), 1);
        let mut watch = Impatient(polls);
        let report = search.run(&mut analysis, Color::White, &Budget::default(), &mut watch);
        assert_eq!(report.nodes, u64::from(polls - 1) * tengen_sdk::search::POLL);
        assert!(report.best.is_some());
    }
}

#[test]
fn black_with_nothing_but_forbidden_points_still_moves() {
    let size = Size::new(5, 5).unwrap();
    let mut analysis = Analysis::new(Rule::Renju, size);
    let empty: Point = "c3".parse().unwrap();
    for point in size.points().filter(|&point| point != empty) {
        let color = if point.x() == 2 && point.y() != 0 { Color::Black } else { Color::White };
        analysis.place(point, color);
    }
    assert_eq!(search(&mut analysis, Color::Black, 100).best, Some(empty));
    analysis.place(empty, Color::Black);
    assert_eq!(search(&mut analysis, Color::White, 100).best, None);
}

/// Keeps the lines of every iteration.
#[derive(Default)]
struct IterationLines(Vec<Vec<Report>>);

impl Watch for IterationLines {
    fn goes_on(&mut self, report: &Report) -> bool {
        self.0.push(vec![report.clone()]);
        true
    }

    fn also(&mut self, line: usize, report: &Report) {
        let lines = self.0.last_mut().unwrap();
        assert_eq!(line, lines.len() + 1, "told in order");
        lines.push(report.clone());
    }
}

#[test]
fn several_lines_go_off_from_moves_of_their_own_the_best_first() {
    for seed in 0..60 {
        let rule = Rule::ALL[seed as usize % 4];
        let (mut analysis, to_move) = random_position(rule, seed);
        let depth = 1 + seed as u32 % 3;
        let budget = Budget { depth, lines: 4, nodes: Some(20_000), ..Budget::default() };
        let mut told = IterationLines::default();
        let mut search = Search::new(ThreatEval::default(), 1);
        let report = search.run(&mut analysis, to_move, &budget, &mut told);
        for lines in &told.0 {
            assert!(lines.is_sorted_by_key(|line| -line.value), "seed {seed}: {lines:?}");
            let mut moves: Vec<Point> = lines.iter().filter_map(|line| line.best).collect();
            assert!(lines.iter().all(|line| line.line.first() == line.best.as_ref()));
            moves.sort_unstable();
            moves.dedup();
            assert_eq!(moves.len(), lines.len(), "seed {seed}");
        }
        let last = told.0.last().unwrap();
        // An iteration that the limit breaks off is not told, and what it found counts.
        assert!(report.nodes == 20_000 || last[0] == report, "seed {seed}");
        for line in last.iter().filter(|_| report.depth == 1) {
            let only = Some([line.best.unwrap()].into_iter().collect());
            let alone = Budget { depth: 1, only, ..Budget::default() };
            let alone =
                Search::new(ThreatEval::default(), 1).run(&mut analysis, to_move, &alone, &mut ());
            assert_eq!((alone.best, alone.value), (line.best, line.value), "seed {seed}");
        }
    }
}

/// What the rules prove to be won by fours the search finds to be won: two programs that know fours
/// in different ways.
#[test]
fn wins_by_fours_that_the_rules_prove_are_found() {
    let limits = FoursLimits { nodes: 2000, stones: None };
    for rule in Rule::ALL {
        let mut proved = 0;
        for seed in 0..400 {
            let (mut analysis, to_move) = random_position(rule, seed);
            let line = analysis.board().win_by_fours(rule, to_move, limits);
            let Some(line) = line.filter(|line| (2..=5).contains(&line.len())) else { continue };
            let report = search(&mut analysis, to_move, 20_000);
            let board = analysis.board();
            let is_won = is_proven(report.value) && report.value > 0;
            assert!(is_won, "{rule}, {to_move} by {line:?}: {report:?}\n{board}");
            proved += 1;
        }
        assert!(proved >= 5, "{rule}: {proved}");
    }
}
