use super::*;

fn size(side: u8) -> Size {
    Size::new(side, side).expect("a size")
}

/// The name picked on a 64-bit processor with AVX2.
fn picked<'a>(names: &[&'a str], rule: Rule, side: u8) -> &'a str {
    let processor = Processor::PLAIN_64.with(&["ssse3", "sse41", "popcnt", "avx", "avx2"]);
    names[pick(names, rule, size(side), processor).expect("a name")]
}

#[test]
fn the_rule_as_a_table() {
    use Rule::{Caro, Freestyle, Renju, Standard};
    let leagues = &[
        "pbrain-a.exe",
        "pbrain-a_15.exe",
        "pbrain-a_20.exe",
        "pbrain-a_caro-15.exe",
        "pbrain-a_caro.exe",
        "pbrain-a_renju.exe",
    ][..];
    let widths = &["pbrain-a.exe", "pbrain-a64.exe"][..];
    let both = &["pbrain-a_renju.exe", "pbrain-a_renju64.exe", "pbrain-a64.exe"][..];
    let old = &["pbrain-yixin16_32.exe", "pbrain-yixin16_64.exe"][..];
    let x64 = &["pbrain-SlowRenju16.exe", "pbrain-SlowRenju16_x64.exe"][..];
    let sets = &[
        "pbrain-rapfi-linux-clang-avx2",
        "pbrain-rapfi-linux-clang-avx512",
        "pbrain-rapfi-linux-clang-avx512vnni",
        "pbrain-rapfi-linux-clang-avxvnni",
        "pbrain-rapfi-linux-clang-sse",
    ][..];
    let sized = &["pbrain-b_15.exe", "pbrain-b_20.exe"][..];
    let dashed = &["pbrain-c", "pbrain-c-renju", "pbrain-c_renju-15-x64"][..];
    let cases = [
        (leagues, Freestyle, 15, "pbrain-a_15.exe"),
        (leagues, Freestyle, 20, "pbrain-a_20.exe"),
        (leagues, Freestyle, 19, "pbrain-a.exe"),
        (leagues, Standard, 15, "pbrain-a_15.exe"),
        (leagues, Renju, 15, "pbrain-a_renju.exe"),
        (leagues, Renju, 19, "pbrain-a_renju.exe"),
        (leagues, Caro, 15, "pbrain-a_caro-15.exe"),
        (leagues, Caro, 20, "pbrain-a_caro.exe"),
        (widths, Renju, 15, "pbrain-a64.exe"),
        (both, Renju, 15, "pbrain-a_renju64.exe"),
        (both, Caro, 15, "pbrain-a64.exe"),
        (old, Freestyle, 20, "pbrain-yixin16_64.exe"),
        (x64, Renju, 15, "pbrain-SlowRenju16_x64.exe"),
        (sets, Freestyle, 15, "pbrain-rapfi-linux-clang-avx2"),
        (sized, Renju, 19, "pbrain-b_15.exe"),
        (dashed, Renju, 15, "pbrain-c_renju-15-x64"),
        (dashed, Renju, 20, "pbrain-c-renju"),
        (dashed, Standard, 20, "pbrain-c"),
        (&["PBRAIN-D_RENJU.EXE", "pbrain-d.exe"], Renju, 15, "PBRAIN-D_RENJU.EXE"),
        (&["pbrain-e_renju.exe"], Freestyle, 15, "pbrain-e_renju.exe"),
    ];
    for (names, rule, side, expected) in cases {
        assert_eq!(picked(names, rule, side), expected, "{names:?} for {rule} {side}");
        let turned: Vec<_> = names.iter().rev().copied().collect();
        assert_eq!(picked(&turned, rule, side), expected, "in any order: {names:?}");
    }
}

#[test]
fn what_the_processor_lacks_goes_last() {
    let names = ["pbrain-a-avx2", "pbrain-a-avx512", "pbrain-a-sse"];
    let picked = |processor| names[pick(&names, Rule::Caro, size(15), processor).expect("a name")];
    assert_eq!(picked(Processor::PLAIN_64), "pbrain-a-sse");
    assert_eq!(picked(Processor::PLAIN_64.with(&["avx2"])), "pbrain-a-avx2");
    assert_eq!(picked(Processor::PLAIN_64.with(&["avx2", "avx512"])), "pbrain-a-avx512");
    let widths = ["pbrain-a.exe", "pbrain-a64.exe"];
    assert_eq!(pick(&widths, Rule::Caro, size(15), Processor::PLAIN_32), Some(0));
    assert_eq!(pick(&[], Rule::Caro, size(15), Processor::here()), None);
}

#[test]
fn a_rectangle_is_no_side() {
    let names = ["pbrain-a_15.exe", "pbrain-a.exe"];
    let rectangle = Size::new(15, 16).expect("a size");
    assert_eq!(pick(&names, Rule::Freestyle, rectangle, Processor::PLAIN_64), Some(1));
}

#[test]
fn names_of_instruction_sets_stand_apart() {
    assert_eq!(without_architecture("pbrain-messe"), ("pbrain-messe", None));
    assert_eq!(without_architecture("pbrain-a-avx2-64"), ("pbrain-a", Some(7)));
    assert_eq!(without_architecture("-64"), ("", None));
    assert_eq!(stem("pbrain-hoshi-1.2"), "pbrain-hoshi-1.2");
}
