//! The lines of a text are those between its line ends, without blank ones, however the bytes
//! arrive; lines that are not UTF-8 are refused by number.

use std::io::BufReader;

use tengen_record::Lines;

pub(crate) fn check(bytes: &[u8]) {
    let Some((capacity, bytes)) = bytes.split_first() else { return };
    let mut lines = Lines::new(BufReader::with_capacity(usize::from(*capacity).max(1), bytes));
    let mut found = Vec::new();
    while let Some(line) = lines.next_line().expect("memory can be read") {
        let line = line.map(|text| text.trim_end_matches('\r').to_owned()).map_err(|error| {
            assert!(!error.message.is_empty());
            error.line
        });
        found.push((lines.number(), line));
    }
    let split = (1..).zip(bytes.split(|byte| *byte == b'\n'));
    let expected: Vec<_> = split
        .filter(|(_, line)| !line.iter().all(u8::is_ascii_whitespace))
        .map(|(number, line)| {
            let text = str::from_utf8(line).map_err(|_| Some(number));
            (number, text.map(|text| text.trim_end_matches('\r').to_owned()))
        })
        .collect();
    assert_eq!(found, expected);
}
