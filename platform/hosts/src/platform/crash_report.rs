//! The line that a dying process writes: what it died of, and where.

/// How the line begins.
pub(super) const MARK: &str = "tengen crash report: ";
pub(super) const MOST_CALLS: usize = 48;
/// What stands for the engine's own file, and for the program that hosts it.
pub(super) const ENGINE: &str = "engine";
#[cfg(target_os = "linux")]
pub(super) const HOST: &str = "tengen";
/// A fault so near the end of the stack means that it was full.
const NEAR: u64 = 1 << 20;

/// What a process of machine code died of, in its own words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CrashReport {
    pub signal: i32,
    /// The address that the process must not read or write, if that is known.
    pub address: Option<u64>,
    /// Whether its stack was full.
    pub is_overflow: bool,
    /// The calls that led there, the innermost first.
    pub calls: Vec<CrashCall>,
}

/// A place in a file of machine code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CrashCall {
    pub file: String,
    /// The address, as the file has it.
    pub offset: u64,
}

impl CrashCall {
    pub(crate) fn is_engines(&self) -> bool {
        self.file == ENGINE
    }
}

impl CrashReport {
    /// Whether the engine ended itself.
    pub(crate) fn is_abort(&self) -> bool {
        const SIGABRT: i32 = 6;
        self.signal == SIGABRT
    }

    /// How its line begins.
    pub(crate) const MARK: &str = MARK;

    pub(crate) fn is_line(line: &str) -> bool {
        line.starts_with(MARK)
    }

    /// The last one in what a process has printed. An engine can write it as well: it says what its
    /// own process died of, and nothing else.
    #[cfg_attr(not(unix), allow(dead_code))]
    pub(crate) fn find(text: &str) -> Option<CrashReport> {
        text.lines().rev().find_map(|line| CrashReport::parse(line.strip_prefix(MARK)?))
    }

    fn parse(line: &str) -> Option<CrashReport> {
        let (figures, calls) = line.split_once(" at ")?;
        let mut words = figures.split(' ');
        let mut figure = |name: &str| {
            let is_it = words.next()? == name;
            u64::from_str_radix(words.next()?, 16).ok().filter(|_| is_it)
        };
        let (signal, code) = (figure("signal")?, figure("code")?);
        let (address, stack) = (figure("address")?, figure("stack")?);
        // A signal that was sent has none, nor has one of an address that cannot be one.
        let is_known = (1..0x80).contains(&code) && is_of_memory(signal);
        let call = |word: &str| {
            let (file, offset) = word.rsplit_once('+')?;
            let offset = u64::from_str_radix(offset, 16).ok()?;
            Some(CrashCall { file: file.to_owned(), offset })
        };
        Some(CrashReport {
            signal: i32::try_from(signal).ok()?,
            address: is_known.then_some(address),
            is_overflow: is_known && stack != 0 && address.abs_diff(stack) < NEAR,
            calls: calls.split(' ').filter_map(call).take(MOST_CALLS).collect(),
        })
    }
}

#[cfg(unix)]
fn is_of_memory(signal: u64) -> bool {
    [libc::SIGSEGV, libc::SIGBUS].iter().any(|one| u64::try_from(*one) == Ok(signal))
}

#[cfg(not(unix))]
fn is_of_memory(_: u64) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read_as_it_is_written() {
        let line = "tengen crash report: signal b code 1 address 10 stack 7ffc00 at engine+1a \
                    libc.so.6+ff host+2";
        let report = CrashReport::find(&format!("hello\n{line}\n")).unwrap();
        assert_eq!((report.signal, report.address, report.is_overflow), (11, Some(16), false));
        let calls: Vec<_> = report.calls.iter().map(|call| (&*call.file, call.offset)).collect();
        assert_eq!(calls, [("engine", 26), ("libc.so.6", 255), ("host", 2)]);
        let full = line.replace("address 10", "address 7ff800");
        assert!(CrashReport::find(&full).unwrap().is_overflow);
        let sent = line.replace("code 1", "code fffffffa");
        assert_eq!(CrashReport::find(&sent).unwrap().address, None);
        for odd in ["", "tengen crash report: ", "tengen crash report: signal x at", " signal b"] {
            assert_eq!(CrashReport::find(odd), None, "{odd}");
        }
    }
}
