use super::*;
use proptest::prelude::*;

#[test]
fn every_part_is_read_exactly() {
    let time: TimeControl = "0.1+0.000000001,move=5,nodes=1000,depth=6".parse().unwrap();
    let expected = TimeControl {
        main: Some(100_000_000),
        increment: 1,
        per_move: Some(5 * SECOND),
        nodes: Some(1000),
        depth: Some(6),
        ..TimeControl::default()
    };
    assert_eq!(time, expected);
    let time: TimeControl = "40/60+1,byo=3x30".parse().unwrap();
    assert_eq!((time.main, time.increment, time.session), (Some(60 * SECOND), SECOND, Some(40)));
    assert_eq!(time.byo_yomi, Some(ByoYomi { periods: 3, span: 30 * SECOND }));
    assert_eq!("600,byo=10".parse::<TimeControl>().unwrap().to_string(), "600+0,byo=1x10");
    for (text, seconds) in [("1:00:00", 3600), ("90:00", 5400), ("0:05", 5), ("1:02:03", 3723)] {
        let time: TimeControl = text.parse().unwrap();
        assert_eq!(time.main, Some(seconds * SECOND), "{text}");
    }
    assert_eq!("1:30.5".parse::<TimeControl>().unwrap().main, Some(90_500_000_000));
    assert_eq!("inf".parse(), Ok(TimeControl::default()));
    assert_eq!("inf,nodes=7".parse::<TimeControl>().unwrap().nodes, Some(7));
}

#[test]
fn nonsense_is_refused_by_its_part() {
    let cases = [
        ("", ""),
        ("abc", "abc"),
        ("-1", "-1"),
        ("60+", "60+"),
        ("60+-1", "60+-1"),
        ("60+1+1", "60+1+1"),
        ("60s", "60s"),
        ("1:60", "1:60"),
        ("1:5", "1:5"),
        ("1:60:00", "1:60:00"),
        ("1:00:00:00", "1:00:00:00"),
        (":30", ":30"),
        ("0/60", "0/60"),
        ("40/0", "40/0"),
        ("40/", "40/"),
        ("60,byo=0x5", "byo=0x5"),
        ("60,byo=3x0", "byo=3x0"),
        ("60,byo=", "byo="),
        ("byo=3x30", "byo=3x30"),
        ("move=5,byo=3x30", "move=5,byo=3x30"),
        ("+1", "+1"),
        ("0+1", "0+1"),
        (".5", ".5"),
        ("5.", "5."),
        ("1e3", "1e3"),
        ("0.0000000001", "0.0000000001"),
        ("18446744074", "18446744074"),
        ("99999999999999999999", "99999999999999999999"),
        ("60+1,", ""),
        ("60+1, nodes=5", " nodes=5"),
        ("move=0", "move=0"),
        ("nodes=5,move=x", "move=x"),
        ("nodes=0", "nodes=0"),
        ("nodes=-4", "nodes=-4"),
        ("nodes=", "nodes="),
        ("depth=4294967296", "depth=4294967296"),
        ("depth=2.5", "depth=2.5"),
        ("speed=5", "speed=5"),
        ("60+1,30", "30"),
        ("move=1,move=2", "move=2"),
        ("60+1,inf", "inf"),
        ("inf,60", "60"),
        ("inf,inf", "inf"),
    ];
    for (text, part) in cases {
        let error = text.parse::<TimeControl>().expect_err(text);
        assert_eq!(error.part(), part, "{text}");
        assert!(error.to_string().contains(part), "{error}");
    }
}

fn any_control() -> impl Strategy<Value = TimeControl> {
    let main = proptest::option::of((1..=u64::MAX, 0..=u64::MAX));
    let per_move = proptest::option::of(1..=u64::MAX);
    let nodes = proptest::option::of(1..=u64::MAX);
    let depth = proptest::option::of(1..=u32::MAX);
    let session = proptest::option::of(1..=u32::MAX);
    let byo_yomi = proptest::option::of((1..=u32::MAX, 1..=u64::MAX));
    let all = (main, session, byo_yomi, per_move, nodes, depth);
    all.prop_map(|(main, session, byo_yomi, per_move, nodes, depth)| TimeControl {
        main: main.map(|(main, _)| main),
        increment: main.map_or(0, |(_, increment)| increment),
        session: session.filter(|_| main.is_some()),
        byo_yomi: byo_yomi
            .filter(|_| main.is_some())
            .map(|(periods, span)| ByoYomi { periods, span }),
        per_move,
        nodes,
        depth,
    })
}

proptest! {
    #[test]
    fn every_control_reads_as_it_prints(time in any_control()) {
        prop_assert_eq!(time.to_string().parse(), Ok(time));
    }

    #[test]
    fn no_text_breaks_the_reader(text in "[0-9+.,:/=a-z-]{0,24}") {
        let _ = text.parse::<TimeControl>();
    }
}
