//! Every opening procedure walked through every sequence of choices, on sampled points.

mod positions;
mod walk;

use tengen_rules::{Alike, OpeningSettings, Procedure, Rule, Size};
use walk::Walked;

/// Walks the procedure on the standard board under both readings of alike fifth moves, and checks
/// the questions of every way through it, each with the colour that is asked and at last the number
/// of stones; and in how many ways its choices can be made.
fn check(procedure: Procedure, ways: &[&str], paths: usize) {
    for alike in [Alike::Shape, Alike::Board] {
        let settings = OpeningSettings { alike, ..OpeningSettings::new(procedure) };
        check_settings(&settings, Size::STANDARD, ways, paths);
    }
}

fn check_settings(settings: &OpeningSettings, size: Size, ways: &[&str], paths: usize) {
    let procedure = settings.procedure;
    for seed in 0..3 {
        let walked = Walked::through(settings, Rule::Renju, size, seed);
        let found: Vec<&str> = walked.ways.iter().map(String::as_str).collect();
        let mut expected = ways.to_vec();
        expected.sort_unstable();
        assert_eq!(found, expected, "{procedure} on {size}");
        assert_eq!(walked.paths, paths, "{procedure} on {size}");
    }
}

#[test]
fn none_and_an_empty_book_ask_nothing() {
    check(Procedure::None, &["0"], 1);
    check(Procedure::Book, &["0"], 1);
}

#[test]
fn pro_and_long_pro_lay_three_stones_by_turns() {
    check(Procedure::Pro, &["black:move white:move black:move 3"], 1);
    check(Procedure::LongPro, &["black:move white:move black:move 3"], 1);
}

#[test]
fn swap_lets_the_second_seat_choose() {
    check(Procedure::Swap, &["black:place white:choose 3"], 2);
}

const SWAP2: [&str; 2] =
    ["black:place white:choose_or_place 3", "black:place white:choose_or_place black:choose 5"];

#[test]
fn swap2_lets_choose_at_once_or_after_two_more() {
    check(Procedure::Swap2, &SWAP2, 2 + 2);
}

#[test]
fn procedures_of_any_board_play_on_any_board() {
    for size in ["5", "6", "5x32", "8x7", "14", "20x15", "32"] {
        let size: Size = size.parse().unwrap();
        let check = |procedure, ways: &[&str], paths| {
            check_settings(&OpeningSettings::new(procedure), size, ways, paths);
        };
        check(Procedure::None, &["0"], 1);
        check(Procedure::Swap, &["black:place white:choose 3"], 2);
        check(Procedure::Swap2, &SWAP2, 4);
        for (procedure, side) in [(Procedure::Pro, 6), (Procedure::LongPro, 8)] {
            if size.width().max(size.height()) >= side {
                check(procedure, &["black:move white:move black:move 3"], 1);
            }
        }
    }
}

#[test]
fn rif_offers_two_fifth_moves() {
    let way = "black:place white:swap white:move black:offer white:pick 5";
    check(Procedure::Rif, &[way], 2 * 2);
}

const DECLARED: &str = "black:place black:declare white:swap white:move black:offer white:pick 5";

/// The sum of what may be declared: as many picks as were declared.
const fn picks(min: usize, max: usize) -> usize {
    (max * (max + 1) - min * (min - 1)) / 2
}

#[test]
fn contest_and_yamaguchi_declare_before_the_swap() {
    check(Procedure::Contest, &[DECLARED], 2 * picks(1, 5));
    check(Procedure::Yamaguchi, &[DECLARED], 2 * picks(1, 12));
}

#[test]
fn soosorv_declares_with_the_fourth_stone() {
    let way = "black:place white:swap white:move white:declare black:swap black:offer white:pick 5";
    check(Procedure::Soosorv8, &[way], 2 * picks(1, 8) * 2);
    let settings =
        OpeningSettings { fifth_moves: Some((2, 4)), ..OpeningSettings::new(Procedure::Soosorv8) };
    check_settings(&settings, Size::STANDARD, &[way], 2 * picks(2, 4) * 2);
}

#[test]
fn an_event_may_ask_one_number_of_fifth_moves_or_the_most() {
    for (min, max) in [(1, 1), (3, 3), (6, 9), (31, 32)] {
        for alike in [Alike::Shape, Alike::Board] {
            for procedure in [Procedure::Contest, Procedure::Yamaguchi] {
                let fifth_moves = Some((min, max));
                let settings =
                    OpeningSettings { fifth_moves, alike, ..OpeningSettings::new(procedure) };
                let paths = 2 * picks(min.into(), max.into());
                check_settings(&settings, Size::STANDARD, &[DECLARED], paths);
            }
        }
    }
}

#[test]
fn taraguchi_swaps_after_every_stone_or_offers_ten() {
    let four = "black:move white:swap white:move black:swap black:move white:swap white:move \
                black:swap";
    check(
        Procedure::Taraguchi10,
        &[
            &format!("{four} black:move white:swap 5"),
            &format!("{four} black:move_or_offer white:swap 5"),
            &format!("{four} black:move_or_offer white:pick 5"),
        ],
        // After a swap of the fourth stone one more swap; without it that, or ten to pick from.
        2 * 2 * 2 * (2 + (2 + 10)),
    );
}

/// What a walk tries must be all there is to try.
#[test]
fn every_reason_to_refuse_an_answer_is_met() {
    let mut reasons = std::collections::BTreeSet::new();
    for procedure in Procedure::ALL {
        for seed in 0..8 {
            let settings = OpeningSettings::new(procedure);
            let walked = Walked::through(&settings, Rule::Renju, Size::STANDARD, seed);
            reasons.extend(walked.reasons);
        }
    }
    let all = [
        "NotAsked",
        "NotCanonical",
        "NotOffered",
        "Occupied",
        "OffBoard",
        "OpeningOver",
        "OutOfRange",
        "OutOfZone",
        "Pass",
        "Repeated",
        "TooAlike",
        "WrongCount",
        "WrongKind",
    ];
    assert_eq!(reasons.into_iter().collect::<Vec<_>>(), all);
}
