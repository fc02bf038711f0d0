//! An event's file reads as it is written, and is refused or valid with a word about why.

use std::path::Path;

use tengen_tournament::EventConfig;

pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let path = Path::new("event.toml");
    match EventConfig::from_toml(text, path) {
        Ok(config) => {
            let written = config.to_toml();
            let again = EventConfig::from_toml(&written, path);
            assert_eq!(again.ok().as_ref(), Some(&config), "{written}");
            if let Err(error) = config.validate() {
                assert!(error.to_string().contains(": "), "{error}");
            }
        }
        Err(error) => assert!(error.to_string().starts_with("event.toml: "), "{error}"),
    }
}
