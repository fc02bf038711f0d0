//! The files that a version is handed out as: for each system an archive that needs no installing,
//! for Windows an installer, checksums, and what package managers want to know.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use xshell::{Cmd, Shell, cmd};

use crate::cross_system::CrossSystem;
use crate::engines::{self, NativeTools};
use crate::process;
use crate::program;
use crate::steps::Steps;
use crate::windows;

/// The folder of builds within cargo's, and that of what is handed out.
const BUILDS: &str = "cross";
const DIST: &str = "download";

/// What stands in templates for the place where releases are.
const PLACE: &str = "https://example.org/tengen/releases";

/// A system that there are builds for.
struct Platform {
    /// How people name it, in the names of files.
    name: &'static str,
    /// How the compiler names it.
    triple: &'static str,
    compiler: &'static str,
    extension: &'static str,
    library_prefix: &'static str,
}

const WINDOWS: Platform = Platform {
    name: "windows-x64",
    triple: windows::TARGET,
    compiler: windows::COMPILER,
    extension: "dll",
    library_prefix: "",
};

const LINUX: [Platform; 2] = [
    Platform {
        name: "linux-x64",
        triple: "x86_64-unknown-linux-gnu",
        compiler: "/usr/local/bin/cc-x86_64-linux",
        extension: "so",
        library_prefix: "lib",
    },
    Platform {
        name: "linux-arm64",
        triple: "aarch64-unknown-linux-gnu",
        compiler: "/usr/local/bin/cc-aarch64-linux",
        extension: "so",
        library_prefix: "lib",
    },
];

/// Makes what is handed out.
struct Dist<'a> {
    sh: &'a Shell,
    system: CrossSystem,
    version: String,
    commit: String,
    /// Where everything is put.
    folder: PathBuf,
}

/// The task `dist`, for the systems of these names, or for all.
pub(crate) fn run(sh: &Shell, steps: &mut Steps, only: &[String]) -> Result<()> {
    let system = steps.step("compilers", |_| CrossSystem::provide(sh))?;
    steps.step("engines", |notes| engines::build_examples(sh, notes))?;
    let dist = Dist {
        sh,
        system,
        version: version(sh)?,
        commit: cmd!(sh, "git rev-parse --short=10 HEAD").quiet().read()?,
        folder: sh.create_dir(process::target(sh, DIST)?)?,
    };
    let known: Vec<&str> = [&WINDOWS].into_iter().chain(&LINUX).map(|it| it.name).collect();
    for name in only {
        ensure!(known.contains(&name.as_str()), "--only {name}: takes {}", known.join(", "));
    }
    let is_wanted =
        |platform: &Platform| only.is_empty() || only.iter().any(|name| name == platform.name);
    // Archives for the others hold it: an author on Linux packs it with an engine for Gomocup.
    let small = steps
        .step("small program for Windows", |_| dist.build(&WINDOWS, "--no-default-features"))?;
    if is_wanted(&WINDOWS) {
        steps.step("Windows", |_| dist.windows(&small))?;
    }
    for platform in LINUX.iter().filter(|platform| is_wanted(platform)) {
        steps.step(platform.name, |_| dist.linux(platform, &small))?;
    }
    steps.step("checksums and manifests", |_| dist.describe())
}

fn version(sh: &Shell) -> Result<String> {
    let metadata = process::metadata(sh)?;
    let packages = metadata["packages"].as_array().context("cargo names no packages")?;
    let own = packages.iter().find(|package| package["name"] == "tengen");
    let version = own.and_then(|own| own["version"].as_str()).context("tengen has no version")?;
    Ok(version.to_owned())
}

impl<'a> Dist<'a> {
    /// A command of cargo that builds for a system as it is handed out.
    fn cargo(&self, platform: &Platform, words: &str) -> Result<Cmd<'a>> {
        let Platform { triple, compiler, .. } = platform;
        let name = triple.replace('-', "_");
        let commit = format!("TENGEN_COMMIT={}", self.commit);
        let cc = format!("CC_{name}={compiler}");
        let linker = format!("CARGO_TARGET_{}_LINKER={compiler}", name.to_uppercase());
        let words = format!("{words} --target {triple}");
        if *triple == WINDOWS.triple {
            let words = format!("{words} -Zbuild-std=std,panic_unwind");
            return self.system.cargo(self.sh, BUILDS, &[&commit], &words);
        }
        self.system.cargo(self.sh, BUILDS, &[&commit, &cc, &linker], &words)
    }

    /// Builds the program and returns its path.
    fn build(&self, platform: &Platform, features: &str) -> Result<PathBuf> {
        let build =
            self.cargo(platform, &format!("build --bin tengen --profile dist {features}"))?;
        let made = process::build(build)?.into_iter().find(|file| {
            file.file_stem().is_some_and(|stem| stem == "tengen")
                && file.extension().is_none_or(|end| end == "exe")
        });
        let made = made.context("cargo made no program `tengen`")?;
        // The next build would replace it.
        let kept = self.folder.join(format!(".{}{}", platform.name, features.replace(' ', "")));
        self.sh.copy_file(&made, &kept)?;
        Ok(kept)
    }

    /// Builds the example engines into a folder, and puts the modules there, which are the same
    /// everywhere.
    fn lay_engines(&self, platform: &Platform, folder: &Path) -> Result<()> {
        self.sh.create_dir(folder)?;
        let compiler = [platform.compiler, "-shared", "-fPIC", "-s"];
        let tools = NativeTools {
            cargo: self.cargo(platform, "build")?,
            compiler: self.system.command(self.sh, &self.sh.current_dir(), compiler),
            prefix: platform.library_prefix,
            extension: platform.extension,
        };
        tools.build_examples(self.sh, folder)?;
        engines::copy_modules(self.sh, Path::new("engines"), folder)?;
        Ok(self.sh.copy_file("engines/README.md", folder.join("README.md"))?)
    }

    /// Begins the folder that becomes an archive, with what is the same for all systems.
    fn begin(&self, platform: &Platform, docs: &str) -> Result<PathBuf> {
        let root = self.folder.join(format!("tengen-{}-{}", self.version, platform.name));
        self.sh.remove_path(&root)?;
        let docs = self.sh.create_dir(root.join(docs))?;
        let sh = self.sh;
        cmd!(sh, "cp -r README.md README.zh.md CHANGELOG.md docs {docs}").quiet().run()?;
        for license in ["LICENSE-MIT", "LICENSE-APACHE"] {
            sh.copy_file(license, &root)?;
        }
        Ok(root)
    }

    /// A zip and an installer.
    fn windows(&self, small: &Path) -> Result<()> {
        let sh = self.sh;
        let root = self.begin(&WINDOWS, "docs")?;
        sh.copy_file(self.build(&WINDOWS, "")?, root.join("tengen.exe"))?;
        // What the Start menu opens.
        let opener = self.cargo(&WINDOWS, "build --package tengenw --profile dist")?;
        let opener = process::build(opener)?.into_iter().find(|file| file.ends_with("tengenw.exe"));
        sh.copy_file(opener.context("cargo made no tengenw.exe")?, &root)?;
        self.lay_engines(&WINDOWS, &root.join("engines"))?;
        sh.create_dir(root.join("gomocup"))?;
        sh.copy_file(small, root.join("gomocup/tengen.exe"))?;
        let name = root.file_name().context("it was named")?.to_string_lossy().into_owned();
        let zip = format!("{name}.zip");
        sh.remove_path(self.folder.join(&zip))?;
        self.system.command(sh, &self.folder, ["zip", "-q", "-r", "-9", &zip, &name]).run()?;
        let mut removals = String::new();
        list_removals(&root, "$INSTDIR", &mut removals)?;
        sh.write_file(self.folder.join(format!("{name}.uninstall.nsh")), removals)?;
        let script = sh.current_dir().join("packaging/windows.nsi");
        let script = script.to_str().context("a path is UTF-8")?.to_owned();
        let words = [
            "makensis".to_owned(),
            "-V2".to_owned(),
            format!("-DVERSION={}", self.version),
            format!("-DFOLDER={}", root.display()),
            format!("-DOUT={}.exe", root.display()),
            script,
        ];
        Ok(self.system.command(sh, &self.folder, words).run()?)
    }

    /// A tarball whose folders are those of `/usr/local`.
    fn linux(&self, platform: &Platform, small: &Path) -> Result<()> {
        let sh = self.sh;
        let root = self.begin(platform, "share/doc/tengen")?;
        let place = |path: &str| -> Result<PathBuf> {
            let path = root.join(path);
            sh.create_dir(path.parent().context("it is in a folder")?)?;
            Ok(path)
        };
        let program = place("bin/tengen")?;
        sh.copy_file(self.build(platform, "")?, &program)?;
        sh.copy_file(small, place("lib/tengen/gomocup/tengen.exe")?)?;
        self.lay_engines(platform, &root.join("lib/tengen/engines"))?;
        // The manual is the same for all; the program of this machine's own processor writes it.
        if platform.name == LINUX[0].name {
            program::write_pages(sh, &program, &self.folder.join("pages"))?;
        }
        let pages = self.folder.join("pages");
        for (_, file, to) in program::COMPLETIONS {
            sh.copy_file(pages.join(file), place(to)?)?;
        }
        for page in sh.read_dir(pages.join("man"))? {
            sh.copy_file(page, sh.create_dir(root.join("share/man/man1"))?)?;
        }
        let desktop = sh.read_file("packaging/tengen.desktop")?;
        let desktop = desktop.replace(" --dir /usr/lib/tengen/engines", "");
        sh.write_file(place("share/applications/tengen.desktop")?, desktop)?;
        let icon = place("share/icons/hicolor/scalable/apps/tengen.svg")?;
        sh.copy_file("packaging/tengen.svg", icon)?;
        let name = root.file_name().context("it was named")?;
        let folder = &self.folder;
        let archive = folder.join(format!("{}.tar.gz", name.to_string_lossy()));
        Ok(cmd!(sh, "tar -C {folder} --owner=0 --group=0 --sort=name -czf {archive} {name}")
            .quiet()
            .run()?)
    }

    /// Checksums of the archives, and manifests for package managers, which name them.
    fn describe(&self) -> Result<()> {
        let sh = self.sh;
        let _folder = sh.push_dir(&self.folder);
        let mut sums = String::new();
        let mut files = sh.read_dir(".")?;
        files.sort();
        for file in files {
            let name = file.file_name().context("it has a name")?.to_string_lossy().into_owned();
            if [".zip", ".exe", ".tar.gz"].iter().any(|end| name.ends_with(end)) {
                sums += &cmd!(sh, "sha256sum {name}").quiet().read()?;
                sums.push('\n');
            }
        }
        sh.write_file("SHA256SUMS", &sums)?;
        let sum_of = |end: &str| {
            let line = sums.lines().find(|line| line.ends_with(end));
            line.and_then(|line| line.split(' ').next()).unwrap_or("NOT-BUILT").to_owned()
        };
        let templates = Path::new(crate::ROOT).join("packaging/manifests");
        for template in sh.read_dir(&templates)? {
            let text = sh.read_file(&template)?;
            let text = text.replace("@VERSION@", &self.version).replace("@PLACE@", PLACE);
            let text = text
                .replace("@SHA256-WINDOWS-ZIP@", &sum_of("windows-x64.zip"))
                .replace("@SHA256-WINDOWS-INSTALLER@", &sum_of("windows-x64.exe"))
                .replace("@SHA256-LINUX-X64@", &sum_of("linux-x64.tar.gz"))
                .replace("@SHA256-LINUX-ARM64@", &sum_of("linux-arm64.tar.gz"));
            let name = template.file_name().context("it has a name")?;
            sh.write_file(Path::new("manifests").join(name), text)?;
        }
        print!("{sums}");
        Ok(())
    }
}

/// What the installer says to remove what it installed, and nothing that a user has put beside it.
fn list_removals(folder: &Path, name: &str, script: &mut String) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let inner = format!("{name}\\{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            list_removals(&entry.path(), &inner, script)?;
            script.push_str(&format!("RMDir \"{inner}\"\n"));
        } else {
            script.push_str(&format!("Delete \"{inner}\"\n"));
        }
    }
    Ok(())
}
