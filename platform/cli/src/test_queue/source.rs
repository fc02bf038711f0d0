//! An engine from a commit: fetched when a test is added, and built when that is run.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use tengen_hosts::{BuildError, HostError, HostSettings, build};

use crate::WrongUse;

/// What names an engine from a commit.
const PREFIX: &str = "git:";
/// How long a build may take.
const BUILD_TIME: Duration = Duration::from_secs(15 * 60);
/// The most bytes of a build's output that are kept, and how many of its last lines are told.
const MOST_OUTPUT: u64 = 16 << 20;
const LAST_LINES: usize = 12;

/// A commit of a repository.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GitSource {
    /// Where the repository is, as git is told.
    pub url: String,
    /// A commit, a branch or a tag.
    pub revision: String,
}

impl GitSource {
    /// The commit that is named, if one is.
    pub fn read(named: &str) -> anyhow::Result<Option<GitSource>> {
        let Some(words) = named.strip_prefix(PREFIX) else { return Ok(None) };
        let parts = words.rsplit_once('@').filter(|(url, revision)| {
            let is_option = url.starts_with('-') || revision.starts_with('-');
            !url.is_empty() && !revision.is_empty() && !is_option
        });
        let Some((url, revision)) = parts else {
            let problem = "expected git:URL@COMMIT, as in git:https://example.org/mine.git@v2";
            bail!(WrongUse(anyhow!("{named}: {problem}")));
        };
        // A path means the same wherever the test is run.
        let url = match dunce::canonicalize(url) {
            Ok(path) => path.into_os_string().into_string().unwrap_or_else(|_| url.to_owned()),
            Err(_) => url.to_owned(),
        };
        Ok(Some(GitSource { url, revision: revision.to_owned() }))
    }

    /// What its engine is called: the repository, and the commit cut short.
    pub fn label(&self, commit: &str) -> String {
        let name = self.url.trim_end_matches('/').trim_end_matches(".git");
        let name = name.rsplit(['/', ':', '\\']).next().filter(|name| !name.is_empty());
        format!("{}-{}", name.unwrap_or("engine"), commit.get(..8).unwrap_or(commit))
    }

    /// Fetches it into a new repository in that folder, and gives the whole name of the commit.
    pub fn fetch(&self, repository: &Path) -> anyhow::Result<String> {
        let GitSource { url, revision } = self;
        fs::create_dir_all(repository)?;
        let git = |arguments: &[&str]| git(repository, None, arguments);
        git(&["init", "--quiet", "--bare", "--template="])?;
        let names = |what: &str| {
            git(&[
                "rev-parse",
                "--quiet",
                "--verify",
                "--end-of-options",
                &format!("{what}^{{commit}}"),
            ])
        };
        // A commit whose name is cut short is found among all of them alone.
        let alone = git(&["fetch", "--quiet", "--no-tags", "--depth=1", "--", url, revision]);
        let commit = alone.and_then(|_| names("FETCH_HEAD"));
        let commit = commit.or_else(|_| {
            let all = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];
            git(&["fetch", "--quiet", "--", url, all[0], all[1]])
                .with_context(|| format!("{url}: cannot be fetched; check the address"))?;
            names(revision).map_err(|_| {
                let problem = "has no such commit; name one by its hash, its branch or its tag";
                anyhow!("{PREFIX}{url}@{revision}: {url} {problem}")
            })
        });
        Ok(commit.map_err(WrongUse)?.trim().to_owned())
    }
}

/// One of the two engines of a test that is built in the folder of the test.
pub(super) struct SideBuild<'a> {
    /// The folder of the test.
    pub dir: &'a Path,
    /// `engine` or `base`.
    pub side: &'a str,
    pub commit: &'a str,
    /// What builds it, if anything has to.
    pub command: Option<&'a str>,
    /// The engine in the checkout.
    pub file: &'a Path,
}

/// The repository of one of the two engines of a test.
pub(super) fn repository(dir: &Path, side: &str) -> PathBuf {
    dir.join(format!("{side}.git"))
}

impl SideBuild<'_> {
    /// Builds it anew from the files of its commit alone, and gives the engine.
    pub fn run(&self, settings: HostSettings) -> anyhow::Result<PathBuf> {
        let checkout = self.dir.join(self.side);
        match fs::remove_dir_all(&checkout) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(error).with_context(|| checkout.display().to_string());
            }
            _ => {}
        }
        fs::create_dir(&checkout)?;
        let checkout = dunce::canonicalize(&checkout)?;
        let repository = repository(self.dir, self.side);
        // Without what git remembers of an earlier checkout, it writes every file.
        let _none = fs::remove_file(repository.join("index"));
        git(&repository, Some(&checkout), &["read-tree", "--reset", "-u", self.commit])?;
        if let Some(command) = self.command {
            self.build(command, &checkout, settings)?;
        }
        let shown = self.file.display();
        let file = dunce::canonicalize(checkout.join(self.file)).map_err(|error| {
            anyhow!(
                "the {} has no {shown} after its build: {error}; name what it makes with \
                     --file",
                self.side
            )
        })?;
        // A link may lead anywhere, and what builds it is of others.
        if !file.starts_with(&checkout) {
            bail!("{shown} of the {} leads out of its checkout", self.side);
        }
        Ok(file)
    }

    fn build(&self, command: &str, checkout: &Path, settings: HostSettings) -> anyhow::Result<()> {
        let path = self.dir.join(format!("{}.log", self.side));
        let file = fs::File::create(&path).with_context(|| path.display().to_string())?;
        let mut output = BuildLog { file, left: MOST_OUTPUT };
        let built = build(command, checkout, settings, BUILD_TIME, &mut output);
        let problem = match built {
            Ok(()) => return Ok(()),
            Err(error @ BuildError::Host(HostError::Refused { .. })) => {
                let advice = "`tengen test run --no-require-sandbox` builds it all the same";
                return Err(anyhow!("the {} is not built: {error}; {advice}", self.side));
            }
            Err(error @ (BuildError::Host(_) | BuildError::Interrupted)) => {
                return Err(anyhow!("the {} is not built: {error}", self.side));
            }
            Err(error) => error,
        };
        let said = fs::read(&path).unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        let lines: Vec<&str> = said.lines().collect();
        let last = lines[lines.len().saturating_sub(LAST_LINES)..].join("\n");
        bail!(
            "the build of the {} failed: `{command}`: {problem}; all it said is in {}\n{last}",
            self.side,
            path.display()
        )
    }
}

/// What a build prints, up to a size.
struct BuildLog {
    file: fs::File,
    left: u64,
}

impl Write for BuildLog {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = bytes.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        self.file.write_all(&bytes[..count])?;
        self.left -= count as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Runs git on a repository, and gives what it printed.
fn git(repository: &Path, tree: Option<&Path>, arguments: &[&str]) -> anyhow::Result<String> {
    let mut command = Command::new("git");
    command.arg("--git-dir").arg(repository);
    if let Some(tree) = tree {
        command.arg("--work-tree").arg(tree);
    }
    // It asks nobody for a password, and does not tidy up beside a test.
    command.args(["-c", "gc.auto=0", "-c", "advice.detachedHead=false"]).args(arguments);
    command.env("GIT_TERMINAL_PROMPT", "0").env_remove("GIT_INDEX_FILE");
    let output = command.stdin(Stdio::null()).output().map_err(|error| {
        anyhow!("git cannot be started: {error}; install it to test engines from commits")
    })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it failed");
        bail!("git {}: {last}", arguments[0]);
    }
    String::from_utf8(output.stdout).context("git")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_is_what_follows_the_last_at_sign() {
        let source = GitSource::read("git:git@example.org:me/mine.git@v2").unwrap().unwrap();
        assert_eq!(
            (source.url.as_str(), source.revision.as_str()),
            ("git@example.org:me/mine.git", "v2")
        );
        assert_eq!(source.label("0123456789abcdef"), "mine-01234567");
        assert_eq!(GitSource::read("./libmine.so").unwrap(), None);
        for wrong in ["git:", "git:x", "git:@x", "git:x@", "git:--upload-pack=x@y", "git:x@-y"] {
            assert!(GitSource::read(wrong).is_err(), "{wrong}");
        }
    }
}
