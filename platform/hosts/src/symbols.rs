//! The names of functions, and their places in the source, by their addresses in a file of machine
//! code. The file comes from a stranger, so a process of its own with narrow limits reads it.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use addr2line::gimli::{self, EndianSlice, RunTimeEndian};
use object::{Object, ObjectSection, ObjectSymbol, SymbolMap, SymbolMapName};

use crate::platform::{self, HOST_COMMAND};

/// The word that starts the process that reads the file.
pub(crate) const SYMBOLS: &str = "symbols";
/// What it may use, in bytes of addresses and in seconds: a made-up file could ask for any amount.
const MOST_MEMORY: u64 = 2 << 30;
const MOST_TIME: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(2);
/// The longest file, name and answer that are read.
const MOST_FILE: u64 = 1 << 30;
const MOST_NAME: usize = 120;
const MOST_ANSWER: u64 = 32 << 10;

/// The functions at these addresses of a file, each with those that it was inlined into, the
/// innermost first: `evaluate (eval.c:42)`. None where the file has no names.
pub(crate) fn functions(program: &Path, file: &Path, addresses: &[u64]) -> Vec<Vec<String>> {
    let none = vec![Vec::new(); addresses.len()];
    if addresses.is_empty() {
        return none;
    }
    let addresses = addresses.iter().map(|address| format!("{address:x}"));
    let child = Command::new(program)
        .args([HOST_COMMAND, SYMBOLS])
        .arg(file)
        .args(addresses)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else { return none };
    let begun = Instant::now();
    // All that it says has room in its pipe.
    let has_ended = loop {
        match child.try_wait() {
            Ok(None) if begun.elapsed() < MOST_TIME => thread::sleep(POLL),
            ended => break matches!(ended, Ok(Some(_))),
        }
    };
    let _gone = child.kill();
    let _reaped = child.wait();
    let mut answer = String::new();
    let output = child.stdout.take().filter(|_| has_ended);
    let read = output.map(|output| output.take(MOST_ANSWER).read_to_string(&mut answer));
    if !matches!(read, Some(Ok(_))) {
        return none;
    }
    let names =
        |line: &str| line.split('\t').filter(|name| !name.is_empty()).map(str::to_owned).collect();
    let mut found: Vec<_> = answer.lines().map(names).collect();
    found.resize(none.len(), Vec::new());
    found
}

/// The body of that process: prints a line for each address.
pub(crate) fn print_functions(mut args: impl Iterator<Item = OsString>) -> io::Result<()> {
    platform::limit_oneself(MOST_MEMORY, MOST_TIME);
    let file = args.next().ok_or(io::ErrorKind::InvalidInput)?;
    let file = tengen_packages::open_file(Path::new(&file))?;
    let mut bytes = Vec::new();
    file.take(MOST_FILE).read_to_end(&mut bytes)?;
    let symbols = FunctionNames::read(&bytes).map_err(io::Error::other)?;
    let address = |word: OsString| u64::from_str_radix(word.to_str()?, 16).ok();
    let mut out = String::new();
    for address in args.map_while(address) {
        out += &symbols.at(address).join("\t");
        out.push('\n');
    }
    out.truncate(out.floor_char_boundary(MOST_ANSWER as usize));
    io::stdout().write_all(out.as_bytes())
}

type Slice<'a> = EndianSlice<'a, RunTimeEndian>;

/// What a file says of its functions.
struct FunctionNames<'a> {
    /// Their names alone, which more files have.
    names: SymbolMap<SymbolMapName<'a>>,
    places: Option<addr2line::Context<Slice<'a>>>,
}

impl<'a> FunctionNames<'a> {
    fn read(bytes: &'a [u8]) -> Result<FunctionNames<'a>, object::Error> {
        let file = object::File::parse(bytes)?;
        let endian = match file.is_little_endian() {
            true => RunTimeEndian::Little,
            false => RunTimeEndian::Big,
        };
        let section = |id: gimli::SectionId| -> Result<Slice<'a>, gimli::Error> {
            let data = file.section_by_name(id.name()).and_then(|section| section.data().ok());
            Ok(EndianSlice::new(data.unwrap_or_default(), endian))
        };
        let places = gimli::Dwarf::load(section).and_then(addr2line::Context::from_dwarf).ok();
        let names = Some(file.symbol_map()).filter(|names| !names.symbols().is_empty());
        Ok(FunctionNames { names: names.unwrap_or_else(|| exported(&file)), places })
    }

    fn at(&self, address: u64) -> Vec<String> {
        let mut found = Vec::new();
        let frames =
            self.places.as_ref().map(|places| places.find_frames(address).skip_all_loads());
        if let Some(Ok(mut frames)) = frames {
            while let Ok(Some(frame)) = frames.next() {
                let name = frame.function.as_ref().and_then(|name| name.demangle().ok());
                let place = frame.location.and_then(|place| Some((place.file?, place.line?)));
                match (name, place) {
                    (Some(name), Some((file, line))) => {
                        found.push(format!("{} ({}:{line})", plain(&name), plain(short(file))));
                    }
                    (Some(name), None) => found.push(plain(&name)),
                    (None, _) => {}
                }
            }
        }
        if found.is_empty() {
            let symbol = self.names.containing(address);
            found.extend(symbol.map(|symbol| plain(&demangled(symbol.name()))));
        }
        found
    }
}

/// What a file exports, which is left where its other names were removed.
fn exported<'a>(file: &object::File<'a>) -> SymbolMap<SymbolMapName<'a>> {
    let functions = file.dynamic_symbols().filter(|one| one.is_definition() && one.size() > 0);
    let named = functions
        .filter_map(|one| Some(SymbolMapName::new(one.address(), one.size(), one.name().ok()?)));
    SymbolMap::new(named.collect())
}

/// The name of a file, with its folder where many files have that name.
fn short(file: &str) -> &str {
    let last = file.rfind('/').map_or(0, |slash| slash + 1);
    match &file[last..] {
        "mod.rs" | "lib.rs" | "main.rs" => {
            file[..last.saturating_sub(1)].rfind('/').map_or(file, |slash| &file[slash + 1..])
        }
        name => name,
    }
}

fn demangled(name: &str) -> String {
    addr2line::demangle_auto(name.into(), None).into_owned()
}

/// A name on one line, and as much of it as has room.
fn plain(name: &str) -> String {
    let name = name.chars().map(|c| if c.is_control() { ' ' } else { c });
    name.take(MOST_NAME).collect()
}
