//! The formats to the byte: files and stores of today must be read tomorrow.

use tengen_arbiter::{
    Action, Adjudication, Cause, Correction, CpuStats, ForfeitCause, FoulPolicy, GameResult,
    HistoryEntry, IllegalPolicy, LatePolicy, MarginPolicy, Policies, ResignBy, ResignWindow,
    Termination,
};
use tengen_record::{
    Conditions, GameRecord, Header, OverruledResult, PlayerHeader, RecordRuling, RecordWorker,
    SearchInfo, TimeScale, pack, unpack,
};
use tengen_rules::{
    Alike, Answer, BySeat, Color, Move, OpeningSettings, Point, Procedure, Rule, Seat, Size,
};

fn action(seat: Seat, action: Action, spent: u64, clock: Option<u64>) -> HistoryEntry {
    HistoryEntry::new(seat, action, spent, clock)
}

fn stone(x: u8, y: u8) -> Action {
    Action::Answer(Answer::Move(Move::Stone(Point::new(x, y))))
}

/// One action of every kind; no real game.
fn actions() -> Vec<HistoryEntry> {
    let answer = Action::Answer;
    let points = vec![Point::new(7, 7), Point::new(0, 14)];
    let mut late = action(Seat::Second, stone(14, 0), 9, Some(0));
    late.substituted = true;
    let mut illegal = action(Seat::First, stone(200, 255), 300, None);
    illegal.legal = false;
    let mut searched = action(Seat::First, stone(7, 8), 0, None);
    searched.info =
        Some(SearchInfo { eval: Some(-5), win_in: Some(3), depth: 7, seldepth: 9, nodes: 1000 });
    searched.lag = Some(300);
    searched.ready = Some(128);
    searched.said = vec!["MESSAGE h8?".to_string(), "DEBUG é".to_string()];
    vec![
        action(Seat::First, answer(Answer::Place(points.clone())), 1, None),
        action(Seat::First, answer(Answer::Declare(3)), 2, None),
        action(Seat::Second, answer(Answer::Swap(true)), 3, Some(1_000)),
        action(Seat::Second, answer(Answer::Swap(false)), 4, Some(1_001)),
        action(Seat::Second, answer(Answer::Choose(Color::Black)), 5, Some(1_001)),
        action(Seat::Second, answer(Answer::Choose(Color::White)), 6, Some(1_000)),
        action(Seat::First, answer(Answer::Offer(points)), 7, None),
        action(Seat::Second, answer(Answer::Pick(Point::new(7, 7))), 8, Some(997)),
        searched,
        late,
        illegal,
        action(Seat::First, answer(Answer::Move(Move::Pass)), 0, None),
        action(Seat::First, Action::Claim, 0, None),
        action(Seat::First, Action::OfferDraw, 0, None),
        action(Seat::Second, Action::AcceptDraw, 0, Some(0)),
        action(Seat::Second, Action::Resign, 0, Some(0)),
    ]
}

#[test]
fn a_record_is_this_line() {
    let player = |id: &str, time: &str| PlayerHeader {
        id: id.to_string(),
        name: id.to_string(),
        version: None,
        hash: None,
        options: [("Depth".to_string(), "6".to_string())].into(),
        time: time.parse().unwrap(),
        margin: 0,
        layers: Vec::new(),
        opening_by_arbiter: false,
        opening_engine: None,
    };
    let mut second = player("keima", "nodes=100");
    second.version = Some("2.1".to_string());
    second.hash = Some("00ff".to_string());
    second.margin = 100_000_000;
    second.layers = vec!["seccomp".to_string()];
    let resign = Some(ResignWindow { moves: 3, score: 900, by: ResignBy::Both });
    let record = GameRecord {
        header: Header {
            event: Some("cup".to_string()),
            round: Some(2),
            game: Some(31),
            rule: Rule::Renju,
            size: Size::new(20, 15).unwrap(),
            opening: OpeningSettings {
                procedure: Procedure::Contest,
                fifth_moves: Some((1, 4)),
                alike: Alike::Board,
                book: vec![Point::new(7, 7)],
            },
            seats: BySeat { first: player("hoshi", "60+1"), second },
            policies: Policies {
                persons: BySeat::default(),
                illegal: IllegalPolicy::Retries(2),
                foul: FoulPolicy::Claim,
                late: LatePolicy::Substitute,
                margin: MarginPolicy::default(),
                count_startup: false,
                draw_offers: true,
                passing: false,
                move_limit: Some(200),
                adjudication: Some(Adjudication { draw: None, resign, proof: None }),
            },
            seed: u64::MAX,
            handovers: Vec::new(),
            undo_left: None,
        },
        actions: actions(),
        result: GameResult { winner: None, termination: Termination::Agreement },
        detail: Some("so it was".to_string()),
        conditions: Conditions {
            forfeit: Some(ForfeitCause {
                cause: Cause::Scheduling,
                cpu_stats: CpuStats { cpu: 1, waited: 2, suspended: 3, ..CpuStats::default() },
            }),
            replays: 4,
            stopped: 5,
            is_void: true,
            began: Some(1_795_343_312),
        },
        worker: Some(RecordWorker {
            name: "lab-3".to_string(),
            machine: "linux-x86_64".to_string(),
            scale: TimeScale::new(1.25),
        }),
        ruling: Some(RecordRuling {
            change: 4,
            by: "Jan".to_owned(),
            date: "2026-11-28T10:00:00Z".to_owned(),
            reason: "the cable was out".to_owned(),
            played: Some(OverruledResult {
                result: GameResult { winner: None, termination: Termination::Aborted },
                detail: Some("stopped".to_owned()),
                is_void: true,
            }),
        }),
    };
    let expected = concat!(
        r#"{"format":1,"event":"cup","round":2,"game":31,"rule":"renju","size":"20x15","#,
        r#""opening":{"procedure":"contest","fifth_moves":[1,4],"alike":"board","book":["h8"]},"#,
        r#""seats":{"first":{"id":"hoshi","name":"hoshi","options":{"Depth":"6"},"time":"60+1","margin":0,"layers":[]},"#,
        r#""second":{"id":"keima","name":"keima","version":"2.1","hash":"00ff","#,
        r#""options":{"Depth":"6"},"time":"nodes=100","margin":100000000,"layers":["seccomp"]}},"#,
        r#""policies":{"illegal":{"retries":2},"foul":"claim","late":"substitute","#,
        r#""draw_offers":true,"passing":false,"move_limit":200,"#,
        r#""adjudication":{"draw":null,"resign":{"moves":3,"score":900}}},"#,
        r#""seed":18446744073709551615,"actions":["#,
        r#"{"seat":"first","place":["h8","a15"],"ns":1,"clock":null},"#,
        r#"{"seat":"first","declare":3,"ns":2,"clock":null},"#,
        r#"{"seat":"second","swap":true,"ns":3,"clock":1000},"#,
        r#"{"seat":"second","swap":false,"ns":4,"clock":1001},"#,
        r#"{"seat":"second","choose":"black","ns":5,"clock":1001},"#,
        r#"{"seat":"second","choose":"white","ns":6,"clock":1000},"#,
        r#"{"seat":"first","offer":["h8","a15"],"ns":7,"clock":null},"#,
        r#"{"seat":"second","pick":"h8","ns":8,"clock":997},"#,
        r#"{"seat":"first","move":"h9","ns":0,"clock":null,"#,
        r#""lag":300,"info":{"eval":-5,"win_in":3,"depth":7,"seldepth":9,"nodes":1000},"#,
        r#""ready":128,"said":["MESSAGE h8?","DEBUG é"]},"#,
        r#"{"seat":"second","move":"o1","ns":9,"clock":0,"substituted":true},"#,
        r#"{"seat":"first","move":"gs256","ns":300,"clock":null,"legal":false},"#,
        r#"{"seat":"first","pass":true,"ns":0,"clock":null},"#,
        r#"{"seat":"first","claim":true,"ns":0,"clock":null},"#,
        r#"{"seat":"first","offer_draw":true,"ns":0,"clock":null},"#,
        r#"{"seat":"second","accept_draw":true,"ns":0,"clock":0},"#,
        r#"{"seat":"second","resign":true,"ns":0,"clock":0}],"#,
        r#""result":{"winner":null,"termination":"agreement","detail":"so it was"},"#,
        r#""lapse":{"cause":"scheduling","cpu":1,"waited":2,"suspended":3},"#,
        r#""spoiled":true,"stopped":5,"replays":4,"void":true,"date":"2026-11-22T10:28:32Z","#,
        r#""worker":{"name":"lab-3","machine":"linux-x86_64","scale":1.25},"#,
        r#""ruling":{"change":4,"by":"Jan","date":"2026-11-28T10:00:00Z","#,
        r#""reason":"the cable was out","played":{"winner":null,"termination":"aborted","#,
        r#""detail":"stopped","void":true}}}"#,
    );
    assert_eq!(record.to_json_line(), expected);
    assert_eq!(GameRecord::from_json_line(expected), Ok(record));
}

#[test]
fn packed_actions_are_these_bytes() {
    #[rustfmt::skip]
    let expected = [
        16,
        // kind and flags, operands, ns, and the clock where it was not expected
        0x40, 2, 7, 7, 0, 14, 1, 0, 0,
        0x01, 3, 2,
        0x53, 3, 1, 0xe8, 7,
        0x52, 4, 1, 0xe9, 7,
        0x14, 5,
        0x15, 6,
        0x06, 2, 7, 7, 0, 14, 7,
        0x17, 7, 7, 8,
        0xa8, 28, 7, 8, 0, 0xac, 2, 0x1f, 9, 6, 7, 9, 0xe8, 7, 0x80, 1,
        2, 11, b'M', b'E', b'S', b'S', b'A', b'G', b'E', b' ', b'h', b'8', b'?',
        8, b'D', b'E', b'B', b'U', b'G', b' ', 0xc3, 0xa9,
        0xd8, 2, 14, 0, 9, 1, 0,
        0x88, 1, 200, 255, 0xac, 2,
        0x09, 0,
        0x0b, 0,
        0x0c, 0,
        0x5d, 0, 1, 0,
        0x1a, 0,
    ];
    assert_eq!(pack(&actions()), expected);
    assert_eq!(unpack(&expected), Ok(actions()));
}

#[test]
fn what_corrected_a_clock_is_packed_with_its_action() {
    let correction = Correction { given_back: 300, unasked: 5 };
    let corrected =
        HistoryEntry { correction, ..action(Seat::First, Action::Resign, 9, Some(1000)) };
    let packed = pack(std::slice::from_ref(&corrected));
    assert_eq!(packed, [1, 0xca, 32 + 64, 9, 1, 0xe8, 7, 0xac, 2, 5]);
    assert_eq!(unpack(&packed), Ok(vec![corrected.clone()]));
    let json = serde_json::to_string(&corrected).unwrap();
    assert!(json.ends_with(r#""ns":9,"clock":1000,"given_back":300,"unasked":5}"#), "{json}");
    assert_eq!(serde_json::from_str::<HistoryEntry>(&json).unwrap(), corrected);
}

#[test]
fn what_a_later_program_packed_is_refused() {
    let later = [1, 0xda, 128, 0, 1, 0, 0];
    assert!(unpack(&later).unwrap_err().to_string().contains("does not know"));
}
