//! A description reads the same with any line ends and with unknown lines in it; an error names a
//! line that it has.

use tengen_packages::EngineDescription;

pub(crate) fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let read = EngineDescription::parse(&text);
    assert_eq!(EngineDescription::parse(&text.replace('\n', "\r\n")), read);
    if text.lines().count() < 4096 && read.is_ok() {
        assert_eq!(EngineDescription::parse(&format!("unheard of\n{text}")), read);
    }
    let read = match read {
        Ok(read) => read,
        Err(error) => {
            let line = text.lines().nth(error.line - 1).map(str::trim);
            assert_eq!(line, Some(error.text.as_str()), "{error}");
            return;
        }
    };
    for rule in tengen_rules::Rule::ALL {
        let plays = read.plays(rule, 15, 15);
        assert!(plays || !read.rules.is_empty(), "no rule named is every rule");
    }
}
