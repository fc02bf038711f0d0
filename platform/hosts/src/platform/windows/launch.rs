//! Starts a process in a job of its own, with nothing of this process but its three pipes.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::mem;
use std::os::windows::ffi::OsStrExt;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr;
use std::sync::Once;

use windows_sys::Win32::Foundation::{HANDLE, TRUE};
use windows_sys::Win32::System::Diagnostics::Debug::{
    SEM_FAILCRITICALERRORS, SEM_NOGPFAULTERRORBOX, SEM_NOOPENFILEERRORBOX, SetErrorMode,
};
use windows_sys::Win32::System::Threading::{
    CREATE_NO_WINDOW, CREATE_SUSPENDED, CREATE_UNICODE_ENVIRONMENT, CreateProcessAsUserW,
    DeleteProcThreadAttributeList, EXTENDED_STARTUPINFO_PRESENT, InitializeProcThreadAttributeList,
    LPPROC_THREAD_ATTRIBUTE_LIST, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, PROCESS_INFORMATION,
    STARTF_USESTDHANDLES, STARTUPINFOEXW, TerminateProcess, UpdateProcThreadAttribute,
};

use super::job_object::JobObject;
use super::pipe::{PipeEnd, pipe};
use super::token::engine_token;
use super::{Cpus, StartedProcess, check, wide};
use crate::platform::{GroupLimits, Started};

/// Makes the process that the command says, in a job with these limits, and at low integrity if it
/// is `closed`. It runs nothing before it is told to [begin](StartedProcess::begin). The command's
/// own pipes are not used.
///
/// # Errors
/// Says what the system lacks, or what is wrong with the command.
pub(crate) fn spawn(
    command: &mut Command,
    limits: GroupLimits,
    closed: bool,
) -> io::Result<Started> {
    never_ask_the_user();
    let program = find_program(command)?;
    let mut line = command_line(&program, command.get_args())?;
    let environment = environment_block(command)?;
    let folder = command.get_current_dir().map(|folder| wide(folder.as_os_str()));
    let (input, child_input) = pipe(PipeEnd::ChildReads)?;
    let (output, child_output) = pipe(PipeEnd::ChildWrites)?;
    let (errors, child_errors) = pipe(PipeEnd::ChildWrites)?;
    let job = JobObject::new(limits)?;
    let token = engine_token(closed)?;
    let handles = [&child_input, &child_output, &child_errors].map(AsRawHandle::as_raw_handle);
    let mut inherited = InheritedHandles::new(&handles)?;
    let mut startup = STARTUPINFOEXW { lpAttributeList: inherited.list(), ..Default::default() };
    startup.StartupInfo.cb = mem::size_of::<STARTUPINFOEXW>() as u32;
    startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    [
        startup.StartupInfo.hStdInput,
        startup.StartupInfo.hStdOutput,
        startup.StartupInfo.hStdError,
    ] = handles;
    let mut made = PROCESS_INFORMATION::default();
    // SAFETY: Every pointer is to something of this function that lives until the call is over; the
    // texts and the environment end as they must, and the line may be written to.
    check(unsafe {
        CreateProcessAsUserW(
            token.as_raw_handle(),
            ptr::null(),
            line.as_mut_ptr(),
            ptr::null(),
            ptr::null(),
            TRUE,
            CREATE_NO_WINDOW
                | CREATE_SUSPENDED
                | CREATE_UNICODE_ENVIRONMENT
                | EXTENDED_STARTUPINFO_PRESENT,
            environment.as_ptr().cast(),
            folder.as_ref().map_or(ptr::null(), |folder| folder.as_ptr()),
            &startup.StartupInfo,
            &mut made,
        )
    })?;
    // SAFETY: The call has just made both, for its caller alone.
    let [process, thread] =
        [made.hProcess, made.hThread].map(|handle| unsafe { OwnedHandle::from_raw_handle(handle) });
    let id = made.dwProcessId;
    if let Err(error) = job.assign(&process) {
        // It is in no job that would end it.
        // SAFETY: The handle is open.
        unsafe { TerminateProcess(process.as_raw_handle(), 1) };
        return Err(error);
    }
    // A process of Windows does not get the CPUs of the thread that starts it.
    Cpus::of_this_thread().inspect(|cpus| job.bind_to(cpus));
    let started = StartedProcess { process, id, job, first_thread: thread };
    Ok((started, input.into(), output.into(), errors.into()))
}

/// A program that crashes or misses a library ends at once, instead of asking the user what to do.
/// Every process inherits that from this one.
fn never_ask_the_user() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: It takes any flags of that kind.
        unsafe {
            SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX)
        };
    });
}

/// The only handles that a process inherits: without such a list it would get those of every
/// process that another thread starts at that moment, and hold their pipes open.
struct InheritedHandles {
    list: Vec<usize>,
}

impl InheritedHandles {
    fn new(handles: &[HANDLE; 3]) -> io::Result<InheritedHandles> {
        let mut size = 0;
        // It fails, and says how much room it needs.
        // SAFETY: No list is given.
        unsafe { InitializeProcThreadAttributeList(ptr::null_mut(), 1, 0, &mut size) };
        let mut inherited =
            InheritedHandles { list: vec![0; size.div_ceil(mem::size_of::<usize>())] };
        let list: LPPROC_THREAD_ATTRIBUTE_LIST = inherited.list.as_mut_ptr().cast();
        // SAFETY: The list has the room that was asked for. The handles are read when a process is
        // made, and until then their owners keep them where they are.
        check(unsafe { InitializeProcThreadAttributeList(list, 1, 0, &mut size) })?;
        check(unsafe {
            UpdateProcThreadAttribute(
                list,
                0,
                PROC_THREAD_ATTRIBUTE_HANDLE_LIST as usize,
                handles.as_ptr().cast(),
                mem::size_of_val(handles),
                ptr::null_mut(),
                ptr::null(),
            )
        })?;
        Ok(inherited)
    }

    fn list(&mut self) -> LPPROC_THREAD_ATTRIBUTE_LIST {
        self.list.as_mut_ptr().cast()
    }
}

impl Drop for InheritedHandles {
    fn drop(&mut self) {
        // SAFETY: The list was made by `new`.
        unsafe { DeleteProcThreadAttributeList(self.list()) };
    }
}

/// Where the program of a command is: as it is named, or in one of the folders of the search path
/// that the process will have. The current folder is none of them.
fn find_program(command: &Command) -> io::Result<PathBuf> {
    let name = Path::new(command.get_program());
    let mut names = vec![name.to_owned()];
    // `python3.11` has no ending that is one of programs.
    let is_program = |ending: &OsStr| {
        ["exe", "com", "bat", "cmd"].iter().any(|known| ending.eq_ignore_ascii_case(known))
    };
    if !name.extension().is_some_and(is_program) {
        let mut longer = name.as_os_str().to_owned();
        longer.push(".exe");
        names.push(longer.into());
    }
    let missing = || {
        let told = format!("{}: no such program was found", name.display());
        io::Error::new(io::ErrorKind::NotFound, told)
    };
    if name.is_absolute() || name.components().count() > 1 {
        return names.into_iter().rfind(|name| name.is_file()).ok_or_else(missing);
    }
    let path = command.get_envs().find(|(name, _)| name.eq_ignore_ascii_case("PATH"));
    let folders = path.and_then(|(_, path)| path).map(std::env::split_paths);
    let folders = folders.into_iter().flatten().filter(|folder| folder.is_absolute());
    let mut found = folders
        .flat_map(|folder| names.iter().rev().map(|name| folder.join(name)).collect::<Vec<_>>());
    found.find(|name| name.is_file()).ok_or_else(missing)
}

/// A command line that programs of Windows read as these arguments (`CommandLineToArgvW`), with a
/// zero at its end.
fn command_line<'a>(program: &Path, args: impl Iterator<Item = &'a OsStr>) -> io::Result<Vec<u16>> {
    let is_script = program.extension().is_some_and(|ending| {
        ["bat", "cmd"].iter().any(|script| ending.eq_ignore_ascii_case(script))
    });
    let mut line = Vec::new();
    if is_script {
        // The shell of the system runs it, and takes all that is between the outer quotes.
        let shell = std::env::var_os("ComSpec").unwrap_or_else(|| "cmd.exe".into());
        append_quoted(&mut line, &shell);
        line.extend(" /d /s /c \"".encode_utf16());
    }
    append_quoted(&mut line, program.as_os_str());
    for arg in args {
        line.push(u16::from(b' '));
        append_quoted(&mut line, arg);
    }
    if is_script {
        line.push(u16::from(b'"'));
    }
    if line.contains(&0) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "an argument has a zero in it"));
    }
    line.push(0);
    Ok(line)
}

/// Backslashes are themselves, but before a quote each is written twice.
fn append_quoted(line: &mut Vec<u16>, arg: &OsStr) {
    let (quote, backslash) = (u16::from(b'"'), u16::from(b'\\'));
    line.push(quote);
    let mut backslashes = 0;
    for unit in arg.encode_wide() {
        if unit == quote {
            line.extend(std::iter::repeat_n(backslash, backslashes + 1));
        }
        backslashes = if unit == backslash { backslashes + 1 } else { 0 };
        line.push(unit);
    }
    line.extend(std::iter::repeat_n(backslash, backslashes));
    line.push(quote);
}

/// The variables that the command sets, each ended by a zero, and one more at the end. The system
/// wants them sorted by their names in capitals.
fn environment_block(command: &Command) -> io::Result<Vec<u16>> {
    let set = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
    let sorted: BTreeMap<OsString, (&OsStr, &OsStr)> =
        set.map(|(name, value)| (name.to_ascii_uppercase(), (name, value))).collect();
    let mut block = Vec::new();
    for (name, value) in sorted.into_values() {
        let start = block.len();
        block.extend(name.encode_wide());
        block.push(u16::from(b'='));
        block.extend(value.encode_wide());
        if block[start..].contains(&0) {
            let told = format!("the variable {} has a zero in it", name.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, told));
        }
        block.push(0);
    }
    if block.is_empty() {
        block.push(0);
    }
    block.push(0);
    Ok(block)
}

#[cfg(test)]
mod tests {
    use std::os::windows::ffi::OsStringExt;

    use super::*;

    fn line(program: &str, args: &[&str]) -> String {
        let line = command_line(Path::new(program), args.iter().map(OsStr::new)).unwrap();
        OsString::from_wide(&line[..line.len() - 1]).into_string().unwrap()
    }

    #[test]
    fn a_command_line_reads_as_its_arguments() {
        assert_eq!(line(r"Z:\w\x.exe", &["-a", ""]), r#""Z:\w\x.exe" "-a" """#);
        assert_eq!(line("x", &[r"a\", r#"b\"c"#, "d e"]), r#""x" "a\\" "b\\\"c" "d e""#);
        let script = line("x.BAT", &["a"]);
        assert!(script.ends_with(r#" /d /s /c ""x.BAT" "a"""#), "{script}");
        assert!(command_line(Path::new("x"), [OsStr::new("a\0b")].into_iter()).is_err());
    }

    #[test]
    fn the_environment_is_what_was_set_and_sorted() {
        let mut command = Command::new("x");
        command.env_clear().env("b", "2").env("A", "1").env_remove("C");
        let block = String::from_utf16(&environment_block(&command).unwrap()).unwrap();
        assert_eq!(block, "A=1\0b=2\0\0");
        assert_eq!(environment_block(Command::new("x").env_clear()).unwrap(), [0, 0]);
    }
}
