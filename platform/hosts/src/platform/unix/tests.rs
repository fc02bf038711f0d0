use std::process::Stdio;

use super::*;

#[test]
fn what_does_not_come_is_given_up() {
    let (mut looks, patience) = (0, Duration::from_millis(5));
    let mut wait = |wanted: u32, patience| {
        looks = 0;
        wait_patiently(patience, || {
            looks += 1;
            Ok(looks >= wanted)
        })
    };
    assert!(wait(3, Duration::from_secs(3600)).unwrap());
    assert!(!wait(u32::MAX, patience).unwrap());
    assert!(wait_patiently(patience, || Err(io::ErrorKind::NotFound.into())).is_err());
}

#[test]
fn a_child_is_reaped_once() {
    let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
    let pid = child.id();
    child.kill().unwrap();
    assert_eq!(reap_child(pid).unwrap().0.signal(), Some(libc::SIGKILL));
    assert!(reap_child(pid).is_err() && child.wait().is_err());
}
