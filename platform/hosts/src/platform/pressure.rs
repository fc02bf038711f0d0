//! How long the processes of a control group have waited for a CPU, as the kernel counts it for the
//! group: `cpu.pressure` of version 2.

use std::fs::File;
use std::os::unix::fs::FileExt;

pub(super) const FILE: &str = "cpu.pressure";
/// The line of the time in which none of the processes ran, though one could have. What they take
/// from each other is not in that, for one of them runs then. Linux 5.13 and newer have it.
const FULL: &str = "full ";
const TOTAL: &str = "total=";

/// That time so far, in nanoseconds.
pub(super) fn stalled(file: &File) -> Option<u64> {
    let mut room = [0; 512];
    let count = file.read_at(&mut room, 0).ok()?;
    parse(std::str::from_utf8(room.get(..count)?).ok()?)
}

fn parse(text: &str) -> Option<u64> {
    let full = text.lines().find_map(|line| line.strip_prefix(FULL))?;
    let micros = full.split(' ').find_map(|word| word.strip_prefix(TOTAL))?;
    micros.parse::<u64>().ok()?.checked_mul(1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_time_in_which_nothing_of_the_group_ran_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let read = |text: &str| {
            let path = folder.path().join(FILE);
            std::fs::write(&path, text).unwrap();
            let file = File::open(path).unwrap();
            // A file is read from its beginning each time.
            assert_eq!(stalled(&file), stalled(&file));
            stalled(&file)
        };
        let some = "some avg10=0.00 avg60=0.00 avg300=0.00 total=9000\n";
        let full = "full avg10=1.53 avg60=0.87 avg300=0.73 total=1055674\n";
        assert_eq!(read(&format!("{some}{full}")), Some(1_055_674_000));
        assert_eq!(read(some), None, "before Linux 5.13");
        assert_eq!(read("full avg10=0.00 total=x\n"), None);
        assert_eq!(read(""), None);
    }
}
