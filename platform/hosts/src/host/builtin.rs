//! The engines that are linked into this program, so that it plays out of the box.

use std::path::Path;

use tengen_abi::Exports;

use crate::host::guest::LoadError;
use tengen_packages::BUILTINS;

/// The functions of the builtin engine of that name.
pub(crate) fn exports(name: &Path) -> Result<Exports, LoadError> {
    match name.to_str() {
        Some("alphabeta") => Ok(alphabeta::EXPORTS),
        _ => {
            let reason = format!(
                "no engine named {} is built in; there are: {}",
                name.display(),
                BUILTINS.join(" ")
            );
            Err(LoadError::Refused(reason))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_builtin_name_has_its_engine() {
        for name in BUILTINS {
            assert!(exports(Path::new(name)).is_ok(), "{name}");
        }
        assert!(exports(Path::new("none")).is_err());
    }
}
