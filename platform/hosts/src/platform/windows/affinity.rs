//! Which CPUs threads and processes may run on, on Windows. A machine with more than 64 has several
//! groups of them, and a thread and an engine may be in two: nothing is bound there.

use std::os::windows::io::{AsRawHandle, OwnedHandle};

use windows_sys::Win32::System::SystemInformation::GROUP_AFFINITY;
use windows_sys::Win32::System::Threading::{
    GetActiveProcessorGroupCount, GetCurrentProcessorNumber, GetCurrentThread,
    GetThreadGroupAffinity, SetProcessAffinityMask, SetThreadAffinityMask,
};

use super::check;

/// One bit for each CPU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cpus(usize);

impl Cpus {
    /// Those of the calling thread, if the system reports them.
    pub(crate) fn of_this_thread() -> Option<Cpus> {
        let mut affinity = GROUP_AFFINITY::default();
        // Wine counts none.
        // SAFETY: It takes nothing.
        if unsafe { GetActiveProcessorGroupCount() } > 1 {
            return None;
        }
        // SAFETY: The thread is this one, and the struct is that of this function.
        check(unsafe { GetThreadGroupAffinity(GetCurrentThread(), &mut affinity) }).ok()?;
        Some(Cpus(affinity.Mask))
    }

    /// That one alone, if such a number can be.
    pub(crate) fn one(cpu: usize) -> Option<Cpus> {
        1_usize.checked_shl(cpu.try_into().ok()?).map(Cpus)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        (0..usize::BITS as usize).filter(|cpu| self.0 >> cpu & 1 != 0)
    }

    /// Lets the calling thread run on these alone. Gives whether that could be done.
    pub(crate) fn apply_here(&self) -> bool {
        // SAFETY: The thread is this one.
        unsafe { SetThreadAffinityMask(GetCurrentThread(), self.0) != 0 }
    }

    pub(super) fn mask(&self) -> usize {
        self.0
    }

    /// Lets a process run on these alone, and all that it starts from now on.
    pub(super) fn apply_to(&self, process: &OwnedHandle) {
        // One that has ended needs no place.
        // SAFETY: The handle is open.
        unsafe { SetProcessAffinityMask(process.as_raw_handle(), self.0) };
    }
}

/// The CPU that the calling thread is on.
pub(crate) fn current_cpu() -> usize {
    // SAFETY: It takes nothing.
    unsafe { GetCurrentProcessorNumber() as usize }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_thread_is_on_its_cpu() {
        let allowed = Cpus::of_this_thread().unwrap();
        let last = allowed.iter().last().unwrap();
        std::thread::spawn(move || {
            let one = Cpus::one(last).unwrap();
            assert!(one.apply_here());
            assert_eq!(Cpus::of_this_thread(), Some(one));
            assert_eq!(current_cpu(), last);
        })
        .join()
        .unwrap();
        assert_eq!(Cpus::of_this_thread(), Some(allowed));
        assert_eq!(Cpus::one(64), None);
    }
}
