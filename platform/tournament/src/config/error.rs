use std::io;
use std::path::{Path, PathBuf};

use tengen_record::ReadError;
use toml::de::DeTable;

use super::stage::own_keys;

/// Why an event cannot be held as it is configured.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A file cannot be read.
    #[error("{}: cannot be read: {source}", path.display())]
    Read {
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file is not TOML, or has a key that is unknown or a value that does not fit. The message
    /// shows the line.
    #[error("{}: {message}", path.display())]
    Parse {
        path: PathBuf,
        /// What is wrong, and where.
        message: String,
    },
    /// An opening suite has a line that is no position, or no position at all.
    #[error("{}: {source}", path.display())]
    Openings {
        path: PathBuf,
        /// The line, and what is wrong there.
        source: ReadError,
    },
    /// An option that does not go with the others.
    #[error("{option}: {problem}")]
    Option {
        /// The option's name, as on the command line and in the file.
        option: &'static str,
        /// What is wrong with it, and what to do.
        problem: String,
    },
    /// A key of a stage that does not go with the others.
    #[error("stage {stage}: {key}: {problem}")]
    Stage {
        /// The stage, counted from 1.
        stage: usize,
        /// The key, as in the file.
        key: &'static str,
        /// What is wrong with it, and what to do.
        problem: String,
    },
}

impl ConfigError {
    /// The same, with the file and the line of the option, if it is in the file. Whether options go
    /// together is only known once all are read.
    pub fn located(self, path: &Path, text: &str) -> ConfigError {
        if let ConfigError::Stage { stage, key, .. } = self
            && let Some(line) = super::stage::line_of(text, stage, key)
        {
            return ConfigError::Parse {
                path: path.to_owned(),
                message: format!("line {line}: {self}"),
            };
        }
        let ConfigError::Option { option, problem } = self else { return self };
        let keys = DeTable::parse(text).ok();
        let key = keys
            .as_ref()
            .and_then(|keys| keys.get_ref().keys().find(|key| key.get_ref().as_ref() == option));
        let Some(key) = key else { return ConfigError::Option { option, problem } };
        let line = 1 + text[..key.span().start].matches('\n').count();
        let message = format!("line {line}: {option}: {problem}");
        ConfigError::Parse { path: path.to_owned(), message }
    }

    pub(crate) fn option(option: &'static str, problem: impl Into<String>) -> ConfigError {
        ConfigError::Option { option, problem: problem.into() }
    }
}

/// A message of the TOML reader in words for users.
pub(super) fn plain(message: &str) -> String {
    let own_keys: Vec<String> = own_keys().map(|name| format!("`{name}`")).collect();
    let types = [
        ("expected u32", "expected a whole number from 0 to 4294967295"),
        ("expected u64", "expected a whole number from 0 to 9223372036854775807"),
        ("expected usize", "expected a whole number, at least 0"),
        (" as i128", ""),
        // The keys of a stage are read apart.
        ("expected one of `title`", &format!("expected one of {}, `title`", own_keys.join(", "))),
    ];
    types.into_iter().fold(message.to_owned(), |text, (word, plain)| text.replace(word, plain))
}
