//! A description is read alike whatever its line ends, and past lines that mean nothing.

use tengen_packages::EngineDescription;

pub(crate) fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let read = EngineDescription::parse(&text);
    assert_eq!(EngineDescription::parse(&text.replace('\n', "\r\n")), read);
    if text.lines().count() < 4096 {
        assert_eq!(EngineDescription::parse(&format!("unheard of\n{text}")), read);
    }
    for rule in tengen_rules::Rule::ALL {
        let plays = read.plays(rule, 15, 15);
        assert!(plays || !read.rules.is_empty(), "no rule named is every rule");
    }
}
