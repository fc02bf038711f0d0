//! Where converted games go: one file, or files in a folder.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tengen_record::formats::{Format, ScoreSheet, ccgc};

use super::ConvertArgs;
use crate::game_files::SourceFile;
use crate::output_target::{OutputTarget, is_stream};

pub(super) struct ConvertTarget<'a> {
    args: &'a ConvertArgs,
    to: Format,
    place: TargetPlace,
}

enum TargetPlace {
    File {
        target: Box<OutputTarget>,
        /// Whether a game is in it.
        is_begun: bool,
    },
    Folder {
        /// The file that takes the games of the one that is being read.
        open: Option<Box<OutputTarget>>,
        /// What was written: two files may have one name.
        names: HashSet<PathBuf>,
    },
}

/// Where a game comes from.
#[derive(Clone, Copy)]
pub(super) struct GameInFile<'a> {
    pub file: &'a SourceFile,
    pub format: Format,
    /// Its number in the file, counted from 1.
    pub number: u64,
}

impl ConvertTarget<'_> {
    /// A folder is one that is there, or whose name ends in a separator.
    pub fn create(
        args: &ConvertArgs,
        to: Format,
        is_one: bool,
    ) -> anyhow::Result<ConvertTarget<'_>> {
        let path = args.target();
        let ends_open = path.to_string_lossy().ends_with(std::path::is_separator);
        let place = if !is_stream(path) && (ends_open || (path.is_dir() && args.to.is_some())) {
            fs::create_dir_all(path)
                .with_context(|| format!("{}: cannot be made", path.display()))?;
            TargetPlace::Folder { open: None, names: HashSet::new() }
        } else if !is_one && to.is_single() {
            bail!(crate::WrongUse(anyhow::anyhow!(
                "{}: {to} stores one game; name a folder, which ends in /, as TO",
                path.display()
            )))
        } else {
            let target = OutputTarget::create(path, args.force)?;
            TargetPlace::File { target: Box::new(target), is_begun: false }
        };
        Ok(ConvertTarget { args, to, place })
    }

    /// Writes a game; of one that goes from record to record there is no sheet.
    pub fn write(
        &mut self,
        bytes: &[u8],
        sheet: &Option<ScoreSheet>,
        at: GameInFile<'_>,
    ) -> anyhow::Result<()> {
        let to = self.to;
        match &mut self.place {
            TargetPlace::File { is_begun: true, .. } if to.is_single() => {
                let path = at.file.path.display();
                bail!(
                    "{path}: several games, but {to} stores one; choose with --game, name a \
                     folder as TO, or write jsonl or sgf"
                )
            }
            TargetPlace::File { target, is_begun } => {
                *is_begun = true;
                target.write(bytes)
            }
            TargetPlace::Folder { open: Some(target), .. } if !to.is_single() => {
                target.write(bytes)
            }
            TargetPlace::Folder { open, names } => {
                let path = file_name(to, sheet, at);
                let path = self.args.target().join(unused(path, names));
                if let Some(folder) = path.parent() {
                    fs::create_dir_all(folder)
                        .with_context(|| format!("{}: cannot be made", folder.display()))?;
                }
                let mut target = OutputTarget::create(&path, self.args.force)?;
                target.write(bytes)?;
                match to.is_single() {
                    // Thousands of files do not each wait for the disk.
                    true => target.finish_soon(),
                    false => {
                        *open = Some(Box::new(target));
                        Ok(())
                    }
                }
            }
        }
    }

    /// No more games come from that file.
    pub fn end_file(&mut self) -> anyhow::Result<()> {
        match &mut self.place {
            TargetPlace::Folder { open, .. } => {
                open.take().map_or(Ok(()), |target| target.finish_soon())
            }
            TargetPlace::File { .. } => Ok(()),
        }
    }

    pub fn finish(self) -> anyhow::Result<()> {
        match self.place {
            TargetPlace::File { target, .. } => target.finish(),
            TargetPlace::Folder { .. } => Ok(()),
        }
    }
}

/// What a game's file is called in the folder: as the file that it is from, with its number where
/// that may have several; the Chinese contests have names of their own.
fn file_name(to: Format, sheet: &Option<ScoreSheet>, at: GameInFile<'_>) -> PathBuf {
    if let (Format::Ccgc, Some(sheet)) = (to, sheet) {
        return at.file.below.with_file_name(ccgc::file_name(sheet));
    }
    let below =
        if at.file.below.as_os_str().is_empty() { Path::new("games") } else { &at.file.below };
    if !to.is_single() || at.format.is_single() {
        return below.with_extension(to.extension());
    }
    let stem = below.file_stem().unwrap_or_default().to_string_lossy();
    below.with_file_name(format!("{stem}-{}.{}", at.number, to.extension()))
}

/// The path, or one like it that was not given before.
fn unused(path: PathBuf, names: &mut HashSet<PathBuf>) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let end = path.extension().unwrap_or_default().to_string_lossy().into_owned();
    let mut next = path.clone();
    let mut number = 1;
    while !names.insert(next.clone()) {
        number += 1;
        next = path.with_file_name(format!("{stem} ({number}).{end}"));
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_games_get_two_names() {
        let mut names = HashSet::new();
        let name = || PathBuf::from("a/C5-x vs y.txt");
        assert_eq!(unused(name(), &mut names), name());
        assert_eq!(unused(name(), &mut names), Path::new("a/C5-x vs y (2).txt"));
        assert_eq!(unused(name(), &mut names), Path::new("a/C5-x vs y (3).txt"));
    }
}
