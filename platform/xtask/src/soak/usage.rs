//! What a program uses: memory, files, threads, processes.

use std::fs;
use std::path::{Path, PathBuf};

/// Games at once; each has two engines.
pub(crate) const TABLES: u64 = 2;
const ENGINES: u64 = 2 * TABLES;

/// What the program uses at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct UsageSample {
    /// Resident memory in KiB, its engines not counted.
    pub memory: u64,
    pub descriptors: u64,
    pub threads: u64,
    pub children: u64,
    /// Children that have ended and are not reaped.
    pub zombies: u64,
    /// Files and folders in its folder for temporary files.
    pub files: u64,
}

impl UsageSample {
    /// What that program uses now; none when it has ended.
    pub(crate) fn at(program: u32, temporary: &Path) -> Option<UsageSample> {
        let status = fs::read_to_string(format!("/proc/{program}/status")).ok()?;
        let number = |key: &str| {
            let line = status.lines().find(|line| line.starts_with(key))?;
            line.split_whitespace().nth(1)?.parse().ok()
        };
        let children = children(program);
        let is_zombie = |pid: &&u32| state(**pid) == Some('Z');
        Some(UsageSample {
            // A program that has ended, but was not waited for, has no memory.
            memory: number("VmRSS:")?,
            descriptors: entries(format!("/proc/{program}/fd").as_ref()),
            threads: number("Threads:")?,
            children: children.len() as u64,
            zombies: children.iter().filter(is_zombie).count() as u64,
            files: entries(temporary),
        })
    }

    fn most(self, other: UsageSample) -> UsageSample {
        UsageSample {
            memory: self.memory.max(other.memory),
            descriptors: self.descriptors.max(other.descriptors),
            threads: self.threads.max(other.threads),
            children: self.children.max(other.children),
            zombies: self.zombies.max(other.zombies),
            files: self.files.max(other.files),
        }
    }
}

/// The children of all threads of a program, one for each engine. Whoever watches over all of them,
/// or starts them, is none, and the first process of an engine's namespace goes with the engine.
pub(crate) fn children(program: u32) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{program}/task")).into_iter().flatten().flatten();
    let of = |task: PathBuf| fs::read_to_string(task.join("children")).unwrap_or_default();
    let texts: Vec<String> = tasks.map(|task| of(task.path())).collect();
    let children = texts.iter().flat_map(|text| text.split_whitespace()).flat_map(str::parse);
    let is_there = |pid: &u32| state(*pid).is_some();
    children.filter(|&pid| !is_warden(pid) && !is_init(pid)).filter(is_there).collect()
}

fn is_init(pid: u32) -> bool {
    let name = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    name.trim_end() == "tengen-init"
}

fn is_warden(pid: u32) -> bool {
    let line = fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    line.split('\0').any(|word| word == "--reaper" || word == "--zygote")
}

fn state(pid: u32) -> Option<char> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The state follows the name, which is in brackets.
    stat.rsplit(')').next()?.trim_start().chars().next()
}

/// How many entries a folder has, those of its folders included.
fn entries(folder: &Path) -> u64 {
    let found = fs::read_dir(folder).into_iter().flatten().flatten();
    let inside = |entry: &fs::DirEntry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => entries(&entry.path()),
        _ => 0,
    };
    found.map(|entry| 1 + inside(&entry)).sum()
}

/// What a program used from look to look.
#[derive(Default, Debug)]
pub(crate) struct UsageSamples(pub Vec<UsageSample>);

impl UsageSamples {
    pub(crate) const HEAD: &str = "engines     quarter   memory MiB  descriptors  threads  \
                                   children  zombies  files";

    /// The most of everything in each quarter of the time in which all engines ran.
    fn quarters(&self) -> [UsageSample; 4] {
        // Until all engines have started there is less of everything.
        let start = self.0.iter().position(|look| look.children >= ENGINES).unwrap_or(0);
        let whole = &self.0[start..];
        let length = whole.len();
        std::array::from_fn(|quarter| {
            let looks = &whole[quarter * length / 4..(quarter + 1) * length / 4];
            looks.iter().copied().fold(UsageSample::default(), UsageSample::most)
        })
    }

    pub(crate) fn table(&self, name: &str) -> String {
        let row = |(number, look): (usize, &UsageSample)| {
            let UsageSample { memory, descriptors, threads, children, zombies, files } = look;
            let (name, memory) = (if number == 0 { name } else { "" }, *memory as f64 / 1024.0);
            let number = number + 1;
            format!(
                "{name:<12}{number:>7}{memory:>13.1}{descriptors:>13}{threads:>9}{children:>10}\
                 {zombies:>9}{files:>7}"
            )
        };
        self.quarters().iter().enumerate().map(row).collect::<Vec<_>>().join("\n")
    }

    /// What grew. The first quarter fills caches; after it nothing may be more than before, but for
    /// what a moment makes of a few engines that start and end.
    pub(crate) fn growth(&self) -> Vec<String> {
        let [_, before, _, after] = self.quarters();
        let mut grown = Vec::new();
        let mut compare = |what: &str, before: u64, after: u64, slack: u64| {
            if after > before + slack {
                grown.push(format!("{what} grew from {before} to {after}"));
            }
        };
        compare("memory (KiB)", before.memory, after.memory, before.memory / 10 + 2048);
        // Three pipes an engine, and what is open for a moment while one is started.
        compare("descriptors", before.descriptors, after.descriptors, 6 * ENGINES);
        compare("threads", before.threads, after.threads, ENGINES);
        // A process an engine, and for a moment one that starts it and ends then.
        compare("children", 0, after.children, 2 * ENGINES);
        compare("zombies", 0, after.zombies, ENGINES);
        // A folder an engine, and one that is about to go.
        compare("temporary files", 0, after.files, 2 * ENGINES);
        grown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a healthy program uses, over a hundred looks.
    fn flat() -> UsageSamples {
        let look = UsageSample {
            memory: 40_000,
            descriptors: 30,
            threads: 9,
            children: 4,
            zombies: 1,
            files: 2,
        };
        UsageSamples(vec![look; 100])
    }

    #[test]
    fn what_is_flat_passes_and_what_grows_is_named() {
        assert!(flat().growth().is_empty());
        type Grow = fn(&mut UsageSample, u64);
        let grows: [(&str, Grow); 6] = [
            ("memory", |look, by| look.memory += 1000 * by),
            ("descriptors", |look, by| look.descriptors += by),
            ("threads", |look, by| look.threads += by),
            ("children", |look, by| look.children += by),
            ("zombies", |look, by| look.zombies += by),
            ("temporary files", |look, by| look.files += by),
        ];
        for (what, grow) in grows {
            let mut looks = flat();
            looks.0.iter_mut().zip(0..).for_each(|(look, by)| grow(look, by));
            let grown = looks.growth();
            assert!(grown.len() == 1 && grown[0].starts_with(what), "{what}: {grown:?}");
        }
    }

    #[test]
    fn a_slow_start_is_no_growth() {
        let mut looks = flat();
        looks.0[..25].fill(UsageSample::default());
        assert!(looks.growth().is_empty());
        assert!(UsageSamples::default().growth().is_empty());
    }
}
