//! The links of an event's remote engines: a program that has one plays for that team.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tengen_hosts::package::legible;

use super::TEAM_LINKS;

/// The links that were told. They are in a file of the event's folder, too, which its owner alone
/// can read: the terminal may be full of something else.
pub(super) struct TeamLinks {
    file: PathBuf,
    url: String,
    /// The file as it is.
    text: Mutex<String>,
}

impl TeamLinks {
    pub fn new(event: &Path, url: &str) -> TeamLinks {
        let head = "Each team starts its engine with its own link, and keeps the link to itself:\n\
                    tengen play 'LINK' --engine ENGINE\n";
        let (file, url) = (event.join(TEAM_LINKS), url.to_owned());
        TeamLinks { file, url, text: Mutex::new(head.to_owned()) }
    }

    /// The file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Writes the link of a team to the file. Returns it, and why the file could not be written.
    pub fn add(&self, team: &str, key: &str) -> (String, Result<(), String>) {
        let link = format!("{}/#team={key}", self.url);
        let mut text = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        *text += &format!("\n{}\n{link}\n", legible(team));
        let written = tengen_files::write_private(&self.file, &text);
        let problem = |error| format!("{}: cannot be written: {error}", self.file.display());
        (link, written.map_err(problem))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn every_link_is_in_a_file_for_its_owner_alone() {
        let event = tempfile::tempdir().unwrap();
        let links = TeamLinks::new(event.path(), "http://192.0.2.7:8080");
        let (link, written) = links.add("Team A", "KEY-A");
        assert_eq!((link.as_str(), written), ("http://192.0.2.7:8080/#team=KEY-A", Ok(())));
        assert_eq!(links.add("Team B", "KEY-B").1, Ok(()));
        let file = event.path().join(TEAM_LINKS);
        let text = fs::read_to_string(&file).unwrap();
        for link in
            ["A", "B"].map(|team| format!("Team {team}\nhttp://192.0.2.7:8080/#team=KEY-{team}\n"))
        {
            assert!(text.contains(&link), "{text}");
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }
}
