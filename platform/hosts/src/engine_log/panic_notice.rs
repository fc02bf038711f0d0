//! Finds in what an engine printed why it gave up: the panic of Rust, the assertion of C, the
//! exception of C++. What follows it, such as a backtrace, may be long.

/// The longest message, in characters.
const MOST: usize = 400;
/// The most calls of a backtrace that are told.
const MOST_CALLS: usize = 12;
/// Functions that are in every backtrace and that no engine's author wrote.
const FOREIGN: [&str; 14] = [
    "<unknown>",
    "__libc_",
    "std::",
    "core::",
    "alloc::",
    "<alloc::",
    "<core::",
    "<std::",
    "rust_",
    "__rust",
    "_rust",
    "tengen_sdk::",
    "tengen_abi::",
    "tengen_hosts::",
];

/// Whether that function is of no author's own.
pub(super) fn is_foreign(name: &str) -> bool {
    FOREIGN.iter().any(|foreign| name.starts_with(foreign))
}

/// Why an engine gave up, in its own words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PanicNotice {
    /// The message with its place: `panicked at src/lib.rs:12:5: no such row`.
    pub message: String,
    /// The calls that led there, the innermost first, where they were printed.
    pub calls: Vec<String>,
}

impl PanicNotice {
    /// The last one in a text.
    pub(super) fn find(text: &str) -> Option<PanicNotice> {
        let lines: Vec<&str> = text.lines().collect();
        let last = |holds: &dyn Fn(&str) -> bool| lines.iter().rposition(|line| holds(line));
        let is_panic = |at: &usize| {
            let (line, message) = (lines[*at], lines.get(at + 1).copied().unwrap_or_default());
            // What follows one that may not unwind is no reason.
            line.contains("panicked at ") && !message.starts_with("panic in a ")
        };
        let panic = (0..lines.len()).rev().find(is_panic);
        let assertion = last(&|line| line.contains("Assertion `") && line.contains("failed"));
        let exception = last(&|line| line.starts_with("terminate called "));
        let at = panic.max(assertion).max(exception)?;
        let message = if Some(at) == panic {
            panic_message(&lines[at..])?
        } else if Some(at) == exception {
            let what =
                lines.get(at + 1).map(|line| line.trim()).filter(|line| line.starts_with("what()"));
            [Some(lines[at].trim()), what].into_iter().flatten().collect::<Vec<_>>().join(", ")
        } else {
            lines[at].trim().to_owned()
        };
        let message = message.chars().take(MOST).collect();
        Some(PanicNotice { message, calls: calls(&lines[at..]) })
    }
}

/// `panicked at PLACE: MESSAGE` from the line with the place and the lines of the message.
fn panic_message(lines: &[&str]) -> Option<String> {
    let place = lines[0].split("panicked at ").nth(1)?.trim();
    let is_more = |line: &&&str| {
        let line = line.trim_start();
        let ends = ["note:", "stack backtrace:", "thread '", "the engine panicked"];
        !line.is_empty() && !ends.iter().any(|end| line.starts_with(end))
    };
    let more: Vec<&str> =
        lines[1..].iter().take_while(is_more).take(3).map(|line| line.trim()).collect();
    Some(format!("panicked at {place} {}", more.join(" ")).trim_end().to_owned())
}

/// The calls of a backtrace as Rust prints it: a number and a name on one line, the place on the
/// next.
fn calls(lines: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines =
        lines.iter().skip_while(|line| line.trim() != "stack backtrace:").skip(1).peekable();
    while let Some(line) = lines.next() {
        let Some((number, name)) = line.trim().split_once(": ") else { break };
        if number.parse::<u32>().is_err() {
            break;
        }
        let place = lines.next_if(|next| next.trim_start().starts_with("at "));
        if is_foreign(name) || found.len() >= MOST_CALLS {
            continue;
        }
        let place = place.map(|place| place.trim().trim_start_matches("at "));
        found.push(place.map_or_else(|| name.to_owned(), |place| format!("{name} ({place})")));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const BACKTRACE: &str = "\
reading the weights
thread '<unnamed>' panicked at src/lib.rs:12:5:
no such row: 16
stack backtrace:
   0: __rustc::rust_begin_unwind
             at /rustc/abc/library/std/src/panicking.rs:697:5
   1: core::panicking::panic_fmt
             at /rustc/abc/library/core/src/panicking.rs:75:14
   2: first::row
             at ./src/lib.rs:12:5
   3: <first::First as tengen_sdk::engine::Engine>::choose
             at ./src/lib.rs:40:9
   4: tengen_sdk::session::EngineSession<E>::choose
             at ./sdk/src/session.rs:120:26
note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.
the engine panicked: no such row: 16
";

    #[test]
    fn the_message_and_its_place_are_found_before_a_backtrace() {
        let notice = PanicNotice::find(BACKTRACE).unwrap();
        assert_eq!(notice.message, "panicked at src/lib.rs:12:5: no such row: 16");
        let calls = [
            "first::row (./src/lib.rs:12:5)",
            "<first::First as tengen_sdk::engine::Engine>::choose (./src/lib.rs:40:9)",
        ];
        assert_eq!(notice.calls, calls);
    }

    #[test]
    fn every_language_has_its_own_way_to_give_up() {
        for (text, message) in [
            (
                "the engine panicked at src/lib.rs:3:1:\nleft: 1\nright: 2\n\nmore",
                "panicked at src/lib.rs:3:1: left: 1 right: 2",
            ),
            (
                "a.out: engine.c:7: row: Assertion `y < 15' failed.\n",
                "a.out: engine.c:7: row: Assertion `y < 15' failed.",
            ),
            (
                "terminate called after throwing an instance of 'Lost'\n  what():  vector\n",
                "terminate called after throwing an instance of 'Lost', what():  vector",
            ),
        ] {
            assert_eq!(PanicNotice::find(text).unwrap().message, message);
        }
        let twice = "thread 'main' panicked at src/lib.rs:1:1:\nwhy\n\nthread 'main' panicked at \
                     core/src/panicking.rs:2:2:\npanic in a function that cannot unwind\n";
        assert_eq!(PanicNotice::find(twice).unwrap().message, "panicked at src/lib.rs:1:1: why");
        assert_eq!(PanicNotice::find("depth 3\nI do not panic\n"), None);
        let long = format!("panicked at a:1:1:\n{}", "x".repeat(5000));
        assert_eq!(PanicNotice::find(&long).unwrap().message.len(), MOST);
    }
}
