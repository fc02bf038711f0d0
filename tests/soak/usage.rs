//! What a running program uses: memory, files, threads, processes.

use std::fs;
use std::path::Path;

/// Games at once; each has two engines.
pub const TABLES: u64 = 2;
const ENGINES: u64 = 2 * TABLES;

pub const HEAD: &str =
    "engines     quarter   memory MiB  descriptors  threads  children  zombies  files";

/// What is counted: resident memory, the engines' not counted; what is open; threads; engines;
/// those that have ended and are not reaped; files and folders in the folder for temporary files.
const COUNTED: [&str; 6] =
    ["memory (KiB)", "descriptors", "threads", "children", "zombies", "temporary files"];

/// How much of each a program uses at one moment.
pub type UsageSample = [u64; COUNTED.len()];

/// A number that Linux tells about a process; none when it has ended. One that was not waited for
/// has no memory.
fn status(pid: u32, key: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with(key))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// What that program uses now; none when it has ended.
pub fn sample(program: u32, temporary: &Path) -> Option<UsageSample> {
    let children = children(program);
    let zombies = children.iter().filter(|pid| state(**pid) == Some('Z')).count();
    Some([
        status(program, "VmRSS:")?,
        entries(format!("/proc/{program}/fd").as_ref()),
        status(program, "Threads:")?,
        children.len() as u64,
        zombies as u64,
        entries(temporary),
    ])
}

/// The children of all threads of a program, one for each engine. The processes that watch over all
/// of them, or start them, are none; the first process of an engine's namespace goes with it.
pub fn children(program: u32) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{program}/task")).into_iter().flatten().flatten();
    let children = tasks.map(|task| text(task.path().join("children"))).collect::<String>();
    let is_engine = |pid: &u32| {
        let line = text(format!("/proc/{pid}/cmdline"));
        let is_warden = line.split('\0').any(|word| word == "--reaper" || word == "--zygote");
        let is_init = text(format!("/proc/{pid}/comm")).trim_end() == "tengen-init";
        !is_warden && !is_init && state(*pid).is_some()
    };
    children.split_whitespace().flat_map(str::parse).filter(is_engine).collect()
}

/// How many processes have a file of this folder on their command line.
pub fn processes_of(folder: &Path) -> usize {
    let folder = folder.to_str().expect("the path is UTF-8");
    let is_one = |process: &fs::DirEntry| {
        let command = fs::read(process.path().join("cmdline")).unwrap_or_default();
        process.path().join("exe").exists() && String::from_utf8_lossy(&command).contains(folder)
    };
    fs::read_dir("/proc").expect("Linux has /proc").flatten().filter(is_one).count()
}

fn text(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn state(pid: u32) -> Option<char> {
    // The state follows the name, which is in brackets.
    text(format!("/proc/{pid}/stat")).rsplit(')').next()?.trim_start().chars().next()
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

/// A row of the table.
pub fn row(name: &str, quarter: usize, sample: UsageSample) -> String {
    let [memory, descriptors, threads, children, zombies, files] = sample;
    let memory = memory as f64 / 1024.0;
    format!(
        "{name:<12}{quarter:>7}{memory:>13.1}{descriptors:>13}{threads:>9}{children:>10}\
         {zombies:>9}{files:>7}"
    )
}

/// The most of everything in each quarter of the time in which all engines ran.
pub fn quarters(samples: &[UsageSample]) -> [UsageSample; 4] {
    // Until all engines have started there is less of everything.
    let has_started = |sample: &UsageSample| sample[3] >= ENGINES;
    let whole = &samples[samples.iter().position(has_started).unwrap_or(0)..];
    std::array::from_fn(|quarter| {
        let part = &whole[quarter * whole.len() / 4..(quarter + 1) * whole.len() / 4];
        let most = |what| part.iter().map(|sample: &UsageSample| sample[what]).max();
        std::array::from_fn(|what| most(what).unwrap_or(0))
    })
}

/// What grew. The first quarter fills caches; after it nothing may be more than before, but for
/// what a moment makes of a few engines that start and end.
pub fn growth([_, before, _, after]: [UsageSample; 4]) -> Vec<String> {
    let most = [
        before[0] + before[0] / 10 + 2048,
        // Three pipes an engine, and what is open for a moment while one is started.
        before[1] + 6 * ENGINES,
        before[2] + ENGINES,
        // A process an engine, and for a moment one that starts it and ends then.
        2 * ENGINES,
        ENGINES,
        // A folder an engine, and one that is about to go.
        2 * ENGINES,
    ];
    let grown = (0..COUNTED.len()).filter(|what| after[*what] > most[*what]);
    grown.map(|at| format!("{} grew from {} to {}", COUNTED[at], before[at], after[at])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a healthy program uses, over a hundred looks.
    fn flat() -> Vec<UsageSample> {
        vec![[40_000, 30, 9, 4, 1, 2]; 100]
    }

    #[test]
    fn what_is_flat_passes_and_what_grows_is_named() {
        assert!(growth(quarters(&flat())).is_empty());
        for (at, what) in COUNTED.into_iter().enumerate() {
            let by = if at == 0 { 1000 } else { 1 };
            let mut samples = flat();
            samples.iter_mut().zip(0..).for_each(|(sample, look)| sample[at] += by * look);
            let grown = growth(quarters(&samples));
            assert!(grown.len() == 1 && grown[0].starts_with(what), "{what}: {grown:?}");
        }
    }

    #[test]
    fn a_slow_start_is_no_growth() {
        let mut samples = flat();
        samples[..25].fill(UsageSample::default());
        assert!(growth(quarters(&samples)).is_empty());
        assert!(growth(quarters(&[])).is_empty());
    }
}
