//! New engine projects in several languages, for `tengen engines new`: each builds, has a test,
//! passes `tengen engines check` and plays, before anything in it is changed.

mod files;
mod language;

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

pub use language::ProjectLanguage;

/// The longest name of a project, in bytes.
const MAX_NAME: usize = 40;

/// A project that was made.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Project {
    pub folder: PathBuf,
    /// The command that builds it, if it must be built.
    pub build: Option<&'static str>,
    /// The command that runs its test.
    pub test: &'static str,
    /// The engine, as built, relative to the folder.
    pub engine: String,
    /// The file that is to be changed, relative to the folder.
    pub choose: &'static str,
}

/// Why there is no new project.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// The name cannot be a project's.
    #[error(
        "{0:?} cannot be the name of an engine: use 1 to {MAX_NAME} small letters, digits, - and \
         _, beginning with a letter"
    )]
    Name(String),
    /// The name means something to the language or its tools.
    #[error("{name} means something else in {language}: choose another name")]
    Reserved { name: String, language: ProjectLanguage },
    /// There is something of that name already.
    #[error("{} exists already: choose another name, or another folder with --in", .0.display())]
    Exists(PathBuf),
    /// A file or folder could not be written.
    #[error("cannot write {}: {source}", .path.display())]
    Write { path: PathBuf, source: io::Error },
}

/// Makes the folder `name` in `parent`, which must exist, with a project.
///
/// # Errors
/// For a name that cannot be used, and where something cannot be written. A folder that was begun
/// is removed again.
pub fn create(
    parent: &Path,
    name: &str,
    language: ProjectLanguage,
) -> Result<Project, ProjectError> {
    check_name(name, language)?;
    let folder = parent.join(name);
    match fs::create_dir(&folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(ProjectError::Exists(folder));
        }
        made => made.map_err(|source| ProjectError::Write { path: folder.clone(), source })?,
    }
    if let Err(error) = fill(&folder, name, language) {
        // If it cannot be removed either, the first error is still the one to report.
        let _ = fs::remove_dir_all(&folder);
        return Err(error);
    }
    Ok(Project {
        folder,
        build: language.build(),
        test: language.test(),
        engine: language.engine(name),
        choose: language.choose(),
    })
}

fn check_name(name: &str, language: ProjectLanguage) -> Result<(), ProjectError> {
    let is_letter = |character: char| character.is_ascii_lowercase();
    let fits = |character: char| {
        is_letter(character) || character.is_ascii_digit() || matches!(character, '-' | '_')
    };
    if name.len() > MAX_NAME || !name.starts_with(is_letter) || !name.chars().all(fits) {
        return Err(ProjectError::Name(name.to_owned()));
    }
    if language.is_reserved(name) {
        return Err(ProjectError::Reserved { name: name.to_owned(), language });
    }
    Ok(())
}

fn fill(folder: &Path, name: &str, language: ProjectLanguage) -> Result<(), ProjectError> {
    for file in files::of(language) {
        let path = folder.join(replaced(file.path, name, language));
        let text = replaced_bytes(file.content, name, language);
        write(&path, &text, file.is_program)
            .map_err(|source| ProjectError::Write { path, source })?;
    }
    Ok(())
}

fn write(path: &Path, content: &[u8], is_program: bool) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(if is_program { 0o777 } else { 0o666 });
    }
    #[cfg(not(unix))]
    let _ = is_program;
    options.open(path)?.write_all(content)
}

/// The text with the project's names in it.
fn replaced(text: &str, name: &str, language: ProjectLanguage) -> String {
    let [choose, engine] = language.glue();
    text.replace("@NAME@", name)
        .replace("@IDENTIFIER@", &name.replace('-', "_"))
        .replace("@TYPE@", &type_name(name))
        .replace("@LIBRARY@", file_name(&language.engine(name)))
        .replace("@LANGUAGE@", &language.to_string())
        .replace("@CHOOSE@", &format!("`{choose}`"))
        .replace("@ENGINE@", &format!("`{engine}`"))
}

fn replaced_bytes(content: &[u8], name: &str, language: ProjectLanguage) -> Vec<u8> {
    match str::from_utf8(content) {
        Ok(text) if text.contains('@') => replaced(text, name, language).into_bytes(),
        _ => content.to_vec(),
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// `my-first` is the type `MyFirst`.
fn type_name(name: &str) -> String {
    let words = name.split(['-', '_']);
    let capital = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    words.map(capital).collect()
}

#[cfg(test)]
mod tests;
