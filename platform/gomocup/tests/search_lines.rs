//! What is read from the lines in which brains report their search: one table.

use tengen_gomocup::{Coords, PvMove, Rows, SearchReport};
use tengen_rules::Size;

fn told<T: ToString>(value: Option<T>) -> String {
    value.map_or("-".to_owned(), |value| value.to_string())
}

fn summary(text: &str) -> String {
    let Some(report) = SearchReport::parse(text) else { return "nothing".to_owned() };
    let above_zero = |value: u64| told((value > 0).then_some(value));
    let info = report.info;
    let pv: Vec<String> = report.pv.iter().map(ToString::to_string).collect();
    let line = format!(
        "{} {} {} {} {} {} | {}",
        above_zero(info.depth.into()),
        above_zero(info.seldepth.into()),
        told(info.eval),
        told(info.win_in),
        above_zero(info.nodes),
        told(report.time_ms),
        pv.join(" ")
    );
    line.trim_end().to_owned()
}

#[test]
fn every_line_of_the_table_is_read_as_it_says() {
    let mut count = 0;
    for line in include_str!("data/search_lines.txt").lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (text, expected) = line.split_once("=> ").expect(line);
        assert_eq!(summary(text.trim_end()), expected, "{text}");
        count += 1;
    }
    assert!(count >= 50, "{count}");
}

#[test]
fn later_lines_add_to_what_is_known() {
    let mut report = SearchReport::default();
    for line in
        ["DEPTH 12", "SELDEPTH 24", "EVAL 30", "BESTLINE H8 I9", "EVAL -M4", "TOTALNODES 5K"]
    {
        report.update(SearchReport::parse(line).unwrap());
    }
    assert_eq!((report.info.depth, report.info.seldepth, report.info.nodes), (12, 24, 5000));
    assert_eq!((report.info.eval, report.info.win_in), (None, Some(-4)));
    assert_eq!(report.pv.len(), 2);
}

#[test]
fn a_line_of_play_ends_where_it_leaves_the_board() {
    let size = Size::new(9, 7).unwrap();
    let report = SearchReport::parse("pv A1 I7 J1 B2").unwrap();
    let points = |rows| {
        let line = report.line(size, rows);
        line.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(points(Rows::FromTop), ["a7", "i1"]);
    assert_eq!(points(Rows::FromBottom), ["a1", "i7"]);
    assert_eq!(PvMove::Label { column: 0, row: 0 }.on(size, Rows::FromTop), None);
    assert_eq!(PvMove::Coords(Coords { x: 0, y: 7 }).on(size, Rows::FromTop), None);
}
