//! The command line of a child process.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;

use crate::platform::{GroupPlace, NET_NS};
use crate::sandbox::Sandbox;
use crate::sandbox::denials::ReportAddress;
use tengen_packages::EngineKind;

/// What is on the command line of a child: which engine, and in which sandbox.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct HostArgs {
    /// The process that started it.
    pub parent: u32,
    pub kind: EngineKind,
    /// The library, module or program, or the name of a builtin engine.
    pub path: PathBuf,
    /// What follows a program on its command line.
    pub arguments: Vec<OsString>,
    /// The engine's own folder.
    pub folder: Option<PathBuf>,
    /// What else it may read.
    pub reads: Vec<PathBuf>,
    /// Copies of the engine's files, each with the path of its original. The engine is named by the
    /// copies here.
    pub copies: Vec<(PathBuf, PathBuf)>,
    /// What a program may run besides itself and the programs of the system, and read for that.
    pub runs: Vec<PathBuf>,
    /// Where it reports what the sandbox denies it.
    pub report: Option<ReportAddress>,
    /// Where compiled modules are stored.
    pub cache: Option<PathBuf>,
    /// The ceiling on memory.
    pub memory_mib: Option<u32>,
    /// The engine's scratch folder, and the most MiB it may hold.
    pub scratch: Option<(PathBuf, u32)>,
    /// The folder that it may write, and run what it makes there, of a program that builds an
    /// engine.
    pub builds_in: Option<PathBuf>,
    /// The control groups that it joins.
    pub groups: Vec<GroupPlace>,
    /// The layers that control groups cannot give here, with the reasons.
    pub missing: Vec<(String, String)>,
    /// Why it is to stay out of namespaces, if it is.
    pub no_namespaces: Option<String>,
    /// The descriptor of a namespace of networks that is its own.
    pub net_ns: Option<i32>,
    /// The number of the user that the engine runs as, if that is another than the arbiter's.
    pub user: Option<u32>,
    /// Whether the engine is refused where the sandbox lacks a layer.
    pub require_sandbox: bool,
    /// The layers that are required then; an empty list means all.
    pub require_layers: Vec<String>,
    /// Whether its processes may speak to each other by sockets of this machine.
    pub local_sockets: bool,
    /// Whether it is a program of Windows, which Wine runs.
    pub is_for_wine: bool,
    /// Whether there is no sandbox, and it waits for a byte before anything of the engine runs.
    pub debug: bool,
    /// The layers that are not put up.
    pub left_out: Vec<String>,
    /// Whether an answer may be asked for before its time.
    pub may_move_now: bool,
    /// Whether a module is compiled for the arbiter's own process as well, which then takes it from
    /// the cache.
    pub for_inside: bool,
    /// Options to set before the first game.
    pub options: Vec<(String, String)>,
}

impl HostArgs {
    /// Appends what [`HostArgs::read`] reads.
    /// What runs the program, in its own folder or in the one where its files were `gathered`.
    pub(crate) fn command(&self, gathered: Option<&Path>) -> Command {
        let mut command = Command::new(&self.path);
        command.args(&self.arguments);
        // Where files cannot be linked, there is no sandbox either.
        if let Some(folder) = self.folder.as_deref().or(gathered).or(self.path.parent()) {
            command.current_dir(folder);
        }
        command
    }

    /// Why it must not run in that sandbox, if so.
    pub(crate) fn missed(&self, sandbox: &Sandbox) -> Option<String> {
        let gaps = sandbox.gaps_among(&self.require_layers);
        (self.require_sandbox && !gaps.is_empty()).then(|| {
            let gaps = gaps.join(", ");
            format!("the sandbox is required, but lacks {gaps}; repair that, or do not require it")
        })
    }

    pub(crate) fn write(&self, command: &mut Command) {
        command.args(["--parent", &self.parent.to_string(), "--kind", self.kind.name()]);
        command.arg("--path").arg(&self.path);
        if let Some(folder) = &self.folder {
            command.arg("--folder").arg(folder);
        }
        for path in &self.reads {
            command.arg("--read").arg(path);
        }
        for (copy, original) in &self.copies {
            command.arg("--copy").arg(copy).arg(original);
        }
        for path in &self.runs {
            command.arg("--run").arg(path);
        }
        if let Some((name, number)) = &self.report {
            command.args(["--report", name, &number.to_string()]);
        }
        if let Some(cache) = &self.cache {
            command.arg("--cache").arg(cache);
        }
        if let Some(mib) = self.memory_mib {
            command.args(["--memory-mib", &mib.to_string()]);
        }
        if let Some((scratch, mib)) = &self.scratch {
            command.arg("--scratch").arg(scratch).arg(mib.to_string());
        }
        if let Some(folder) = &self.builds_in {
            command.arg("--builds-in").arg(folder);
        }
        for GroupPlace { layers, path } in &self.groups {
            command.args(["--group", &layers.join(",")]).arg(path);
        }
        for (layer, reason) in &self.missing {
            command.args(["--missing", layer, reason]);
        }
        if let Some(user) = self.user {
            command.args(["--user", &user.to_string()]);
        }
        if let Some(reason) = &self.no_namespaces {
            command.args(["--no-namespaces", reason]);
        }
        if let Some(net_ns) = self.net_ns {
            command.args([NET_NS, &net_ns.to_string()]);
        }
        if self.require_sandbox {
            command.arg("--require-sandbox");
        }
        for layer in &self.require_layers {
            command.args(["--require-layer", layer]);
        }
        if self.local_sockets {
            command.arg("--local-sockets");
        }
        if self.is_for_wine {
            command.arg("--wine");
        }
        if self.debug {
            command.arg("--debug");
        }
        for layer in &self.left_out {
            command.args(["--leave-out", layer]);
        }
        if self.may_move_now {
            command.arg("--may-move-now");
        }
        if self.for_inside {
            command.arg("--for-inside");
        }
        for (name, value) in &self.options {
            command.args(["--option", name, value]);
        }
        if !self.arguments.is_empty() {
            command.arg("--").args(&self.arguments);
        }
    }

    /// The same, with the path of each original in place of its copy's, where the copies are seen
    /// there.
    pub(crate) fn seen_as(&self, shown: &[(PathBuf, PathBuf)]) -> HostArgs {
        let seen = |path: &PathBuf| {
            let found = shown.iter().find_map(|(copy, original)| {
                let rest = path.strip_prefix(copy).ok()?;
                let is_it = rest.as_os_str().is_empty();
                Some(if is_it { original.clone() } else { original.join(rest) })
            });
            found.unwrap_or_else(|| path.clone())
        };
        let seen_word = |word: &OsString| {
            let Some(text) = word.to_str() else { return word.clone() };
            let pairs = shown.iter().filter_map(|(copy, seen)| copy.to_str().zip(seen.to_str()));
            // No other path has that of a copy in it.
            OsString::from(
                pairs.fold(text.to_owned(), |text, (copy, seen)| text.replace(copy, seen)),
            )
        };
        HostArgs {
            path: seen(&self.path),
            arguments: self.arguments.iter().map(seen_word).collect(),
            folder: self.folder.as_ref().map(seen),
            reads: self.reads.iter().map(seen).collect(),
            runs: self.runs.iter().map(seen).collect(),
            ..self.clone()
        }
    }

    /// Reads a child's command line.
    pub(crate) fn read(mut args: impl Iterator<Item = OsString>) -> Result<HostArgs, String> {
        let (mut parent, mut kind, mut path) = (None, None, None);
        let (mut folder, mut cache, mut memory_mib) = (None, None, None);
        let (mut scratch, mut require_sandbox) = (None, false);
        let (mut debug, mut may_move_now, mut for_inside) = (false, false, false);
        let (mut user, mut local_sockets, mut is_for_wine) = (None, false, false);
        let (mut net_ns, mut builds_in) = (None, None);
        let (mut options, mut arguments) = (Vec::new(), Vec::new());
        let (mut require_layers, mut left_out) = (Vec::new(), Vec::new());
        let (mut groups, mut missing, mut no_namespaces) = (Vec::new(), Vec::new(), None);
        let (mut reads, mut runs, mut report) = (Vec::new(), Vec::new(), None);
        let mut copies = Vec::new();
        while let Some(flag) = args.next() {
            if flag == "--" {
                arguments.extend(args);
                break;
            }
            let mut next =
                || args.next().ok_or_else(|| format!("{} lacks its value", flag.display()));
            match flag.to_str() {
                Some("--parent") => parent = Some(number(&next()?)?),
                Some("--kind") => kind = Some(read_kind(&next()?)?),
                Some("--path") => path = Some(next()?.into()),
                Some("--folder") => folder = Some(next()?.into()),
                Some("--read") => reads.push(next()?.into()),
                Some("--copy") => copies.push((next()?.into(), next()?.into())),
                Some("--run") => runs.push(next()?.into()),
                Some("--report") => report = Some((text(next()?)?, number(&next()?)?)),
                Some("--cache") => cache = Some(next()?.into()),
                Some("--memory-mib") => memory_mib = Some(number(&next()?)?),
                Some("--scratch") => scratch = Some((next()?.into(), number(&next()?)?)),
                Some("--builds-in") => builds_in = Some(next()?.into()),
                Some("--group") => {
                    let layers = text(next()?)?.split(',').map(str::to_owned).collect();
                    groups.push(GroupPlace { layers, path: next()?.into() });
                }
                Some("--missing") => missing.push((text(next()?)?, text(next()?)?)),
                Some("--user") => user = Some(number(&next()?)?),
                Some("--no-namespaces") => no_namespaces = Some(text(next()?)?),
                Some(NET_NS) => net_ns = Some(number(&next()?)?),
                Some("--require-sandbox") => require_sandbox = true,
                Some("--require-layer") => require_layers.push(text(next()?)?),
                Some("--local-sockets") => local_sockets = true,
                Some("--wine") => is_for_wine = true,
                Some("--debug") => debug = true,
                Some("--leave-out") => left_out.push(text(next()?)?),
                Some("--may-move-now") => may_move_now = true,
                Some("--for-inside") => for_inside = true,
                Some("--option") => options.push((text(next()?)?, text(next()?)?)),
                _ => return Err(format!("{} is unknown", flag.display())),
            }
        }
        let lacks = |flag: &str| format!("{flag} is missing; it is for the program's own use");
        Ok(HostArgs {
            parent: parent.ok_or_else(|| lacks("--parent"))?,
            kind: kind.ok_or_else(|| lacks("--kind"))?,
            path: path.ok_or_else(|| lacks("--path"))?,
            arguments,
            folder,
            reads,
            copies,
            runs,
            report,
            cache,
            memory_mib,
            scratch,
            builds_in,
            groups,
            missing,
            no_namespaces,
            net_ns,
            user,
            require_sandbox,
            require_layers,
            local_sockets,
            is_for_wine,
            debug,
            left_out,
            may_move_now,
            for_inside,
            options,
        })
    }
}

fn number<T: FromStr>(value: &OsStr) -> Result<T, String> {
    let number = value.to_str().and_then(|value| value.parse().ok());
    number.ok_or_else(|| format!("{} is no number", value.display()))
}

fn text(value: OsString) -> Result<String, String> {
    value.into_string().map_err(|value| format!("{} is no text", value.display()))
}

fn read_kind(value: &OsStr) -> Result<EngineKind, String> {
    let kind = value.to_str().and_then(EngineKind::of_name);
    kind.ok_or_else(|| format!("{} is no kind of engine", value.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_reads_as_it_is_written() {
        let args = HostArgs {
            parent: 17,
            kind: EngineKind::Wasm,
            path: "a b/--parent.wasm".into(),
            arguments: vec!["-x".into(), "--".into(), "--kind".into()],
            folder: Some("a b".into()),
            reads: vec!["r s".into(), "--read".into()],
            copies: vec![("c d".into(), "--copy".into())],
            runs: vec!["x y".into()],
            report: Some(("name of it".into(), u64::MAX)),
            cache: Some("c".into()),
            memory_mib: Some(350),
            scratch: Some(("d e".into(), 70)),
            builds_in: Some("f g".into()),
            groups: vec![GroupPlace {
                layers: vec!["one".into(), "two".into()],
                path: "g h/--group".into(),
            }],
            missing: vec![("three".into(), "--why not".into())],
            no_namespaces: Some("--because of that".into()),
            net_ns: Some(17),
            user: Some(u32::MAX),
            require_sandbox: true,
            require_layers: vec!["four".into()],
            local_sockets: true,
            is_for_wine: true,
            debug: true,
            left_out: vec!["five".into(), "six".into()],
            may_move_now: true,
            for_inside: true,
            options: vec![("Style".into(), "--option x".into()), ("Empty".into(), String::new())],
        };
        let mut command = Command::new("tengen");
        args.write(&mut command);
        assert_eq!(HostArgs::read(command.get_args().map(OsStr::to_owned)), Ok(args));
    }

    #[test]
    fn what_is_seen_in_the_place_of_its_original_is_named_so() {
        let words =
            ["--kind", "gomocup", "--parent", "1", "--path", "k/0/e/run", "--folder", "k/0/e"];
        let words = words.into_iter().chain(["--read", "k/1/b", "--", "-w=k/0/e/w", "x"]);
        let args = HostArgs::read(words.map(OsString::from)).unwrap();
        let seen = args.seen_as(&[("k/0/e".into(), "own/e".into())]);
        assert_eq!(seen.path, PathBuf::from("own/e/run"));
        assert_eq!(seen.folder, Some("own/e".into()));
        assert_eq!(
            (&seen.reads, &seen.arguments[..]),
            (&args.reads, &["-w=own/e/w".into(), "x".into()][..])
        );
    }

    #[test]
    fn a_command_line_by_hand_is_refused() {
        for args in [&[][..], &["--help"], &["--parent"], &["--parent", "x"], &["--kind", "magic"]]
        {
            assert!(HostArgs::read(args.iter().map(OsString::from)).is_err(), "{args:?}");
        }
    }
}
