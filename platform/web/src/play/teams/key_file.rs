//! The keys of an event's teams, in the event's folder.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::super::keys::{is_plausible, key};

/// Its name. On Unix only the owner may read it.
const KEYS: &str = "remote-keys.json";

/// The keys by the teams' names. They stay the same as long as the event is there.
pub(super) struct KeyFile {
    pub path: PathBuf,
    /// Whether others could read it until now, as where the event's folder was copied.
    pub was_readable: bool,
    keys: BTreeMap<String, String>,
}

impl KeyFile {
    /// Reads the file, if it is there.
    pub fn open(dir: &Path) -> io::Result<KeyFile> {
        let path = dir.join(KEYS);
        let problem = |what: String| {
            let told =
                format!("{}: {what}; remove it, and every team gets a new key", path.display());
            io::Error::new(io::ErrorKind::InvalidData, told)
        };
        let keys: BTreeMap<String, String> = match fs::read_to_string(&path) {
            Ok(text) => serde_json::from_str(&text).map_err(|error| problem(error.to_string()))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => {
                let told = format!("{}: cannot be read: {error}", path.display());
                return Err(io::Error::new(error.kind(), told));
            }
        };
        if let Some((name, _)) = keys.iter().find(|(_, key)| !is_plausible(key)) {
            return Err(problem(format!("the key of {name} is none")));
        }
        let was_readable = path.exists() && tengen_files::make_private(&path)?;
        Ok(KeyFile { path, was_readable, keys })
    }

    /// The key of a team, which is on the disk then.
    pub fn key_of(&mut self, name: &str) -> io::Result<String> {
        if let Some(key) = self.keys.get(name) {
            return Ok(key.clone());
        }
        let new = key()?;
        self.keys.insert(name.to_owned(), new.clone());
        self.save().map_err(|error| {
            let told = format!("{}: cannot be written: {error}", self.path.display());
            io::Error::new(error.kind(), told)
        })?;
        Ok(new)
    }

    fn save(&self) -> io::Result<()> {
        let text = serde_json::to_string_pretty(&self.keys).map_err(io::Error::other)?;
        tengen_files::write_private(&self.path, &(text + "\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stay_the_same_and_are_their_owners_alone() {
        let dir = tempfile::tempdir().unwrap();
        let mut file = KeyFile::open(dir.path()).unwrap();
        let (one, other) = (file.key_of("one").unwrap(), file.key_of("Team 2").unwrap());
        assert_ne!(one, other);
        let mut again = KeyFile::open(dir.path()).unwrap();
        assert_eq!((again.key_of("Team 2").unwrap(), again.key_of("one").unwrap()), (other, one));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let path = dir.path().join(KEYS);
            let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
            assert!(mode() == 0o600 && !again.was_readable);
            // As it is in a copy.
            fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
            assert!(KeyFile::open(dir.path()).unwrap().was_readable);
            assert_eq!(mode(), 0o600);
        }
        fs::write(dir.path().join(KEYS), "{\"one\":").unwrap();
        let error = KeyFile::open(dir.path()).err().unwrap().to_string();
        assert!(error.contains(KEYS) && error.contains("remove it"), "{error}");
    }
}
