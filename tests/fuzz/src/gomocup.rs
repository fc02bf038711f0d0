//! Lines of the Gomocup protocol come out of a pipe however it delivers them, and each command and
//! reply reads as it prints.

use tengen_gomocup::{BrainReply, LineBuffer, ManagerCommand};

const CAP: usize = 256;

pub(crate) fn check(bytes: &[u8]) {
    let Some((&first, bytes)) = bytes.split_first() else { return };
    let mut buffer = LineBuffer::new(CAP);
    let mut lines = Vec::new();
    for part in bytes.chunks(usize::from(first).max(1)) {
        buffer.push(part);
        while let Some(line) = buffer.pop() {
            lines.push(line.to_vec());
        }
    }
    let mut expected: Vec<&[u8]> = bytes.split(|byte| matches!(byte, b'\r' | b'\n')).collect();
    let rest = expected.pop().expect("the part behind the last line end");
    assert_eq!(buffer.rest(), &rest[..rest.len().min(CAP)]);
    let expected = expected.into_iter().map(|line| &line[..line.len().min(CAP)]);
    assert!(lines.iter().eq(expected.filter(|line| !line.is_empty())));
    for line in &lines {
        check_line(line);
    }
}

fn check_line(line: &[u8]) {
    if let Ok(command) = ManagerCommand::parse(line) {
        let printed = command.to_string();
        assert_eq!(ManagerCommand::parse(printed.as_bytes()), Ok(command), "{printed}");
    }
    let reply = BrainReply::parse(line);
    let printed = reply.to_string();
    assert_eq!(BrainReply::parse(printed.as_bytes()), reply, "{printed}");
}
