//! What an engine may do on Windows: its user's rights without any privilege, and at low integrity,
//! with which it can change nothing that does not say so.

use std::io;
use std::mem;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::path::Path;
use std::ptr;

use windows_sys::Win32::Foundation::{HANDLE, LocalFree};
use windows_sys::Win32::Security::Authorization::{
    ConvertStringSecurityDescriptorToSecurityDescriptorW, SDDL_REVISION_1, SE_FILE_OBJECT,
    SetNamedSecurityInfoW,
};
use windows_sys::Win32::Security::{
    CreateRestrictedToken, CreateWellKnownSid, DISABLE_MAX_PRIVILEGE, GetSecurityDescriptorSacl,
    GetSidSubAuthority, GetSidSubAuthorityCount, GetTokenInformation, LABEL_SECURITY_INFORMATION,
    SECURITY_MAX_SID_SIZE, SID_AND_ATTRIBUTES, SetTokenInformation, TOKEN_ADJUST_DEFAULT,
    TOKEN_ASSIGN_PRIMARY, TOKEN_DUPLICATE, TOKEN_MANDATORY_LABEL, TOKEN_PRIVILEGES, TOKEN_QUERY,
    TokenIntegrityLevel, TokenPrivileges, WinLowLabelSid,
};
use windows_sys::Win32::System::SystemServices::{SE_GROUP_INTEGRITY, SECURITY_MANDATORY_LOW_RID};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};

use super::{check, wide};

/// What lets low integrity write in a folder and all that will be in it.
const LOW_LABEL: &str = "S:(ML;OICI;NW;;;LW)";
/// The privilege that every user has, and that takes nothing: to pass through folders.
const MOST_PRIVILEGES: u32 = 1;
/// The bytes that the privileges or the label of a token take at most.
const ROOM: usize = 4096;

/// A token like this process's own, but without privileges, and at low integrity if it is `closed`.
pub(super) fn engine_token(closed: bool) -> io::Result<OwnedHandle> {
    // SAFETY: It stands for this process, and is not closed.
    let own = open_token(
        unsafe { GetCurrentProcess() },
        TOKEN_DUPLICATE | TOKEN_QUERY | TOKEN_ASSIGN_PRIMARY | TOKEN_ADJUST_DEFAULT,
    )?;
    let mut token = ptr::null_mut();
    // SAFETY: No lists are given, and the new token is owned here.
    let token = unsafe {
        check(CreateRestrictedToken(
            own.as_raw_handle(),
            DISABLE_MAX_PRIVILEGE,
            0,
            ptr::null(),
            0,
            ptr::null(),
            0,
            ptr::null(),
            &mut token,
        ))?;
        OwnedHandle::from_raw_handle(token)
    };
    // Where that cannot be, it is a gap of the sandbox.
    if closed && let Err(error) = lower(&token) {
        log::debug!("the integrity of an engine cannot be lowered: {error}");
    }
    Ok(token)
}

/// Puts this process at low integrity. It cannot go back.
pub(super) fn lower_this_process() -> io::Result<()> {
    // SAFETY: It stands for this process, and is not closed.
    let own = open_token(unsafe { GetCurrentProcess() }, TOKEN_QUERY | TOKEN_ADJUST_DEFAULT)?;
    lower(&own)
}

fn lower(token: &OwnedHandle) -> io::Result<()> {
    let mut sid = [0_u64; (SECURITY_MAX_SID_SIZE as usize).div_ceil(8)];
    let mut size = mem::size_of_val(&sid) as u32;
    let sid = sid.as_mut_ptr().cast();
    // SAFETY: The room is as large as any of these is, and lives as long as the label.
    check(unsafe { CreateWellKnownSid(WinLowLabelSid, ptr::null_mut(), sid, &mut size) })?;
    let attributes = SE_GROUP_INTEGRITY as u32;
    let label =
        TOKEN_MANDATORY_LABEL { Label: SID_AND_ATTRIBUTES { Sid: sid, Attributes: attributes } };
    // SAFETY: As above; what is set is the struct of that class.
    check(unsafe {
        SetTokenInformation(
            token.as_raw_handle(),
            TokenIntegrityLevel,
            (&raw const label).cast(),
            mem::size_of_val(&label) as u32 + size,
        )
    })
}

fn open_token(process: HANDLE, rights: u32) -> io::Result<OwnedHandle> {
    let mut token = ptr::null_mut();
    // SAFETY: The token that comes back is owned here.
    unsafe {
        check(OpenProcessToken(process, rights, &mut token))?;
        Ok(OwnedHandle::from_raw_handle(token))
    }
}

/// What a token says of one class, which begins with the struct of that class.
fn information<T: Copy>(
    token: &OwnedHandle,
    class: i32,
    read: impl FnOnce(&T) -> u32,
) -> io::Result<u32> {
    let mut room = [0_u64; ROOM / 8];
    let mut size = 0;
    // SAFETY: The room has that size, and is aligned for every struct that is asked for.
    check(unsafe {
        GetTokenInformation(
            token.as_raw_handle(),
            class,
            room.as_mut_ptr().cast(),
            ROOM as u32,
            &mut size,
        )
    })?;
    // SAFETY: The system has put a `T` there, and what it points to behind it.
    Ok(read(unsafe { &*room.as_ptr().cast::<T>() }))
}

/// Whether a process has no privileges, and whether it is at low integrity; and why not.
pub(super) fn confinement(process: HANDLE) -> [Result<(), String>; 2] {
    let token = match open_token(process, TOKEN_QUERY) {
        Ok(token) => token,
        Err(error) => return [(); 2].map(|()| Err(error.to_string())),
    };
    let privileges =
        information(&token, TokenPrivileges, |held: &TOKEN_PRIVILEGES| held.PrivilegeCount);
    let privileges = match privileges {
        Ok(count) if count <= MOST_PRIVILEGES => Ok(()),
        Ok(count) => Err(format!("the system left it {count} privileges")),
        Err(error) => Err(error.to_string()),
    };
    let level = information(&token, TokenIntegrityLevel, |label: &TOKEN_MANDATORY_LABEL| {
        // SAFETY: The system has put a whole SID there; its last part is the level.
        unsafe {
            let last = *GetSidSubAuthorityCount(label.Label.Sid) - 1;
            *GetSidSubAuthority(label.Label.Sid, last.into())
        }
    });
    let integrity = match level {
        Ok(level) if level <= SECURITY_MANDATORY_LOW_RID as u32 => Ok(()),
        Ok(level) => Err(format!("the system left it at integrity {level:#x}")),
        Err(error) => Err(error.to_string()),
    };
    [privileges, integrity]
}

/// Lets processes at low integrity write in a folder.
pub(super) fn open_to_low_integrity(folder: &Path) -> io::Result<()> {
    let label = wide(LOW_LABEL.as_ref());
    let mut descriptor = ptr::null_mut();
    // SAFETY: The text ends with a zero. What it makes is freed below.
    check(unsafe {
        ConvertStringSecurityDescriptorToSecurityDescriptorW(
            label.as_ptr(),
            SDDL_REVISION_1,
            &mut descriptor,
            ptr::null_mut(),
        )
    })?;
    let (mut present, mut list, mut defaulted) = (0, ptr::null_mut(), 0);
    let folder = wide(folder.as_os_str());
    // SAFETY: The descriptor is whole, its list is a part of it, and both are used before it is
    // freed.
    unsafe {
        let found =
            check(GetSecurityDescriptorSacl(descriptor, &mut present, &mut list, &mut defaulted));
        let set = found.and_then(|()| {
            let failed = SetNamedSecurityInfoW(
                folder.as_ptr(),
                SE_FILE_OBJECT,
                LABEL_SECURITY_INFORMATION,
                ptr::null_mut(),
                ptr::null_mut(),
                ptr::null(),
                list,
            );
            if failed == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(failed as i32)) }
        });
        LocalFree(descriptor);
        set
    }
}
