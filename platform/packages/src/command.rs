//! Engines named by a command line: `cmd:python3 my.py`.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use super::launch::Launch;
use super::path::absolute;
use super::{EngineKind, EngineSpec, ProgramError, files, platform, program, shown};

mod words;

/// The longest command line, in bytes.
const LIMIT: usize = 4096;

/// What begins the name of a text engine on the command line, with the protocol it speaks.
pub(super) const PREFIXES: [(&str, EngineKind); 2] =
    [("cmd:", EngineKind::Gomocup), ("sau:", EngineKind::Sau)];

/// Why a command line names no engine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CommandLineError {
    #[error("no program is named; write it as `cmd:PROGRAM ARGUMENT…`")]
    Empty,
    /// Longer than any command that a person types.
    #[error("the command line is longer than {LIMIT} bytes")]
    TooLong,
    #[error("the command line holds a control character")]
    Control,
    #[error("a quotation mark is not closed")]
    Quote,
    #[error("there is no program `{0}` in the folders of PATH; name it by its path, as `./{0}`")]
    NotInPath(String),
    /// The program is there but cannot be started.
    #[error("{}: {error}", shown(.path))]
    Program { path: PathBuf, error: ProgramError },
    #[error("the current folder is unknown: {0}")]
    Folder(std::io::Error),
}

/// The text engine of `cmd:COMMAND` (a Gomocup brain) or `sau:COMMAND`, its id being that very
/// text; None when `name` begins with neither. The command is split as a shell on Unix splits it:
/// at white space, unless between quotation marks `'…'` or `"…"` or after a backslash; nothing else
/// of a shell is there. On Windows it is split as programs split theirs there: `\` is a letter,
/// and `"…"` are the only quotation marks. A program without a separator in its name is looked for
/// in the folders of PATH, any other from `folder` on; None is the current one.
///
/// A program named by its path is started in the folder it is in, and what follows names files
/// there or else in `folder`. A program of PATH, or one that is where interpreters are installed,
/// is started in `folder`. `dir` is the folder of engines, which is no engine's own.
///
/// # Errors
/// [`CommandLineError`] says what is wrong with the command or its program.
///
/// ```
/// let bad = tengen_packages::command("cmd:python3 \"my brain.py", None, None);
/// assert_eq!(bad.unwrap().unwrap_err().to_string(), "a quotation mark is not closed");
/// assert!(tengen_packages::command("hoshi", None, None).is_none());
/// ```
pub fn command(
    name: &str,
    folder: Option<&Path>,
    dir: Option<&Path>,
) -> Option<Result<EngineSpec, CommandLineError>> {
    let (words, kind) =
        PREFIXES.into_iter().find_map(|(prefix, kind)| Some((name.strip_prefix(prefix)?, kind)))?;
    Some(read(name, words, kind, folder).map(|spec| spec.among(dir).apart()))
}

/// Whether that is a command, and no id or path of an engine.
pub fn is_command(name: &str) -> bool {
    PREFIXES.into_iter().any(|(prefix, _)| name.starts_with(prefix))
}

/// The file of an engine that is named by a path or a command: that program, or else the first file
/// that the command names. None for an engine named by its id or its folder. Paths are relative to
/// `folder`, or else to the current folder.
pub fn engine_file(name: &str, folder: Option<&Path>) -> Option<PathBuf> {
    let folder = folder.map_or_else(PathBuf::new, Path::to_owned);
    let words = PREFIXES.into_iter().find_map(|(prefix, _)| name.strip_prefix(prefix));
    let words = match words {
        Some(words) => words::split(words)?,
        None => vec![name.to_owned()],
    };
    let program = words.first().filter(|word| is_path(word));
    let named =
        program.or_else(|| words.iter().skip(1).find(|word| folder.join(word).is_file()))?;
    let path = program::with_ending(&folder.join(named));
    let is_manifest = path.ends_with(super::folder::MANIFEST);
    (path.is_file() && !is_manifest).then(|| absolute(&path))
}

fn read(
    name: &str,
    words: &str,
    kind: EngineKind,
    folder: Option<&Path>,
) -> Result<EngineSpec, CommandLineError> {
    if words.len() > LIMIT {
        return Err(CommandLineError::TooLong);
    }
    if words.contains(char::is_control) {
        return Err(CommandLineError::Control);
    }
    let mut words = words::split(words).ok_or(CommandLineError::Quote)?.into_iter();
    let program = words.next().filter(|word| !word.is_empty()).ok_or(CommandLineError::Empty)?;
    let folder = match folder {
        Some(folder) => std::path::absolute(folder),
        None => env::current_dir(),
    };
    let folder = folder.map_err(CommandLineError::Folder)?;
    let (path, runner) = if is_path(&program) {
        let path = program::with_ending(&folder.join(&program));
        match program::starter(&path) {
            Ok(runner) => (path, runner),
            Err(error) => return Err(CommandLineError::Program { path, error }),
        }
    } else {
        let found = in_path(&program);
        (found.ok_or_else(|| CommandLineError::NotInPath(program.clone()))?, None)
    };
    let mut arguments: Vec<String> = words.collect();
    let home = home(&path, &program, &arguments, &folder);
    for word in arguments.iter_mut().filter(|word| !home.join(word).exists()) {
        files::make_absolute(word, &folder);
    }
    let launch = Launch { arguments, runner, ..Launch::of(vec![path]) };
    let spec = EngineSpec::text(name.to_owned(), kind, launch);
    Ok(EngineSpec { folder: Some(home), typed_in: Some(folder), ..spec })
}

/// Whether a program is named by its path, and not looked for in PATH: `C:x` is one on Windows.
fn is_path(program: &str) -> bool {
    program.contains(std::path::is_separator) || cfg!(windows) && program.contains(':')
}

/// The folder to start a program in that was called `typed` in `folder`.
fn home(program: &Path, typed: &str, arguments: &[String], folder: &Path) -> PathBuf {
    let lies_in = program.parent().filter(|_| is_path(typed));
    match lies_in {
        Some(home) if !files::is_for_interpreters(home) => home.to_owned(),
        // What an interpreter runs is named from where the command was typed.
        Some(home) if !arguments.iter().any(|word| folder.join(word).is_file()) => home.to_owned(),
        _ => folder.to_owned(),
    }
}

/// The first program of that name in the folders of PATH.
pub(super) fn in_path(name: &str) -> Option<PathBuf> {
    let endings: &[&str] =
        if cfg!(windows) { &[".exe", ".com", ".bat", ".cmd", ""] } else { &[""] };
    env::split_paths(&env::var_os("PATH")?)
        .filter(|folder| folder.is_absolute())
        .flat_map(|folder| endings.iter().map(move |end| folder.join(format!("{name}{end}"))))
        .find(|path| {
            // Windows has an empty file named `python`, which only opens its shop.
            fs::metadata(path).is_ok_and(|found| {
                found.is_file() && platform::is_executable(&found) && found.len() > 0
            })
        })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn refusal(name: &str) -> String {
        command(name, Some(Path::new("/")), None)
            .expect("a command")
            .expect_err("refused")
            .to_string()
    }

    #[test]
    fn a_command_is_split_as_a_shell_splits_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let name = r#"cmd:sh -c 'echo  "a"' my\ brain "it's" ''"#;
        let spec =
            command(name, Some(folder.path()), None).expect("a command").expect("sh is there");
        assert_eq!((spec.id.as_str(), spec.kind), (name, EngineKind::Gomocup));
        assert_eq!(spec.folder.as_deref(), Some(folder.path()));
        let (program, arguments) = spec.command().expect("a text engine");
        assert!(program.is_absolute() && program.ends_with("sh"));
        assert_eq!(arguments, ["-c", "echo  \"a\"", "my brain", "it's", ""]);
        let sau = command("sau:sh", None, None).expect("a command").expect("sh is there");
        assert_eq!(sau.kind, EngineKind::Sau);
    }

    #[test]
    fn a_program_with_a_separator_lies_in_the_folder() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("my brain");
        fs::write(&path, "#!/bin/sh\n").expect("a file");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("rights");
        let spec = command("cmd:'./my brain' -x", Some(folder.path()), None).expect("a command");
        assert_eq!(spec.expect("it is there").path, folder.path().join("./my brain"));
    }

    #[test]
    fn what_names_no_program_is_refused() {
        assert!(refusal("cmd:").starts_with("no program is named"));
        assert!(refusal("cmd:  '' x").starts_with("no program is named"));
        assert_eq!(refusal("sau:sh \"x"), "a quotation mark is not closed");
        assert!(refusal("cmd:sh\nx").contains("control character"));
        assert!(refusal(&format!("cmd:{}", "x".repeat(5000))).contains("4096 bytes"));
        assert!(refusal("cmd:no-such-program x").contains("`./no-such-program`"));
        assert!(refusal("cmd:./absent").starts_with("/./absent: cannot be read"));
        assert!(refusal("cmd:/dev/zero").ends_with("not a plain file"));
    }
}
